package vm

import (
	"errors"
	"sync/atomic"

	"caper/interp/code"
	"caper/interp/heap"
	"caper/interp/prim"
)

// Config says what a machine is made of.
type Config struct {
	Prims  *prim.Table
	Image  *Image // nil: the machine builds an image
	Memory uint64 // limit of the arena in bytes, both spaces counted; 0: DefaultMemory
	Output prim.Output
	// Verified says that all units come straight from the compiler, as those of the library do: they are not verified again.
	Verified bool
	// GlobalName names a global slot for messages, where the image does not.
	GlobalName func(slot int) string
	// Undefined names a global slot that no text defines, "" for others, with hints about the name.
	Undefined func(slot int) (name string, hints []string)
	// Hold says that the host is asked, by the call %uncaught, what to do about a condition that nothing catches.
	Hold bool
}

// DefaultMemory is the limit of a machine that states none.
const DefaultMemory = 256 << 20

// Words that the machine itself holds; all are roots of the collector.
const (
	rootLink  = iota // the continuation below the stack's base frame, #f at the bottom
	rootFiber        // the fiber that runs
	rootMain         // the fiber whose end is the end of the machine
	rootWinds        // dynamic state of the running fiber: winds, handlers, parameters, spare
	rootHandlers
	rootParameters
	rootSpare
	rootResult // value of the last step
	rootFailed // the condition that a host call was answered with last, the fiber and the call
	rootThrow  // what calls of continuations go through when winds or fibers differ
	rootCount
)

// Machine is one running program. It belongs to one goroutine at a time; only Interrupt may be called from another.
type Machine struct {
	heap.Arena
	mem   up      // cage offset 0
	limit uintptr // a frame that begins above this takes the slow path

	root     [rootCount]heap.Word
	ctx      prim.Ctx
	parked   *parked
	prepared *prepared // what the beginning of the static area holds, nil: unknown
	image    *Image
	cfg      Config

	units        []*placed      // the machine's own, in the order of their bases
	holes        []hole         // where some were that have been given back
	apart        bool           // LoadApart was used
	names        map[int]string // of a builder: what global slots are called
	privates     int            // private globals in use
	imageGlobals int            // of a builder: image globals in use
	maxRegs      uint64         // the largest frame of the loaded units
	stackTier    uint64         // bytes of the stack in use before it spills into the arena
	spilled      spilled
	handler      int // global slot of the procedure that faults call, -1 if none
	ending       int // global slot of the procedure that ends a program, -1 if none
	interrupted  atomic.Bool
	fuel         int64 // left of this Run's budget, without the slice that the loop counts down
	slice        int   // size of that slice
	spent        int64 // fuel used since the machine was made
	swept        int64 // what the collector is to be paid
	uncounted    int64 // what accounts are not charged with, of what is to be settled
	step         Step  // what the loop stopped for
	stopped      bool
	ended        bool
	primFP       up // the frame and instruction of the running primitive, for the report when it panics
	primIP       up
	tablePrims   [len(code.TableNames)]*prim.Prim // what TREF and TSET fall back on, once it was needed
	args         [3]heap.Word                     // its arguments
	liveness     *liveness                        // what the collector learned of procedures, nil: nothing yet
	panicked     any                              // what a primitive panicked with
	tainted      bool                             // the arena may be damaged
	ready        []heap.Word                      // fibers that can run, in order
	readyHead    int
	pending      []heap.Word    // fibers parked on host calls
	pendingIndex map[uint64]int // call to its index in pending
	fresh        []uint64       // calls made since the last step
	cancelled    []uint64       // calls whose fibers were killed since the last step
	nextCall     uint64
	deathTrace   []uint64
	traced       [traceDepth]uint64 // room for one trace
	turn         bool               //lint:ignore U1000 of everyOther in the build with caperdebug
}

// Kind says how a step ended.
type Kind uint8

const (
	Done      Kind = iota // the program ended with Value
	Raised                // the program ended with the uncaught condition (or other object) Value
	Suspended             // every fiber waits for the host
	Exhausted             // Which budget is spent; after "fuel" and "interrupt" the machine can run on
)

func (k Kind) String() string { return [...]string{"done", "raised", "suspended", "exhausted"}[k] }

// Step is what Run answers. Words in it are valid until the machine runs again.
type Step struct {
	Kind      Kind
	Value     heap.Word
	Calls     []Call   // host calls made since the last step, in order
	Cancelled []uint64 // calls among all made so far whose answer nobody awaits any more
	Which     string   // of Exhausted: fuel, interrupt, memory, output
}

// Call is a request to the host.
type Call struct {
	ID      uint64
	Fiber   string // "0", or the name of the fiber that spawned it, a point, and its number among those
	Ordinal int    // how many host calls this fiber made before, from 0
	Name    string
	Args    heap.Word // list
}

// ErrEnded says that a machine whose program has ended was asked for more.
var ErrEnded = errors.New("the program has ended")

// ErrNoCall says that an answer came for a call that is not waiting.
var ErrNoCall = errors.New("no such call is waiting")

// New makes a machine. Close it, or Park it for long waits: it holds one of about ten thousand address ranges.
func New(cfg Config) (*Machine, error) {
	m := &Machine{cfg: cfg, image: cfg.Image, handler: -1, ending: -1}
	if m.cfg.Memory == 0 {
		m.cfg.Memory = DefaultMemory
	}
	m.root[rootThrow] = heap.False
	cage, err := m.takeCage()
	if err != nil {
		return nil, err
	}
	if m.image == nil {
		m.InitBuilder(cage)
	} else {
		m.Init(cage, m.cfg.Memory, m.image.symbols)
	}
	m.setUp()
	if m.image == nil {
		m.bootStubs()
	} else {
		m.adoptImage()
	}
	return m, nil
}

func (m *Machine) takeCage() (*heap.Cage, error) {
	if m.image == nil {
		return heap.NewCage(nil)
	}
	return m.image.take()
}

// setUp initialises what does not survive a change of cages.
func (m *Machine) setUp() {
	m.mem = m.Cage().Base()
	m.ctx = prim.Ctx{Arena: &m.Arena, Out: m.cfg.Output, Cache: map[string]any{}, ProcName: m.ProcName}
	m.Live = m.liveAt
	m.stackTier = firstTier
	m.setLimit()
	m.clearRoots()
	*rg(m.mem, stackBase) = heap.False
	*rg(m.mem, stackBase+8) = baseReturn
}

// ProcName is the name that a procedure was defined with, or "".
func (m *Machine) ProcName(w heap.Word) string {
	name, _ := m.signature(w)
	return name
}

// Close gives the machine's memory back. The machine must not be used afterwards.
func (m *Machine) Close() {
	m.parked = nil
	if m.mem == nil {
		m.ended = true
		return
	}
	cage := m.Release(m.privates, m.stackEnd()-heap.StackLo)
	m.mem, m.ended = nil, true
	if m.image == nil || m.tainted {
		cage.Free() // nothing can be done about an address range that stays reserved
		return
	}
	m.image.put(cage)
}

// Interrupt makes Run return soon with Exhausted "interrupt". It may be called from any goroutine.
func (m *Machine) Interrupt() { m.interrupted.Store(true) }

// Interrupted reports whether Interrupt was called since the last step, and forgets it.
func (m *Machine) Interrupted() bool { return m.interrupted.Swap(false) }

// Spent is the fuel used so far.
func (m *Machine) Spent() int64 { return m.spent }

// Ctx is what primitives work with; hosts use it to build and read values.
func (m *Machine) Ctx() *prim.Ctx { return &m.ctx }

// Ended reports whether the program has ended, in whatever way.
func (m *Machine) Ended() bool { return m.ended }
