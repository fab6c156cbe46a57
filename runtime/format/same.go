package format

import "caper/interp/syntax"

// Same reports whether two readings gave the same data, places aside. It follows knots once, and no Go stack.
func Same(a, b []*syntax.Syntax) bool {
	type pair struct{ a, b *syntax.Syntax }
	var todo []pair
	seen := map[pair]bool{}
	push := func(a, b []*syntax.Syntax) bool {
		if len(a) != len(b) {
			return false
		}
		for i := range a {
			todo = append(todo, pair{a[i], b[i]})
		}
		return true
	}
	if !push(a, b) {
		return false
	}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if p.a == nil || p.b == nil {
			if p.a != p.b {
				return false
			}
			continue
		}
		switch x := p.a.Datum.(type) {
		case *syntax.List:
			y, ok := p.b.Datum.(*syntax.List)
			if !ok || seen[p] {
				if ok {
					continue
				}
				return false
			}
			seen[p] = true
			if !push(x.Items, y.Items) {
				return false
			}
			todo = append(todo, pair{x.Tail, y.Tail})
		case *syntax.Vector:
			y, ok := p.b.Datum.(*syntax.Vector)
			if !ok {
				return false
			}
			if !seen[p] {
				seen[p] = true
				if !push(x.Items, y.Items) {
					return false
				}
			}
		default:
			switch p.b.Datum.(type) {
			case *syntax.List, *syntax.Vector:
				return false
			}
			if p.a.Text() != p.b.Text() {
				return false
			}
		}
	}
	return true
}
