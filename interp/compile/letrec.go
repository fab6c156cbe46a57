package compile

import (
	"caper/interp/expand"
	"caper/interp/heap"
	"caper/interp/syntax"
)

// This file sorts the bindings of a letrec* by strongly connected components of "mentions" (after Ghuloum and Dybvig,
// "Fixing Letrec (reloaded)"): procedures become fix, values that need nothing of themselves become let, and only the
// rest pays for boxes that may be found empty.

func (l *lowerer) letrec(n *expand.Letrec, k int) node {
	g := &group{current: -1, procedures: l.procedures, edges: make([][]int, len(n.Vars))}
	vars := make([]*local, len(n.Vars))
	for i, v := range n.Vars {
		vars[i] = l.bind(v)
		vars[i].group, vars[i].index = g, i
	}
	lams := make([]*lambda, len(n.Vars))
	for i, x := range n.Inits { // calls must find the procedure known before its body is seen
		if m, ok := x.(*expand.Lambda); ok && !n.Vars[i].Assigned {
			lams[i] = &lambda{name: m.Name, span: m.Span, self: vars[i]}
			vars[i].known = lams[i]
		}
	}
	inits := make([]node, len(n.Vars))
	effect := -1 // the last init that must keep its turn
	for i, x := range n.Inits {
		g.current = i
		if lams[i] != nil {
			*lams[i] = *l.lambda(x.(*expand.Lambda), vars[i])
			if lams[i].name == "" {
				lams[i].name = vars[i].name
			}
			inits[i] = lams[i]
			continue
		}
		inits[i] = l.lower(x, l.fresh())
		if c, ok := inits[i].(*constant); ok && plain(c) && !vars[i].assigned {
			vars[i].alias = c // what was lowered before reads the variable
		}
		if !idle(inits[i]) {
			if effect >= 0 {
				g.edges[i] = append(g.edges[i], effect)
			}
			effect = i
		}
	}
	g.current = -1
	parts := components(g.edges)
	// The body sees the variables as bound already: a plain read is no fault.
	for _, p := range parts {
		if l.knot(g, p, lams) {
			for _, i := range p {
				vars[i].letrec = lams[i] == nil
			}
		}
	}
	body := l.lower(n.Body, k)
	for i := len(parts) - 1; i >= 0; i-- {
		body = l.component(g, parts[i], vars, inits, lams, body, k)
	}
	return body
}

// knot reports whether a component holds something other than procedures that mentions itself.
func (l *lowerer) knot(g *group, part []int, lams []*lambda) bool {
	if len(part) == 1 {
		i := part[0]
		if lams[i] != nil {
			return false
		}
		for _, j := range g.edges[i] {
			if i == j {
				return true
			}
		}
		return false
	}
	for _, i := range part {
		if lams[i] == nil {
			return true
		}
	}
	return false
}

// component binds one component around body.
func (l *lowerer) component(g *group, part []int, vars []*local, inits []node, lams []*lambda, body node, k int) node {
	f := &fix{}
	var boxes, first []node
	var boxed []*local
	knot := l.knot(g, part, lams)
	for _, i := range part {
		switch {
		case lams[i] != nil:
			f.vars, f.lams = append(f.vars, vars[i]), append(f.lams, lams[i])
		case knot:
			boxed = append(boxed, vars[i])
			boxes = append(boxes, immediate(heap.Unbound, syntax.Span{}))
			first = append(first, &set{v: vars[i], value: inits[i], init: true})
		default:
			if vars[i].alias != nil && !vars[i].escapes {
				return body
			}
			return &let{vars: []*local{vars[i]}, inits: []node{inits[i]}, body: body}
		}
	}
	if len(first) > 0 {
		body = &seq{append(first, body)}
	}
	if len(f.vars) > 0 {
		f.body = body
		body = l.finish(f, k)
	}
	if len(boxed) > 0 {
		body = &let{boxed, boxes, body}
	}
	return body
}

// components answers the strongly connected components, those that others depend on first, members ascending.
func components(edges [][]int) [][]int {
	t := tarjan{edges: edges, index: make([]int, len(edges)), low: make([]int, len(edges)), on: make([]bool, len(edges))}
	for i := range edges {
		if t.index[i] == 0 {
			t.visit(i)
		}
	}
	return t.parts
}

type tarjan struct {
	edges      [][]int
	index, low []int // from 1
	on         []bool
	count      int
	stack      []int
	parts      [][]int
}

type tarjanFrame struct{ node, edge int }

// visit keeps its own stack: a body may hold thousands of definitions in a row.
func (t *tarjan) visit(root int) {
	work := []tarjanFrame{{root, 0}}
	t.open(root)
	for len(work) > 0 {
		f := &work[len(work)-1]
		if f.edge < len(t.edges[f.node]) {
			j := t.edges[f.node][f.edge]
			f.edge++
			if t.index[j] == 0 {
				t.open(j)
				work = append(work, tarjanFrame{j, 0})
			} else if t.on[j] {
				t.low[f.node] = min(t.low[f.node], t.index[j])
			}
			continue
		}
		n := f.node
		work = work[:len(work)-1]
		if len(work) > 0 {
			up := work[len(work)-1].node
			t.low[up] = min(t.low[up], t.low[n])
		}
		if t.low[n] == t.index[n] {
			t.close(n)
		}
	}
}

func (t *tarjan) open(i int) {
	t.count++
	t.index[i], t.low[i], t.on[i] = t.count, t.count, true
	t.stack = append(t.stack, i)
}

func (t *tarjan) close(n int) {
	var part []int
	for {
		i := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		t.on[i] = false
		part = append(part, i)
		if i == n {
			break
		}
	}
	for i := 1; i < len(part); i++ { // insertion sort: components are small
		for j := i; j > 0 && part[j] < part[j-1]; j-- {
			part[j], part[j-1] = part[j-1], part[j]
		}
	}
	t.parts = append(t.parts, part)
}
