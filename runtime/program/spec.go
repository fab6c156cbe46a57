package program

import (
	"context"

	"caper/interp"
	"caper/interp/syntax"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
)

// Runner executes bags for one owner of a store.
type Runner struct {
	Engine *interp.Engine
	// SnapshotEvery is after how many answers a bag is worth a snapshot; 0: what pays. Tests set it.
	SnapshotEvery int
	// Open answers what serves calls, opening the store on first use.
	Open func() (*call.Service, error)

	kept kept
}

// Spec is what a bag is admitted with.
type Spec struct {
	Name    string // a path or a label
	Source  string
	Args    []string    // the command line after the file
	Data    graph.Datum // what a nested program gets as its arguments, nil for Args
	Context call.Context
	Budget  kind.Budget
	// Input reads the next line of standard input, io.EOF at its end; nil where there is none.
	Input func(context.Context) (string, error)
	Libs  []string // folders for imports, besides the program's own
	Dir   string   // folder of the program's file, "" when it has none
	Lazy  bool     // the job is made with its first call: a program that makes none leaves no trace
	// Open says that later bags may go on in the machine of this one. After is the bag in whose machine it goes on itself:
	// what that one, and those before it, defined is there. What Data names it finds as variables.
	Open  bool
	After graph.ID
	// At is where the job is made; zero: at the next place of its session.
	At graph.ID
	// Restart, unless nil, is asked how to go on where an open bag catches nothing of what was raised: all still stands then.
	Restart func(context.Context, Held) Restart
	// Ended, unless nil, hears how the program itself came to rest while what it sent to the background goes on.
	Ended func(Result, error)
}

// Output receives what a program writes, in order, after it is on record.
type Output interface {
	Write(text []byte) (int, error)
}

// State is how a bag came to rest.
type State string

const (
	Done      State = "done"
	Raised    State = "raised"
	Denied    State = "denied"
	Budget    State = "budget"
	Uncertain State = "uncertain"
	Parked    State = "parked"
	Cancelled State = "cancelled"
	Exited    State = "exited"
)

// Result is the end of a bag, or where it waits.
type Result struct {
	State     State
	ID        graph.ID // of the bag's job; zero when it never needed one
	Value     graph.Datum
	NoValue   bool // the last expression has no useful value
	Code      int  // of exit
	Error     *Failure
	Waiting   []graph.ID // calls that wait for a person
	Unwritten []string   // what was lost of files that were left open
	Rest      State      // parked or uncertain, when a program that ended has children in the background that wait
}

// Failure is an uncaught condition, or what stopped the bag.
type Failure struct {
	Kind      string
	Message   string
	Irritants string
	Data      graph.Datum
	At        syntax.Span // where, if that is in the program's own text
	Trace     []Frame     // innermost first; a frame without a file is of the library
	Hints     []string
}

// Frame is one line of a backtrace.
type Frame struct {
	Procedure    string
	File         string
	Line, Column int
	At           syntax.Span    // the place in the text, of a failure that is held
	Kept         bool           // Vars are known
	Vars         []interp.Local // outermost first
}

// Held is a failure before anything was left because of it.
type Held struct {
	Result Result // what the bag comes to unless it goes on
	Retry  string // the call that may be made again, "" if no call failed
}

// Restart is how a bag goes on: by making the call again, with the value of an expression, or, when zero, not at all.
type Restart struct {
	Retry bool
	Use   bool
	Value graph.Datum // the expression
}

// Defaults of a budget, where neither the command line nor a parent says anything.
const (
	DefaultFuel   = 20_000_000_000
	DefaultMemory = 512 << 20
	DefaultOutput = 64 << 20
)

// interrupted is the cause of a context that a person ended.
type interrupted struct{}

func (interrupted) Error() string { return "interrupted" }

// stopBy is how a bag is stopped: for a cause, or as Ctrl-C does. Its calls are cancelled and it settles as cancelled.
func stopBy(cancel context.CancelCauseFunc) func(error) {
	return func(cause error) {
		if cause == nil {
			cause = interrupted{}
		}
		cancel(cause)
	}
}
