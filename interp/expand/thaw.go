package expand

import (
	"math"
	"math/big"
	"sync"

	"caper/interp/frozen"
	"caper/interp/number"
	"caper/interp/syntax"
)

// This file reads what freeze.go wrote. A library is known at once; a variable, a macro, the value of a variable when
// somebody first asks for it. Worlds of many goroutines share it under its lock.

type frozenWorld struct {
	sync.Mutex
	text func(file string) *syntax.Source

	forms                                       map[*syntax.Symbol]binding
	libs                                        []*library
	globals                                     []*Global
	macros                                      []*macro
	aliases                                     []*Alias
	sources                                     []*syntax.Source
	sourceNames, formNames                      frozen.List
	globalTexts, macroTexts, aliasTexts, bodies frozen.List
}

// Thaw makes the world that Freeze wrote. text answers the source text of a name.
func Thaw(r *frozen.Reader, loader Loader, text func(name string) *syntax.Source) *World {
	w := NewWorld(nil, NewSlots(0, 0), loader, Limits{})
	f := &frozenWorld{text: text, forms: w.forms, sourceNames: r.List(), formNames: r.List()}
	libs, indexes := r.List(), r.List()
	f.globalTexts, f.macroTexts, f.aliasTexts, f.bodies = r.List(), r.List(), r.List(), r.List()
	tables := make([]table, indexes.Len())
	for i := range tables {
		tables[i] = table{image: f, index: frozen.ReadIndex(indexes.At(i))}
	}
	made := make([]library, libs.Len())
	for i := range made {
		f.libs = append(f.libs, &made[i])
	}
	for i, l := range f.libs {
		r := frozen.NewReader(libs.At(i))
		e := &environment{name: r.Text(), sealed: true, known: &sync.Map{}}
		e.scope = &scope{top: e}
		*l = library{name: e.name, state: ready, env: e, emitted: true, exports: &tables[r.Int()]}
		e.symbols = &tables[r.Int()]
		for range r.Int() {
			e.imports = append(e.imports, &tables[r.Int()])
		}
		for range r.Int() {
			e.deps = append(e.deps, f.libs[r.Int()])
		}
		w.libs[l.name] = l
	}
	f.globals = make([]*Global, f.globalTexts.Len())
	f.macros = make([]*macro, f.macroTexts.Len())
	f.aliases = make([]*Alias, f.aliasTexts.Len())
	f.sources = make([]*syntax.Source, f.sourceNames.Len())
	return w
}

func (f *frozenWorld) binding(ref uint32) binding {
	i := int(ref >> refBits)
	switch ref & (1<<refBits - 1) {
	case refGlobal:
		return f.global(i)
	case refMacro:
		return f.macro(i)
	}
	return f.forms[syntax.Intern(f.formNames.At(i))]
}

func (f *frozenWorld) global(i int) *Global {
	if f.globals[i] == nil {
		r := frozen.NewReader(f.globalTexts.At(i))
		g := &Global{Name: r.Text(), Slot: r.Int(), Constant: r.Bool(), Defined: true}
		if r.Bool() {
			g.Prim = g.Name
		}
		g.state.home = f.libs[r.Int()].env
		if n := r.Int(); n > 0 {
			g.image, g.at = f, n-1
		}
		f.globals[i] = g
	}
	return f.globals[i]
}

// value is the value of a variable that has one here.
func (f *frozenWorld) value(g *Global) Node {
	f.Lock()
	defer f.Unlock()
	if g.body == nil {
		t := thawing{Reader: frozen.NewReader(f.bodies.At(g.at)), f: f}
		g.body = t.node()
	}
	return g.body
}

func (f *frozenWorld) macro(i int) *macro {
	if f.macros[i] != nil {
		return f.macros[i]
	}
	t := thawing{Reader: frozen.NewReader(f.macroTexts.At(i)), f: f}
	m := &macro{name: t.Text(), env: f.libs[t.Int()].env.scope, span: t.span()}
	f.macros[i] = m
	for range t.Int() {
		r := &rule{pattern: t.pattern(), template: t.template(), vars: t.Int()}
		for range t.Int() {
			r.inserted = append(r.inserted, t.ident())
		}
		r.text = t.syntax()
		m.rules = append(m.rules, r)
	}
	return m
}

func (f *frozenWorld) alias(i int) *Alias {
	if f.aliases[i] == nil {
		t := thawing{Reader: frozen.NewReader(f.aliasTexts.At(i)), f: f}
		a := &Alias{}
		f.aliases[i] = a
		a.id, a.env = t.ident(), f.libs[t.Int()].env.scope
		for range t.Int() {
			home := f.libs[t.Int()].env
			a.bound = append(a.bound, bound{home, f.binding(uint32(t.Int()))})
		}
	}
	return f.aliases[i]
}

func (f *frozenWorld) source(i int) *syntax.Source {
	if f.sources[i] == nil {
		f.sources[i] = f.text(f.sourceNames.At(i))
	}
	return f.sources[i]
}

// thawing reads one thing.
type thawing struct {
	*frozen.Reader
	f    *frozenWorld
	vars []*Var
}

func (t *thawing) ident() ident {
	if t.Bool() {
		return ident{alias: t.f.alias(t.Int())}
	}
	return ident{sym: syntax.Intern(t.Text())}
}

func (t *thawing) span() syntax.Span {
	n := t.Int()
	if n == 0 {
		return syntax.Span{}
	}
	return syntax.Span{Source: t.f.source(n - 1), Start: int32(t.Int()), End: int32(t.Int())}
}

func (t *thawing) pattern() *pattern {
	if !t.Bool() {
		return nil
	}
	p := &pattern{kind: patternKind(t.Int())}
	switch p.kind {
	case variable:
		p.slot = t.Int()
	case literal:
		p.id = t.ident()
	case datum:
		p.datum = t.datum()
	case listOf, vectorOf:
		p.before = t.patterns()
		p.repeat = t.pattern()
		for range t.Int() {
			p.vars = append(p.vars, repeated{slot: t.Int(), depth: t.Int()})
		}
		p.after = t.patterns()
		p.tail = t.pattern()
	}
	return p
}

func (t *thawing) patterns() (all []*pattern) {
	for range t.Int() {
		all = append(all, t.pattern())
	}
	return all
}

func (t *thawing) template() *template {
	if !t.Bool() {
		return nil
	}
	m := &template{kind: templateKind(t.Int())}
	switch m.kind {
	case fixed:
		m.datum = t.datum()
	case insertion, substituted:
		m.slot = t.Int()
	case listWith, vectorWith:
		m.parts = make([]part, t.Int())
		for i := range m.parts {
			p := &m.parts[i]
			p.template = t.template()
			for range t.Int() {
				vars := make([]int, t.Int())
				for j := range vars {
					vars[j] = t.Int()
				}
				p.loops = append(p.loops, vars)
			}
		}
		m.tail = t.template()
	}
	return m
}

func (t *thawing) syntax() *syntax.Syntax {
	s := &syntax.Syntax{Span: t.span()}
	s.Datum = t.datum()
	return s
}

func (t *thawing) syntaxes() []*syntax.Syntax {
	n := t.Int()
	if n == 0 {
		return nil
	}
	all := make([]*syntax.Syntax, n)
	for i := range all {
		all[i] = t.syntax()
	}
	return all
}

func (t *thawing) datum() any {
	switch t.Int() {
	case datumSymbol:
		return syntax.Intern(t.Text())
	case datumAlias:
		return t.f.alias(t.Int())
	case datumKeyword:
		return syntax.Keyword(t.Text())
	case datumInt:
		return t.Signed()
	case datumBig:
		n, _ := new(big.Int).SetString(t.Text(), 10)
		return n
	case datumRatio:
		n, _ := new(big.Rat).SetString(t.Text())
		return n
	case datumFloat:
		return math.Float64frombits(t.Word())
	case datumComplex:
		n, _ := number.Parse(t.Text(), 10)
		return n
	case datumBool:
		return t.Bool()
	case datumChar:
		return syntax.Char(t.Int())
	case datumString:
		return syntax.String(t.Text())
	case datumBytes:
		return syntax.Bytes(t.Text())
	case datumList:
		l := &syntax.List{Items: t.syntaxes()}
		if t.Bool() {
			l.Tail = t.syntax()
		}
		return l
	}
	return &syntax.Vector{Items: t.syntaxes()}
}

func (t *thawing) node() Node {
	code, span := t.Int(), t.span()
	switch code {
	case nodeConst:
		return &Const{span, t.syntax()}
	case nodeUnspecified:
		return &Unspecified{span}
	case nodeLocalRef:
		return &LocalRef{span, t.vars[t.Int()]}
	case nodeLocalSet:
		return &LocalSet{span, t.vars[t.Int()], t.node()}
	case nodeGlobalRef:
		return &GlobalRef{span, t.f.global(t.Int())}
	case nodeGlobalSet:
		return &GlobalSet{span, t.f.global(t.Int()), t.node()}
	case nodeIf:
		return &If{span, t.node(), t.node(), t.node()}
	case nodeLambda:
		n := &Lambda{Span: span, Name: t.Text(), Params: t.bind()}
		if t.Bool() {
			n.Rest = t.bind()[0]
		}
		n.Body = t.node()
		return n
	case nodeCaseLambda:
		n := &CaseLambda{Span: span, Name: t.Text()}
		for range t.Int() {
			n.Clauses = append(n.Clauses, t.node().(*Lambda))
		}
		return n
	case nodeLet:
		return &Let{Span: span, Inits: t.nodes(), Vars: t.bind(), Body: t.node()}
	case nodeLetrec:
		return &Letrec{Span: span, Vars: t.bind(), Inits: t.nodes(), Body: t.node()}
	case nodeSeq:
		return &Seq{span, t.nodes()}
	}
	return &Call{span, t.node(), t.nodes()}
}

func (t *thawing) nodes() []Node {
	all := make([]Node, t.Int())
	for i := range all {
		all[i] = t.node()
	}
	return all
}

func (t *thawing) bind() []*Var {
	vars := make([]*Var, t.Int())
	for i := range vars {
		vars[i] = &Var{Name: t.Text(), Assigned: t.Bool()}
	}
	t.vars = append(t.vars, vars...)
	return vars
}
