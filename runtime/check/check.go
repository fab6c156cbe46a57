package check

import (
	"sort"
	"strings"

	"caper/interp"
	"caper/interp/expand"
	"caper/interp/syntax"
	"caper/runtime/graph"
	"caper/runtime/program/bind"
)

// Call is one call of a tool that a program may make.
type Call struct {
	Tool     string
	Args     []Arg
	Open     bool // there may be more arguments than Args
	Tight    bool // made within with-policy
	Sites    []syntax.Span
	key      string
	siteKeys map[int32]bool
}

// Arg is an argument: a literal, or one that is not known before the program runs.
type Arg struct {
	Datum   graph.Datum
	Unknown bool
}

// String is the call as one would write it, _ for what is not known.
func (c *Call) String() string {
	var b strings.Builder
	b.WriteString("(" + c.Tool)
	for _, a := range c.Args {
		if a.Unknown {
			b.WriteString(" _")
		} else {
			b.WriteString(" " + graph.Write(a.Datum))
		}
	}
	if c.Open {
		b.WriteString(" …")
	}
	return b.String() + ")"
}

// Report is what was found.
type Report struct {
	Calls []*Call
	// Notes say where the program runs code that is made only while it runs.
	Notes []Note
	// Cut says that the program is too large to be followed to its end.
	Cut bool
}

// Note is a remark about a place.
type Note struct {
	At   syntax.Span
	Text string
}

// Program follows a program. An error is the reader's or the expander's.
func Program(o interp.Options, loader interp.Loader, src *syntax.Source) (*Report, error) {
	units, err := interp.Core(o, loader, src)
	if err != nil {
		return nil, err
	}
	f := &follower{globals: map[*expand.Global]*value{}, active: map[string]int{}, memo: map[string]*seen{}, escaped: map[string]bool{},
		calls: map[string]*Call{}, notes: map[string]bool{}, report: &Report{}}
	for _, u := range units {
		s := f.scope(nil)
		for _, n := range u.Body {
			f.eval(n, s)
		}
	}
	f.report.Calls = f.order
	sort.SliceStable(f.report.Calls, func(i, j int) bool { return before(f.report.Calls[i].place(), f.report.Calls[j].place()) })
	return f.report, nil
}

func (c *Call) place() syntax.Span {
	if len(c.Sites) == 0 {
		return syntax.Span{}
	}
	return c.Sites[0]
}

func before(a, b syntax.Span) bool {
	if a.Source != b.Source {
		return a.Source != nil && (b.Source == nil || a.Source.Name < b.Source.Name)
	}
	return a.Start < b.Start
}

// mostVariants bounds how many calls one call of several known arguments stands for.
const mostVariants = 16

// host follows what a program asks of its host.
func (f *follower) host(args arguments) *value {
	op, _ := args.at(0).only()
	switch op {
	case graph.Symbol(bind.OpTool):
		name := args.at(1)
		if name.top || len(name.alts) == 0 {
			f.remark("calls a tool whose name is not known")
		}
		for _, x := range name.alts {
			if l, ok := x.(literal); ok {
				if tool, ok := l.datum.(graph.Symbol); ok {
					f.tool(string(tool), args.at(2))
				}
			}
		}
		return anything
	case graph.Symbol(bind.OpBackground):
		f.apply(args.at(1), arguments{})
		return anything
	case graph.Symbol(bind.OpProgram):
		f.remark("runs a program of its own: what that calls is decided when it runs")
	case graph.Symbol("%eval"):
		f.remark("evaluates data as code: what that calls is decided when it runs")
	}
	for _, a := range args.fixed {
		f.escape(a, 0)
	}
	return anything
}

// tool notes a call; given is the list of its arguments.
func (f *follower) tool(name string, given *value) {
	variants := [][]Arg{nil}
	open := false
	for v := given; ; {
		if v.top || len(v.alts) != 1 {
			open = true
			break
		}
		p, ok := v.alts[0].(*pair)
		if !ok {
			_, isList := v.alts[0].(*list)
			open = isList
			break
		}
		f.escape(p.car, 0)
		choices := choices(p.car)
		if len(variants)*len(choices) > mostVariants {
			choices = []Arg{{Unknown: true}}
		}
		var next [][]Arg
		for _, a := range variants {
			for _, c := range choices {
				next = append(next, append(a[:len(a):len(a)], c))
			}
		}
		variants = next
		v = p.cdr
	}
	for _, a := range variants {
		f.note(&Call{Tool: name, Args: a, Open: open, Tight: f.tight > 0}, true)
	}
}

// choices are the data that an argument can be, an unknown one where it can be others too.
func choices(v *value) (out []Arg) {
	if v.top {
		return []Arg{{Unknown: true}}
	}
	for _, x := range v.alts {
		d, ok := of(x).datum(0)
		if !ok {
			return []Arg{{Unknown: true}}
		}
		out = append(out, Arg{Datum: d})
	}
	if len(out) == 0 {
		return []Arg{{Unknown: true}}
	}
	return out
}

// note takes down a call at the place of the program that leads to it.
func (f *follower) note(c *Call, fresh bool) {
	if c.key == "" {
		c.key = c.String()
		if c.Tight {
			c.key += " tight"
		}
	}
	known := f.calls[c.key]
	if known == nil {
		known = &Call{Tool: c.Tool, Args: c.Args, Open: c.Open, Tight: c.Tight, key: c.key, siteKeys: map[int32]bool{}}
		f.calls[c.key] = known
		f.order = append(f.order, known)
	}
	if n := len(f.sites); n > 0 {
		if at := f.sites[n-1]; !known.siteKeys[at.Start] {
			known.siteKeys[at.Start] = true
			known.Sites = append(known.Sites, at)
		}
	}
	for _, m := range f.record {
		if len(m.calls) < 200 && !has(m.calls, c.key) {
			m.calls = append(m.calls, known)
		}
	}
}

func has(calls []*Call, key string) bool {
	for _, c := range calls {
		if c.key == key {
			return true
		}
	}
	return false
}

func (f *follower) remark(text string) {
	n := Note{Text: text}
	if len(f.sites) > 0 {
		n.At = f.sites[len(f.sites)-1]
	}
	_, line, col := n.At.Position()
	k := text + string(rune(line)) + string(rune(col))
	if !f.notes[k] {
		f.notes[k] = true
		f.report.Notes = append(f.report.Notes, n)
	}
}
