// Package owner lets one process own a store and lets others reach it: the socket beside the store, the frames on it,
// attaching, and noticing that the owner went away. It runs commands that it is given and knows none of them; it never
// opens a store itself. Package command imports it.
package owner
