package check

import (
	"caper/runtime/graph"
	"caper/runtime/license"
	"caper/runtime/tool"
)

// Depends is the verdict about a call whose arguments decide it and are not known yet.
const Depends = "depends"

// Verdict is what the policy would answer to a call.
type Verdict struct {
	Verdict string // allow, ask, deny or judge, else Depends
	On      string // the parameter that it depends on
	// Inside is the verdict when what is not known lies in the workspace.
	Inside   string
	Decision license.Decision
	// Problem says why the call would fail before the policy is asked.
	Problem error
}

// Judge asks for the policy's answer. explain answers what would be decided of a call with known arguments.
func Judge(c *Call, tools *tool.Set, explain func(name string, args graph.List) (license.Decision, error)) Verdict {
	args, on, path := settled(c, tools)
	v := Verdict{On: on}
	if on == "" || path {
		v.Decision, v.Problem = explain(c.Tool, args)
	}
	switch {
	case on != "":
		v.Verdict = Depends
		if path && v.Problem == nil {
			v.Inside = string(v.Decision.Verdict)
		}
		v.Decision, v.Problem = license.Decision{}, nil
	case v.Problem == nil:
		v.Verdict = string(v.Decision.Verdict)
		if c.Tight && v.Decision.Verdict != license.Deny {
			v.Verdict, v.On, v.Inside = Depends, "with-policy", string(v.Decision.Verdict)
		}
	}
	return v
}

// settled puts something in the place of what is not known. on names the first parameter of which the decision may depend;
// path says that all those are paths.
func settled(c *Call, tools *tool.Set) (args graph.List, on string, path bool) {
	t, known := tools.Get(c.Tool)
	if !known {
		return nil, "", false
	}
	path = true
	var positional, keywords []tool.Param
	for _, p := range t.Params {
		if p.Keyword {
			keywords = append(keywords, p)
		} else {
			positional = append(positional, p)
		}
	}
	depends := func(p tool.Param) {
		if p.Access != 0 {
			if on == "" {
				on = p.Name
			}
			path = path && p.Access.Path()
		}
	}
	fill := func(p tool.Param) graph.Datum {
		depends(p)
		switch p.Kind {
		case tool.String:
			return "_"
		case tool.Int:
			return int64(1)
		case tool.Bool:
			return true
		}
		return graph.List{}
	}
	at := 0
	for i := 0; i < len(c.Args); i++ {
		a := c.Args[i]
		if k, ok := a.Datum.(graph.Keyword); ok && i+1 < len(c.Args) {
			i++
			value := c.Args[i].Datum
			if c.Args[i].Unknown {
				value = graph.List{}
				for _, p := range keywords {
					if p.Name == string(k) {
						value = fill(p)
					}
				}
			}
			args = append(args, k, value)
			continue
		}
		value := a.Datum
		if a.Unknown && at < len(positional) {
			value = fill(positional[at])
		}
		args = append(args, value)
		at++
	}
	if c.Open {
		for ; at < len(positional); at++ {
			if positional[at].Required {
				args = append(args, fill(positional[at]))
			} else {
				depends(positional[at])
			}
		}
		for _, p := range keywords {
			depends(p)
		}
	}
	return args, on, path
}
