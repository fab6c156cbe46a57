package license

import "caper/runtime/graph"

// Access is what a call does to a path.
type Access string

const (
	Read   Access = "read"
	Write  Access = "write"
	Delete Access = "delete" // of the entry itself: a link is removed, not what it leads to
	List   Access = "list"
)

// Effect is what a tool says of itself.
type Effect string

const (
	EffectRead     Effect = "read"
	EffectWrite    Effect = "write"
	EffectExternal Effect = "external"
	EffectSpend    Effect = "spend" // it asks a model; each call that comes of it is licensed by itself
	EffectInner    Effect = "inner" // it touches nothing itself; each call that it makes is licensed by itself
)

// Use is one path that a call names.
type Use struct {
	Arg    string // the argument that names it
	Path   string // as given
	Access Access
}

// Call is what a program, a turn or a client wants to do.
type Call struct {
	Tool    string
	Version string
	Effect  Effect
	Args    map[string]graph.Datum
	Uses    []Use

	// Command is the text for a shell; only tool bash has one.
	Command string
	// Cwd is where relative paths start: absolute, the recorded one of the program, not of this process.
	Cwd string
	// Workspace is the absolute root folder that rules are relative to.
	Workspace string
	// Env is the recorded environment that the call would run under. HOME, PATH, PWD, USER, LOGNAME and TMPDIR are
	// looked at; a missing PATH means that no executable resolves, so every command asks.
	Env map[string]string
	// Rules are the absolute paths of the rule files that judge this call: no call may change what judges the next.
	Rules []string
}

// BashTool is the name of the tool whose Command is parsed as a shell would.
const BashTool = "bash"

// fileTools are the tools whose rules hold a path glob, and how they touch what they name.
var fileTools = map[string]Access{
	"read-file": Read, "list-dir": List, "glob": List, "grep": Read,
	"write-file": Write, "append-file": Write, "edit-file": Write, "make-dir": Write,
	"move-file": Write, "delete-file": Delete,
}

// readsFor says that a rule about read-file holds for what another tool reads.
func (r Rule) readsFor(tool string) bool { return r.tool == "read-file" && fileTools[tool] == Read }

func isFileTool(tool string) bool { _, ok := fileTools[tool]; return ok }
