// Package driver drives agents of others as they want to be driven: turns, what they say, what they ask, and their end.
package driver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// Codes of what goes wrong with an agent.
const (
	CodeCrashed    = "AGENT_CRASHED"
	CodeTimedOut   = "AGENT_TIMED_OUT"
	CodeProtocol   = "AGENT_PROTOCOL"
	CodeExecutable = "AGENT_EXECUTABLE_NOT_FOUND"
)

// Error is why an agent cannot go on.
type Error struct{ Code, Message string }

func (e *Error) Error() string { return e.Message }

func failed(code, format string, a ...any) error { return &Error{code, fmt.Sprintf(format, a...)} }

// Spec is how an agent is run.
type Spec struct {
	WorkFolder string
	Executable string
	Model      string // "" leaves it to the agent, as does Effort
	Effort     string
	Autonomous bool   // it does as it likes; else what it asks is answered by Hooks.Ask
	SessionID  string // of an earlier run to go on with
	Ours       bool   // all of that session was ours: all that it cost is told
	Environ    []string
	Mark       string        // in the environment of all that it starts, as CAPER_CALL
	Silence    time.Duration // how long a turn may go without a word; 0: a quarter of an hour
	Grace      time.Duration // between TERM and KILL; 0: five seconds
	Log        io.Writer     // gets all that goes in and out; may be nil
}

// Event is something that an agent said or did.
type Event struct {
	Kind         Kind
	Text         string // of a text, a thought, a result; the token of a status
	Tool         string
	InvocationID string
	Input        json.RawMessage
	Failed       bool // of a result
}

// Kind is the kind of an event.
type Kind string

const (
	Text       Kind = "text"
	Thinking   Kind = "thinking"
	ToolCall   Kind = "tool_call"
	ToolResult Kind = "tool_result"
	Status     Kind = "status"
)

// Question is what an agent may not do without a yes.
type Question struct {
	Tool         string
	InvocationID string
	Input        json.RawMessage
	Reason       string
}

// Answer is the answer of a person, or for want of one.
type Answer struct {
	Allow   bool
	Message string // told to the agent with a no
}

// Hooks are told what happens. They are called one at a time, but for Ask.
type Hooks struct {
	// Session tells of a session with which another agent can go on.
	Session func(id string)
	Event   func(Event)
	// Ask may take its time; its context ends when the question is void.
	Ask func(context.Context, Question) Answer
}

// End is a turn that came to its end.
type End struct {
	Interrupted       bool
	InputTokens       uint64 // cached and uncached
	InputTokensCached uint64
	OutputTokens      uint64
	Cost              *float64
	Duration          time.Duration
}

// Agent is one that runs.
type Agent interface {
	// Turn tells the agent something and waits until it is done. When ctx ends the agent is closed. A prompt that is told
	// again, since nobody knows how far an earlier agent of the session came with it, has the number that it had.
	Turn(ctx context.Context, number uint64, prompt string) (End, error)
	// Steer tells it something more while a turn runs.
	Steer(text string) error
	// Interrupt ends the turn that runs, not the agent.
	Interrupt() error
	// Close ends the agent and everything that it started.
	Close() error
}

// Driver starts agents of one type.
type Driver interface {
	Start(ctx context.Context, s Spec, h Hooks) (Agent, error)
}
