package vm

import "caper/interp/heap"

// This file defines guards. One costs no capture: it is an entry among the handlers that says at which depth its frame
// begins. What is raised within is offered to the guard's handler by an ordinary call above the frames of the raise; when
// a clause matches, the handler's frame moves down to where the guard's was, and everything between is left.

// Fields of a guard, a vector.
const (
	guardHandler = iota
	guardDepth   // of the frame that the handler's takes the place of
	guardWinds
	guardParameters
	guardSize
)

// newGuard makes a guard of the frame at fp.
func (m *Machine) newGuard(fp up, handler heap.Word) heap.Word {
	g := m.Alloc(1 + guardSize)
	depth := m.depthOf(m.root[rootLink]) + (m.off(fp)-stackBase)/8
	*rg(m.mem, g) = heap.Header(heap.KindVector, guardSize)
	*rg(m.mem, g+8), *rg(m.mem, g+16) = handler, depth<<3
	*rg(m.mem, g+24), *rg(m.mem, g+32) = m.root[rootWinds], m.root[rootParameters]
	return g + heap.TagObject
}

// catch is the native %catch, whose frame is at fp: it moves the frame of its caller.
func (m *Machine) catch(fp up, g heap.Word, fuel int) (up, up, int, int) {
	if !m.IsVector(g) || m.Size(g) != guardSize || m.off(fp) == stackBase {
		return m.nativeFault(fp, fuel, "type-error", "%catch: argument 1 must be a guard", g)
	}
	ret := *rg(fp, 8)
	window := ret & 0xffff
	from := m.off(fp) - window
	to, below, steps := m.cut(from, m.Field(g, guardDepth)>>3)
	if to == 0 {
		return m.nativeFault(fp, fuel, "error", "%catch: the guard is of another continuation", g)
	}
	copy(m.Words(to, to+window), m.Words(from, from+window))
	*rg(m.mem, to+8) = below
	*rg(m.mem, to+window) = heap.Unspecified
	m.uncounted += int64(steps) // they depend on where the frames lie
	return notNext(ca(m.mem, to), ca(m.mem, ret>>16), fuel-steps)
}

// cut finds the frame at a depth below the one at offset from: where on the stack a frame that takes its place begins,
// and where that returns to. If it is in the arena, what lies below becomes the link. The frames above it are visited one
// by one, since a snapshot may hold any depth: with no frame there to is 0.
func (m *Machine) cut(from, depth uint64) (to uint64, ret heap.Word, steps int) {
	link := m.root[rootLink]
	base := m.depthOf(link)
	if depth > base+(from-stackBase)/8 {
		return 0, 0, 0
	}
	if depth >= base {
		to = stackBase + (depth-base)*8
		for from > to {
			from -= *rg(m.mem, from+8) & 0xffff
			steps++
		}
		if from != to {
			return 0, 0, 0
		}
		return to, *rg(m.mem, to+8), steps
	}
	below := m.Field(link, contLink/8-1)
	for ; m.depthOf(below) > depth; steps++ {
		link, below = below, m.Field(below, contLink/8-1)
	}
	base = m.depthOf(below)
	seg, at, n := m.Field(link, contSegment/8-1), depth-base, m.depthOf(link)-base
	w := m.Fields(seg)
	ret = m.Field(link, contReturn/8-1)
	for n > at {
		n -= ret & 0xffff / 8
		ret = w[n+1]
		steps++
	}
	if n != at {
		return 0, 0, 0
	}
	if at > 0 {
		below = m.newCont(seg, depth, ret, below)
	}
	m.root[rootLink] = below
	return stackBase, baseReturn, steps
}
