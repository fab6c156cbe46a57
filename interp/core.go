package interp

import (
	"caper/builtins"
	"caper/interp/expand"
	"caper/interp/heap"
	"caper/interp/image"
	"caper/interp/prim"
	"caper/interp/syntax"
)

// Core expands a program and every library that it needs, the engine's own too, for those who look at a program instead
// of running it. The units come in running order.
func Core(o Options, loader Loader, src *syntax.Source) ([]expand.Unit, error) {
	e := &Engine{sources: o.Libraries, implicit: o.Implicit}
	world, err := image.NewWorld(prim.NewTable(builtins.All()), expand.NewSlots(0, heap.ImageGlobals+heap.PrivateGlobals), library{e: e, next: loader})
	if err != nil {
		return nil, err
	}
	world.Implicit = o.Implicit
	program := world.NewProgram(o.Implicit)
	program.Strict = true
	forms, err := syntax.ReadAllWith(src, syntax.ReaderOptions{MaxDepth: maxNesting})
	if err != nil {
		return nil, err
	}
	res, err := program.Expand(forms)
	return res.Units, err
}
