package syntax

import "fmt"

// Error is a text that cannot be read.
type Error struct {
	Span    Span
	Message string // what is wrong, without the place
	Hint    string // what to do about it, or ""
	Open    Span   // the bracket, string or comment that was left open, if any
	// Incomplete says that the input ended inside a datum: with more text it may become good, so a REPL waits.
	Incomplete bool
}

// Error is "file:line:col: message; hint".
func (e *Error) Error() string {
	s := e.Message
	if e.Span.Source != nil {
		name, line, col := e.Span.Position()
		s = fmt.Sprintf("%s:%d:%d: %s", name, line, col, s)
	}
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// at is "line:col" of a span, for hints.
func at(p Span) string {
	_, line, col := p.Position()
	return fmt.Sprintf("%d:%d", line, col)
}
