package expand

import "caper/interp/syntax"

// Limits bound one call of Expand, the libraries that it loads included. A zero field means its default.
type Limits struct {
	Depth    int // nesting of source and of expansions: 10,000
	Steps    int // macro uses expanded: 1,000,000
	Nodes    int // work and memory, in words produced or looked at, about 4 a core form: 20,000,000
	Includes int // files including files: 64
}

func (l Limits) withDefaults() Limits {
	set := func(p *int, d int) {
		if *p <= 0 {
			*p = d
		}
	}
	set(&l.Depth, 10_000)
	set(&l.Steps, 1_000_000)
	set(&l.Nodes, 20_000_000)
	set(&l.Includes, 64)
	return l
}

const nodeCost = 4

func (x *expander) charge(n int) {
	x.units += n
	if x.units > x.limits.Nodes {
		if x.trail != nil {
			x.stop(x.trail.span, nil, "the expansion of the macro %s is too large (limit %d)", x.trail.seen().name, x.limits.Nodes)
		}
		x.stop(x.place, nil, "the expansion is too large (limit %d)", x.limits.Nodes)
	}
}

// enter counts one level of nesting; the caller subtracts it from x.depth when it leaves.
func (x *expander) enter(s *syntax.Syntax) {
	x.depth++
	if x.depth > x.limits.Depth {
		x.tooDeep(s)
	}
	x.place = s.Span
	x.charge(nodeCost)
}

// deepen checks that n more levels fit, for forms that build nested code in a loop.
func (x *expander) deepen(n int, s *syntax.Syntax) {
	if x.depth+n > x.limits.Depth {
		x.tooDeep(s)
	}
}

// sink counts n levels of output that a form puts around its parts beyond its own; the caller lifts them again.
func (x *expander) sink(n int, s *syntax.Syntax) {
	x.deepen(n, s)
	x.depth += n
}

func (x *expander) lift(n int) { x.depth -= n }

func (x *expander) tooDeep(s *syntax.Syntax) {
	if x.trail != nil {
		x.stop(s.Span, nil, "nested too deeply (limit %d) in the expansion of the macro %s", x.limits.Depth, x.trail.seen().name)
	}
	x.stop(s.Span, nil, "nested too deeply (limit %d)", x.limits.Depth)
}

// step counts one macro use.
func (x *expander) step(m *macro, s *syntax.Syntax) {
	x.steps++
	if x.steps > x.limits.Steps {
		x.stop(s.Span, nil, "the macro %s seems to expand without end (limit %d macro uses)", m.name, x.limits.Steps)
	}
}
