package expand

import (
	"strconv"
	"strings"
	"sync"

	"caper/interp/syntax"
)

// This file expands define-library and finds libraries.

type libraryState uint8

const (
	declared libraryState = iota // its text is known
	loading
	ready
)

type library struct {
	name    string
	state   libraryState
	form    *syntax.Syntax // the define-library form, until it is expanded
	env     *environment
	exports *table
	body    []Node
	source  *syntax.Source
	emitted bool // its unit has been handed out
}

// export is one name that a library under expansion promises.
type export struct {
	inner, outer *syntax.Symbol
	at           *syntax.Syntax
}

// libraryName reads a name such as (srfi 1) and answers its parts and how it is written.
func (x *expander) libraryName(u use, s *syntax.Syntax) ([]string, string) {
	l, ok := s.Datum.(*syntax.List)
	if !ok || len(l.Items) == 0 || l.Tail != nil {
		x.found(u, s, "the name of a library is a list such as (scheme base)")
	}
	parts := make([]string, len(l.Items))
	for i, it := range l.Items {
		if id, ok := identOf(it); ok {
			parts[i] = id.name()
			continue
		}
		n, ok := it.Datum.(int64)
		if !ok || n < 0 {
			x.found(u, it, "the name of a library consists of identifiers and numbers")
		}
		parts[i] = strconv.FormatInt(n, 10)
	}
	return parts, "(" + strings.Join(parts, " ") + ")"
}

// library answers a complete library or fails.
func (x *expander) library(parts []string, name string, at *syntax.Syntax) *library {
	if x.reserved(parts, at.Span.Source) {
		x.failAt(at.Span, nil, "there is no library %s for programs", name)
	}
	l := x.known(name, parts, at.Span)
	if l == nil && foreign(parts) {
		l = x.everyday(at)
	}
	if l == nil {
		x.failAt(at.Span, x.nearLibraries(name), "there is no library %s", name)
	}
	x.complete(l, at)
	return l
}

// reserved says that a library is the engine's own affair: what only
// the standard library may call is not for the text of programs.
func (x *expander) reserved(parts []string, from *syntax.Source) bool {
	return x.world.parent != nil && from != nil && !from.Own && (parts[0] == "%primitive" || parts[0] == "%support")
}

// known answers a library that exists already or that the loader knows. The other names of a SRFI are those of one
// library, unless somebody has declared one under just that name.
func (x *expander) known(name string, parts []string, at syntax.Span) *library {
	if l := x.world.find(name); l != nil {
		return l
	}
	if usual := srfi(parts); usual != nil {
		parts, name = usual, "("+strings.Join(usual, " ")+")"
		if l := x.world.find(name); l != nil {
			return l
		}
	}
	return x.load(name, parts, at)
}

// load asks the loader for the text of a library. It answers nil when there is none.
func (x *expander) load(name string, parts []string, at syntax.Span) *library {
	if x.world.loader == nil {
		return nil
	}
	src, err := x.world.loader.Library(parts, at)
	if err != nil {
		x.failAt(at, nil, "the library %s cannot be read: %v", name, err)
	}
	if src == nil {
		return nil
	}
	for _, f := range x.read(src, false) {
		l, ok := f.Datum.(*syntax.List)
		if ok && len(l.Items) > 1 && isSymbol(l.Items[0], "define-library") {
			x.declareLibrary(x.checkUse(x.builtin("define-library"), f, l, nil))
		}
	}
	l := x.world.libs[name]
	if l == nil {
		x.failAt(at, nil, "%s does not define the library %s", src.Name, name)
	}
	return l
}

func isSymbol(s *syntax.Syntax, name string) bool {
	sym, ok := s.Datum.(*syntax.Symbol)
	return ok && sym.Name == name
}

func (x *expander) builtin(name string) *form { return x.world.forms[syntax.Intern(name)].(*form) }

func defineLibrary(x *expander, b *block, u use) {
	if b.env == nil || b.env.name != "" {
		x.failAt(u.s.Span, nil, "define-library: a library is defined at the top level of a file")
	}
	x.changes(b.env, u.s)
	x.declareLibrary(u)
}

// declareLibrary notes the text of a library; it is expanded when somebody imports it.
func (x *expander) declareLibrary(u use) {
	if len(u.args) == 0 {
		x.shape(u, "(define-library name declaration ...)")
	}
	_, name := x.libraryName(u, u.args[0])
	if old := x.world.find(name); old != nil {
		if x.world.libs[name] == nil || old.state == loading || old.form == nil && old.source == nil {
			x.failAt(u.args[0].Span, nil, "define-library: the library %s exists already", name)
		}
	}
	l := &library{name: name, form: u.s, source: u.s.Span.Source}
	x.world.libs[name] = l
	x.declaredNow = append(x.declaredNow, l)
}

// complete expands a library unless that is done.
func (x *expander) complete(l *library, at *syntax.Syntax) {
	switch l.state {
	case ready:
		return
	case loading:
		x.fail(at, "circular import: %s", strings.Join(append(x.loading, l.name), " imports "))
	}
	x.deepen(1, l.form)
	savedEnv, savedTrail, savedLambdas, savedItem, savedDepth := x.env, x.trail, x.lambdas, x.item, x.depth
	l.state = loading
	l.env = newEnvironment(l.name)
	savedUnknown := x.unknown
	x.env, x.trail, x.lambdas, x.item, x.unknown = l.env, nil, 0, 0, nil
	x.depth++
	x.loading = append(x.loading, l.name)
	x.expandLibrary(l)
	x.loading = x.loading[:len(x.loading)-1]
	x.env, x.trail, x.lambdas, x.item, x.depth = savedEnv, savedTrail, savedLambdas, savedItem, savedDepth
	x.unknown = savedUnknown
	l.state = ready
	l.form = nil
}

func (x *expander) expandLibrary(l *library) {
	list := l.form.Datum.(*syntax.List)
	u := x.checkUse(x.builtin("define-library"), l.form, list, l.env.scope)
	d := &declarations{x: x, u: u, env: l.env}
	d.all(u.args[1:])
	b := &block{sc: l.env.scope, env: l.env, owner: "define-library"}
	for _, f := range d.body {
		x.scan(f, b)
	}
	nodes := x.finishTop(b)
	l.body = append(x.inherit(b, nodes), nodes...)
	x.checkFree(l.env)
	exports := make(map[*syntax.Symbol]binding, len(d.exports))
	for _, e := range d.exports {
		bound := l.env.lookup(ident{sym: e.inner})
		if bound == nil {
			hints, _ := x.near(e.inner.Name, l.env, nil)
			x.failAt(e.at.Span, hints, "the library %s exports %s, which it does not define", l.name, e.inner.Name)
		}
		exports[e.outer] = bound
	}
	l.exports = newTable(exports)
	seal(l.env)
}

// seal ends the definitions of a library: what was defined once and is never assigned is constant.
func seal(e *environment) {
	for _, g := range e.globals {
		// Users of a macro may assign a variable that its template hands on, by way of other macros.
		_, procedure := g.state.value.(*Lambda)
		if sym := syntax.Intern(g.Name); e.assigns[sym] || e.inserts[sym] && !procedure {
			g.state.sets++
		}
	}
	settle(e)
	for _, g := range e.globals {
		g.state.value = nil
	}
	e.journal, e.free, e.uses = nil, nil, nil
	e.sealed, e.known = true, &sync.Map{}
}

func settle(e *environment) {
	for _, g := range e.globals {
		st := &g.state
		if st.defs == 1 && st.sets == 0 {
			g.Constant = true
			g.body = st.value
		}
	}
}

// declarations gathers the parts of a define-library form.
type declarations struct {
	x       *expander
	u       use
	env     *environment
	exports []export
	body    []*syntax.Syntax
}

func (d *declarations) all(forms []*syntax.Syntax) {
	for _, f := range forms {
		d.x.enter(f)
		d.one(f)
		d.x.depth--
	}
}

func (d *declarations) one(s *syntax.Syntax) {
	x := d.x
	l, ok := s.Datum.(*syntax.List)
	name := ""
	if ok && len(l.Items) > 0 && l.Tail == nil {
		if id, ok := identOf(l.Items[0]); ok {
			name = id.name()
		}
	}
	switch name {
	case "export":
		for _, e := range l.Items[1:] {
			d.export(e)
		}
	case "import":
		for _, set := range l.Items[1:] {
			x.importSet(d.u, set, d.env)
		}
	case "begin":
		d.body = append(d.body, l.Items[1:]...)
	case "include", "include-ci":
		forms := x.include(use{x.builtin(name), s, l.Items[1:], d.env.scope})
		d.body = append(d.body, forms...)
	case "include-library-declarations":
		x.includes++
		d.all(x.include(use{x.builtin("include"), s, l.Items[1:], d.env.scope}))
		x.includes--
	case "cond-expand":
		d.all(x.condExpand(use{x.builtin(name), s, l.Items[1:], d.env.scope}))
	default:
		x.failAt(s.Span, []string{"definitions go into (begin ...)"}, "define-library: each declaration is export, import, begin, include, include-ci, include-library-declarations or cond-expand, found %s", show(s))
	}
}

func (d *declarations) export(s *syntax.Syntax) {
	if id, ok := identOf(s); ok {
		d.exports = append(d.exports, export{id.symbol(), id.symbol(), s})
		return
	}
	if l, ok := s.Datum.(*syntax.List); ok && l.Tail == nil && len(l.Items) == 3 && isSymbol(l.Items[0], "rename") {
		inner, ok1 := identOf(l.Items[1])
		outer, ok2 := identOf(l.Items[2])
		if ok1 && ok2 {
			d.exports = append(d.exports, export{inner.symbol(), outer.symbol(), s})
			return
		}
	}
	d.x.failAt(s.Span, nil, "export: each item is a name or (rename inner outer), found %s", show(s))
}
