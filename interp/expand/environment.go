package expand

import (
	"sync"

	"caper/interp/syntax"
)

// This file defines top levels: the environment of a library or of a program.

// environment is one top level. Once sealed it is never written again and may be read by many expansions at a time.
type environment struct {
	name    string // of its library, "" for a program
	scope   *scope
	symbols *table
	renamed map[*Alias]binding // definitions whose name a macro introduced
	imports []*table
	cache   map[*syntax.Symbol]binding // what imports answered
	deps    []*library
	free    map[*syntax.Symbol]*Global // referenced, perhaps defined later
	uses    []freeUse                  // the first reference to each of them, in order
	globals []*Global                  // its own, in order of definition
	assigns map[*syntax.Symbol]bool    // names that a macro's template assigns
	inserts map[*syntax.Symbol]bool    // names that a macro's template mentions
	journal []change
	sealed  bool
	known   *sync.Map // of a sealed one: what names mean that macros of its library mention
	closed  bool      // takes no more definitions
}

type freeUse struct {
	sym    *syntax.Symbol
	global *Global
	span   syntax.Span
	trail  *trail
	scope  *scope   // where it stands
	inside *freeUse // the call of an unknown name around it, if any
}

// change remembers a binding that an Expand replaced, so that one that fails leaves nothing behind.
type change struct {
	id  ident
	old binding
}

// globalState is what the expander knows of a global beyond its core form.
type globalState struct {
	home     *environment
	defs     int     // definitions expanded
	sets     int     // assignments expanded
	index    int     // top-level form of its first definition in the present Expand
	value    Node    // of its last definition
	shadows  *Global // the imported variable whose name the program has taken over
	firstUse int     // first top-level form with a procedure that refers to it before its definition, plus one
	early    bool    // referenced by code that runs before its definition
}

func newEnvironment(name string) *environment {
	e := &environment{
		name:    name,
		symbols: newTable(map[*syntax.Symbol]binding{}),
		free:    map[*syntax.Symbol]*Global{},
	}
	e.scope = &scope{top: e}
	return e
}

func (e *environment) own(id ident) binding {
	if id.sym != nil {
		return e.symbols.get(id.sym)
	}
	return e.alias(id.alias)
}

func (e *environment) alias(a *Alias) binding {
	for _, d := range a.bound {
		if d.env == e {
			return d.b
		}
	}
	return e.renamed[a]
}

func (e *environment) lookup(id ident) binding {
	if id.sym == nil {
		return e.alias(id.alias)
	}
	if !e.sealed {
		return e.visible(id.sym)
	}
	if b, ok := e.known.Load(id.sym); ok {
		return b
	}
	b := e.visible(id.sym)
	e.known.Store(id.sym, b)
	return b
}

func (e *environment) visible(sym *syntax.Symbol) binding {
	if b := e.symbols.get(sym); b != nil {
		return b
	}
	return e.imported(sym)
}

// imported answers what the imports say of a name: the last one that has it wins.
func (e *environment) imported(sym *syntax.Symbol) binding {
	if b := e.cache[sym]; b != nil {
		return b
	}
	for i := len(e.imports) - 1; i >= 0; i-- {
		if b := e.imports[i].get(sym); b != nil {
			if !e.sealed {
				if e.cache == nil {
					e.cache = map[*syntax.Symbol]binding{}
				}
				e.cache[sym] = b
			}
			return b
		}
	}
	return nil
}

func (e *environment) addImport(t *table) {
	e.imports = append(e.imports, t)
	e.cache = nil
}

func (e *environment) addDep(l *library) {
	for _, d := range e.deps {
		if d == l {
			return
		}
	}
	e.deps = append(e.deps, l)
}

func (e *environment) set(id ident, b binding) {
	e.journal = append(e.journal, change{id, e.own(id)})
	e.put(id, b)
}

func (e *environment) put(id ident, b binding) {
	switch {
	case id.sym != nil && b == nil:
		delete(e.symbols.made, id.sym)
	case id.sym != nil:
		e.symbols.made[id.sym] = b
	case b == nil:
		delete(e.renamed, id.alias)
	default:
		if e.renamed == nil {
			e.renamed = map[*Alias]binding{}
		}
		e.renamed[id.alias] = b
	}
}

// undo takes back all changes since the journal was last emptied.
func (e *environment) undo() {
	for i := len(e.journal) - 1; i >= 0; i-- {
		c := e.journal[i]
		if g, ok := e.own(c.id).(*Global); ok && binding(g) != c.old {
			g.Defined, g.state.defs = false, 0
		}
		e.put(c.id, c.old)
	}
	e.journal = e.journal[:0]
}

// define makes or finds the global that a top-level definition of id is about.
func (x *expander) defineGlobal(e *environment, id ident, at *syntax.Syntax, index int) *Global {
	x.changes(e, at)
	// What an earlier whole-file Expand made constant is in its code for good: later text gets a variable of its own.
	if g, ok := e.own(id).(*Global); ok && !g.Constant {
		g.state.defs++
		return g
	}
	var g *Global
	if id.sym != nil {
		g = e.free[id.sym]
	}
	if g == nil {
		g = x.newGlobal(e, id.name(), at.Span)
	}
	if id.sym != nil && e.own(id) == nil {
		g.state.shadows, _ = e.imported(id.sym).(*Global)
	}
	g.Defined = true
	g.state.defs++
	g.state.index = index
	e.globals = append(e.globals, g)
	e.set(id, g)
	return g
}

// changes refuses what would change an environment that takes no more definitions.
func (x *expander) changes(e *environment, at *syntax.Syntax) {
	if e.closed {
		x.failAt(at.Span, []string{"(interaction-environment) takes definitions"}, "nothing can be defined in this environment")
	}
}

func (x *expander) newGlobal(e *environment, name string, at syntax.Span) *Global {
	slot, ok := x.world.slots.take()
	if !ok {
		x.failAt(at, nil, "too many global variables (limit %d)", x.world.slots.limit)
	}
	g := &Global{Name: name, Slot: slot}
	g.state.home = e
	return g
}

// freeGlobal answers the global for a name that its top level does not (yet) define.
func (x *expander) freeGlobal(home *environment, sym *syntax.Symbol, at *syntax.Syntax, sc *scope) *Global {
	if home != x.env {
		where := "the program"
		if home.name != "" {
			where = "the library " + home.name
		}
		x.failAt(at.Span, nil, "%s is not defined in %s, whose macro refers to it", sym.Name, where)
	}
	g := home.free[sym]
	if g == nil {
		g = x.newGlobal(home, sym.Name, at.Span)
		home.free[sym] = g
		home.uses = append(home.uses, freeUse{sym, g, at.Span, x.trail, sc, x.unknown})
	}
	return g
}
