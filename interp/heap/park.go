package heap

// Parked is what an arena held, in Go memory: a machine that waits for long needs no address range.
type Parked struct {
	globals, static, space []Word
	shared                 uint64 // static words below this are kept elsewhere
}

// Size is the number of bytes kept.
func (p *Parked) Size() int { return (len(p.globals) + len(p.static) + len(p.space)) * 8 }

// Detach moves the arena's data out of its cage, which is wiped for the next user. Private globals count from the first;
// static words below shared are dropped: whoever attaches the arena again brings them. The stack must be empty.
func (a *Arena) Detach(globals int, stackUsed, shared uint64) (*Parked, *Cage) {
	p := &Parked{shared: shared}
	p.globals = clone(a.Words(PrivateLo, PrivateLo+uint64(globals)*8))
	p.static = clone(a.Words(shared, a.static))
	p.space = clone(a.Words(a.spaceLo(), a.HP))
	kept := *a
	c := a.Release(globals, stackUsed)
	*a = kept
	a.base, a.cage = nil, nil
	return p, c
}

// Attach moves parked data into a fresh cage, where everything keeps its offset.
func (a *Arena) Attach(p *Parked, c *Cage) error {
	if err := c.ensure(a.cur, max(a.HP, a.Limit)); err != nil {
		return err
	}
	a.base, a.cage = c.base, c
	lo := a.spaceLo()
	a.high = [2]uint64{HeapLo, heap1}
	copy(a.Words(PrivateLo, PrivateLo+uint64(len(p.globals))*8), p.globals)
	copy(a.Words(p.shared, a.static), p.static)
	copy(a.Words(lo, a.HP), p.space)
	return nil
}

func clone(w []Word) []Word { return append([]Word(nil), w...) }

// AdoptStatic puts static words that another machine made at the same place, with the symbols among them, which are
// shared and must not change. The arena must not have made static objects of its own since the last adoption.
func (a *Arena) AdoptStatic(words []Word, symbols map[string]Word) {
	end := a.static + uint64(len(words))*8
	copy(a.Words(a.static, end), words)
	a.static = end
	a.adopted = symbols
}

// ShareSymbols makes a table that now is shared the adopted one; it holds all that the arena's own and the adopted held.
func (a *Arena) ShareSymbols(symbols map[string]Word) { a.adopted, a.symbols = symbols, nil }

// Adopted is the table last given to AdoptStatic.
func (a *Arena) Adopted() map[string]Word { return a.adopted }

// Canonical collects until what is live lies from HeapLo on, as in every snapshot. It reports false when memory is out.
func (a *Arena) Canonical(roots ...[]Word) bool {
	ok := a.Collect(roots...)
	if ok && a.cur != 0 {
		ok = a.Collect(roots...)
	}
	return ok
}

// Refill makes words the arena's data, from HeapLo on: a snapshot is restored. It reports false when they do not fit the limit.
func (a *Arena) Refill(words []Word) bool {
	n := uint64(len(words)) * 8
	if n > a.max {
		return false
	}
	size := uint64(initialSemi)
	for size < n*2 {
		size *= 2
	}
	size = min(size, a.max)
	a.openOld()
	if a.cage.ensure(0, HeapLo+size) != nil {
		return false
	}
	a.high[a.cur] = max(a.high[a.cur], a.HP)
	a.cur, a.HP, a.Limit = 0, HeapLo+n, HeapLo+size
	copy(a.Words(HeapLo, HeapLo+n), words)
	a.Epoch++
	return true
}

// Heap is a view of the words in use of the current semispace and the offset of the first.
func (a *Arena) Heap() (lo uint64, words []Word) {
	lo = a.spaceLo()
	return lo, a.Words(lo, a.HP)
}
