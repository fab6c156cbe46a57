package model

import "errors"

// Stands here until the wire lands, which has its own.
var errSilent = errors.New("silent")
