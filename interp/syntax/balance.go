package syntax

import "fmt"

// This file explains brackets that do not pair. Which one is wrong cannot be read off the brackets themselves, but
// people indent by what they mean: a line that begins left of a bracket, or under it, was written in the belief that
// the bracket is closed.

// guess is the first sign of that kind inside the top-level datum being read.
type guess struct {
	found   bool
	bracket int32 // the outermost bracket that the line contradicts
	line    int32 // where the line's first token stands
}

// noteIndentation looks at the first token of a line. As long as nothing was found, the columns of open brackets grow
// from the outermost to the innermost, so the innermost answers whether there is a contradiction.
func (r *Reader) noteIndentation() {
	f := r.top()
	if r.suspect.found || f == nil || !r.contradicts(f) {
		return
	}
	for i := range r.frames {
		if f := &r.frames[i]; f.kind.bracketed() && r.contradicts(f) {
			r.suspect = guess{true, f.start, int32(r.pos)}
			return
		}
	}
}

func (r *Reader) contradicts(f *frame) bool {
	return int(f.lineStart) != r.lineStart && int(f.start-f.lineStart) >= r.pos-r.lineStart
}

// unclosed is the error at the end of the input inside a datum.
func (r *Reader) unclosed() error {
	end := len(r.text)
	f := r.top()
	if !f.kind.bracketed() {
		p := prefixes[f.kind]
		open := r.span(int(f.start), int(f.start)+1)
		return &Error{
			Span: r.span(end, end), Message: fmt.Sprintf("the input ends where %s at %s waits for the datum to %s", p.text, at(open), p.verb),
			Open: open, Incomplete: true,
		}
	}
	start := int(f.start)
	hint := ""
	brackets := 0
	for _, f := range r.frames {
		if f.kind.bracketed() {
			brackets++
		}
	}
	if r.suspect.found {
		start = int(r.suspect.bracket)
		hint = fmt.Sprintf("by the indentation of line %s the %s at %s was meant to be closed before it",
			lineOf(r.span(int(r.suspect.line), end)), r.bracketAt(start), at(r.span(start, start)))
	} else {
		hint = fmt.Sprintf("the %s at %s is not closed", r.bracketAt(start), at(r.span(start, start)))
	}
	missing := "a closing bracket is missing"
	if brackets > 1 {
		missing = fmt.Sprintf("%d closing brackets are missing", brackets)
	}
	return &Error{
		Span: r.span(end, end), Message: "the input ends inside a list: " + missing, Hint: hint,
		Open: r.span(start, start+1), Incomplete: true,
	}
}

// endsInside is the error of an input that ends within what began at open.
func (r *Reader) endsInside(what string, open Span, hint string) error {
	end := len(r.text)
	return &Error{Span: r.span(end, end), Message: "the input ends inside " + what, Hint: hint, Open: open, Incomplete: true}
}

// bracketAt is the opening token at start as written, up to its bracket.
func (r *Reader) bracketAt(start int) string {
	for i := start; i < len(r.text); i++ {
		if r.text[i] == '(' || r.text[i] == '[' {
			return r.text[start : i+1]
		}
	}
	return "("
}

func lineOf(p Span) string { _, line, _ := p.Position(); return fmt.Sprint(line) }

// stray is the error of a closing bracket with nothing to close.
func (r *Reader) stray(c byte) error {
	hint := "nothing is open here: delete it"
	if r.last.Known() {
		hint = fmt.Sprintf("nothing is open here: delete it, or look for one too many in the form at %s", at(r.last))
	}
	return r.fail(r.pos, r.pos+1, fmt.Sprintf("unexpected %c", c), hint)
}

// mismatch is the error of ] for ( or the reverse.
func (r *Reader) mismatch(f *frame, c byte) error {
	start := int(f.start)
	open := r.span(start, start+1)
	return &Error{
		Span:    r.span(r.pos, r.pos+1),
		Message: fmt.Sprintf("%c does not close the %s at %s", c, r.bracketAt(start), at(open)),
		Hint:    fmt.Sprintf("expected %c", f.closer),
		Open:    open,
	}
}
