package tool

import (
	"fmt"
	"sort"

	"caper/runtime/graph"
)

// Facts are what Prepare measured: values are string, int64 or bool.
type Facts map[string]graph.Datum

// Datum answers the facts as an association list, sorted by name.
func (f Facts) Datum() graph.Datum {
	names := make([]string, 0, len(f))
	for name := range f {
		names = append(names, name)
	}
	sort.Strings(names)
	list := make(graph.List, 0, len(names))
	for _, name := range names {
		list = append(list, pair(name, f[name]))
	}
	return list
}

// FactsOf reads what Datum wrote.
func FactsOf(d graph.Datum) (Facts, error) {
	list, ok := d.(graph.List)
	if !ok {
		return nil, fmt.Errorf("facts of a call: an association list was expected, found %T", d)
	}
	f := make(Facts, len(list))
	for _, item := range list {
		p, ok := item.(*graph.Dotted)
		if !ok || len(p.Items) != 1 {
			return nil, fmt.Errorf("facts of a call: a pair was expected, found %T", item)
		}
		name, ok := p.Items[0].(graph.Symbol)
		if !ok {
			return nil, fmt.Errorf("facts of a call: a name was expected, found %T", p.Items[0])
		}
		switch p.Tail.(type) {
		case string, int64, bool:
		default:
			return nil, fmt.Errorf("facts of a call: %s has a value of type %T", name, p.Tail)
		}
		f[string(name)] = p.Tail
	}
	return f, nil
}

func (f Facts) text(name string) string {
	s, _ := f[name].(string)
	return s
}

func (f Facts) int(name string) int64 {
	n, _ := f[name].(int64)
	return n
}

func (f Facts) flag(name string) bool {
	b, _ := f[name].(bool)
	return b
}

func (f Facts) with(name string, value graph.Datum) Facts {
	g := make(Facts, len(f)+1)
	for k, v := range f {
		g[k] = v
	}
	g[name] = value
	return g
}

func pair(name string, value graph.Datum) *graph.Dotted {
	return &graph.Dotted{Items: []graph.Datum{graph.Symbol(name)}, Tail: value}
}

// record makes an association list from names and values in turn.
func record(fields ...any) graph.List {
	list := make(graph.List, 0, len(fields)/2)
	for i := 0; i+1 < len(fields); i += 2 {
		list = append(list, pair(fields[i].(string), fields[i+1]))
	}
	return list
}
