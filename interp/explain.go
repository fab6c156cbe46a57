package interp

import (
	"strings"

	"caper/interp/code"
	"caper/interp/expand"
	"caper/interp/syntax"
)

// Explained is what a text becomes before it runs.
type Explained struct {
	Core string // its core forms
	Code string // its instructions
}

// Explain expands and compiles a text that comes after others. None of them runs: those before only define. One of them
// that has a mistake is passed over.
func (e *Engine) Explain(c Config, before []*syntax.Source, src *syntax.Source) (x Explained, err error) {
	m, err := e.NewMachine(c)
	if err != nil {
		return x, err
	}
	defer m.Close()
	names := map[int]string{}
	for _, t := range before {
		made, res, err := m.next(past{src: t})
		m.keep(made, res, err)
		if err == nil {
			for slot, name := range made.names {
				names[slot] = name
			}
		}
	}
	made, res, err := m.next(past{src: src})
	if err != nil {
		return x, err
	}
	for slot, name := range made.names {
		names[slot] = name
	}
	var core, instructions strings.Builder
	for _, u := range res.Units {
		for _, n := range u.Body {
			core.WriteString(expand.Print(n) + "\n")
		}
	}
	for _, u := range made.units {
		instructions.WriteString(code.Disassemble(u, code.Names{Global: func(slot int) string { return names[slot] }}))
	}
	return Explained{core.String(), instructions.String()}, nil
}
