package interp

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"caper/interp/code"
	"caper/interp/expand"
	"caper/interp/heap"
	"caper/interp/syntax"
	"caper/interp/vm"
)

// This file defines eval: how a running program gets code for data. It asks as it asks its host, with the calls below, and
// Run answers them itself when every fiber waits. The answer is what to call, so that what is evaluated runs in the
// fiber that asked, in tail position. The datum is written and read again: text is what a machine keeps of its code, and
// what has no text is no program. Nothing of this is on record: the same program evaluates the same.
const (
	callEval        = "%eval"        // datum, environment: a list of procedures to call in order, the last for its value
	callEnvironment = "%environment" // list of import sets: (environment procedure …)
)

// evaluator is what a machine knows for eval.
type evaluator struct {
	places []*expand.Program // environments by number; 0 is the top level
	made   map[string]int    // environments by their import sets
	known  map[evaluated][]heap.Word
	asked  []uint64 // calls that wait
	size   uint64   // bytes that what was evaluated takes outside the arena, about
	since  uint64   // those of them that came since code was last freed
}

const evalName = "eval" // of texts, in messages

type evaluated struct {
	environment int
	text        string
}

// What evaluating takes, about, in fuel and in bytes.
const (
	evalFuel        = 2000
	evalByteFuel    = 20
	evalWorkFuel    = 5
	evalTreeBytes   = 160
	evalBytes       = 1 << 10
	environmentSize = 32 << 10
)

// Run runs until the program ends, waits for the host, or the fuel is spent.
func (m *Machine) Run(fuel int64) Step {
	before := m.vm.Spent()
	used := func(extra int64) int64 { return m.vm.Spent() - before + extra }
	s := m.vm.Run(fuel)
	m.sift(&s)
	if s.Kind != Suspended || len(m.eval.asked) == 0 {
		return Step{Step: s, Used: used(0)}
	}
	var extra int64
	fresh := map[uint64]bool{}
	var cancelled []uint64
	for {
		for _, c := range s.Calls {
			fresh[c.ID] = true
		}
		cancelled = append(cancelled, s.Cancelled...)
		if s.Kind != Suspended || len(m.eval.asked) == 0 {
			break
		}
		if m.vm.Interrupted() {
			s.Kind, s.Which = Exhausted, "interrupt"
			break
		}
		m.vm.Contain(func() { extra += m.answerFirst() })
		s = m.vm.Run(fuel - used(extra))
		m.sift(&s)
	}
	// What was called and given up since is not worth a word; what is still called may lie elsewhere now.
	s.Calls, s.Cancelled = nil, slices.DeleteFunc(cancelled, func(id uint64) bool { return fresh[id] })
	if len(fresh) > 0 {
		for _, c := range m.vm.Pending() {
			if fresh[c.ID] {
				s.Calls = append(s.Calls, c)
			}
		}
	}
	return Step{Step: s, Used: used(extra)}
}

// sift takes out of a step what is not the host's.
func (m *Machine) sift(s *vm.Step) {
	s.Calls = slices.DeleteFunc(s.Calls, func(c Call) bool {
		own := c.Name == callEval || c.Name == callEnvironment
		if own {
			m.eval.asked = append(m.eval.asked, c.ID)
		}
		return own
	})
	if len(m.eval.asked) > 0 && len(s.Cancelled) > 0 {
		own := map[uint64]bool{}
		for _, id := range m.eval.asked {
			own[id] = true
		}
		s.Cancelled = slices.DeleteFunc(s.Cancelled, func(id uint64) bool { return own[id] })
	}
}

// answerFirst answers the call that has waited longest and says what fuel that took. The machine runs before the next one
// is answered: it counts the fuel and may collect.
func (m *Machine) answerFirst() (fuel int64) {
	m.freeCode()
	id := m.eval.asked[0]
	m.eval.asked = m.eval.asked[1:]
	c, ok := m.vm.PendingCall(id)
	if !ok {
		return 0 // given up since
	}
	fuel = evalFuel
	if m.cold {
		m.warm()
		m.cold = false
		fuel += int64(m.work) * evalWorkFuel
	}
	w, err := m.answer(c, &fuel)
	m.vm.ChargeCall(c.ID, fuel)
	if err != nil {
		kind := "syntax-error"
		if errors.Is(err, errEvalMemory) || errors.Is(err, vm.ErrStatic) {
			kind = "memory-error"
		}
		m.Raise(c.ID, m.Arena().NewCondition(kind, "eval: "+err.Error(), heap.Null, heap.Null))
		return fuel
	}
	m.Resume(c.ID, w)
	return fuel
}

var errEvalMemory = errors.New("what the program evaluated takes too much memory")

func (m *Machine) answer(c Call, fuel *int64) (heap.Word, error) {
	a := m.Arena()
	defer a.Settle() // of what source borrows
	args, ok := a.Slice(c.Args, 2)
	if !ok || len(args) == 0 {
		return 0, fmt.Errorf("malformed call")
	}
	if c.Name == callEnvironment {
		sets, ok := a.Slice(args[0], 1000)
		if !ok {
			return 0, fmt.Errorf("too many import sets")
		}
		var b strings.Builder
		b.WriteString("(import")
		for _, s := range sets {
			text, err := m.source(s, fuel)
			if err != nil {
				return 0, err
			}
			b.WriteString(" " + text)
		}
		b.WriteString(")")
		n, tops, err := m.environment(b.String(), fuel)
		if err != nil {
			return 0, err
		}
		return a.Cons(heap.Fixnum(int64(n)), a.List(tops...)), nil
	}
	if len(args) != 2 || !heap.IsFixnum(args[1]) {
		return 0, fmt.Errorf("malformed call")
	}
	text, err := m.source(args[0], fuel)
	if err != nil {
		return 0, err
	}
	tops, err := m.evaluate(evaluated{int(heap.FixnumValue(args[1])), text}, fuel)
	if err != nil {
		return 0, err
	}
	return a.List(tops...), nil
}

// source is the text of a datum.
func (m *Machine) source(w heap.Word, fuel *int64) (string, error) {
	a := m.Arena()
	most := int(a.Max() / evalTreeBytes)
	text := m.Text(w, most)
	*fuel += int64(len(text)) * evalByteFuel
	if len(text) >= most || !a.Lend(uint64(len(text))*evalTreeBytes) {
		return "", errEvalMemory
	}
	return text, nil
}

// keep notes an environment by its import sets.
func (e *evaluator) keep(text string, number int) {
	if e.made == nil {
		e.made = map[string]int{}
	}
	e.made[text] = number
}

func (m *Machine) environment(text string, fuel *int64) (int, []heap.Word, error) {
	if n, ok := m.eval.made[text]; ok {
		return n, nil, nil
	}
	if !m.takes(environmentSize) {
		return 0, nil, errEvalMemory
	}
	m.warm()
	tops, _, err := m.code(past{src: syntax.NewSource(evalName, text), new: true, evaluated: true})
	n := len(m.eval.places) - 1
	*fuel += int64(m.eval.places[n].Work()) * evalWorkFuel
	if err != nil {
		return 0, nil, err
	}
	m.eval.keep(text, n)
	return n, tops, nil
}

// evaluate answers the procedures of a text. The same text gives the same ones as long as names mean the same.
func (m *Machine) evaluate(e evaluated, fuel *int64) ([]heap.Word, error) {
	if tops, ok := m.eval.known[e]; ok {
		return tops, nil
	}
	m.warm()
	if e.environment < 0 || e.environment >= len(m.eval.places) {
		return nil, fmt.Errorf("malformed call")
	}
	if !m.takes(evalBytes + uint64(len(e.text))) {
		return nil, errEvalMemory
	}
	tops, res, err := m.code(past{src: syntax.NewSource(evalName, e.text), environment: e.environment, evaluated: true})
	*fuel += int64(m.eval.places[e.environment].Work()) * evalWorkFuel
	if err != nil {
		return nil, err
	}
	if m.eval.known == nil {
		m.eval.known = map[evaluated][]heap.Word{}
	}
	if !res.Changed && len(res.Units) == 1 {
		m.eval.known[e] = tops
	}
	return tops, nil
}

// code expands, compiles and places a text, and answers its top-level procedures.
func (m *Machine) code(p past) (tops []heap.Word, res expand.Result, err error) {
	c, res, err := m.next(p)
	defer func() { m.keep(c, res, err) }()
	if err != nil {
		return nil, res, err
	}
	for _, u := range c.units {
		if !m.takes(unitSize(u)) {
			return nil, res, errEvalMemory
		}
	}
	tops, err = m.vm.LoadApart(c.units...)
	return tops, res, err
}

// takes counts what something takes, and reports whether there is room for it.
func (m *Machine) takes(bytes uint64) bool {
	m.eval.size += bytes
	m.eval.since += bytes
	return m.eval.size <= m.evalRoom()
}

// freeCode gives back, now and then, what was evaluated and is of no use any more.
func (m *Machine) freeCode() {
	if m.world == nil || m.eval.since < min(m.Arena().Max()/64, mostUnfreed) {
		return
	}
	m.eval.known = nil
	m.vm.FreeCode()
	placed := m.vm.Placed()
	m.eval.since, m.eval.size = 0, 0
	m.history = slices.DeleteFunc(m.history, func(p past) bool {
		if !p.evaluated {
			return false
		}
		size := evalBytes + uint64(len(p.src.Text))
		if p.new {
			size += environmentSize
		}
		used := !p.same
		if p.code != nil {
			for _, u := range p.code.units {
				if placed[u.Hash] {
					used = true
					size += unitSize(u)
				}
			}
		}
		if used {
			m.eval.size += size
		}
		return !used
	})
	m.done = len(m.history)
}

// mostUnfreed is how many bytes of what was evaluated come before some are freed.
const mostUnfreed = 4 << 20

// evalRoom is how much of Go's memory what a program evaluates may take.
func (m *Machine) evalRoom() uint64 { return m.Arena().Max() / 2 }

// unitSize is what a unit takes, about.
func unitSize(u *code.Unit) uint64 {
	return uint64(len(u.Words)*16 + len(u.Consts)*64 + len(u.Procs)*200)
}
