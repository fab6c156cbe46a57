package expand

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"caper/interp/syntax"
)

var primitives = strings.Fields(`cons car cdr list append list->vector vector eqv? equal? eq? memv member call-with-values
	values %make-promise %make-lazy %guard %catch %parameterize dynamic-wind call/ec call/cc raise-continuable %make-rtd %record
	%record? %record-ref %record-set! %assert-failed + - * < = > zero? null? pair? not display newline write map for-each
	vector-ref filter eval apply reverse length`)

// library is a Loader over a table of texts.
type texts map[string]string

func (t texts) Library(name []string, _ syntax.Span) (*syntax.Source, error) {
	key := "(" + strings.Join(name, " ") + ")"
	text, ok := t[key]
	if !ok {
		return nil, nil
	}
	if text == "!" {
		return nil, errors.New("permission denied")
	}
	src := syntax.NewSource(key, text)
	src.Own = true // the libraries of these tests are the engine's
	return src, nil
}

func (t texts) Include(path string, _ *syntax.Source, _ syntax.Span) (*syntax.Source, error) {
	text, ok := t[path]
	if !ok {
		return nil, nil
	}
	return syntax.NewSource(path, text), nil
}

func newWorld(t testing.TB, loader Loader, limits Limits) *World {
	t.Helper()
	w := NewWorld(nil, NewSlots(0, 100_000), loader, limits)
	if err := w.DefinePrimitives("(%primitive)", primitives); err != nil {
		t.Fatal(err)
	}
	return w
}

var implicit = []string{"(%syntax)", "(%primitive)"}

func parse(t testing.TB, name, text string) []*syntax.Syntax {
	t.Helper()
	forms, err := syntax.ReadAll(syntax.NewSource(name, text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return forms
}

// expandText expands text as a whole file and prints its units.
func expandText(t testing.TB, loader Loader, text string) (string, error) {
	t.Helper()
	p := newWorld(t, loader, Limits{}).NewProgram(implicit)
	p.Strict = true
	return units(p.Expand(parse(t, "t.scm", text)))
}

func units(r Result, err error) (string, error) {
	var b strings.Builder
	for i, u := range r.Units {
		if len(r.Units) > 1 {
			if i > 0 {
				b.WriteString("\n")
			}
			fmt.Fprintf(&b, "%s: ", u.Name)
		}
		for j, n := range u.Body {
			if j > 0 {
				b.WriteString(" ")
			}
			b.WriteString(Print(n))
		}
	}
	return b.String(), err
}
