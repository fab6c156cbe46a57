package wire

import (
	"fmt"
	"strings"
)

// State is the control channel of a thread.
type State string

const (
	None      State = ""
	Pending   State = "pending"
	Active    State = "active"
	Completed State = "completed"
	Failed    State = "failed"
)

// States are all of them.
var States = []State{None, Pending, Active, Completed, Failed}

// Side is who writes.
type Side string

const (
	UserSide   Side = "user"
	WorkerSide Side = "worker"
)

// Transition is a change of state that one side may make.
type Transition struct {
	Side     Side
	From, To State
}

// Transitions are all that there are.
var Transitions = []Transition{
	{UserSide, None, Pending},
	{UserSide, Pending, Completed},
	{UserSide, Active, Completed},
	{UserSide, Failed, Completed},
	{UserSide, Failed, Pending},
	{WorkerSide, Pending, Active},
	{WorkerSide, Pending, Failed},
	{WorkerSide, Active, Failed},
}

// TransitionError is a change of state that the side may not make.
type TransitionError struct{ Transition }

func (e *TransitionError) Error() string {
	if e.From == Completed {
		return "the thread is completed, which is final"
	}
	from := e.From
	if from == None {
		from = "none"
	}
	var may []string
	for _, t := range Transitions {
		if t.Side == e.Side && t.From == e.From {
			may = append(may, string(t.To))
		}
	}
	text := fmt.Sprintf("the %s does not take a thread from %s to %q", e.Side, from, string(e.To))
	if may != nil {
		text += ", but to " + strings.Join(may, " or ")
	}
	return text
}

// check refuses what is not in the table.
func (t Transition) check() error {
	for _, may := range Transitions {
		if may == t {
			return nil
		}
	}
	return &TransitionError{t}
}
