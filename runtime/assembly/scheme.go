package assembly

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"caper/runtime/agent"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/program"
	"caper/runtime/session"
	"caper/runtime/tool"
	"caper/runtime/view"
)

// programBudget is what one program of an agent may spend.
var programBudget = kind.Budget{Fuel: 500_000_000, Memory: 256 << 20, Output: 1 << 20}

// programName names the programs of a conversation: the number tells them apart in errors.
const programName = "program-"

// scheme is the body of the tool scheme: a program of the call's own, whose calls are licensed one by one with the context
// of the turn. It goes on in the machine of the newest program on the walk from the head.
func (s *System) scheme(ctx context.Context, w call.Work) (tool.Result, call.Rest, error) {
	return s.runIn(ctx, w, func(spec *program.Spec) error { return s.newProgram(spec, w) }, answered)
}

// answered is how the call ends that a program is.
func answered(r program.Result, err error, output string) (tool.Result, call.Rest, error) {
	switch {
	case view.Mistake(err):
		return tool.Result{}, "", &tool.Error{Code: "syntax-error", Message: view.Taught(r, err, "")}
	case err != nil:
		return tool.Result{}, "", err
	case r.State == program.Parked, r.Rest == program.Parked: // or what it sent to the background, which goes on with the call
		return tool.Result{}, call.Parked, nil
	case r.State == program.Uncertain, r.Rest == program.Uncertain:
		return tool.Result{}, call.Uncertain, nil
	case r.State == program.Done, r.State == program.Exited && r.Code == 0:
		return tool.Result{Value: view.Answered(r, output)}, "", nil
	case r.State == program.Exited:
		return tool.Result{}, "", &tool.Error{Code: "exit", Message: fmt.Sprintf("the program called (exit %d)\n%s", r.Code, view.Answered(program.Result{NoValue: true, Unwritten: r.Unwritten}, output))}
	}
	code := string(r.State)
	if r.State == program.Raised && r.Error != nil {
		code = r.Error.Kind
	}
	return tool.Result{}, "", &tool.Error{Code: code, Message: view.Taught(r, nil, output)}
}

// goesOn moves a call to the background whose program has ended while what it sent there has not: a turn goes on with the
// answer. Where a program made the call it waits for all of it, because the call's value is needed.
func (s *System) goesOn(id graph.ID, result tool.Result, err error) {
	answer := &agent.Answer{Text: agent.Shown(result.Value)}
	if failed := (*tool.Error)(nil); errors.As(err, &failed) {
		answer = &agent.Answer{Text: failed.Message, Failed: true}
	}
	_ = s.Agents.Detach(id, "program", answer) // what cannot be moved is waited for
}

// newProgram is what a call's program is made with.
func (s *System) newProgram(spec *program.Spec, w call.Work) error {
	spec.Source, _ = w.Args["program"].(string)
	if spec.Data = w.Args["args"]; spec.Data != nil {
		if err := program.CheckNames(spec.Data); err != nil {
			return wrong("scheme: args: %s", err)
		}
	}
	if n, ok := w.Args["fuel"].(int64); ok {
		if n <= 0 || n > program.DefaultFuel {
			return wrong("scheme: fuel is a number from 1 to %d", program.DefaultFuel)
		}
		spec.Budget.Fuel = uint64(n)
	}
	number := 1
	if fresh, _ := w.Args["fresh"].(bool); !fresh && w.ID.Bag != graph.RootBag {
		owner, err := s.Store.Owner(w.ID.Session, w.ID.Bag)
		if err != nil {
			return err
		}
		n, err := s.Store.Node(owner)
		if err != nil {
			return err
		}
		if _, ok := n.(*kind.SessionTurn); ok { // a program's own call begins with nothing
			if spec.After, err = session.NewestProgram(s.Store, owner, w.ID.Ord); err != nil {
				return err
			}
		}
	}
	if !spec.After.IsZero() {
		n, err := s.Store.Node(spec.After)
		if err != nil {
			return err
		}
		if job, ok := n.(*kind.ProgrammaticJob); ok {
			before, err := strconv.Atoi(strings.TrimPrefix(job.Name, programName))
			if err == nil {
				number = before + 1
			}
		}
	}
	spec.Name = programName + strconv.Itoa(number)
	return nil
}

// text collects what a program writes.
type text struct {
	mu sync.Mutex
	b  strings.Builder
}

func (t *text) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.Write(b)
}

func (t *text) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(t.b.String(), "\ufffd")
}

// aboutTools is the body of a tool that answers from the set.
func (s *System) aboutTools(param string, ask func(*tool.Set, string) (graph.Datum, error)) func(context.Context, call.Work) (tool.Result, call.Rest, error) {
	return func(_ context.Context, w call.Work) (tool.Result, call.Rest, error) {
		text, _ := w.Args[param].(string)
		d, err := ask(s.Calls.ToolsOf(w.ID.Session), text)
		return tool.Result{Value: d}, "", err
	}
}
