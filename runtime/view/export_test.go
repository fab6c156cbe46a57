package view

// Update is the flag -update.
var Update = update
