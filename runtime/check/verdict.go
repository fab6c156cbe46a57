package check

import (
	"caper/runtime/graph"
	"caper/runtime/license"
	"caper/runtime/tool"
)

// Depends is the verdict about a call whose arguments decide it and are not known yet.
const Depends = "depends"

// OnTool is what the verdict about a call of a tool depends on that is not Caper's own: the program, or the workspace, may
// define it.
const OnTool = "tool"

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
	d, err := explain(c.Tool, args)
	switch {
	case tool.Code(err) == tool.CodeUnknown:
		v.Verdict, v.On = Depends, OnTool
	case err != nil && (on == "" || misfit(err)):
		v.Problem, v.On = err, ""
	case on != "":
		v.Verdict = Depends
		if path && err == nil {
			v.Inside = string(d.Verdict)
		}
	default:
		v.Verdict, v.Decision = string(d.Verdict), d
		if c.Tight && d.Verdict != license.Deny {
			v.Verdict, v.On, v.Inside = Depends, "with-policy", string(d.Verdict)
		}
	}
	return v
}

// misfit reports whether a call fails for what is known of its arguments, whatever stands for the others.
func misfit(err error) bool {
	code := tool.Code(err)
	return code == tool.CodeArguments || code == tool.CodeBadPath
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
