package expand

import (
	"fmt"

	"caper/interp/syntax"
)

// Error is a mistake in the program text.
type Error struct {
	Span    syntax.Span   // where, in the user's text also when a macro produced the form
	Message string        // what, without the place
	Hints   []string      // what to do about it, each a sentence
	Trail   []syntax.Span // uses of the macros that led there, innermost first
}

func (e *Error) Error() string {
	if e.Span.Source == nil {
		return e.Message
	}
	name, line, col := e.Span.Position()
	return fmt.Sprintf("%s:%d:%d: %s", name, line, col, e.Message)
}

// show writes the beginning of a datum for a message.
func show(s *syntax.Syntax) string { return s.Brief(shownBytes) }

const shownBytes = 60

// readFailure carries an error of the reader out of the expansion.
type readFailure struct{ err error }

const trailShown = 16

// trail is the chain of macro uses around what is being expanded.
type trail struct {
	span   syntax.Span
	macro  *macro
	parent *trail
	length int
}

const trailKept = 1000

func (x *expander) pushTrail(span syntax.Span, m *macro) {
	t := x.trail
	if t != nil && (t.length >= trailKept || t.span == span && t.macro == m) {
		return
	}
	n := 1
	if t != nil {
		n += t.length
	}
	x.trail = &trail{span, m, t, n}
}

// ofLibrary reports whether a library defined the macro, not the program.
func (m *macro) ofLibrary() bool {
	s := m.env
	for s.top == nil {
		s = s.parent
	}
	return s.top.name != ""
}

// seen is the macro that a message about a use may name: for one of a library, the one that the program used.
func (t *trail) seen() *macro {
	for t.parent != nil && t.macro.ofLibrary() {
		t = t.parent
	}
	return t.macro
}

// failAt ends the expansion; the entry points recover the *Error. Where a name is called that is not defined, a macro
// that was not imported is the likely reason for any error in its operands.
func (x *expander) failAt(span syntax.Span, hints []string, format string, args ...any) {
	if u := x.unknown; u != nil && !u.global.Defined {
		x.unknown = nil
		var form bool
		if hints, form = x.near(u.sym.Name, x.env, u.scope); !form {
			hints = append(hints, "read as a call, it has an error inside: "+fmt.Sprintf(format, args...))
		}
		x.trail = u.trail
		x.stop(u.span, hints, "%s is not defined", u.sym.Name)
	}
	x.stop(span, hints, format, args...)
}

// stop is failAt for what has nothing to do with the names around it.
func (x *expander) stop(span syntax.Span, hints []string, format string, args ...any) {
	e := &Error{Span: span, Message: fmt.Sprintf(format, args...), Hints: hints}
	if e.Span.Source == nil && x.trail != nil {
		e.Span = x.trail.span
	}
	for t := x.trail; t != nil && len(e.Trail) < trailShown; t = t.parent {
		if len(e.Trail) == 0 || e.Trail[len(e.Trail)-1] != t.span {
			e.Trail = append(e.Trail, t.span)
		}
	}
	if x.trail != nil {
		e.Hints = append(e.Hints, "in the expansion of the macro "+x.trail.seen().name)
	}
	panic(e)
}

func (x *expander) fail(at *syntax.Syntax, format string, args ...any) {
	x.failAt(at.Span, nil, format, args...)
}

// found fails for a form whose part at is not as expected.
func (x *expander) found(u use, at *syntax.Syntax, expected string) {
	var hints []string
	if shape := shapes[u.form.name]; shape != "" {
		hints = []string{write(shape)}
	}
	x.failAt(at.Span, hints, "%s: %s, found %s", u.form.name, expected, show(at))
}

// shape fails for a use as a whole.
func (x *expander) shape(u use, expected string) {
	x.failAt(u.s.Span, nil, "%s: expected %s, found %s", u.form.name, expected, show(u.s))
}
