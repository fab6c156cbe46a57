// Package image builds the library image: the standard library expanded, compiled and run once, then sealed read-only
// and shared by every machine. One that was built can be written down and read again, which is how a process starts. It
// knows how the rooms below fit together and nothing of where library text comes from. Package interp imports it.
package image

import (
	"fmt"

	"caper/interp/code"
	"caper/interp/compile"
	"caper/interp/expand"
	"caper/interp/frozen"
	"caper/interp/heap"
	"caper/interp/prim"
	"caper/interp/syntax"
	"caper/interp/vm"
)

// Image is a sealed library and the expander's knowledge of it.
type Image struct {
	Machine *vm.Image
	World   *expand.World
	Prims   *prim.Table
	first   int // first private slot that programs may use
}

// primitives is the name of the library that holds what Go provides.
const primitives = "(%primitive)"

// Build makes an image with the named libraries in it, in the order in which they need each other.
func Build(prims *prim.Table, loader expand.Loader, libraries []string) (*Image, error) {
	world, err := NewWorld(prims, expand.NewSlots(0, heap.ImageGlobals), loader)
	if err != nil {
		return nil, err
	}
	m, err := vm.New(vm.Config{Prims: prims, Verified: true})
	if err != nil {
		return nil, err
	}
	defer m.Close()
	m.BindPrimitives(func(name string) (int, bool) {
		g := world.Global(primitives, name)
		if g == nil {
			return 0, false
		}
		return g.Slot, true
	})
	b := builder{m: m, prims: prims, world: world, private: heap.ImageGlobals}
	if err := b.libraries(libraries); err != nil {
		return nil, err
	}
	img, err := m.Seal()
	if err != nil {
		return nil, err
	}
	return &Image{Machine: img, World: world, Prims: prims, first: b.private}, nil
}

// NewWorld is a world that has what Go provides and no library yet.
func NewWorld(prims *prim.Table, slots *expand.Slots, loader expand.Loader) (*expand.World, error) {
	world := expand.NewWorld(nil, slots, loader, expand.Limits{})
	var names []string
	for _, r := range prims.Rows {
		names = append(names, r.Name)
	}
	for _, c := range vm.Control {
		names = append(names, c.Name)
	}
	return world, world.DefinePrimitives(primitives, names)
}

// Slots hands out the slots of one program's globals.
func (i *Image) Slots() *expand.Slots {
	return expand.NewSlots(i.first, heap.ImageGlobals+heap.PrivateGlobals)
}

type builder struct {
	m       *vm.Machine
	prims   *prim.Table
	world   *expand.World
	private int
}

// libraries builds one library after the other. To expand one while the one before it is compiled costs more processor
// time than it saves: the first brings nearly all others with it.
func (b *builder) libraries(names []string) error {
	for _, name := range names {
		res, err := b.world.NewProgram(nil).Import(name)
		if err != nil {
			return fmt.Errorf("library %s: %w", name, err)
		}
		if err := b.library(res.Units, b.world.Global("(%support)", "%fault"), b.world.Global("(%support)", "%end-program")); err != nil {
			return err
		}
	}
	return nil
}

// library compiles and runs units; fault is what faults call, and ending what ends a program, once they are defined.
func (b *builder) library(units []expand.Unit, fault, ending *expand.Global) error {
	for _, u := range units {
		b.place(u.Body)
		cu, err := compile.Compile(u.Name, u.Body, compile.Options{Prims: b.prims, Nameless: true})
		if err != nil {
			return fmt.Errorf("library %s: %w", u.Name, err)
		}
		if err := b.run(cu); err != nil {
			return fmt.Errorf("library %s: %w", u.Name, err)
		}
		if fault != nil {
			b.m.SetFaultHandler(fault.Slot)
			b.m.SetEnding(ending.Slot)
		}
	}
	return nil
}

// place names the variables of a library, and moves those that the library assigns out of the read-only slots: each
// machine has its own.
func (b *builder) place(body []expand.Node) {
	for _, n := range body {
		switch n := n.(type) {
		case *expand.Seq:
			b.place(n.Nodes)
		case *expand.GlobalDefine:
			if g := n.Global; !g.Constant && g.Slot < heap.ImageGlobals {
				g.Slot = b.private
				b.private++
			}
			b.m.NameGlobal(n.Global.Slot, n.Global.Name)
		}
	}
}

func (b *builder) run(u *code.Unit) error {
	first, err := b.m.Load(u)
	if err != nil {
		return err
	}
	b.m.Start(first)
	switch step := b.m.Run(1 << 40); step.Kind {
	case vm.Done:
		return nil
	case vm.Raised:
		return fmt.Errorf("raised while it was loaded: %s", b.m.Describe(step.Value))
	default:
		return fmt.Errorf("%v while it was loaded", step.Kind)
	}
}

// Freeze writes an image down.
func (i *Image) Freeze(w *frozen.Writer) error {
	i.Machine.Freeze(w)
	w.Int(i.first)
	return i.World.Freeze(w, compile.Opens)
}

// Thaw makes the image that Freeze wrote, of the same primitives.
func Thaw(r *frozen.Reader, prims *prim.Table, loader expand.Loader, text func(name string) *syntax.Source) (*Image, error) {
	m, err := vm.Thaw(r)
	if err != nil {
		return nil, err
	}
	return &Image{Machine: m, Prims: prims, first: r.Int(), World: expand.Thaw(r, loader, text)}, nil
}
