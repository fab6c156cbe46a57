package view

import (
	"errors"
	"fmt"
	"strings"

	"caper/interp/compile"
	"caper/interp/expand"
	"caper/interp/syntax"
	"caper/runtime/graph"
	"caper/runtime/program"
)

// This file says to a model what became of a program that it wrote.

// Answered is the value of a program that ended with one, as write prints it, and what it displayed.
func Answered(r program.Result, output string) string {
	var b strings.Builder
	switch {
	case r.State == program.Exited:
		b.WriteString("it called exit\n")
	case r.NoValue && output != "":
	case r.NoValue:
		b.WriteString("done: the last expression has no value\n")
	default:
		b.WriteString("value: " + graph.Write(r.Value) + "\n")
	}
	if output != "" {
		b.WriteString("output:\n" + output)
	}
	for _, u := range r.Unwritten {
		b.WriteString(u + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Mistake reports whether an error is a mistake in the text of a program.
func Mistake(err error) bool {
	var read *syntax.Error
	var expanded *expand.Error
	var compiled *compile.Error
	return errors.As(err, &read) || errors.As(err, &expanded) || errors.As(err, &compiled)
}

// Taught says why a program came to no value, and what of it stays: err is a mistake in its text.
func Taught(r program.Result, err error, output string) string {
	stays := "what it defined before that stays"
	switch {
	case err != nil:
		stays = "the program has a mistake and was not begun: nothing of it was done"
	case r.Error != nil && r.State == program.Budget:
		stays = "the calls that it made were made; what it defined does not stay"
	}
	p := &paragraph{}
	p.add(own(plain, "("+stays+")"))
	text := Fallen(r, err) + p.String()
	if output != "" {
		text += "output before that:\n" + lastOf(output)
	}
	return strings.TrimSuffix(text, "\n")
}

// Fallen says why a program came to no value: err is a mistake in its text.
func Fallen(r program.Result, err error) string {
	p := &paragraph{}
	switch {
	case err != nil:
		p.b.WriteString(strings.TrimPrefix(Error(p.s, err), "caper: "))
	case r.Error == nil:
		p.headed(string(r.State), "the program came to no end")
	default:
		f := *r.Error
		if r.State == program.Budget {
			f.Hints = []string{"look whether a loop ends: with-timeout ends none that makes no call, (with-budget '((fuel . n)) thunk) does", "or do less in one program; fuel gives it more or less to spend"}
		}
		r.Error = &f
		p.failure(r, func() {
			if rule := graph.TextField(f.Data, "rule"); rule != "" {
				p.wrap("  rule: ", plain, rule)
			}
			p.hint("only the person can change that: go on without it, or say what you would need; do not try it in another way")
		})
	}
	return p.String()
}

// mostOutput is how much of its output is told with the failure of a program: all of it is on record with its job.
const mostOutput = 8 << 10

// lastOf is the end of a long text.
func lastOf(text string) string {
	if len(text) <= mostOutput {
		return text
	}
	from := runeEnd(text, len(text)-mostOutput)
	return fmt.Sprintf("(%d bytes before this are left out)\n%s", from, text[from:])
}
