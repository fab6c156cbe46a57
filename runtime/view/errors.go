package view

import (
	"errors"
	"fmt"
	"strings"

	"caper/interp/compile"
	"caper/interp/expand"
	"caper/interp/syntax"
)

// Error is an error for a person: of a program's text with its place, the line, and what to do; else as it reads.
func Error(s Style, err error) string {
	if err == nil {
		return ""
	}
	p := &paragraph{s: s}
	var read *syntax.Error
	var expanded *expand.Error
	var compiled *compile.Error
	switch {
	case errors.As(err, &read):
		p.located(read.Span, read.Message)
		if read.Open.Known() && read.Open != read.Span {
			_, line, col := read.Open.Position()
			p.add(own(plain, fmt.Sprintf("  what was left open begins at %d:%d", line, col)))
			p.caret(read.Open, 1)
		}
		if read.Hint != "" {
			p.hint(read.Hint)
		}
	case errors.As(err, &expanded):
		p.located(expanded.Span, expanded.Message)
		for _, t := range expanded.Trail {
			if t.Known() && t != expanded.Span {
				name, line, col := t.Position()
				p.wrap("  ", dim, fmt.Sprintf("from the macro used at %s:%d:%d", name, line, col))
			}
		}
		for _, h := range expanded.Hints {
			p.hint(h)
		}
	case errors.As(err, &compiled):
		p.located(compiled.Span, compiled.Message)
	default:
		p.message(err.Error())
	}
	return p.String()
}

// message is an error that has no place: its first line after our name, what follows below it.
func (p *paragraph) message(text string) {
	p.headed("caper", text)
}

func (p *paragraph) hint(text string) { p.wrap("  hint: ", cyan, text) }

// located is a message about a place in a program, with its line.
func (p *paragraph) located(at syntax.Span, message string) {
	if !at.Known() {
		p.message(message)
		return
	}
	name, line, col := at.Position()
	p.wrap("", bold, fmt.Sprintf("%s:%d:%d: %s", name, line, col, message))
	p.caret(at, int(at.End-at.Start))
}

// caret shows the line in which a span begins, and marks it from there: no more than so many bytes, at least one sign.
func (p *paragraph) caret(at syntax.Span, most int) {
	text := at.Source.Text
	start := min(max(int(at.Start), 0), len(text))
	begin := strings.LastIndexAny(text[:start], "\r\n") + 1
	end := len(text)
	if i := strings.IndexAny(text[start:], "\r\n"); i >= 0 {
		end = start + i
	}
	stop := min(max(int(at.Start)+max(most, 0), start), end)
	room := p.s.columns() - 4
	before, marked, after := before(text[begin:start], room), first(text[start:stop], room), first(text[stop:end], room)
	if strings.TrimSpace(text[begin:end]) == "" {
		return // there is nothing to see: the end of the text
	}
	left := p.s.clean(tabs(" " + before))[1:]
	mid := p.s.clean(tabs(marked))
	rest := p.s.clean(tabs(after))
	if most := room * 2 / 3; p.s.cells(left) > most {
		left = p.s.ellipsis() + p.s.tail(left, most-p.s.cells(p.s.ellipsis()))
	}
	mid = p.s.head(mid, max(room-p.s.cells(left), 1))
	if n := room - p.s.cells(left) - p.s.cells(mid); p.s.cells(rest) > n {
		rest = p.s.head(rest, max(n-p.s.cells(p.s.ellipsis()), 0)) + p.s.ellipsis()
	}
	p.add(own(plain, "  "), span{left, dim}, span{mid, plain}, span{rest, dim})
	p.add(own(plain, "  "+strings.Repeat(" ", p.s.cells(left))), own(red, strings.Repeat("^", max(p.s.cells(mid), 1))))
}

// first and before keep enough of a long text to fill so many cells.
func first(text string, cells int) string {
	if n := cells * maxClusterBytes; len(text) > n {
		return text[:runeEnd(text, n)]
	}
	return text
}

func before(text string, cells int) string {
	if n := cells * maxClusterBytes; len(text) > n {
		return text[runeEnd(text, len(text)-n):]
	}
	return text
}
