package check

import (
	"fmt"
	"strings"

	"caper/interp/expand"
	"caper/interp/syntax"
)

// This file defines how values are followed through a program: procedures are entered where they are called, with what is
// known of their arguments, once more with what holds for all rounds where they call themselves, and with anything where
// nobody knows who calls them.

// mostSteps bounds the work; of what is left then only the names of tools are told.
const mostSteps = 4_000_000

type follower struct {
	globals map[*expand.Global]*value
	sites   []syntax.Span // of the calls that are being followed, those of the program only
	active  map[string]int
	memo    map[string]*seen
	escaped map[string]bool
	record  []*seen // that note what they call
	calls   map[string]*Call
	order   []*Call
	notes   map[string]bool
	report  *Report
	tight   int // within with-policy
	scopes  int
	steps   int
	widths  map[string]*value
	depth   int
}

// seen is a call that was followed.
type seen struct {
	result *value
	calls  []*Call
	sites  int
}

func (f *follower) scope(up *scope) *scope {
	f.scopes++
	return &scope{up: up, id: f.scopes, vars: map[*expand.Var]*value{}}
}

func (f *follower) eval(n expand.Node, s *scope) *value {
	if f.steps++; f.steps > mostSteps || f.depth > 4000 {
		f.report.Cut = true
		return anything
	}
	f.depth++
	defer func() { f.depth-- }()
	switch n := n.(type) {
	case *expand.Const:
		return quoted(n.Datum, 0)
	case *expand.Unspecified:
		return anything
	case *expand.LocalRef:
		v := s.find(n.Var)
		if n.Var.Assigned {
			return vague(join(v, anything))
		}
		return v
	case *expand.LocalSet:
		v := f.eval(n.Value, s)
		for at := s; at != nil; at = at.up {
			if x, ok := at.vars[n.Var]; ok {
				at.vars[n.Var] = vague(join(x, v))
				break
			}
		}
		return anything
	case *expand.GlobalRef:
		return f.global(n.Global)
	case *expand.GlobalSet:
		f.set(n.Global, f.eval(n.Value, s))
		return anything
	case *expand.GlobalDefine:
		f.set(n.Global, f.eval(n.Value, s))
		return anything
	case *expand.If:
		yes, no := f.eval(n.Test, s).truthy()
		out := none
		if yes {
			out = join(out, f.eval(n.Then, s))
		}
		if no {
			out = join(out, f.eval(n.Else, s))
		}
		return out
	case *expand.Lambda:
		return of(&closure{[]*expand.Lambda{n}, s})
	case *expand.CaseLambda:
		if len(n.Clauses) == 0 {
			return anything
		}
		return of(&closure{n.Clauses, s})
	case *expand.Let:
		for i, v := range n.Vars {
			s.vars[v] = f.eval(n.Inits[i], s)
		}
		return f.eval(n.Body, s)
	case *expand.Letrec:
		for i, v := range n.Vars {
			s.vars[v] = f.eval(n.Inits[i], s)
		}
		return f.eval(n.Body, s)
	case *expand.Seq:
		out := none
		for _, x := range n.Nodes {
			out = f.eval(x, s)
		}
		return out
	case *expand.Call:
		fn := f.eval(n.Func, s)
		args := arguments{}
		for _, a := range n.Args {
			args.fixed = append(args.fixed, f.eval(a, s))
		}
		if src := n.Span.Source; src != nil && !src.Own {
			f.sites = append(f.sites, n.Span)
			defer func() { f.sites = f.sites[:len(f.sites)-1] }()
		}
		return f.apply(fn, args)
	}
	return anything
}

func (f *follower) global(g *expand.Global) *value {
	if g.Prim != "" {
		return of(primitive(g.Prim))
	}
	v, ok := f.globals[g]
	if !ok {
		return anything
	}
	if !g.Constant {
		return vague(join(v, anything))
	}
	return v
}

func (f *follower) set(g *expand.Global, v *value) {
	if old, ok := f.globals[g]; ok {
		v = vague(join(old, v))
	}
	f.globals[g] = v
}

// arguments are those of a call; more is a list of others after fixed, nil: there are none.
type arguments struct {
	fixed []*value
	more  *value
}

func (a arguments) at(i int) *value {
	switch {
	case i < len(a.fixed):
		return a.fixed[i]
	case a.more != nil:
		return listed(a.more)
	}
	return anything
}

// rest is the list of the arguments from i on.
func (a arguments) rest(i int) *value {
	out := empty
	if a.more != nil {
		out = a.more
	}
	for j := len(a.fixed) - 1; j >= i; j-- {
		out = of(&pair{a.fixed[j], out})
	}
	return out
}

func (f *follower) apply(fn *value, args arguments) *value {
	out := none
	for _, x := range fn.alts {
		switch x := x.(type) {
		case *closure:
			for _, l := range x.clauses {
				n := len(args.fixed)
				if n > len(l.Params) && l.Rest == nil || n < len(l.Params) && args.more == nil {
					continue
				}
				out = join(out, f.enter(l, x.env, args))
				if args.more == nil {
					break // the first clause that fits
				}
			}
		case primitive:
			out = join(out, f.primitive(string(x), args))
		}
	}
	if fn.top || len(fn.alts) == 0 {
		for _, a := range args.fixed {
			f.escape(a, 0)
		}
		out = join(out, anything)
	}
	return out
}

// enter follows one call of a procedure.
func (f *follower) enter(l *expand.Lambda, env *scope, args arguments) *value {
	if l.Name == "with-policy" && own(l.Span) {
		f.tight++
		defer func() { f.tight-- }()
	}
	params := make([]*value, len(l.Params), len(l.Params)+1)
	for i := range params {
		params[i] = args.at(i)
	}
	if l.Rest != nil {
		if len(args.fixed) >= len(l.Params) {
			params = append(params, args.rest(len(l.Params)))
		} else {
			params = append(params, args.more)
		}
	}
	place := fmt.Sprintf("%p/%d", l, env.id)
	if n := f.active[place]; n > 0 {
		// A loop: what was given on the way here and what is given now, together.
		id := fmt.Sprintf("%s/wide", place)
		for i := range params {
			if w := f.widened(id, i, params[i]); n > 3 {
				params[i] = vague(join(w, anything))
			} else {
				params[i] = w
			}
		}
	}
	var b strings.Builder
	b.WriteString(place)
	for _, p := range params {
		b.WriteByte(' ')
		b.WriteString(key(p, 0))
	}
	if f.tight > 0 {
		b.WriteString(" tight")
	}
	k := b.String()
	if m, ok := f.memo[k]; ok {
		if m.result == nil {
			return anything // it is being followed
		}
		for _, c := range m.calls {
			f.note(c, false)
		}
		return m.result
	}
	if f.active[place] > 12 || f.depth > 3000 {
		return anything
	}
	m := &seen{sites: len(f.sites)}
	f.memo[k] = m
	if f.active[place] == 0 {
		for i := range params {
			delete(f.wide(), fmt.Sprintf("%s/wide#%d", place, i))
			f.widened(place+"/wide", i, params[i])
		}
	}
	f.active[place]++
	f.record = append(f.record, m)
	s := f.scope(env)
	for i, v := range l.Params {
		s.vars[v] = params[i]
	}
	if l.Rest != nil {
		s.vars[l.Rest] = params[len(params)-1]
	}
	result := f.eval(l.Body, s)
	f.record = f.record[:len(f.record)-1]
	f.active[place]--
	m.result = result
	return result
}

func (f *follower) wide() map[string]*value {
	if f.widths == nil {
		f.widths = map[string]*value{}
	}
	return f.widths
}

// widened joins what a parameter was in the rounds so far with what it is now.
func (f *follower) widened(id string, i int, now *value) *value {
	k := fmt.Sprintf("%s#%d", id, i)
	if before, ok := f.wide()[k]; ok {
		now = widen(before, now)
	}
	f.wide()[k] = now
	return now
}

// escape follows procedures of which nobody knows who calls them: with anything.
func (f *follower) escape(v *value, depth int) {
	if depth > 12 {
		return
	}
	for _, x := range v.alts {
		switch x := x.(type) {
		case *closure:
			for _, l := range x.clauses {
				id := fmt.Sprintf("%p/%d/%d", l, x.env.id, f.tight)
				if f.escaped[id] {
					continue
				}
				f.escaped[id] = true
				args := arguments{}
				for range l.Params {
					args.fixed = append(args.fixed, anything)
				}
				if l.Rest != nil {
					args.more = anything
				}
				f.enter(l, x.env, args)
			}
		case *pair:
			f.escape(x.car, depth+1)
			f.escape(x.cdr, depth+1)
		case *list:
			f.escape(x.item, depth+1)
		case *box:
			for _, p := range x.parts {
				f.escape(p, depth+1)
			}
		}
	}
}

func own(s syntax.Span) bool { return s.Source != nil && s.Source.Own }
