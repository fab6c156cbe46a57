// Package syntax turns source text into syntax trees: lexer, reader, positions.
// Its values are Go values; nothing of a running program lives here. Anything may import it; it imports number.
package syntax

import (
	"sync"

	"caper/interp/number"
)

// Syntax is one datum together with the place where it stood in the source.
// Datum holds one of
//
//	*Symbol                     an identifier as written
//	Keyword                     #:name
//	number.Number               int64, *big.Int, *big.Rat, float64
//	bool, Char, String, Bytes   self-evaluating atoms
//	*List                       a proper or dotted list
//	*Vector                     #( … )
//
// and whatever a later stage wraps (the expander's renamed identifiers). A Syntax is immutable once read,
// but for the knots that datum labels tie.
type Syntax struct {
	Datum any
	Span  Span
}

// Symbol is interned per process: equal names are the same pointer.
type Symbol struct{ Name string }

// Keyword is a self-evaluating #:name, kept without its prefix.
type Keyword string

// Char is a Unicode scalar value.
type Char rune

// String is a string literal: valid UTF-8.
type String string

// Bytes is a bytevector literal.
type Bytes []byte

// List holds its items in a slice. Tail is nil for a proper list, else the datum after the dot, which is never
// itself an unlabelled *List (the reader flattens those). The empty list has no items and a nil Tail.
type List struct {
	Items []*Syntax
	Tail  *Syntax
}

// Vector is a vector literal.
type Vector struct{ Items []*Syntax }

// Source is one piece of program text under the name that messages show.
type Source struct {
	Name  string
	Text  string
	Own   bool    // text of the engine itself: it may import the libraries that programs do not see
	lines []int32 // offsets of line starts, made on first use by Position
	runes []int32 // runes before each stride of the text, made with lines
	once  sync.Once
}

// Span is the half-open byte range [Start, End) of a source; the zero Span means "no place known".
type Span struct {
	Source     *Source
	Start, End int32
}

// Number re-exports the numeric type that literals hold.
type Number = number.Number
