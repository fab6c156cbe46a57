package expand

import (
	"sort"
	"strings"

	"caper/interp/syntax"
)

// This file defines programs: the top level of a file or of a REPL.

// Program is a top-level environment. Its definitions persist from one Expand to the next.
type Program struct {
	// Strict says that Expand is given a whole file: a reference to a variable that is never defined is an error,
	// and variables that nothing changes are constant.
	Strict bool

	// Interactive says that inputs come one by one, as at a REPL: an import as the first of them does not keep the
	// implicit libraries away, and what one defines another may define again.
	Interactive bool

	world    *World
	env      *environment
	implicit []string
	started  bool
	work     int  // of the last Expand
	same     bool // the last Expand left all as it was
}

// Close makes the top level one that takes no more definitions and knows all its names.
func (p *Program) Close() { p.env.closed = true }

// Work is what the last Expand produced or looked at, in words.
func (p *Program) Work() int { return p.work }

// Same reports whether the last Expand left everything as it was, so that what is expanded later comes out as without it.
func (p *Program) Same() bool { return p.same }

// Result is what one Expand produced, in running order.
type Result struct {
	Units []Unit
	// Changed says that names may mean something else than before.
	Changed bool
}

// Unit is the code of one library or of a program.
type Unit struct {
	Name   string // of the library, such as (srfi 1), or of the program's source
	Source *syntax.Source
	Body   []Node
}

// NewProgram makes an empty top level. The implicit libraries, such as "(scheme base)", are imported by the first
// Expand unless the text imports libraries itself.
func (w *World) NewProgram(implicit []string) *Program {
	return &Program{world: w, env: newEnvironment(""), implicit: implicit}
}

// Import adds libraries to the top level, as (import …) would.
func (p *Program) Import(libraries ...string) (Result, error) {
	return p.run(func(x *expander) (Unit, bool) {
		for _, name := range libraries {
			x.importNamed(p.env, name)
		}
		return Unit{}, false
	})
}

// Expand expands the forms of a whole file, or of one input at a REPL. The error is an *Error or a *syntax.Error,
// and then the program is as before.
func (p *Program) Expand(forms []*syntax.Syntax) (Result, error) {
	return p.run(func(x *expander) (Unit, bool) {
		body := x.program(p, forms)
		if len(body) == 0 {
			return Unit{}, false
		}
		src := forms[0].Span.Source
		name := ""
		if src != nil {
			name = src.Name
		}
		return Unit{Name: name, Source: src, Body: body}, true
	})
}

func (x *expander) program(p *Program, forms []*syntax.Syntax) []Node {
	if !p.started {
		if p.Interactive || !startsWithImport(forms) {
			own := p.env.imports // by Import: they win
			p.env.imports = nil
			for _, name := range p.implicit {
				x.importNamed(p.env, name)
			}
			p.env.imports = append(p.env.imports, own...)
		}
		p.started = true
	}
	b := &block{sc: p.env.scope, env: p.env, owner: "the program"}
	for _, f := range forms {
		x.scan(f, b)
	}
	for _, l := range x.declaredNow {
		x.complete(l, l.form)
	}
	nodes := x.finishTop(b)
	nodes = append(x.inherit(b, nodes), nodes...)
	switch {
	case p.env.closed:
		x.checkFree(p.env)
	case p.Strict && !x.world.dynamic:
		x.checkFree(p.env)
		if !p.Interactive {
			settle(p.env)
		}
	}
	for _, g := range p.env.globals {
		g.state.value = nil
	}
	return nodes
}

// startsWithImport tells whether the first form is an import, libraries defined before it aside.
func startsWithImport(forms []*syntax.Syntax) bool {
	for _, f := range forms {
		l, ok := f.Datum.(*syntax.List)
		if !ok || len(l.Items) == 0 {
			return false
		}
		if isSymbol(l.Items[0], "define-library") {
			continue
		}
		return isSymbol(l.Items[0], "import")
	}
	return false
}

// importNamed imports a whole library by its canonical name.
func (x *expander) importNamed(env *environment, name string) {
	l := x.library(strings.Fields(strings.Trim(name, "()")), name, &syntax.Syntax{})
	env.addDep(l)
	env.addImport(l.exports)
}

// run does one Expand: all of it, or nothing when body fails.
func (p *Program) run(body func(x *expander) (Unit, bool)) (res Result, err error) {
	x := &expander{world: p.world, limits: p.world.limits, env: p.env}
	before := *p.env
	started, slots, libs := p.started, p.world.slots.Next(), len(p.world.libs)
	defer func() {
		p.work = x.units
		defer func() {
			p.same = !res.Changed && p.started == started && len(p.env.deps) == len(before.deps) && len(p.env.uses) == len(before.uses) &&
				len(p.env.globals) == len(before.globals) && p.world.slots.Next() == slots && len(p.world.libs) == libs && len(x.declaredNow) == 0
		}()
		if r := recover(); r != nil {
			switch r := r.(type) {
			case *Error:
				err = r
			case readFailure:
				err = r.err
			default:
				panic(r)
			}
		}
		if err != nil {
			p.env.undo()
			p.env.imports, p.env.deps, p.env.cache = before.imports, before.deps, nil
			p.env.globals = before.globals
			for _, u := range p.env.uses[len(before.uses):] {
				delete(p.env.free, u.sym)
			}
			p.env.uses = before.uses
			p.started = started
			x.forget()
			res = Result{}
		}
		p.env.journal = p.env.journal[:0]
	}()
	unit, some := body(x)
	res.Changed = len(p.env.journal) > 0 || len(p.env.imports) != len(before.imports)
	res.Units = p.world.emit(p.env.deps, nil)
	if some {
		res.Units = append(res.Units, unit)
	}
	return res, nil
}

// forget drops the libraries whose expansion did not end well, so that a corrected text can be read.
func (x *expander) forget() {
	for _, l := range x.declaredNow {
		if l.state != ready && x.world.libs[l.name] == l {
			delete(x.world.libs, l.name)
		}
	}
}

// emit answers the units of libraries that have not been handed out, those that a library imports before it.
// What a parent world holds runs elsewhere.
func (w *World) emit(deps []*library, units []Unit) []Unit {
	for _, l := range deps {
		if w.libs[l.name] != l || l.emitted {
			continue
		}
		l.emitted = true
		units = w.emit(l.env.deps, units)
		if len(l.body) > 0 {
			units = append(units, Unit{Name: l.name, Source: l.source, Body: l.body})
			l.body = nil
		}
	}
	return units
}

// TakeBack makes libraries that emit handed out such that they will be handed out again: their code was not put in place.
func (w *World) TakeBack(units []Unit) {
	for _, u := range units {
		if l := w.libs[u.Name]; l != nil && l.emitted && l.body == nil {
			l.emitted, l.body = false, u.Body
		}
	}
}

// Undefined is the name of a variable that the program refers to and does not define, by its slot, or "", with the hints
// that checkFree would give.
func (p *Program) Undefined(slot int) (name string, hints []string) {
	for _, u := range p.env.uses {
		if u.global.Slot == slot && !u.global.Defined {
			x := &expander{world: p.world, limits: p.world.limits, env: p.env}
			hints, _ = x.near(u.sym.Name, p.env, u.scope)
			return u.sym.Name, append(hints, infix(u.span)...)
		}
	}
	return "", nil
}

// Names lists the names visible at top level, sorted.
func (p *Program) Names() []string { return p.env.names() }

func (e *environment) names() []string {
	seen := map[string]bool{}
	for _, t := range e.imports {
		for _, n := range t.names() {
			seen[n] = true
		}
	}
	for _, n := range e.symbols.names() {
		seen[n] = true
	}
	names := make([]string, 0, len(seen))
	for n := range seen {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}
