package command

import (
	"strings"
	"testing"

	"caper/interp"
	"caper/interp/syntax"
	"caper/stdlib"
)

// namesOf are what the top level of a program sees.
func namesOf(t *testing.T, e *interp.Engine, program string) (all []string) {
	t.Helper()
	m, err := e.NewMachine(interp.Config{Memory: 64 << 20, Output: nothing{}})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if err := m.Load(syntax.NewSource("names", program)); err != nil {
		t.Fatal(err)
	}
	for _, n := range m.Names() {
		if !strings.HasPrefix(n, "#%") {
			all = append(all, n)
		}
	}
	return all
}

func TestNamesHaveTheirDocs(t *testing.T) {
	e, err := newEngine()
	if err != nil {
		t.Fatal(err)
	}
	docs := e.Docs()
	known := map[string]bool{}
	for _, n := range namesOf(t, e, "0") {
		known[n] = true
		if len(docs[n].Uses) == 0 {
			t.Errorf("stdlib/doc.txt does not say how %s is used, and no definition shows it", n)
		}
	}
	standard := map[string]string{}
	for _, l := range stdlib.Libraries() {
		if strings.HasPrefix(l, "(scheme ") {
			for _, n := range namesOf(t, e, "(import "+l+")") {
				standard[n] = l
			}
		}
	}
	if len(standard) < 330 {
		t.Fatalf("(scheme …) exports %d names", len(standard))
	}
	for n, l := range standard {
		known[n] = true
		if d := docs[n]; len(d.Uses) == 0 || d.Line == "" {
			t.Errorf("stdlib/doc.txt wants a line for %s of %s: %v", n, l, d.Uses)
		}
	}
	for line := range strings.Lines(stdlib.Doc) {
		if name := interp.DocOf(line); name != "" && !known[name] {
			t.Errorf("stdlib/doc.txt speaks of %s, which is no name that a program sees", name)
		}
	}
}
