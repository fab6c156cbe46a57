package stdlib_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caper/interp"
	"caper/interp/heap"
	"caper/interp/syntax"
	"caper/stdlib"
)

// The scripts of this folder are tests: x-test.scm beside x. In a script,
//
//	form => datum            write prints the form's value as it prints the datum
//	form =prints> "text"     write prints that text
//	form =raises> "text"     the form raises a condition whose report contains the text
//	form =rejects> "text"    the form is refused before it runs, with a message that contains the text
//	form                     is evaluated
//
// A script whose first form is (import …) gets what it imports, another the whole prelude.

type screen struct{ text strings.Builder }

func (s *screen) Write(b []byte) bool {
	s.text.Write(b)
	return true
}

var order = []string{"(caper standard)"}

func newEngine(t testing.TB) *interp.Engine {
	t.Helper()
	e, err := interp.NewEngine(interp.Options{Order: order, Implicit: implicit()})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func implicit() []string {
	if _, _, ok := stdlib.Source([]string{"caper", "prelude"}); ok {
		order = []string{"(caper standard)", "(caper prelude)"}
		return []string{"(caper prelude)"}
	}
	return []string{"(caper standard)", "(%primitive)"}
}

func TestScripts(t *testing.T) {
	e := newEngine(t)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, "-test.scm") {
			t.Run(path, func(t *testing.T) { runScript(t, e, path) })
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func runScript(t *testing.T, e *interp.Engine, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out := &screen{}
	m, err := e.NewMachine(interp.Config{Output: out})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	src := syntax.NewSource(path, string(text))
	forms := readAll(t, src)
	for i := 0; i < len(forms); i++ {
		arrow := ""
		if i+2 < len(forms) {
			if sym, ok := forms[i+1].Datum.(*syntax.Symbol); ok {
				arrow = sym.Name
			}
		}
		_, line, _ := forms[i].Span.Position()
		form := string([]rune(forms[i].Span.Text()))
		switch arrow {
		case "=>":
			check(t, path, line, form, evaluate(m, out, "(write "+form+")"), forms[i+2].Text())
		case "=prints>":
			check(t, path, line, form, evaluate(m, out, "(write "+form+")"), string(forms[i+2].Datum.(syntax.String)))
		case "=raises>":
			got := evaluate(m, out, "(write "+form+")")
			if want := string(forms[i+2].Datum.(syntax.String)); !strings.HasPrefix(got, "raised ") || !strings.Contains(got, want) {
				t.Errorf("%s:%d: %s\n got %s\nwant raised … %s", path, line, form, got, want)
			}
		case "=rejects>":
			got := evaluate(m, out, form)
			if want := string(forms[i+2].Datum.(syntax.String)); !strings.HasPrefix(got, "error ") || !strings.Contains(got, want) {
				t.Errorf("%s:%d: %s\n got %s\nwant error … %s", path, line, form, got, want)
			}
		default:
			if got := evaluate(m, out, form); strings.HasPrefix(got, "raised ") || strings.HasPrefix(got, "error ") {
				t.Errorf("%s:%d: %s\n got %s", path, line, form, got)
			}
			continue
		}
		i += 2
	}
}

func readAll(t *testing.T, src *syntax.Source) []*syntax.Syntax {
	t.Helper()
	var all []*syntax.Syntax
	for r := syntax.NewReader(src, syntax.ReaderOptions{}); ; {
		s, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
}

func check(t *testing.T, path string, line int, form, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:%d: %s\n got %s\nwant %s", path, line, form, got, want)
	}
}

// evaluate runs one form and answers what it printed, or what went wrong.
func evaluate(m *interp.Machine, out *screen, form string) string {
	out.text.Reset()
	if err := m.Load(syntax.NewSource("form", form)); err != nil {
		return "error " + err.Error()
	}
	step := run(m)
	switch step.Kind {
	case interp.Done:
		return out.text.String()
	case interp.Raised:
		return "raised " + m.Write(step.Value)
	default:
		return "stopped " + out.text.String()
	}
}

// run goes on to the end, or to a question that only a real host can answer.
func run(m *interp.Machine) interp.Step {
	for {
		step := m.Run(100_000_000)
		if step.Kind != interp.Suspended || len(step.Calls) != 1 {
			return step
		}
		value, ok := answer(m, step.Calls[0])
		if !ok {
			return step
		}
		m.Resume(step.Calls[0].ID, value)
	}
}

// answer is what the host of a script says.
func answer(m *interp.Machine, call interp.Call) (value heap.Word, ok bool) {
	a := m.Arena()
	switch call.Name {
	case "clock", "seed":
		return heap.Fixnum(1_000_000_000_123_456_789), true // it is 2001-09-09T01:46:40 and a bit
	case "program-name":
		return a.NewString("program"), true
	case "arguments":
		return a.List(a.NewString("one"), a.NewString("two")), true
	case "environment":
		if call.Args != heap.Null {
			if a.Text(a.Car(call.Args)) != "HOME" {
				return heap.False, true
			}
			return a.NewString("/home"), true
		}
		return a.List(a.Cons(a.NewString("HOME"), a.NewString("/home"))), true
	}
	return 0, false
}
