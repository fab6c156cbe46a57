package kind

import "time"

// Budget bounds a bag. Zero means that nothing was asked for; what then holds is the runtime's default.
type Budget struct {
	Fuel   uint64        `cbor:"1,keyasint,omitempty"`
	Wall   time.Duration `cbor:"2,keyasint,omitempty"`
	Memory uint64        `cbor:"3,keyasint,omitempty"` // bytes of the machine's arena
	Output uint64        `cbor:"4,keyasint,omitempty"` // bytes
}

// Answerability says who can answer a question of this job. It is fixed at admission.
type Answerability string

// The three answers to "who is there".
const (
	AnswerTTY   Answerability = "tty"
	AnswerQueue Answerability = "queue"
	AnswerNone  Answerability = "none"
)

// Place is where a call stands in the program that makes it: the name of its fiber and its number in that fiber. Both
// depend on the program alone, never on timing.
type Place struct {
	Fiber   string `cbor:"1,keyasint,omitempty"`
	Ordinal uint64 `cbor:"2,keyasint"`
}

// ProgrammaticJob is a bag: a Scheme program and all that it was admitted with. Its calls are the children of bag Bag.
type ProgrammaticJob struct {
	Source        string        `cbor:"1,keyasint,omitempty"` // the text, when it is short
	SourceBlob    string        `cbor:"2,keyasint,omitempty"` // the blob that holds it, when it is long
	Name          string        `cbor:"3,keyasint,omitempty"` // file name or a label, for people
	Args          Value         `cbor:"4,keyasint,omitzero"`
	Bag           uint64        `cbor:"5,keyasint"`
	Budget        Budget        `cbor:"6,keyasint,omitzero"`
	Cwd           string        `cbor:"7,keyasint,omitempty"`
	Workspace     string        `cbor:"8,keyasint,omitempty"`
	Answerability Answerability `cbor:"9,keyasint,omitempty"`
	Posture       string        `cbor:"10,keyasint,omitempty"`
	Mode          string        `cbor:"11,keyasint,omitempty"`
	Environment   string        `cbor:"12,keyasint,omitempty"` // digest of the environment that the program may see
	Seed          uint64        `cbor:"13,keyasint,omitempty"` // of its random numbers
	StartedAt     time.Time     `cbor:"14,keyasint,omitzero"`
	Background    bool          `cbor:"15,keyasint,omitempty"`
	Parent        Place         `cbor:"16,keyasint,omitzero"`  // the call of the outer program that made this bag
	ReadAllow     []string      `cbor:"17,keyasint,omitempty"` // paths that the command line named
	Rules         []string      `cbor:"18,keyasint,omitempty"` // rule files that the command line named
	Libs          []string      `cbor:"19,keyasint,omitempty"` // folders for imports
	Dir           string        `cbor:"20,keyasint,omitempty"` // the folder of the program's file
	WalkBoundary  bool          `cbor:"21,keyasint,omitempty"` // a contour for the collectors of its ancestors
	Open          bool          `cbor:"22,keyasint,omitempty"` // others may go on in its machine
	After         *Ref          `cbor:"23,keyasint,omitempty"` // the bag in whose machine it goes on
}

// Kind is the row of the codec table.
func (*ProgrammaticJob) Kind() Kind { return KindProgrammaticJob }

// OwnBag is the bag that holds the children of this job.
func (j *ProgrammaticJob) OwnBag() uint64 { return j.Bag }

// Effect is what a tool does to the outside, and with it what recovery may do with a call found started.
type Effect string

// The three classes of effect.
const (
	EffectRead     Effect = "read"     // runs again
	EffectWrite    Effect = "write"    // decided by looking
	EffectExternal Effect = "external" // uncertain
	EffectSpend    Effect = "spend"    // goes on from its children
	EffectInner    Effect = "inner"    // goes on from its children
)

// Decision is the licence's answer on a call.
type Decision struct {
	Verdict string `cbor:"1,keyasint,omitempty"` // allow, deny, ask or judge
	Rule    string `cbor:"2,keyasint,omitempty"` // the rule that fired, and where it stands
	Reason  string `cbor:"3,keyasint,omitempty"` // for a person
	Who     string `cbor:"4,keyasint,omitempty"` // policy, a person and from where, a judge
}

// ToolCallJob is one call: who made it, of what, with which arguments, what the licence said and what is known of its
// effect. Identity and decision are one object (law S40). How it ended is its Outcome.
type ToolCallJob struct {
	Tool       string   `cbor:"1,keyasint"`
	Version    string   `cbor:"2,keyasint,omitempty"`
	Place      Place    `cbor:"3,keyasint"`
	Digest     []byte   `cbor:"4,keyasint,omitempty"` // of tool version and canonical arguments
	Args       Value    `cbor:"5,keyasint,omitzero"`
	Decision   Decision `cbor:"6,keyasint,omitzero"`
	Effect     Effect   `cbor:"7,keyasint,omitempty"`
	Facts      Value    `cbor:"8,keyasint,omitzero"` // what was true of the outside before the effect began
	Background bool     `cbor:"9,keyasint,omitempty"`
	MintedAt   int64    `cbor:"10,keyasint,omitempty"` // Unix microseconds
	Bag        uint64   `cbor:"11,keyasint,omitempty"` // holds the call's own children, when it may have any
	Tail       *Ref     `cbor:"12,keyasint,omitempty"` // the call whose outcome it reads on
}

// OwnBag is the bag that holds the children of this call, 0 for none.
func (j *ToolCallJob) OwnBag() uint64 { return j.Bag }

// Call is the part that every kind of tool call has.
func (j *ToolCallJob) Call() *ToolCallJob { return j }

// ToolCall is any kind of tool call.
type ToolCall interface {
	Node
	Call() *ToolCallJob
}

// Kind is the row of the codec table.
func (*ToolCallJob) Kind() Kind { return KindToolCallJob }

// SystemToolJob is a call whose body runs in this program.
type SystemToolJob struct{ ToolCallJob }

// Kind is the row of the codec table.
func (*SystemToolJob) Kind() Kind { return KindSystemToolJob }

// FileMutateToolJob is a call that changes files.
type FileMutateToolJob struct {
	SystemToolJob
	Paths []string `cbor:"20,keyasint,omitempty"` // canonical
}

// Kind is the row of the codec table.
func (*FileMutateToolJob) Kind() Kind { return KindFileMutateToolJob }

// Cell is a reading: what a program was told that is no job (the clock, the environment, standard input, the status of
// a job, the policy). It is complete when it is minted.
type Cell struct {
	Read  string `cbor:"1,keyasint"` // what was read
	Place Place  `cbor:"2,keyasint"`
	Value Value  `cbor:"3,keyasint,omitzero"`
}

// ReadTimer is the one reading that ends: it is minted with its deadline, open, and settles when that has come.
const ReadTimer = "%timer"

// Kind is the row of the codec table.
func (*Cell) Kind() Kind { return KindCell }
