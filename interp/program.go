package interp

import (
	"sync"

	"caper/interp/code"
	"caper/interp/compile"
	"caper/interp/expand"
	"caper/interp/syntax"
	"caper/interp/vm"
)

// This file defines how text becomes code, and the cache through which machines of equal programs share it.

// compiled is the code of one text. It is never changed once made.
type compiled struct {
	units []*code.Unit   // in the order in which they run
	names map[int]string // of global slots, for messages
}

// text is what determines the code of a machine's first text, when all that it imports is the engine's own.
type text struct {
	name, source string
	memory       uint64 // it bounds reading and expansion
	strict, open bool
}

// cache remembers the code of texts.
type cache struct {
	mu    sync.Mutex
	texts map[text]*compiled
	size  int // bytes, about
}

// mostCached is how many bytes the cache holds. Beyond it all is forgotten: machines that use some keep theirs.
const mostCached = 32 << 20

func (c *cache) get(t text) *compiled {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.texts[t]
}

func (c *cache) put(t text, code *compiled) {
	size := len(t.source)
	for _, u := range code.units {
		size += int(unitSize(u))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.size += size; c.size > mostCached || c.texts == nil {
		c.texts, c.size = map[text]*compiled{}, size
	}
	if size <= mostCached {
		c.texts[t] = code
	}
}

// Load reads, expands, compiles and places a program, to be run by the next Runs. The error is a *syntax.Error, an
// *expand.Error or a *compile.Error: nothing has run then. A machine's first text is shared with other machines that
// load the same under the same name, unless it asks the Loader for something.
func (m *Machine) Load(src *syntax.Source) error {
	if m.vm.Parked() {
		return vm.ErrParked
	}
	c, err := m.compile(src)
	if err != nil {
		return err
	}
	var numbers []int
	for _, u := range c.units {
		n, err := m.vm.Load(u)
		if err != nil {
			return err
		}
		numbers = append(numbers, n)
	}
	return m.vm.Start(numbers...)
}

// past is one text that a machine was given to expand, in order.
type past struct {
	src         *syntax.Source
	environment int  // in which: 0 is the top level
	new         bool // the text makes an environment
	evaluated   bool // by the program, or made by it
	failed      bool
	same        bool      // what came later would have come out without it
	code        *compiled // nil: it has none in place
}

// compile makes the code of a text and knows it from then on.
func (m *Machine) compile(src *syntax.Source) (*compiled, error) {
	key := text{src.Name, src.Text, m.config.Memory, m.config.Strict, m.config.Open}
	first := len(m.history) == 0
	if first {
		if c := m.engine.cache.get(key); c != nil {
			m.history = append(m.history, past{src: src, code: c})
			return c, nil
		}
	}
	c, res, err := m.next(past{src: src})
	m.keep(c, res, err)
	if err == nil && first && !m.outside {
		m.engine.cache.put(key, c)
	}
	return c, err
}

// next expands and compiles one more text. What became of its code then is told with keep.
func (m *Machine) next(p past) (*compiled, expand.Result, error) {
	m.warm()
	m.history = append(m.history, p)
	m.done++
	res, same, err := m.expand(p)
	m.history[len(m.history)-1].same = same
	if err != nil {
		return nil, res, err
	}
	if res.Changed {
		m.eval.known, m.unknown = nil, nil
	}
	c := &compiled{names: map[int]string{}}
	for _, u := range res.Units {
		name(u.Body, c.names)
		cu, err := compile.Compile(u.Name, u.Body, compile.Options{Prims: m.engine.image.Prims})
		if err != nil {
			return nil, res, err
		}
		c.units = append(c.units, cu)
	}
	return c, res, nil
}

// keep notes the code of the last text, or that it has none: then libraries of it are to come again, and of a text that
// changed nothing nothing is kept.
func (m *Machine) keep(c *compiled, res expand.Result, err error) {
	n := len(m.history) - 1
	p := &m.history[n]
	if err == nil {
		p.code = c
	} else {
		p.failed = true
		m.world.TakeBack(res.Units)
	}
	if p.same && p.evaluated && (err != nil || len(c.units) == 0) {
		m.history, m.done = m.history[:n], m.done-1
	}
}

// warm makes the expander's side of the program where there is none yet. Expansion is the same each time, so that the
// code from the cache, or of the machine that this one is a copy of, and what is expanded now agree on where the
// variables are. What failed then fails again.
func (m *Machine) warm() {
	if m.world == nil {
		e := m.engine
		own := library{e: e, next: m.config.Loader, used: &m.outside, read: &m.texts}
		m.world = expand.NewWorld(e.image.World, e.image.Slots(), own, limits(m.config.Memory))
		m.world.Implicit = e.implicit
		m.program = m.world.NewProgram(e.implicit)
		m.program.Strict, m.program.Interactive = m.config.Strict, m.config.Open
		m.eval.places = []*expand.Program{m.program}
	}
	for ; m.done < len(m.history); m.done++ {
		p := m.history[m.done]
		if res, _, _ := m.expand(p); p.failed {
			m.world.TakeBack(res.Units)
		}
	}
}

// expand also reports whether all is as it was before.
func (m *Machine) expand(p past) (expand.Result, bool, error) {
	place := m.eval.places[p.environment]
	if p.new { // it has its number also where the text cannot be read
		place = m.world.NewProgram(nil)
		m.eval.places = append(m.eval.places, place)
	}
	forms, err := m.read(p.src)
	if err != nil {
		return expand.Result{}, !p.new, err
	}
	open := m.texts.closed
	m.texts.closed = open || p.evaluated // this reads no file, here and each time it is repeated
	res, err := place.Expand(forms)
	m.work += place.Work()
	m.texts.closed = open
	if p.new {
		place.Close()
	}
	return res, !p.new && place.Same(), err
}

// name collects the names of the globals that a unit defines.
func name(body []expand.Node, names map[int]string) {
	for _, n := range body {
		switch n := n.(type) {
		case *expand.Seq:
			name(n.Nodes, names)
		case *expand.GlobalDefine:
			names[n.Global.Slot] = n.Global.Name
		}
	}
}

// globalName is what a global slot is called, "" when nothing loaded defines it.
func (m *Machine) globalName(slot int) string {
	for i := len(m.history) - 1; i >= 0; i-- {
		if c := m.history[i].code; c != nil {
			if n, ok := c.names[slot]; ok {
				return n
			}
		}
	}
	if m.program != nil {
		name, _ := m.program.Undefined(slot)
		return name
	}
	return ""
}

// undefined is the name of a global that the program refers to and does not define, and what to do about it.
func (m *Machine) undefined(slot int) (string, []string) {
	m.warm()
	u, ok := m.unknown[slot]
	if !ok { // searched for once: a program may go on and fail a million times
		u.name, u.hints = m.program.Undefined(slot)
		if m.unknown == nil {
			m.unknown = map[int]unknown{}
		}
		m.unknown[slot] = u
	}
	return u.name, u.hints
}

type unknown struct {
	name  string
	hints []string
}

// Source is the newest text of a name that the machine was given, or its program included; nil: there is none.
func (m *Machine) Source(name string) *syntax.Source {
	for i := len(m.history) - 1; i >= 0; i-- {
		if src := m.history[i].src; src.Name == name {
			return src
		}
	}
	for _, src := range m.texts.known {
		if src.Name == name {
			return src
		}
	}
	return nil
}

// units finds a loaded unit by its hash, nil: there is none.
func (m *Machine) units() func(hash [32]byte) *code.Unit {
	known := map[[32]byte]*code.Unit{}
	for _, p := range m.history {
		if p.code != nil {
			for _, u := range p.code.units {
				known[u.Hash] = u
			}
		}
	}
	return func(hash [32]byte) *code.Unit { return known[hash] }
}
