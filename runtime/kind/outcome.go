package kind

import (
	"time"

	"caper/runtime/graph"
)

// State is how a job ended.
type State string

// The states of an Outcome.
const (
	Settled   State = "settled"   // with Value
	Failed    State = "failed"    // with Error
	Denied    State = "denied"    // with Error; nothing was done
	Cancelled State = "cancelled" // with Error; says in Effect whether the effect is known
	Happened  State = "happened"  // uncertain, and a person said that it was done
	DidNot    State = "did-not"   // uncertain, and a person said that it was not
)

// Error is what a program gets to see of a call that gave no value.
type Error struct {
	Code    string `cbor:"1,keyasint"`
	Message string `cbor:"2,keyasint,omitempty"`
	Data    Value  `cbor:"3,keyasint,omitzero"`
}

// Outcome ends a job. It is written once: the first one wins.
type Outcome struct {
	State    State         `cbor:"1,keyasint"`
	Value    Value         `cbor:"2,keyasint,omitzero"`
	Error    *Error        `cbor:"3,keyasint,omitempty"`
	Duration time.Duration `cbor:"4,keyasint,omitempty"`
	By       string        `cbor:"5,keyasint,omitempty"` // what or who ended it: the tool, policy, a person and from where
	Effect   string        `cbor:"6,keyasint,omitempty"` // of a call cancelled after its start: none, done, unknown
	Receipt  Value         `cbor:"7,keyasint,omitzero"`  // what a person is shown beside the value: bytes, matches, …
	Seq      uint64        `cbor:"-"`                    // the event that settled it; given by the store
}

// What a Fact can say.
const (
	FactParked          = "parked"
	FactApproved        = "approved"
	FactDeniedBy        = "denied-by"
	FactStarted         = "started"
	FactUncertain       = "uncertain"
	FactResolved        = "resolved"
	FactCancelRequested = "cancel-requested"
	FactMeasuredAgain   = "measured-again"
	FactRedecided       = "redecided"
	FactDetached        = "detached"   // moved to the background; its value is what the call answered before that, if it did
	FactOutput          = "output"     // what a program wrote to its output, in order
	FactReplayed        = "replayed"   // a snapshot could not be used: the program was run again from its source
	FactLost            = "lost"       // the store lost events after a power failure
	FactTakenBack       = "taken-back" // an approval of a session, by its number
	FactAgent           = "agent"      // of a session: its agent
	FactSpec            = "spec"       // of an agent: a newer snapshot of its recipe
	FactPolicy          = "policy"     // of a session its standing posture, of a turn its overlay
	FactMode            = "mode"       // of a session: act or plan
	FactRecipe          = "recipe"     // of a session: a recipe that its programs defined
	FactKv              = "kv"         // of a session: (key . value), #f to remove it
	FactLate            = "late"       // of an agent: a turn that got an overlay after others had continued it
	FactClient          = "client"     // of an agent of others that is driven: its own session; of what it asked for: it was told that it may
	FactQuestion        = "question"   // of a turn: the question that it left open
)

// Fact is something learned about a node after it was minted. Facts are appended and never change.
type Fact struct {
	What  string    `cbor:"1,keyasint"`
	Value Value     `cbor:"2,keyasint,omitzero"`
	By    string    `cbor:"3,keyasint,omitempty"`
	At    time.Time `cbor:"4,keyasint,omitzero"`
	Seq   uint64    `cbor:"-"` // its event; given by the store
}

// Entry is a node with all that is known of it.
type Entry struct {
	ID      graph.ID
	Node    Node
	Outcome *Outcome // nil while there is none
	Facts   []Fact   // oldest first
}

// Newest is the newest fact that says a thing, nil where none does.
func (e *Entry) Newest(what string) *Fact {
	for i := len(e.Facts) - 1; i >= 0; i-- {
		if e.Facts[i].What == what {
			return &e.Facts[i]
		}
	}
	return nil
}

// InBackground reports whether a job is on its parent's background plane.
func (e *Entry) InBackground() bool {
	switch n := e.Node.(type) {
	case ToolCall:
		if n.Call().Background {
			return true
		}
	case *ProgrammaticJob:
		if n.Background {
			return true
		}
	}
	return e.Newest(FactDetached) != nil
}

// Admitted reports whether the guard of a job has answered, and whether it let the job go on: of a tool call that is the
// license, and that of a sequence is true.
func (e *Entry) Admitted() (answered, goes bool) {
	n, ok := e.Node.(ToolCall)
	if !ok {
		return true, true
	}
	switch n.Call().Decision.Verdict {
	case "allow":
		return true, true
	case "deny":
		return true, false
	}
	for _, f := range e.Facts {
		switch f.What {
		case FactApproved, FactStarted:
			return true, true
		case FactDeniedBy:
			return true, false
		}
	}
	return false, false
}

// Detached reports whether a job goes on, or went on, in the background: a parent does not wait for it, and is told of its
// end by a note.
func (e *Entry) Detached() bool {
	if !e.InBackground() || e.Outcome != nil && e.Outcome.By == "runtime" { // it failed before its body began
		return false
	}
	_, goes := e.Admitted()
	return goes
}
