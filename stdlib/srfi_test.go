package stdlib_test

import (
	"testing"

	"caper/interp"
	"caper/interp/syntax"
	"caper/stdlib"
)

// TestLibraries imports every public library into a program of its own.
func TestLibraries(t *testing.T) {
	e := newEngine(t)
	for _, name := range stdlib.Libraries() {
		m, err := e.NewMachine(interp.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Load(syntax.NewSource(name, "(import "+name+") 1")); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if s := m.Run(1_000_000); s.Kind != interp.Done {
			t.Errorf("%s: %v %s", name, s.Kind, m.Write(s.Value))
		}
		m.Close()
	}
}
