package expand

import (
	"sort"

	"caper/interp/frozen"
	"caper/interp/syntax"
)

// table is a set of names with what they are bound to. One of the library image holds what has been asked for so far.
type table struct {
	made  map[*syntax.Symbol]binding
	image *frozenWorld // nil: made is all
	index frozen.Index // names and references into image
}

// A nil table is that of a library which is not complete: it is empty.
func newTable(m map[*syntax.Symbol]binding) *table { return &table{made: m} }

// get answers what a name is bound to, nil when it is not.
func (t *table) get(sym *syntax.Symbol) binding {
	if t == nil {
		return nil
	}
	if t.image == nil {
		return t.made[sym]
	}
	t.image.Lock()
	defer t.image.Unlock()
	b := t.made[sym]
	if b == nil {
		ref, ok := t.index.Find(sym.Name)
		if !ok {
			return nil
		}
		if t.made == nil {
			t.made = map[*syntax.Symbol]binding{}
		}
		b = t.image.binding(ref)
		t.made[sym] = b
	}
	return b
}

func (t *table) len() int {
	if t.image == nil {
		return len(t.made)
	}
	return t.index.Len()
}

// names lists the names, sorted.
func (t *table) names() []string {
	if t == nil {
		return nil
	}
	names := make([]string, 0, t.len())
	if t.image == nil {
		for sym := range t.made {
			names = append(names, sym.Name)
		}
		sort.Strings(names)
	}
	for i := range t.index.Len() {
		n, _ := t.index.At(i)
		names = append(names, n)
	}
	return names
}

// copied is a map of all names, which the caller may change.
func (t *table) copied() map[*syntax.Symbol]binding {
	c := make(map[*syntax.Symbol]binding, t.len())
	if t.image == nil {
		for sym, b := range t.made {
			c[sym] = b
		}
		return c
	}
	for _, n := range t.names() {
		sym := syntax.Intern(n)
		c[sym] = t.get(sym)
	}
	return c
}
