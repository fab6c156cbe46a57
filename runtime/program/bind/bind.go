// Package bind joins machines to the runtime: it converts between words and data, reads what a machine asks of its host,
// and holds the Scheme libraries through which programs reach tools, jobs and policy, one file a library. Only package
// program, the assembly and the command line import it.
package bind

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"caper/interp"
	"caper/interp/heap"
	"caper/runtime/graph"
	"caper/runtime/kind"
)

// Operations that programs ask of their host through (%host op arg …).
const (
	OpTool        = "tool"    // name, arguments, policy overlay
	OpProgram     = "program" // source, arguments
	OpBackground  = "background"
	OpTimer       = kind.ReadTimer // seconds
	OpExit        = "%exit"        // code
	OpClock       = "clock"
	OpEnvironment = "environment"
	OpArguments   = "arguments"
	OpArgument    = "argument" // number, from 0: of the #:args of a nested program
	OpName        = "program-name"
	OpSeed        = "seed"
	OpReadInput   = "read-input" // the next line of standard input, or #f at its end
	OpJob         = "current-job"
	OpJobStatus   = "job-status"
	OpJobOutcome  = "job-outcome"
	OpJobChildren = "job-children"
	OpPolicy      = "policy"
	OpDecide      = "decide" // tool, arguments, policy overlay
	OpForeground  = "foreground-jobs"
	OpBackgrounds = "background-jobs"
	OpWalkWork    = "walk-work"
	OpJobKind     = "job-kind"
	OpJobProgram  = "job-program"
	OpServe       = "serve"    // thunk, what, name: a procedure that the host may call
	OpUnserve     = "unserve"  // number
	OpServed      = "served"   // thunk; of the machine that serves: it waits for a question
	OpQuestion    = "question" // of the copy that answers one: its arguments
	OpTools       = "tools"
	OpToolDoc     = "tool-doc"
	OpFindTools   = "find-tools"
	OpUncaught    = "%uncaught" // object, the host call whose answer it was or (): of a machine that more texts follow
	OpOwnTool     = "own-tool"  // thunk, name, documentation, schema, arguments, policy overlay: a call of a tool of the program's own
)

// Operation reads a host call. What it asks with must be data, but for the thunk that goes to the background and what exit
// is given.
func Operation(m *interp.Machine, c interp.Call) (op string, args graph.List, err error) {
	words, thunk := c.Args, (c.Name == OpBackground || c.Name == OpOwnTool || c.Name == OpServe || c.Name == OpServed) && heap.IsPair(c.Args)
	if thunk {
		words = m.Arena().Cdr(words)
	}
	d, data, err := ToDatum(m, words)
	list, ok := d.(graph.List)
	switch {
	case err != nil:
		return c.Name, nil, fmt.Errorf("%s: %w: %s", asked(m, c), err, brief(m.Text(words, mostTold+1)))
	case !ok:
		return c.Name, nil, fmt.Errorf("%s: the arguments are no list", c.Name)
	case !data && c.Name != OpExit:
		return c.Name, nil, fmt.Errorf("%s: %s", asked(m, c), notData(argument(c.Name, list)))
	case thunk:
		list = append(graph.List{graph.Opaque{Text: m.Write(m.Arena().Car(c.Args))}}, list...)
	}
	return c.Name, list, nil
}

// Asked is what a program calls that makes a host call.
func Asked(m *interp.Machine, c interp.Call) string { return asked(m, c) }

func asked(m *interp.Machine, c interp.Call) string {
	a := m.Arena()
	if c.Name == OpTool && heap.IsPair(c.Args) && a.IsSymbol(a.Car(c.Args)) {
		return a.SymbolName(a.Car(c.Args))
	}
	return spoken(c.Name)
}

// spoken is the procedure that makes a host call.
func spoken(op string) string {
	if op == OpProgram {
		return "run-program"
	}
	return strings.TrimPrefix(op, "%")
}

// argument finds the value among the arguments of a host call that is no data, and says where it is.
func argument(op string, args graph.List) (found graph.Opaque, where string) {
	found, at, _ := graph.Opaques(args)
	n := at[0]
	at = at[1:]
	if op == OpTool && n == 2 && len(at) > 0 { // what is given to the tool
		args, _ = args[1].(graph.List)
		n, at = at[0], at[1:]
	}
	where = fmt.Sprintf("argument %d", n)
	if op == OpProgram && n <= 3 {
		where = []string{"the source", "#:args", "#:budget"}[n-1]
	} else if n > 1 && n <= len(args) {
		if k, ok := args[n-2].(graph.Keyword); ok {
			where = "#:" + string(k)
		}
	}
	return found, within(where, at)
}

// within names a part of what where names.
func within(where string, at []int) string {
	for _, n := range at {
		where = fmt.Sprintf("item %d of %s", n, where)
	}
	return where
}

func notData(found graph.Opaque, where string) string {
	return where + " is " + brief(found.Text) + ", which is no data: only numbers, strings, symbols, characters, booleans, lists, vectors, bytevectors and hash tables cross the border of a program"
}

// ExitCode reads the argument of exit as R7RS 6.14 does.
func ExitCode(args graph.List) (int, error) {
	if len(args) == 0 {
		return 0, nil
	}
	switch v := args[0].(type) {
	case bool:
		if v {
			return 0, nil
		}
		return 1, nil
	case int64:
		if v >= 0 && v <= 255 {
			return int(v), nil
		}
	}
	return 0, fmt.Errorf("exit: #t, #f or a code from 0 to 255 is wanted; found %s", graph.Write(args[0]))
}

// Seconds reads the argument of a timer.
func Seconds(args graph.List) (time.Duration, error) {
	if len(args) == 1 {
		var f float64
		switch n := args[0].(type) {
		case int64:
			f = float64(n)
		case float64:
			f = n
		default:
			f = math.NaN()
		}
		if f >= 0 && f < 1e9 {
			return time.Duration(f * float64(time.Second)), nil
		}
	}
	return 0, fmt.Errorf("with-timeout: the seconds must be a real number from 0 to a billion")
}

// Program reads the arguments of run-program: a source, data for it, and what it may spend of its parent's budget.
func Program(args graph.List) (source string, data graph.Datum, budget kind.Budget, err error) {
	if len(args) != 3 {
		return "", nil, budget, errors.New("run-program: a program is wanted")
	}
	source, ok := args[0].(string)
	if !ok {
		return "", nil, budget, errors.New("run-program: the source must be a string")
	}
	budget, err = budgetOf(args[2])
	return source, args[1], budget, err
}

func budgetOf(d graph.Datum) (b kind.Budget, err error) {
	bad := errors.New("program: #:budget is a list such as ((fuel . 1000000) (memory . 33554432) (output . 65536))")
	list, ok := d.(graph.List)
	if !ok {
		return b, bad
	}
	for _, x := range list {
		pair, ok := x.(*graph.Dotted)
		if !ok || len(pair.Items) != 1 {
			return b, bad
		}
		n, ok := pair.Tail.(int64)
		if !ok || n <= 0 {
			return b, bad
		}
		switch pair.Items[0] {
		case graph.Symbol("fuel"):
			b.Fuel = uint64(n)
		case graph.Symbol("memory"):
			b.Memory = uint64(n)
		case graph.Symbol("output"):
			b.Output = uint64(n)
		default:
			return b, bad
		}
	}
	return b, nil
}

// Fetcher answers values that lie in blobs.
type Fetcher interface {
	Fetch(kind.Value) (graph.Datum, error)
}

const mostTold = 200

func brief(text string) string {
	if len(text) <= mostTold {
		return text
	}
	return strings.ToValidUTF8(text[:mostTold], "") + "…"
}

// Give resumes the fiber that made the host call op with a value.
func Give(m *interp.Machine, id uint64, op string, d graph.Datum) error {
	w, err := FromDatum(m.Arena(), d)
	if errors.Is(err, errNotData) {
		found, at, _ := graph.Opaques(d)
		return Refuse(m, id, "type-error", spoken(op)+": "+notData(found, within("the value", at)))
	}
	if err != nil {
		return Refuse(m, id, "memory-error", spoken(op)+": "+err.Error())
	}
	m.Resume(id, w)
	return nil
}

// Refuse raises a condition in the fiber that made a host call.
func Refuse(m *interp.Machine, id uint64, code, message string) error {
	a := m.Arena()
	m.Raise(id, a.NewCondition(code, message, heap.Null, heap.Null))
	return nil
}

// Answer gives a settled call to the fiber that waits for it: its value, or the condition that its failure is.
func Answer(m *interp.Machine, id uint64, name string, o kind.Outcome, f Fetcher) error {
	switch o.State {
	case kind.Settled, kind.Happened:
		if o.Value.Blob != "" && !m.Arena().Lend(uint64(o.Value.Size)) {
			return Refuse(m, id, "memory-error", spoken(name)+": "+errMemory.Error())
		}
		d, err := f.Fetch(o.Value)
		if err != nil {
			return err
		}
		if d == nil {
			d = graph.Void{}
		}
		return Give(m, id, name, d)
	}
	e := o.Error
	if e == nil {
		e = &kind.Error{Code: string(o.State), Message: "the call ended as " + string(o.State)}
	}
	data, err := f.Fetch(e.Data)
	if err != nil {
		return err
	}
	a := m.Arena()
	list := graph.List{graph.Pair("code", graph.Symbol(e.Code))}
	if extra, ok := data.(graph.List); ok {
		list = append(list, extra...)
	} else if data != nil {
		list = append(list, graph.Pair("data", data))
	}
	told := converter{a: a, told: true}
	w, err := told.in(list, 0)
	if err != nil {
		return err
	}
	m.Raise(id, a.NewCondition(conditionKind(o), e.Message, heap.Null, w))
	return nil
}

// conditionKind is how guard tells failures apart: denied? and tool-error? look at it.
func conditionKind(o kind.Outcome) string {
	switch o.State {
	case kind.Denied:
		return "denied"
	case kind.Cancelled:
		return "cancelled"
	}
	return "tool-error"
}
