package graph

// Datum is a value outside any machine: what calls take and give, what the store keeps, what a terminal shows.
// It holds one of
//
//	bool, int64, *big.Int, *big.Rat, float64     as in package number
//	string, Symbol, Keyword, Char, []byte
//	List, *Dotted, Vector
//	Void                                          no useful value
//	Opaque                                        what has no outside form (a procedure): its printed name
//
// A Datum is a tree: it has no cycles, and sharing in it has no meaning.
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
