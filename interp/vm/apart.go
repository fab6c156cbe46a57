package vm

import (
	"errors"
	"slices"
	"sort"

	"caper/interp/code"
	"caper/interp/heap"
)

// This file defines units that can be given back: what a program evaluates. They lie apart from symbols, which stay, and
// go where others of them have been.

// hole is a part of the static area in which a unit was.
type hole struct{ base, end uint64 }

// LoadApart places units such that FreeCode can take them away, all or none, and answers their top-level procedures.
func (m *Machine) LoadApart(units ...*code.Unit) (tops []heap.Word, err error) {
	if m.mem == nil {
		return nil, m.gone()
	}
	m.apart = true
	own := map[*placed]bool{}
	for _, u := range units {
		p, err := m.placeApart(u)
		if err != nil {
			m.remove(func(p *placed) bool { return own[p] })
			return nil, err
		}
		own[p] = true
		tops = append(tops, p.tops...)
	}
	return tops, nil
}

func (m *Machine) placeApart(u *code.Unit) (*placed, error) {
	if err := m.internAll(u); err != nil {
		return nil, err
	}
	p, err := m.placeInHole(u)
	if p == nil && err == nil {
		end := m.StaticEnd()
		if p, err = m.place(u); err != nil {
			m.CutStatic(end)
		}
	}
	if err != nil {
		return nil, err
	}
	p.apart = true
	m.adopt(p)
	return p, nil
}

// internAll makes the symbols of a unit.
func (m *Machine) internAll(u *code.Unit) (err error) {
	defer func() {
		if r := recover(); r == heap.ErrMemory {
			err = ErrStatic
		} else if r != nil {
			panic(r)
		}
	}()
	for _, c := range u.Consts {
		switch d := c.Datum.(type) {
		case code.Symbol:
			m.Intern(string(d))
		case code.Keyword:
			m.InternKeyword(string(d))
		}
	}
	return nil
}

// mostHoles is how many holes are tried.
const mostHoles = 4

// placeInHole answers nil where no hole is large enough.
func (m *Machine) placeInHole(u *code.Unit) (p *placed, err error) {
	least, tried := uint64(len(u.Words))*8, 0
	for i := 0; i < len(m.holes) && tried < mostHoles; i++ {
		h := &m.holes[i]
		if h.end-h.base < least {
			continue
		}
		tried++
		m.Within(h.base, h.end, func() { p, err = m.place(u) })
		switch {
		case err == nil:
			if h.base = p.limit; h.base == h.end {
				m.holes = slices.Delete(m.holes, i, i+1)
			}
			return p, nil
		case !errors.Is(err, ErrStatic):
			return nil, err
		}
	}
	return nil, nil
}

// FreeCode takes away the units apart whose code and constants no word of the program's data refers to. What merely looks
// like a reference counts as one. The machine must wait; words that the host held are stale afterwards.
func (m *Machine) FreeCode() {
	first := slices.IndexFunc(m.units, func(p *placed) bool { return p.apart })
	if m.mem == nil || m.image == nil || m.ended || m.tainted || first < 0 {
		return
	}
	main, swept := m.root[rootMain], m.swept
	m.clearRoots()
	m.root[rootMain] = main
	ok := m.collectIdle()
	m.swept = swept // the program pays where it evaluates
	if !ok {
		return
	}
	lo, hi := m.units[first].base, m.StaticEnd()
	used := map[*placed]bool{}
	mark := func(words []heap.Word) {
		for _, w := range words {
			// A value or an entry point; a return word; a place in a backtrace.
			for _, at := range [...]uint64{w & 0xffffffff, w >> 16, w >> 3} {
				if at < lo || at > hi {
					continue
				}
				// The end of a unit counts as its own: what returns there was called by its last instruction.
				for i := sort.Search(len(m.units), func(i int) bool { return m.units[i].base > at }) - 1; i >= 0 && at <= m.units[i].limit; i-- {
					used[m.units[i]] = true
				}
			}
		}
	}
	_, words := m.Heap()
	mark(words)
	globals := heap.GlobalOffset(heap.ImageGlobals)
	mark(m.Words(globals, globals+uint64(m.privates)*8))
	mark(m.root[:])
	m.remove(func(p *placed) bool { return p.apart && !used[p] })
}

// remove takes units away.
func (m *Machine) remove(gone func(*placed) bool) {
	m.units = slices.DeleteFunc(m.units, func(p *placed) bool {
		if !gone(p) {
			return false
		}
		clear(m.Words(p.base, p.limit))
		m.holes = append(m.holes, hole{p.base, p.limit})
		return true
	})
	m.liveness = nil
	m.joinHoles()
}

// joinHoles makes one of neighbours and cuts the static area where it ends in one.
func (m *Machine) joinHoles() {
	slices.SortFunc(m.holes, func(a, b hole) int { return int(int64(a.base - b.base)) })
	joined := m.holes[:0]
	for _, h := range m.holes {
		if n := len(joined); n > 0 && joined[n-1].end == h.base {
			joined[n-1].end = h.end
		} else {
			joined = append(joined, h)
		}
	}
	if n := len(joined); n > 0 && joined[n-1].end == m.StaticEnd() {
		m.CutStatic(joined[n-1].base)
		joined = joined[:n-1]
	}
	m.holes = joined
}

// Placed are the hashes of the units in place.
func (m *Machine) Placed() map[[32]byte]bool {
	all := make(map[[32]byte]bool, len(m.units))
	for _, p := range m.units {
		all[p.unit.Hash] = true
	}
	return all
}

// restoreApart puts back, after the end of the static area, stretches that begin with a unit apart or a hole.
func (m *Machine) restoreApart(units func([32]byte) *code.Unit, list []Static, l *Layout) error {
	type place struct {
		u         *code.Unit
		base, end uint64
	}
	var places []place
	for _, st := range list {
		if st.Unit == ([32]byte{}) {
			if err := m.restoreWords(st.Words, l); err != nil {
				return err
			}
			continue
		}
		if st.Size == 0 || !m.StaticRoom(st.Size) {
			return heap.ErrCorrupt
		}
		base := m.Static(st.Size)
		end := base + st.Size*8
		if st.Unit == aHole {
			m.holes = append(m.holes, hole{base, end})
			continue
		}
		u := units(st.Unit)
		if u == nil || u.Hash != st.Unit {
			return ErrOther
		}
		places = append(places, place{u, base, end})
	}
	m.apart = true
	for _, at := range places {
		var p *placed
		var err error
		m.Within(at.base, at.end, func() { p, err = m.place(at.u) })
		switch {
		case err != nil && !errors.Is(err, ErrStatic):
			return err
		case err != nil || p.limit != at.end:
			return heap.ErrCorrupt
		}
		p.apart = true
		m.adopt(p)
	}
	return nil
}
