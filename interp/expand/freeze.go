package expand

import (
	"fmt"

	"caper/interp/frozen"
	"caper/interp/syntax"
)

// This file writes a world down for the library image; thaw.go reads it, one thing at a time, as programs ask for it.
// Both follow the same order.

// A reference to a binding is the number of a thing of its kind and the kind.
const (
	refGlobal = iota
	refMacro
	refForm
	refBits = 2
)

// sequence gives things numbers in the order in which they are met.
type sequence[T comparable] struct {
	all []T
	at  map[T]int
}

func (n *sequence[T]) number(x T) int {
	i, ok := n.at[x]
	if !ok {
		if n.at == nil {
			n.at = map[T]int{}
		}
		i = len(n.all)
		n.at[x], n.all = i, append(n.all, x)
	}
	return i
}

type freezer struct {
	libs    sequence[*library]
	byEnv   map[*environment]*library
	tables  sequence[*table]
	globals sequence[*Global]
	macros  sequence[*macro]
	forms   sequence[*form]
	aliases sequence[*Alias]
	sources sequence[*syntax.Source]
	bodies  []string
	vars    map[*Var]int // of the present body
	depth   int
}

// Freeze writes down a world whose libraries are complete. keep says which variables' values are worth it.
func (w *World) Freeze(out *frozen.Writer, keep func(*Global) bool) (err error) {
	f := &freezer{byEnv: map[*environment]*library{}}
	defer func() {
		if r, ok := recover().(unfrozen); ok {
			err = r
		}
	}()
	for _, name := range w.Libraries() {
		l := w.libs[name]
		if l.state != ready {
			return fmt.Errorf("the library %s is not complete", name)
		}
		f.libs.number(l)
		f.byEnv[l.env] = l
	}
	var libs, tables, globals, macros, aliases []string
	for _, l := range f.libs.all {
		libs = append(libs, f.library(l))
	}
	// Each thing may lead to more of every kind.
	for done := false; !done; {
		done = true
		for len(tables) < len(f.tables.all) {
			tables, done = append(tables, f.table(f.tables.all[len(tables)])), false
		}
		for len(globals) < len(f.globals.all) {
			globals, done = append(globals, f.global(f.globals.all[len(globals)], keep)), false
		}
		for len(macros) < len(f.macros.all) {
			macros, done = append(macros, f.macro(f.macros.all[len(macros)])), false
		}
		for len(aliases) < len(f.aliases.all) {
			aliases, done = append(aliases, f.alias(f.aliases.all[len(aliases)])), false
		}
	}
	var forms, sources []string
	for _, b := range f.forms.all {
		forms = append(forms, b.name)
	}
	for _, s := range f.sources.all {
		sources = append(sources, s.Name)
	}
	for _, list := range [][]string{sources, forms, libs, tables, globals, macros, aliases, f.bodies} {
		out.List(frozen.NewList(list))
	}
	return nil
}

// unfrozen says that the library has something that cannot be written down.
type unfrozen struct{ what string }

func (u unfrozen) Error() string { return u.what }

func (f *freezer) library(l *library) string {
	var w frozen.Writer
	w.Text(l.name)
	w.Int(f.tables.number(l.exports))
	w.Int(f.tables.number(l.env.symbols))
	w.Int(len(l.env.imports))
	for _, t := range l.env.imports {
		w.Int(f.tables.number(t))
	}
	w.Int(len(l.env.deps))
	for _, d := range l.env.deps {
		w.Int(f.libs.at[d])
	}
	return w.String()
}

func (f *freezer) table(t *table) string {
	refs := make(map[string]uint32, t.len())
	for _, n := range t.names() {
		refs[n] = f.ref(t.get(syntax.Intern(n)))
	}
	return frozen.NewIndex(refs).Data()
}

func reference(number int, kind uint32) uint32 { return uint32(number)<<refBits | kind }

func (f *freezer) ref(b binding) uint32 {
	switch b := b.(type) {
	case *Global:
		return reference(f.globals.number(b), refGlobal)
	case *macro:
		return reference(f.macros.number(b), refMacro)
	case *form:
		return reference(f.forms.number(b), refForm)
	}
	panic(unfrozen{fmt.Sprintf("a binding of type %T", b)})
}

// env is the number of the library that a scope is the top level of.
func (f *freezer) env(sc *scope) int {
	l := f.byEnv[sc.top]
	if l == nil {
		panic(unfrozen{"a macro of a library that was made in an inner scope"})
	}
	return f.libs.at[l]
}

func (f *freezer) global(g *Global, keep func(*Global) bool) string {
	var w frozen.Writer
	w.Text(g.Name)
	w.Int(g.Slot)
	w.Bool(g.Constant)
	w.Bool(g.Prim != "")
	w.Int(f.env(g.state.home.scope))
	if g.Value() == nil || !keep(g) {
		w.Int(0)
		return w.String()
	}
	f.vars = map[*Var]int{}
	var body frozen.Writer
	f.node(&body, g.Value())
	f.bodies = append(f.bodies, body.String())
	w.Int(len(f.bodies))
	return w.String()
}

func (f *freezer) macro(m *macro) string {
	var w frozen.Writer
	w.Text(m.name)
	w.Int(f.env(m.env))
	f.span(&w, m.span)
	w.Int(len(m.rules))
	for _, r := range m.rules {
		f.pattern(&w, r.pattern)
		f.template(&w, r.template)
		w.Int(r.vars)
		w.Int(len(r.inserted))
		for _, id := range r.inserted {
			f.ident(&w, id)
		}
		f.syntax(&w, r.text)
	}
	return w.String()
}

// alias is what a macro's template inserted into another macro, with the variable that a definition gave it.
func (f *freezer) alias(a *Alias) string {
	var w frozen.Writer
	f.ident(&w, a.id)
	w.Int(f.env(a.env))
	var homes []int
	for _, l := range f.libs.all {
		if l.env.alias(a) != nil {
			homes = append(homes, f.libs.at[l])
		}
	}
	w.Int(len(homes))
	for _, i := range homes {
		w.Int(i)
		w.Int(int(f.ref(f.libs.all[i].env.alias(a))))
	}
	return w.String()
}

func (f *freezer) ident(w *frozen.Writer, id ident) {
	w.Bool(id.alias != nil)
	if id.alias != nil {
		w.Int(f.aliases.number(id.alias))
	} else {
		w.Text(id.sym.Name)
	}
}

func (f *freezer) span(w *frozen.Writer, s syntax.Span) {
	if s.Source == nil {
		w.Int(0)
		return
	}
	w.Int(f.sources.number(s.Source) + 1)
	w.Int(int(s.Start))
	w.Int(int(s.End))
}

func (f *freezer) pattern(w *frozen.Writer, p *pattern) {
	w.Bool(p != nil)
	if p == nil {
		return
	}
	w.Int(int(p.kind))
	switch p.kind {
	case variable:
		w.Int(p.slot)
	case literal:
		f.ident(w, p.id)
	case datum:
		f.datum(w, p.datum)
	case listOf, vectorOf:
		f.patterns(w, p.before)
		f.pattern(w, p.repeat)
		w.Int(len(p.vars))
		for _, v := range p.vars {
			w.Int(v.slot)
			w.Int(v.depth)
		}
		f.patterns(w, p.after)
		f.pattern(w, p.tail)
	}
}

func (f *freezer) patterns(w *frozen.Writer, all []*pattern) {
	w.Int(len(all))
	for _, p := range all {
		f.pattern(w, p)
	}
}

func (f *freezer) template(w *frozen.Writer, t *template) {
	w.Bool(t != nil)
	if t == nil {
		return
	}
	w.Int(int(t.kind))
	switch t.kind {
	case fixed:
		f.datum(w, t.datum)
	case insertion, substituted:
		w.Int(t.slot)
	case listWith, vectorWith:
		w.Int(len(t.parts))
		for _, p := range t.parts {
			f.template(w, p.template)
			w.Int(len(p.loops))
			for _, vars := range p.loops {
				w.Int(len(vars))
				for _, v := range vars {
					w.Int(v)
				}
			}
		}
		f.template(w, t.tail)
	}
}
