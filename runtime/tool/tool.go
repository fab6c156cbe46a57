package tool

import (
	"context"
	"io/fs"

	"caper/runtime/graph"
)

// Effect says what running a tool twice, or not knowing whether it ran, means.
type Effect int

const (
	Read     Effect = iota // changes nothing; may run again
	Write                  // changes files in a way that Recover can decide from the facts
	External               // whatever it does cannot be seen from here
	Spend                  // it asks a model, which costs tokens; each call that comes of it is licensed by itself
	Inner                  // it touches nothing itself; each call that it makes is licensed by itself
)

func (e Effect) String() string {
	switch e {
	case Read:
		return "read"
	case Write:
		return "write"
	case Spend:
		return "spend"
	case Inner:
		return "inner"
	}
	return "external"
}

// Kind is the kind of value a parameter takes.
type Kind int

const (
	String Kind = iota
	Int         // an exact integer that fits int64
	Number      // any real number
	Bool
	Data // checked by the tool itself
)

// Access says what a parameter means to the license.
type Access int

const (
	NoAccess      Access = iota
	ReadAccess           // a path whose content is read
	WriteAccess          // a path that is created or changed
	DeleteAccess         // a path that ceases to exist
	ListAccess           // a folder whose names are read, or a glob pattern below one
	CommandAccess        // a shell command
	CwdAccess            // a folder a command runs in
)

// Path reports whether a parameter with this access names a place in the file system (and so has a Target).
func (a Access) Path() bool {
	return a != NoAccess && a != CommandAccess
}

// Param describes one argument.
type Param struct {
	Name     string
	Kind     Kind
	Keyword  bool // given as #:name value; otherwise by position
	Required bool
	Doc      string
	Access   Access
	// Entry marks a path that means the directory entry itself: a link there is not followed (delete, move).
	Entry bool
	// Default is the path that is meant when an optional path is not given; "" if there is none.
	Default string
	// Pattern marks a path that is a glob pattern: its Target is the deepest folder without wildcards.
	Pattern bool
}

// Tool describes one tool. All functions are pure but for the outside world: they keep nothing between calls.
type Tool struct {
	Name    string
	Version string // changes when the meaning of arguments, facts or results changes
	Summary string // one line
	Doc     string // Markdown
	Params  []Param
	Effect  Effect
	// Keywords are words that people use for what it does and that its summary does not have. Often is how much of all work
	// needs it, from 0 to 9: it counts where a whole task says nothing of it.
	Keywords string
	Often    int
	// Continues names the parameter that holds the id of another call, whose outcome this one reads on; "" for none.
	Continues string
	Private   bool // for people and programs: no model is given it
	Means     bool // by which others are found and called: nobody looks for it
	InOrder   bool // its calls of one round of a model are made one after another, in their order

	// Prepare measures what must be durable before the effect. It changes nothing that outlives a crash of its process.
	Prepare func(context.Context, *Env, Args) (Facts, error)
	// Perform does the effect that facts describe, or nothing.
	Perform func(context.Context, *Env, Args, Facts) (Result, error)
	// Recover decides, after a crash between Prepare and a durable outcome, what happened.
	Recover func(context.Context, *Env, Args, Facts) (Recovery, error)
	// Preview shows what a person should see before saying yes; nil where the arguments say it all.
	Preview func(context.Context, *Env, Args) (Preview, error)
}

// Param answers the parameter called name.
func (t *Tool) Param(name string) (Param, bool) {
	for _, p := range t.Params {
		if p.Name == name {
			return p, true
		}
	}
	return Param{}, false
}

// Hosted reports whether the body works on the graph itself, or another than we does the work: it is handed to the calls,
// and Prepare, Perform and Recover stay nil. Such a call has children of its own, and what an earlier process began of it is
// gone on with by that body.
func (t *Tool) Hosted() bool { return t.Perform == nil }

// Unseen reports whether what became of a call that was broken off cannot be known without asking.
func (t *Tool) Unseen() bool { return t.Effect == External || t.Effect == Write && t.Hosted() }

// Target is a place in the file system as the license judged it. Path is canonical: absolute, without links but, for an Entry
// parameter, the last component.
type Target struct {
	Path    string
	Lexical string // the path as given, made absolute and cleaned by its text alone
	Exists  bool
	Dev     uint64 // of what is there; 0 unless Exists
	Ino     uint64
	Type    fs.FileMode // type bits; 0 for a regular file
	// Dangling says that the name given is a link to something that does not exist; Path is what it points to.
	Dangling bool
}

// Blobs keeps bytes by content.
type Blobs interface {
	Put(pieces ...[]byte) (string, error)
	Get(string) ([]byte, error)
}

// Env is what one call may use. It belongs to one call and is not shared.
type Env struct {
	Workspace string // canonical, absolute
	Cwd       string // canonical, absolute
	Environ   []string
	Spool     string // folder for this call's spool files; protected
	CallID    string // unique for ever: store, session, bag, ordinal; the value of CAPER_CALL and part of temporary names
	Blobs     Blobs
	Sync      bool  // fsync before saying done
	Umask     int   // for what is created, and for child processes
	Mode      int64 // permission bits of the file that write-file writes; 0: those that it has, or what Umask leaves
	// Resolved has a Target for each path argument. Perform touches exactly that or answers path-changed.
	Resolved map[string]Target
	// Stream receives the output of a running command; may be nil. It is called from one goroutine at a time and must not block:
	// a timeout waits for it.
	Stream func(stream string, chunk []byte)
	// Skip reports canonical paths that walks must neither enter nor read; may be nil; called concurrently.
	Skip func(path string) bool
	// Fault is called at each border of an effect; nil in production.
	Fault func(point string)

	live *process // between Prepare and Perform of an external call
}

// Close ends what Prepare started and Perform did not take over. It may be called more than once.
func (e *Env) Close() {
	if e.live != nil {
		e.live.abandon()
		e.live = nil
	}
}

func (e *Env) fault(point string) {
	if e.Fault != nil {
		e.Fault(point)
	}
}

// Result is what a call answers.
type Result struct {
	Value   graph.Datum
	Receipt Receipt
	Blobs   []string // references into Env.Blobs that the outcome keeps alive
}

// Receipt has what a person is shown beside the value.
type Receipt struct {
	Bytes      int64 // read or written
	Matches    int64
	Files      int64 // looked at
	Binary     int64 // files skipped as binary
	Unreadable int64 // files or folders skipped because they could not be read
	Protected  int64 // files or folders skipped because Env.Skip said so
	Pid        int
	Stdout     string // blob of the whole output, when Value has only a part
	Stderr     string
	Preimage   string // blob of what was there before
	Notes      []string
}

// Outcome is what Recover found.
type Outcome int

const (
	NotDone  Outcome = iota // nothing happened and nothing is left: Prepare and Perform as for a new call
	Done                    // it happened: Result is the answer
	Redo                    // it happened in part: make Facts durable, then Perform with them
	Conflict                // someone else changed things: a person must look; Reason says what
	Unknown                 // it may have happened; Reason, and Result as far as it is known
)

func (o Outcome) String() string {
	return [...]string{"not-done", "done", "redo", "conflict", "unknown"}[o]
}

// Recovery is the answer of Recover.
type Recovery struct {
	Outcome Outcome
	Result  Result
	Facts   Facts
	Reason  string
}

// Preview is what a person is shown before the effect.
type Preview struct {
	Path    string // canonical, for file tools
	Diff    string // unified diff; "" if there is none or it is not text
	Added   int    // lines
	Removed int
	New     bool   // the file does not exist yet
	Before  string // hash of the file as shown, "" if New: binds an approval to what was seen
	Command string // for commands: exactly what will run
	Cwd     string
	Note    string
}
