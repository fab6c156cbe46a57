package tool

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"caper/interp/near"
	"caper/runtime/graph"
)

// Codes of failures, grouped by when they occur.
const (
	// before anything is looked at
	CodeArguments = "bad-arguments"
	CodeBadPath   = "bad-path"
	CodeUnknown   = "unknown-tool"

	// while looking
	CodeNotFound     = "not-found"
	CodeIsDirectory  = "is-directory"
	CodeNotDirectory = "not-a-directory"
	CodeNotFile      = "not-a-file"
	CodePermission   = "permission"
	CodeNotUTF8      = "not-utf8"
	CodeTooLarge     = "too-large"
	CodeNoMatch      = "no-match"
	CodeManyMatches  = "many-matches"
	CodeExists       = "exists"
	CodeNotEmpty     = "not-empty"
	CodeOtherDevice  = "other-device"

	// at the border of the effect: nothing was done
	CodePathChanged = "path-changed" // the path leads elsewhere than what was judged
	CodeStale       = "stale-facts"  // the content is not what Prepare measured

	// while doing
	CodeDiskFull    = "disk-full"
	CodeReadOnly    = "read-only"
	CodeTimeout     = "timeout"
	CodeCancelled   = "cancelled"
	CodeOutputLimit = "output-limit"
	CodeIO          = "io"
)

// Error is the failure of a tool.
type Error struct {
	Code    string
	Message string // for a person: what, where, why, what to do
	Data    graph.Datum
	Hints   []string // what to do about it, each a sentence
	// Partial says that the effect may have happened in part. Without it nothing was done.
	Partial bool
	Receipt Receipt
	Err     error
}

func (e *Error) Error() string { return e.Message }
func (e *Error) Unwrap() error { return e.Err }

// Stale reports whether err says that nothing was done because Prepare's facts are no longer true.
func Stale(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == CodeStale
}

// Code answers the code of err, or "" if it has none.
func Code(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// meant adds the names that were probably meant.
func (e *Error) meant(names []string) *Error {
	if q := near.Question(names); q != "" {
		e.Hints = append(e.Hints, q)
	}
	return e
}

func fail(code, format string, a ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, a...)}
}

// fileError turns an error of the operating system into ours: did is what was tried, as in "cannot read".
func fileError(did, path string, err error) error {
	var own *Error
	if errors.As(err, &own) {
		return err
	}
	code, why := CodeIO, err.Error()
	var no syscall.Errno
	if errors.As(err, &no) {
		why = no.Error()
		code = errnoCode(no)
	} else if errors.Is(err, fs.ErrNotExist) {
		code = CodeNotFound
	} else if errors.Is(err, errLarge) {
		code = CodeTooLarge
	}
	if code == CodePathChanged {
		why = "a link or another file stands where none stood when the call was judged; nothing was done"
	}
	return &Error{Code: code, Message: fmt.Sprintf("%s %s: %s", did, showPath(path), why), Err: err}
}

func errnoCode(no syscall.Errno) string {
	switch no {
	case syscall.ENOENT:
		return CodeNotFound
	case syscall.EISDIR:
		return CodeIsDirectory
	case syscall.ENOTDIR:
		return CodeNotDirectory
	case syscall.EACCES, syscall.EPERM:
		return CodePermission
	case syscall.EEXIST:
		return CodeExists
	case syscall.ENOTEMPTY:
		return CodeNotEmpty
	case syscall.EXDEV:
		return CodeOtherDevice
	case syscall.ELOOP:
		return CodePathChanged
	case syscall.ENOSPC, syscall.EDQUOT:
		return CodeDiskFull
	case syscall.EROFS:
		return CodeReadOnly
	case syscall.EFBIG:
		return CodeTooLarge
	case syscall.ENAMETOOLONG, syscall.EINVAL:
		return CodeBadPath
	}
	return CodeIO
}
