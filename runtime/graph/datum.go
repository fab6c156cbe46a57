package graph

// Datum is a value outside any machine: what calls take and give, what the store keeps, what a terminal shows.
// It holds one of
//
//	bool, int64, *big.Int, *big.Rat, float64, number.Complex
//	string, Symbol, Keyword, Char, []byte
//	List, *Dotted, Vector, *Table
//	Void                                          no useful value
//	Opaque                                        what is no data (a procedure, a port, a record): what write prints of it
//
// A Datum is a tree: it has no cycles, and sharing in it has no meaning. What a program is given holds no Opaque: that is
// only shown.
type Datum any

type (
	Symbol  string
	Keyword string // without #:
	Char    rune
	List    []Datum // proper; the empty list is List{} or a nil List
	Vector  []Datum
	Void    struct{}
	Opaque  struct{ Text string }
)

// Dotted is an improper list: at least one item and a tail that is no list.
type Dotted struct {
	Items []Datum
	Tail  Datum
}

// Table is a hash table: keys and values in turn, in the order of insertion.
type Table struct {
	Kind   TableKind
	Frozen bool // it cannot be changed
	Items  []Datum
}

// TableKind is how a table compares keys.
type TableKind uint8

const (
	ByEq TableKind = iota
	ByEqv
	ByEqual
	ByString
	tableKinds
)

// Opaques finds the first Opaque of d in the order of writing, and where it is: the number of the item, from 1, in each
// list, vector or table on the way, outermost first. Of a table the keys and values are counted in turn.
func Opaques(d Datum) (found Opaque, at []int, ok bool) {
	var items []Datum
	switch d := d.(type) {
	case Opaque:
		return d, nil, true
	case List:
		items = d
	case Vector:
		items = d
	case *Dotted:
		items = append(d.Items[:len(d.Items):len(d.Items)], d.Tail)
	case *Table:
		items = d.Items
	}
	for i, x := range items {
		if found, at, ok := Opaques(x); ok {
			return found, append([]int{i + 1}, at...), true
		}
	}
	return Opaque{}, nil, false
}
