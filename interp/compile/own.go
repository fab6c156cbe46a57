package compile

// This file finds out, once the tree stands, which procedure's frame holds each variable, what closures capture, and
// which assigned variables need a box: those that closures capture, and those in whose scope a call may capture the
// continuation — a frame is copied when its continuation is entered again, and an assignment must survive that.

type owner struct {
	l       *lowerer
	current *lambda
	calls   int // calls seen so far that may capture a continuation
}

func (o *owner) use(v *local) {
	if v.owner == o.current {
		return
	}
	for m := o.current; m != v.owner && m != nil; m = m.parent {
		if m.self == v && !m.label {
			return // the running closure
		}
		v.captured = true
		if !m.captures(v) {
			if m.free = append(m.free, v); len(m.free) > maxFree {
				panic(tooManyCaptures(m))
			}
		}
	}
}

// maxFree bounds the free variables of a procedure before those that turn out constant are taken off.
const maxFree = 5000

// captures looks from the end: uses of a variable come in clusters.
func (m *lambda) captures(v *local) bool {
	for i := len(m.free) - 1; i >= 0; i-- {
		if m.free[i] == v {
			return true
		}
	}
	return false
}

func (o *owner) all(ns []node) {
	for _, n := range ns {
		o.walk(n)
	}
}

// scope walks the body of a form that binds vars.
func (o *owner) scope(vars []*local, body node) {
	for _, v := range vars {
		v.owner = o.current
	}
	before := o.calls
	o.walk(body)
	for _, v := range vars {
		v.boxed = v.letrec || v.assigned && (v.captured || o.calls != before)
	}
}

func (o *owner) procedure(m *lambda) {
	outer, calls := o.current, o.calls
	m.parent, o.current = outer, m
	o.scope(m.params, m.body)
	o.current, o.calls = outer, calls
}

func (o *owner) walk(n node) {
	for n != nil {
		switch x := n.(type) {
		case *constant, *globalRef:
			return
		case *ref:
			o.use(x.v)
			return
		case *set:
			o.use(x.v)
			n = x.value
		case *globalSet:
			n = x.value
		case *branch:
			o.walk(x.test)
			o.walk(x.then)
			n = x.els
		case *seq:
			last := len(x.nodes) - 1
			o.all(x.nodes[:last])
			n = x.nodes[last]
		case *let:
			o.all(x.inits)
			o.scope(x.vars, x.body)
			return
		case *fix:
			o.fix(x)
			return
		case *call:
			o.call(x)
			return
		case *primitive:
			o.all(x.args)
			return
		case *lambda:
			o.procedure(x)
			return
		case *caseLambda:
			for _, m := range x.clauses {
				o.procedure(m)
			}
			return
		}
	}
}

// direct lets a procedure that is passed to call/cc stand in place of the call where the call is the last thing that the
// procedure around does: the frame is of no use to the continuation.
func (o *owner) direct(c *call) {
	g, ok := c.fn.(*globalRef)
	if !ok || len(c.args) != 1 || g.g.Prim != "call/cc" && g.g.Prim != "call-with-current-continuation" {
		return
	}
	m, ok := c.args[0].(*lambda)
	if ok && m.takes(1) && o.current.k >= 0 && o.l.find(c.k) == o.l.find(o.current.k) {
		o.l.merge(m.k, c.k)
		c.fn, c.args = m, []node{&primitive{kind: primCont, span: c.span}}
	}
}

func (o *owner) call(c *call) {
	o.direct(c)
	o.all(c.args)
	switch f := c.fn.(type) {
	case *lambda: // in place
		o.scope(f.params, f.body)
	case *ref:
		if f.v.known == nil || !f.v.known.label {
			o.use(f.v)
			o.calls++
		}
	default:
		o.walk(f)
		o.calls++
	}
}

func (o *owner) fix(f *fix) {
	for _, v := range f.vars {
		v.owner = o.current
	}
	for _, m := range f.lams {
		if m.label {
			o.scope(m.params, m.body)
		} else {
			o.procedure(m)
		}
	}
	o.walk(f.body)
}
