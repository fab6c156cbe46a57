package expand

import "caper/interp/syntax"

// This file defines identifiers, scopes and how a name finds its binding.

// Alias is an identifier that a macro's template introduced. It stands as Datum of a Syntax during expansion and
// never leaves this package: Strip and quotation turn it back into its symbol.
type Alias struct {
	id    ident  // what the template says
	env   *scope // where the macro was defined
	bound []bound
}

// bound is a definition of an alias in a library of the image.
type bound struct {
	env *environment
	b   binding
}

// String is the name that messages show.
func (a *Alias) String() string { return ident{alias: a}.name() }

// ident is a symbol or an alias, never both.
type ident struct {
	sym   *syntax.Symbol
	alias *Alias
}

func identOf(s *syntax.Syntax) (ident, bool) {
	switch d := s.Datum.(type) {
	case *syntax.Symbol:
		return ident{sym: d}, true
	case *Alias:
		return ident{alias: d}, true
	}
	return ident{}, false
}

// symbol is the name as somebody once wrote it.
func (id ident) symbol() *syntax.Symbol {
	for id.alias != nil {
		id = id.alias.id
	}
	return id.sym
}

func (id ident) name() string { return id.symbol().Name }

// binding is *Var, *Global, *form or *macro.
type binding any

// scope is one frame of bindings. The outermost scope of a chain has top set and no entries of its own.
type scope struct {
	parent  *scope
	top     *environment
	entries []entry
	index   map[ident]binding // made when the frame grows large
}

type entry struct {
	id ident
	b  binding
}

const largeFrame = 16

func (s *scope) find(id ident) binding {
	if s.index != nil {
		return s.index[id]
	}
	if id.sym != nil {
		for i := range s.entries {
			if s.entries[i].id.sym == id.sym {
				return s.entries[i].b
			}
		}
		return nil
	}
	for i := range s.entries {
		if s.entries[i].id.alias == id.alias {
			return s.entries[i].b
		}
	}
	return nil
}

// bind adds a binding; the caller has looked for duplicates.
func (s *scope) bind(id ident, b binding) {
	s.entries = append(s.entries, entry{id, b})
	if s.index != nil {
		s.index[id] = b
	} else if len(s.entries) > largeFrame {
		s.index = make(map[ident]binding, 2*largeFrame)
		for _, e := range s.entries {
			s.index[e.id] = e.b
		}
	}
}

// lookup finds what id means in sc. Without a binding it answers the top level in which the symbol is free.
func (x *expander) lookup(id ident, sc *scope) (binding, *environment) {
	hops := 0
	for {
		s := sc
		for s.top == nil {
			if b := s.find(id); b != nil {
				x.charge(hops >> 4)
				return b, nil
			}
			s = s.parent
			hops++
		}
		if b := s.top.lookup(id); b != nil {
			x.charge(hops >> 4)
			return b, s.top
		}
		if id.alias == nil {
			x.charge(hops >> 4)
			return nil, s.top
		}
		id, sc = id.alias.id, id.alias.env
	}
}

// sameIdentifier is free-identifier=?: both mean the same binding, or both are free and have the same name.
func (x *expander) sameIdentifier(a ident, as *scope, b ident, bs *scope) bool {
	if a == b && as == bs {
		return true
	}
	if a.symbol() != b.symbol() {
		// Two names of one binding, by a renaming import: rare, and worth the two look-ups only for bound names.
		ba, _ := x.lookup(a, as)
		if ba == nil {
			return false
		}
		bb, _ := x.lookup(b, bs)
		return ba == bb
	}
	ba, _ := x.lookup(a, as)
	bb, _ := x.lookup(b, bs)
	return ba == bb || ba == nil && auxiliary(bb) || bb == nil && auxiliary(ba)
}

// auxiliary tells whether b is a keyword such as else. A program that never imported it means it all the same.
func auxiliary(b binding) bool {
	f, ok := b.(*form)
	return ok && f.expr == nil && f.define == nil
}

// isAux tells whether s is the auxiliary keyword name (else, =>, ..., _, unquote …): bound to it, or free and so spelt.
func (x *expander) isAux(s *syntax.Syntax, name string, sc *scope) bool {
	id, ok := identOf(s)
	if !ok {
		return false
	}
	b, _ := x.lookup(id, sc)
	if b == nil {
		return id.symbol().Name == name
	}
	f, ok := b.(*form)
	return ok && f.name == name
}
