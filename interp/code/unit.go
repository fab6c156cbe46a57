package code

// Unit is compiled code before it has a place: words as if the static area began at offset 0, and what a loader must
// add to them. A unit may be loaded into any number of machines.
type Unit struct {
	Name   string
	Words  []uint64
	Relocs []Reloc
	Consts []Const  // objects to be built in the static area, in order
	Procs  []Proc   // sorted by Start
	Top    []int    // Procs to be called in order, without arguments, to run the unit
	Files  []File   // what Lines refer to
	Hash   [32]byte // of everything above
}

// Reloc patches one word.
type Reloc struct {
	Word int
	Kind RelocKind
	Arg  int
}

type RelocKind uint8

const (
	RelocD     RelocKind = iota // D is a byte offset into this unit's Words: add the unit's base (CLOSURE, LOADM)
	RelocConst                  // D becomes the word of constant Arg (a static reference or an immediate)
	RelocWhole                  // the whole word becomes the word of constant Arg (the cells LOADM reads)
	RelocEntry                  // the whole word is an entry word relative to the unit: add the base
)

// Const is one object of the static area. Datum holds what package heap can build: string, Symbol, Keyword, number.Number,
// []byte, rune, bool, Null, Void, Pair, Vector, Closure; items refer to earlier constants.
type Const struct{ Datum any }

type (
	Symbol  string
	Keyword string
	Null    struct{}
	Void    struct{}
	Pair    struct{ Car, Cdr int } // indexes of constants; an index not smaller than its own ties a knot
	Vector  struct{ Items []int }
	Closure struct{ Proc int } // a procedure without free variables
)

// Proc describes one procedure of a unit.
type Proc struct {
	Name       string
	Start, End int // words [Start, End); Start is the entry point, the info word lies before it
	Info       Info
	Lines      []Line   // sorted by Word
	Params     []string // for messages: required parameters, then the rest parameter when Info says so
	Vars       []Var    // for who looks into a frame; of a program's own procedures only, and not part of the encoding
}

// Var says that instructions of [From, To), words of the unit, find a variable of the source in a register; of one that the
// closure captured, Reg is -1 and below: -1 less its number.
type Var struct {
	Name     string
	Reg      int32
	From, To int32
}

// File is where lines stand.
type File struct {
	Name   string
	Opened string // the procedure whose body they are, where it was opened in the place of a call to it
}

// Line gives the place in the source of the instructions from Word on.
type Line struct {
	Word   int32
	Line   int32
	Column int32
	File   int32 // index into the Files of its unit
}
