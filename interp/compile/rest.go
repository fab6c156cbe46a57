package compile

import "caper/interp/code"

// This file finds procedures whose rest list stays their own until they end by passing it on: (apply f x rest). Nobody
// else has it then, so that the callee's rest argument may be that very list.

// handsOn reports whether a tail call of m with these arguments hands on m's rest list, unseen by others.
func (m *lambda) handsOn(args []node) bool {
	if !m.rest || len(args) == 0 {
		return false
	}
	v := m.params[len(m.params)-1]
	r, ok := args[len(args)-1].(*ref)
	if !ok || r.v != v || v.assigned || v.captured {
		return false
	}
	if m.rests == 0 {
		m.rests = 1
		if keepsTail(m.body, v) {
			m.rests = 2
		}
	}
	return m.rests == 2
}

// keepsTail reports whether n, in tail position, lets v out at most as the last argument of a tail call, and calls nothing
// else: a continuation captured on the way could be entered again, when the callee has changed the list.
func keepsTail(n node, v *local) bool {
	switch n := n.(type) {
	case *branch:
		return keeps(n.test, v) && keepsTail(n.then, v) && keepsTail(n.els, v)
	case *let:
		return allKeep(n.inits, v) && keepsTail(n.body, v)
	case *seq:
		last := len(n.nodes) - 1
		return allKeep(n.nodes[:last], v) && keepsTail(n.nodes[last], v)
	case *call:
		if g, ok := n.fn.(*globalRef); ok && g.g.Name == "apply" && len(n.args) > 1 {
			last := len(n.args) - 1
			r, ok := n.args[last].(*ref)
			return allKeep(n.args[:last], v) && (ok && r.v == v || keeps(n.args[last], v))
		}
		return keeps(n.fn, v) && allKeep(n.args, v)
	}
	return keeps(n, v)
}

// keeps reports whether n calls nothing and its value has nothing of v's pairs.
func keeps(n node, v *local) bool {
	switch n := n.(type) {
	case *constant, *globalRef, *lambda:
		return true
	case *ref:
		return n.v != v
	case *primitive:
		if len(n.args) == 1 && (n.kind == primType || n.op == code.CAR) {
			if r, ok := n.args[0].(*ref); ok && r.v == v {
				return true
			}
		}
		return allKeep(n.args, v)
	}
	return false
}

func allKeep(ns []node, v *local) bool {
	for _, n := range ns {
		if !keeps(n, v) {
			return false
		}
	}
	return true
}
