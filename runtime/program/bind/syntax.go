package bind

import (
	"fmt"

	"caper/interp/number"
	"caper/interp/syntax"
	"caper/runtime/graph"
)

// DatumOf turns what the reader read into a datum: of a command line, or of a policy file.
func DatumOf(s *syntax.Syntax) (graph.Datum, error) { return datumOf(s, 0) }

func datumOf(s *syntax.Syntax, depth int) (graph.Datum, error) {
	if depth > maxDepth {
		return nil, errDeep
	}
	switch d := s.Datum.(type) {
	case *syntax.Symbol:
		return graph.Symbol(d.Name), nil
	case syntax.Keyword:
		return graph.Keyword(d), nil
	case syntax.String:
		return string(d), nil
	case syntax.Char:
		return graph.Char(d), nil
	case syntax.Bytes:
		return []byte(d), nil
	case *syntax.List:
		items, err := dataOf(d.Items, depth)
		if err != nil || d.Tail == nil {
			return graph.List(items), err
		}
		tail, err := datumOf(d.Tail, depth+1)
		if len(items) == 0 {
			return tail, err
		}
		return &graph.Dotted{Items: items, Tail: tail}, err
	case *syntax.Vector:
		items, err := dataOf(d.Items, depth)
		return graph.Vector(items), err
	case bool:
		return d, nil
	}
	if number.IsNumber(s.Datum) {
		return s.Datum, nil
	}
	return nil, fmt.Errorf("%s cannot be a value here", s.Brief(40))
}

func dataOf(items []*syntax.Syntax, depth int) ([]graph.Datum, error) {
	out := make([]graph.Datum, len(items))
	for i, x := range items {
		d, err := datumOf(x, depth+1)
		if err != nil {
			return nil, err
		}
		out[i] = d
	}
	return out, nil
}
