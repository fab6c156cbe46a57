package image

import (
	"io/fs"
	"path"
	"testing"

	"caper/builtins"
	"caper/interp/code"
	"caper/interp/compile"
	"caper/interp/expand"
	"caper/interp/heap"
	"caper/interp/prim"
	"caper/interp/syntax"
	"caper/interp/vm"
	"caper/stdlib"
)

type library struct{}

func (library) Library(name []string, _ syntax.Span) (*syntax.Source, error) {
	text, file, ok := stdlib.Source(name)
	if !ok {
		return nil, nil
	}
	return syntax.NewSource(file, text), nil
}

func (library) Include(name string, from *syntax.Source, _ syntax.Span) (*syntax.Source, error) {
	file := path.Join(path.Dir(from.Name), name)
	text, ok := stdlib.File(file)
	if !ok {
		return nil, fs.ErrNotExist
	}
	return syntax.NewSource(file, text), nil
}

// TestLibraryVerifies does once what a start of the process leaves out: every unit of the library passes the verifier.
func TestLibraryVerifies(t *testing.T) {
	prims := prim.NewTable(builtins.All())
	world := expand.NewWorld(nil, expand.NewSlots(0, heap.ImageGlobals), library{}, expand.Limits{})
	var names []string
	for _, r := range prims.Rows {
		names = append(names, r.Name)
	}
	for _, c := range vm.Control {
		names = append(names, c.Name)
	}
	if err := world.DefinePrimitives(primitives, names); err != nil {
		t.Fatal(err)
	}
	units := 0
	for _, lib := range append([]string{"(caper standard)", "(caper prelude)"}, stdlib.Libraries()...) {
		res, err := world.NewProgram(nil).Import(lib)
		if err != nil {
			t.Fatalf("%s: %v", lib, err)
		}
		for _, u := range res.Units {
			cu, err := compile.Compile(u.Name, u.Body, compile.Options{Prims: prims})
			if err != nil {
				t.Fatalf("%s: %v", u.Name, err)
			}
			if err := code.Verify(cu, len(prims.Rows)); err != nil {
				t.Errorf("%s: %v", u.Name, err)
			}
			units++
		}
	}
	if units < 4 {
		t.Errorf("only %d units were seen", units)
	}
}
