package compile_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"caper/builtins"
	"caper/interp/code"
	"caper/interp/compile"
	"caper/interp/expand"
	"caper/interp/heap"
	"caper/interp/prim"
	"caper/interp/syntax"
	"caper/interp/vm"
)

// This file runs what the compiler makes. Programs see the primitives and the machine's control procedures, no library.

func runText(t testing.TB, text string, strict bool) string {
	t.Helper()
	m, units := load(t, text, strict)
	defer m.Close()
	if err := m.Start(units...); err != nil {
		t.Fatal(err)
	}
	for range 2000 {
		s := m.Run(10_000_000)
		switch {
		case s.Kind == vm.Done:
			return m.Describe(s.Value)
		case s.Kind == vm.Raised:
			return "raised " + m.Describe(s.Value)
		case s.Kind == vm.Exhausted && s.Which == "fuel":
		default:
			return fmt.Sprint(s.Kind, " ", s.Which)
		}
	}
	return "no end"
}

// newWorld is a world of the primitives and the machine's control procedures.
func newWorld(t testing.TB) (*prim.Table, *expand.World) {
	t.Helper()
	table := prim.NewTable(builtins.All())
	world := expand.NewWorld(nil, expand.NewSlots(0, heap.ImageGlobals), nil, expand.Limits{})
	var names []string
	for _, p := range table.Rows {
		names = append(names, p.Name)
	}
	for _, c := range vm.Control {
		names = append(names, c.Name)
	}
	if err := world.DefinePrimitives("(%primitive)", names); err != nil {
		t.Fatal(err)
	}
	return table, world
}

func expandIn(t testing.TB, world *expand.World, text string, strict bool) []expand.Unit {
	t.Helper()
	forms, err := syntax.ReadAll(syntax.NewSource("t.scm", text))
	if err != nil {
		t.Fatal(err)
	}
	p := world.NewProgram([]string{"(%syntax)", "(%primitive)"})
	p.Strict = strict
	res, err := p.Expand(forms)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return res.Units
}

func expandOnly(t testing.TB, text string, strict bool) []expand.Node {
	_, world := newWorld(t)
	var body []expand.Node
	for _, u := range expandIn(t, world, text, strict) {
		body = append(body, u.Body...)
	}
	return body
}

func load(t testing.TB, text string, strict bool) (*vm.Machine, []int) {
	t.Helper()
	table, world := newWorld(t)
	slot := func(name string) (int, bool) {
		g := world.Global("(%primitive)", name)
		if g == nil {
			return 0, false
		}
		return g.Slot, true
	}
	m, err := vm.New(vm.Config{Prims: table})
	if err != nil {
		t.Fatal(err)
	}
	m.BindPrimitives(slot)
	var units []int
	for _, x := range expandIn(t, world, text, strict) {
		u, err := compile.Compile(x.Name, x.Body, compile.Options{Prims: table})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if err := code.Verify(u, len(table.Rows)); err != nil {
			t.Fatalf("%s: %v\n%s", text, err, code.Disassemble(u, code.Names{}))
		}
		n, err := m.Load(u)
		if err != nil {
			t.Fatal(err)
		}
		units = append(units, n)
	}
	return m, units
}

func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func TestBenchPrograms(t *testing.T) {
	fs, _ := filepath.Glob(os.Getenv("BENCH"))
	for _, f := range fs {
		b, _ := os.ReadFile(f)
		best := time.Hour
		got := ""
		for range 3 {
			m, units := load(t, string(b)+"(main)", true)
			start := cpu()
			m.Start(units...)
			for {
				s := m.Run(1 << 40)
				if s.Kind != vm.Exhausted {
					got = m.Describe(s.Value)
					break
				}
			}
			best = min(best, cpu()-start)
			m.Close()
		}
		fmt.Println(filepath.Base(f), got, best.Milliseconds())
	}
}

// FuzzCompile feeds source text: whatever expands compiles to a unit that the verifier accepts, or is refused with an
// *Error.
func FuzzCompile(f *testing.F) {
	for _, c := range semantics {
		f.Add(c.text)
	}
	table, _ := newWorld(f)
	f.Fuzz(func(t *testing.T, text string) {
		_, world := newWorld(t)
		forms, err := syntax.ReadAll(syntax.NewSource("f", text))
		if err != nil {
			return
		}
		for _, strict := range []bool{true, false} {
			p := world.NewProgram([]string{"(%syntax)", "(%primitive)"})
			p.Strict = strict
			res, err := p.Expand(forms)
			if err != nil {
				return
			}
			for _, x := range res.Units {
				u, err := compile.Compile(x.Name, x.Body, compile.Options{Prims: table})
				if e := (*compile.Error)(nil); err != nil && !errors.As(err, &e) {
					t.Fatal(err)
				}
				if err != nil {
					continue
				}
				if err := code.Verify(u, len(table.Rows)); err != nil {
					t.Fatalf("%v\n%s", err, code.Disassemble(u, code.Names{}))
				}
			}
		}
	})
}
