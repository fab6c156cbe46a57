package command

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"

	"caper/interp"
	"caper/repl"
	"caper/runtime/assembly"
	"caper/runtime/call"
	"caper/runtime/owner"
	"caper/runtime/view"
)

// Exit codes.
const (
	ExitOK          = 0
	ExitRaised      = 1
	ExitUsage       = 2
	ExitDenied      = 3
	ExitBudget      = 4
	ExitUncertain   = 5
	ExitStore       = 6
	ExitParked      = 7
	ExitInterrupted = 130
)

// Invocation is one command line and where it came from.
type Invocation struct {
	Args    []string
	Cwd     string
	Environ []string
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	// Terminal asks a person; nil when nobody is there.
	Terminal owner.Terminal
	Screen   bool // Stdout is a terminal
	Style    view.Style
	First    bool // there was no store before
	// Job is told the job that this command works on, once it is known.
	Job func(id string)

	// Freed is told that what goes on of this command leaves the terminal alone.
	Freed func()

	// Held, unless nil, is asked how to go on when an input of a REPL fails.
	Held func(context.Context, repl.Failure) repl.Restart

	guest  bool                                   // another process has the store, and runs this for its guest
	remote func(context.Context, *Invocation) int // runs a command line where another process owns the store
	catch  *atomic.Pointer[func()]                // who hears Ctrl-C instead of the command
	pipe   *pipe                                  // standard input of this process, where it is no terminal
	env    map[string]string
	opened func() (*assembly.System, error) // the store, opened on first use
	asker  call.Asker
}

func (inv *Invocation) prepare() {
	inv.env = map[string]string{}
	for _, kv := range inv.Environ {
		if k, v, ok := strings.Cut(kv, "="); ok {
			inv.env[k] = v
		}
	}
	if inv.Terminal != nil {
		inv.asker = &asker{term: inv.Terminal, w: inv.Stderr, style: inv.Style}
	}
}

// path makes a path of the command line absolute.
func (inv *Invocation) path(p string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(inv.Cwd, p)
}

// Error is an error with the exit code that it means.
type Error struct {
	Code int
	Err  error
	Hint string
}

func (e *Error) Error() string {
	if e.Hint != "" {
		return e.Err.Error() + "\n  " + e.Hint
	}
	return e.Err.Error()
}
func (e *Error) Unwrap() error { return e.Err }

func failf(code int, hint, format string, a ...any) error {
	return &Error{Code: code, Err: fmt.Errorf(format, a...), Hint: hint}
}

// Version is what caper version prints; a release sets it when linking.
var Version = "0.1.0-dev"

// Prebuilt is the library image that comes with the program; main sets it. Without one the image is built.
var Prebuilt interp.Prebuilt
