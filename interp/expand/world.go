package expand

import (
	"fmt"
	"sort"
	"sync"

	"caper/interp/syntax"
)

// This file defines worlds: sets of libraries.

// Slots hands out the places of globals in a machine's table. It serves one world at a time.
type Slots struct{ next, limit int }

// NewSlots hands out first, first+1, … below limit.
func NewSlots(first, limit int) *Slots { return &Slots{first, limit} }

// Next is the slot that the next global will have.
func (s *Slots) Next() int { return s.next }

func (s *Slots) take() (int, bool) {
	if s.next >= s.limit {
		return 0, false
	}
	s.next++
	return s.next - 1, true
}

// Loader fetches program text. It alone reads files, so that the host can license and record what is read.
type Loader interface {
	// Library answers the text of a library, named as (scheme base) is {"scheme", "base"}, or nil when it knows none.
	Library(name []string, at syntax.Span) (*syntax.Source, error)
	// Include answers the text of a file named in an include form of from.
	Include(path string, from *syntax.Source, at syntax.Span) (*syntax.Source, error)
}

// World is a set of libraries, over a parent whose libraries are complete and never change.
type World struct {
	parent  *World
	slots   *Slots
	loader  Loader
	limits  Limits
	libs    map[string]*library
	forms   map[*syntax.Symbol]binding
	support map[string]supported
	// unsupported says that the loader has no (%support).
	unsupported bool
	features    map[string]bool
	dynamic     bool // some text of it may define names while it runs

	// Implicit are the libraries that programs without import get. The first stands for the modules of other systems.
	Implicit []string
}

type supported struct {
	global  *Global
	library *library
}

const (
	syntaxLibrary    = "(%syntax)"
	supportLibrary   = "(%support)"
	primitiveLibrary = "(%primitive)"
)

// NewWorld makes a world. Without a parent it has the library (%syntax) of built-in forms and nothing else.
// A loader may be nil.
func NewWorld(parent *World, slots *Slots, loader Loader, limits Limits) *World {
	w := &World{parent: parent, slots: slots, loader: loader, limits: limits.withDefaults(), libs: map[string]*library{}, support: map[string]supported{}}
	if parent != nil {
		w.forms, w.features = parent.forms, parent.features
		return w
	}
	w.forms = map[*syntax.Symbol]binding{}
	for _, f := range builtinForms() {
		w.forms[syntax.Intern(f.name)] = f
	}
	w.forms[syntax.Intern("λ")] = w.forms[syntax.Intern("lambda")]
	w.libs[syntaxLibrary] = &library{name: syntaxLibrary, state: ready, exports: newTable(w.forms), env: sealed(syntaxLibrary)}
	w.SetFeatures(DefaultFeatures())
	return w
}

// DefaultFeatures are the identifiers that cond-expand takes to be true.
func DefaultFeatures() []string {
	return []string{"caper", "exact-closed", "exact-complex", "full-unicode", "ieee-float", "r7rs", "ratios"}
}

// SetFeatures replaces the feature identifiers.
func (w *World) SetFeatures(names []string) {
	w.features = map[string]bool{}
	for _, n := range names {
		w.features[n] = true
	}
}

func sealed(name string) *environment {
	e := newEnvironment(name)
	e.sealed, e.known = true, &sync.Map{}
	return e
}

// DefinePrimitives adds a library, such as (%primitive), whose variables the machine provides.
func (w *World) DefinePrimitives(lib string, names []string) error {
	l := w.libs[lib]
	if l == nil {
		l = &library{name: lib, state: ready, exports: newTable(make(map[*syntax.Symbol]binding, len(names))), env: sealed(lib)}
		l.env.symbols = newTable(make(map[*syntax.Symbol]binding, len(names)))
		w.libs[lib] = l
	}
	made := make([]Global, len(names))
	for i, name := range names {
		slot, ok := w.slots.take()
		if !ok {
			return fmt.Errorf("no slot left for the primitive %s (limit %d)", name, w.slots.limit)
		}
		g := &made[i]
		*g = Global{Name: name, Slot: slot, Constant: true, Prim: name, Defined: true}
		g.state.home = l.env
		sym := syntax.Intern(name)
		l.env.symbols.made[sym] = g
		l.env.globals = append(l.env.globals, g)
		l.exports.made[sym] = g
	}
	return nil
}

// topForm answers the forms that a top level knows before it imports anything.
func (w *World) topForm(sym *syntax.Symbol) binding {
	switch sym.Name {
	case "import", "define-library":
		return w.forms[sym]
	}
	return nil
}

func (w *World) find(name string) *library {
	for ; w != nil; w = w.parent {
		if l := w.libs[name]; l != nil {
			return l
		}
	}
	return nil
}

// Libraries lists the names of all libraries known so far, sorted.
func (w *World) Libraries() []string {
	seen := map[string]bool{}
	var names []string
	for ; w != nil; w = w.parent {
		for name := range w.libs {
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	sort.Strings(names)
	return names
}

// Exports lists the names that a library exports, sorted; nil when there is none of that name.
func (w *World) Exports(lib string) []string {
	l := w.find(lib)
	if l == nil {
		return nil
	}
	return l.exports.names()
}

// Global answers the variable that a library exports under a name, or nil.
func (w *World) Global(lib, name string) *Global {
	l := w.find(lib)
	if l == nil {
		return nil
	}
	g, _ := l.exports.get(syntax.Intern(name)).(*Global)
	return g
}

// supportGlobal finds a hidden procedure in (%support), else in (%primitive).
func (x *expander) supportGlobal(name string, at syntax.Span) *Global {
	w := x.world
	for v := w; v != nil; v = v.parent {
		if s, ok := v.support[name]; ok {
			x.env.addDep(s.library)
			return s.global
		}
	}
	l := w.find(supportLibrary)
	if l == nil && w.parent == nil && !w.unsupported {
		l = x.load(supportLibrary, []string{"%support"}, at)
		w.unsupported = l == nil
	}
	if l != nil && l.state == declared {
		x.complete(l, &syntax.Syntax{Span: at})
	}
	var g *Global
	switch {
	case l == nil:
	case l.state == ready:
		g, _ = l.exports.get(syntax.Intern(name)).(*Global)
		if g == nil { // support may keep some procedures to itself
			g, _ = l.env.symbols.get(syntax.Intern(name)).(*Global)
		}
	case l.env != nil: // it is being expanded: its own procedures, also through libraries that it imports
		g, _ = l.env.symbols.get(syntax.Intern(name)).(*Global)
		if g != nil {
			return g
		}
	}
	owner := l
	if g == nil {
		if owner = w.find(primitiveLibrary); owner != nil {
			g, _ = owner.exports.get(syntax.Intern(name)).(*Global)
		}
	}
	if g == nil {
		return nil
	}
	x.env.addDep(owner)
	if l == nil || l.state == ready {
		w.support[name] = supported{g, owner}
	}
	return g
}
