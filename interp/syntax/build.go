package syntax

// This file defines constructors for stages that make syntax instead of reading it.

// New wraps a datum of one of the kinds listed at Syntax. No depth is descended: items are Syntax already.
func New(datum any, span Span) *Syntax { return &Syntax{Datum: datum, Span: span} }

// Sym is the symbol of that name at a place.
func Sym(name string, span Span) *Syntax { return &Syntax{Datum: Intern(name), Span: span} }

// NewList is the proper list of the items; its span reaches from the first to the last that has a place.
func NewList(items ...*Syntax) *Syntax {
	var span Span
	if len(items) > 0 {
		span = items[0].Span.Join(items[len(items)-1].Span)
	}
	return &Syntax{Datum: &List{Items: items}, Span: span}
}

// ListAt is the proper list of the items at a place.
func ListAt(span Span, items ...*Syntax) *Syntax {
	return &Syntax{Datum: &List{Items: items}, Span: span}
}

// Dotted is (items … . tail), flattened when tail is a list. A labelled tail that takes part in a cycle must not be
// given here: build the List itself.
func Dotted(span Span, items []*Syntax, tail *Syntax) *Syntax {
	if l, ok := tail.Datum.(*List); ok {
		items = append(items[:len(items):len(items)], l.Items...)
		tail = l.Tail
	}
	return &Syntax{Datum: &List{Items: items, Tail: tail}, Span: span}
}

// Proper is the items of a proper list; !ok for a dotted list and for anything else.
func (s *Syntax) Proper() (items []*Syntax, ok bool) {
	l, ok := s.Datum.(*List)
	if !ok || l.Tail != nil {
		return nil, false
	}
	return l.Items, true
}

// IsSymbol reports whether s is the symbol of that name.
func (s *Syntax) IsSymbol(name string) bool {
	sym, ok := s.Datum.(*Symbol)
	return ok && sym.Name == name
}

// Head is the symbol that a non-empty list starts with, or nil.
func (s *Syntax) Head() *Symbol {
	l, ok := s.Datum.(*List)
	if !ok || len(l.Items) == 0 {
		return nil
	}
	sym, _ := l.Items[0].Datum.(*Symbol)
	return sym
}
