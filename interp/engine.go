// Package interp is the embedding API of the engine: an Engine holds the library image, a Machine runs one program under
// budgets and can be suspended at any host call. It is thin: reading, expansion, compilation and execution are in the
// rooms below. Everything outside the engine reaches it through here.
package interp

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"caper/builtins"
	"caper/interp/expand"
	"caper/interp/frozen"
	"caper/interp/heap"
	"caper/interp/image"
	"caper/interp/prim"
	"caper/interp/snapshot"
	"caper/interp/syntax"
	"caper/interp/vm"
	"caper/stdlib"
)

// Options of an Engine.
type Options struct {
	// Libraries are sources by name, such as "(caper tools)", that the image holds besides the standard library.
	Libraries map[string]string
	// Order lists the libraries to put into the image; the others are compiled when a program imports them.
	Order []string
	// Implicit are the libraries that a program without import gets.
	Implicit []string
	// Prebuilt is an image of just these libraries in this order, if it is still one.
	Prebuilt Prebuilt
}

// Engine makes machines that share one library image. It may be used from many goroutines.
type Engine struct {
	image    *image.Image
	sources  map[string]string
	implicit []string
	cache    cache
}

// Loader answers what programs import and include from outside the engine.
type Loader = expand.Loader

// Re-exported so that embedders need no inner package.
type (
	Call = vm.Call
	Kind = vm.Kind
)

const (
	Done      = vm.Done
	Raised    = vm.Raised
	Suspended = vm.Suspended
	Exhausted = vm.Exhausted
)

// NewEngine takes the prebuilt library image, or builds one.
func NewEngine(o Options) (*Engine, error) {
	e := &Engine{sources: o.Libraries, implicit: o.Implicit}
	prims := prim.NewTable(builtins.All())
	var err error
	if body, stale := o.body(); stale == nil {
		e.image, err = image.Thaw(frozen.NewReader(body), prims, library{e: e}, e.text)
	} else {
		e.image, err = image.Build(prims, library{e: e}, o.Order)
	}
	if err != nil {
		return nil, err
	}
	return e, nil
}

// library finds the sources of the engine's own libraries before it asks a machine's loader.
type library struct {
	e    *Engine
	next Loader
	used *bool // set when text was asked for that is not the engine's own
	read *texts
}

// texts is what a machine's program has included and imported from outside the engine. What it evaluates finds these and
// nothing else: no file is read in the middle of a program but by its own calls.
type texts struct {
	known  map[string]*syntax.Source
	closed bool
}

// get is the text that is known by a key, else what ask answers.
func (t *texts) get(key string, ask func() (*syntax.Source, error)) (*syntax.Source, error) {
	if t == nil {
		return ask()
	}
	if src := t.known[key]; src != nil || t.closed {
		return src, nil
	}
	src, err := ask()
	if err == nil && src != nil {
		if t.known == nil {
			t.known = map[string]*syntax.Source{}
		}
		t.known[key] = src
	}
	return src, err
}

func (l library) Library(name []string, at syntax.Span) (*syntax.Source, error) {
	canonical := "(" + strings.Join(name, " ") + ")"
	if text, ok := l.e.sources[canonical]; ok {
		return own(canonical, text), nil
	}
	if text, path, ok := stdlib.Source(name); ok {
		return own(stdlibPrefix+path, text), nil
	}
	l.outside()
	return l.read.get(canonical, func() (*syntax.Source, error) {
		if l.next == nil {
			return nil, nil
		}
		return l.next.Library(name, at)
	})
}

// Libraries lists what there is without asking outside, for hints.
func (l library) Libraries() []string {
	names := stdlib.Libraries()
	for name := range l.e.sources {
		names = append(names, name)
	}
	return names
}

func (l library) outside() {
	if l.used != nil {
		*l.used = true
	}
}

// own is text of the engine itself.
func own(name, text string) *syntax.Source {
	src := syntax.NewSource(name, text)
	src.Own = true
	return src
}

const stdlibPrefix = "stdlib/"

func (l library) Include(path string, from *syntax.Source, at syntax.Span) (*syntax.Source, error) {
	if from != nil && from.Own && strings.HasPrefix(from.Name, stdlibPrefix) {
		dir := from.Name[len(stdlibPrefix) : strings.LastIndexByte(from.Name, '/')+1]
		if text, ok := stdlib.File(dir + path); ok {
			return own(stdlibPrefix+dir+path, text), nil
		}
		return nil, fmt.Errorf("the standard library has no file %s", dir+path)
	}
	l.outside()
	near := ""
	if from != nil {
		near = from.Name
	}
	src, err := l.read.get(near+"\x00"+path, func() (*syntax.Source, error) {
		if l.next == nil {
			return nil, fmt.Errorf("include is not available here")
		}
		return l.next.Include(path, from, at)
	})
	if err == nil && src == nil {
		err = fmt.Errorf("include is not available in what a program evaluates")
	}
	return src, err
}

// Config of a Machine.
type Config struct {
	Memory uint64      // bytes of the arena, both spaces counted; 0: the machine's default
	Output prim.Output // nil: what is written is lost
	Loader Loader      // nil: nothing can be included or imported from outside
	// Strict says that Load is given whole programs: a name that is defined nowhere is an error before anything runs.
	Strict bool
	// Open says that more texts follow the first: what one defines the next ones see and may define again.
	Open bool
}

// Machine is one program. It belongs to one goroutine at a time; Interrupt may be called from any.
type Machine struct {
	vm      *vm.Machine
	config  Config
	engine  *Engine
	world   *expand.World   // nil: nothing was expanded here
	program *expand.Program // the top level
	history []past          // all that was to be expanded
	done    int             // how much of it world has seen
	outside bool            // its texts come not only from the engine
	texts   texts
	work    int             // of all expansions here
	cold    bool            // a copy, whose program is to be charged for expanding all again
	unknown map[int]unknown // what undefined answered
	eval    evaluator
}

// Step is what Run answers.
type Step struct {
	vm.Step
	Used int64 // fuel
}

// NewMachine makes a machine without a program.
func (e *Engine) NewMachine(c Config) (*Machine, error) {
	m := &Machine{config: c, engine: e}
	var err error
	m.vm, err = vm.New(m.inner())
	if err != nil {
		return nil, err
	}
	return m, nil
}

// inner is the configuration of the virtual machine.
func (m *Machine) inner() vm.Config {
	return vm.Config{Prims: m.engine.image.Prims, Image: m.engine.image.Machine, Memory: m.config.Memory,
		Output: m.config.Output, GlobalName: m.globalName, Undefined: m.undefined, Hold: m.config.Open}
}

// maxNesting is how deep a program's text may nest: deeper than the expander follows it.
const maxNesting = 20_000

// limits keep what reading and expanding a program takes within its memory, roughly.
func limits(memory uint64) expand.Limits {
	if memory == 0 {
		return expand.Limits{}
	}
	return expand.Limits{Nodes: int(min(max(memory/32, 500_000), 20_000_000))}
}

func (m *Machine) read(src *syntax.Source) ([]*syntax.Syntax, error) {
	o := syntax.ReaderOptions{MaxDepth: maxNesting}
	if m.config.Memory > 0 {
		o.MaxData = int(min(max(m.config.Memory/160, 100_000), 1<<30))
	}
	return syntax.ReadAllWith(src, o)
}

// Resume and Raise answer a host call: one answer, then Run, so that fibers go on in the order of the answers. An answer
// to a call that nobody awaits any more is dropped.
func (m *Machine) Resume(call uint64, value heap.Word)    { _ = m.vm.Resume(call, value) }
func (m *Machine) Raise(call uint64, condition heap.Word) { _ = m.vm.Raise(call, condition) }

// Fork copies the machine, which must be suspended, and gives the copy a program of its own: to call the first argument
// of a pending host call, a procedure of no arguments. What the two do from then on is apart.
func (m *Machine) Fork(call uint64, output prim.Output) (*Machine, error) {
	b, err := snapshot.Take(m.vm)
	if err != nil {
		return nil, err
	}
	f := &Machine{config: m.config, engine: m.engine, history: slices.Clone(m.history), outside: m.outside,
		texts: texts{maps.Clone(m.texts.known), true}, cold: true, eval: evaluator{size: m.eval.size, since: m.eval.since, asked: slices.Clone(m.eval.asked)}}
	f.config.Output = output
	copied, err := snapshot.Restore(f.inner(), f.units(), b)
	if err != nil {
		return nil, err
	}
	f.vm = copied
	for _, c := range copied.Pending() {
		if c.ID == call && heap.IsPair(c.Args) && copied.IsProcedure(copied.Car(c.Args)) {
			if err := copied.Apply(copied.Car(c.Args)); err != nil {
				f.Close()
				return nil, err
			}
			return f, nil
		}
	}
	f.Close()
	return nil, errors.New("a procedure of no arguments is wanted")
}

// Interrupt makes a running Run return soon.
func (m *Machine) Interrupt() { m.vm.Interrupt() }

// Close gives the machine's memory back.
func (m *Machine) Close() { m.vm.Close() }

// Arena is the machine's memory: for converting values, between Runs.
func (m *Machine) Arena() *heap.Arena { return &m.vm.Arena }

// Names lists the names that the program's top level sees.
func (m *Machine) Names() []string {
	m.warm()
	return m.program.Names()
}

// Frame is one line of a backtrace, Local a variable in it.
type (
	Frame = vm.Frame
	Local = vm.Local
)

// Backtrace is where a condition was raised, innermost first; for any other object, where the machine stopped.
func (m *Machine) Backtrace(condition heap.Word) []Frame { return m.vm.Backtrace(condition) }

// Look is Backtrace for a fiber that waits in a host call, with what its frames hold.
func (m *Machine) Look(call uint64, condition heap.Word) []Frame { return m.vm.Look(call, condition) }

// Begins is where the body of a compiled procedure begins in its source.
func (m *Machine) Begins(procedure heap.Word) (Frame, bool) { return m.vm.Begins(procedure) }

// Unwritten is what an output port of a file still holds.
type Unwritten struct {
	Path  string
	Bytes int
}

// Unwritten lists, oldest first, what the program's open files would still be written.
func (m *Machine) Unwritten() (all []Unwritten) {
	a := m.Arena()
	for l := m.vm.Library("%files"); heap.IsPair(l); l = a.Cdr(l) {
		if path, n, ok := builtins.Unsaved(a, a.Car(l)); ok {
			all = append(all, Unwritten{path, n})
		}
	}
	slices.Reverse(all)
	return all
}

// Text is a value as write prints it, whole unless it is longer than limit bytes.
func (m *Machine) Text(w heap.Word, limit int) string {
	return builtins.Text(&prim.Ctx{Arena: m.Arena(), ProcName: m.vm.ProcName}, w, limit)
}

// Write is a value for a message: what write prints, cut short.
func (m *Machine) Write(w heap.Word) string { return m.vm.Describe(w) }
