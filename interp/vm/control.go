package vm

import (
	"slices"
	"unsafe"

	"caper/interp/heap"
)

// Native is a procedure whose body is the machine's own: it may switch frames and fibers. Unlike a primitive it cannot
// be the object of a PRIM instruction.
type Native struct {
	Name     string
	Min, Max int // arguments; Max < 0: any number
	Args     string
	Doc      string
	sub      int
}

// Control lists the natives in the order of their sub-operations. They are bound in the library of primitives.
var Control = []Native{
	{"apply", 1, -1, "procedure argument … list", "Calls procedure with the arguments and the items of list.", subApply},
	{"values", 0, -1, "value …", "Returns all its arguments.", subValues},
	{"call-with-current-continuation", 1, 1, "procedure", "Calls procedure with the current continuation.", subCallCC},
	{"call/cc", 1, 1, "procedure", "Calls procedure with the current continuation.", subCallCC},
	{"%continuation-fiber", 1, 1, "continuation", "The fiber that it belongs to.", subContFiber},
	{"%continuation-winds", 1, 1, "continuation", "The winds where it was captured.", subContWinds},
	{"%continue", 2, 2, "continuation values", "Goes on there with a list of values, without regard to winds and fibers.", subContinue},
	{"%within", 2, 2, "continuation thunk", "Calls thunk there, without regard to winds and fibers.", subWithin},
	{"%set-throw!", 1, 1, "procedure", "Makes procedure what calls of a continuation go through when winds or fibers differ.", subSetThrow},
	{"%host", 1, -1, "name argument …", "Asks the host and waits for its answer.", subHost},
	{"%spawn", 1, -1, "procedure argument …", "Makes a fiber that will call procedure; answers the fiber.", subSpawn},
	{"%park", 0, 0, "", "Waits until another fiber wakes this one; answers what it is woken with.", subPark},
	{"%wake", 2, 2, "fiber value", "Wakes a parked fiber; answers whether it was parked.", subWake},
	{"%self", 0, 0, "", "The running fiber.", subSelf},
	{"%kill", 1, 1, "fibers", "Ends fibers and all that they spawned; their host calls are cancelled. Answers a list of their winds.", subKill},
	{"%fiber-done?", 1, 1, "fiber", "Whether the fiber has ended.", subFiberDone},
	{"%fiber-parent", 1, 1, "fiber", "The fiber that spawned it, or #f.", subFiberParent},
	{"%fiber-parked?", 1, 1, "fiber", "Whether the fiber waits in %park.", subFiberWaiting},
	{"%state", 1, 1, "k", "Cell k of the fiber's dynamic state: 0 winds, 1 handlers, 2 parameters, 3 spare.", subState},
	{"%set-state!", 2, 2, "k value", "Sets a cell of the fiber's dynamic state.", subSetState},
	{"%failed-call", 1, 1, "object", "The host call, a list, whose answer raised object in this fiber; () if none did.", subFailedCall},
	{"%holds?", 0, 0, "", "Whether the host is asked about what nothing catches.", subHolds},
	{"%deliver", 1, 1, "value", "Returns value to where the fault was that called the running procedure.", subDeliver},
	{"%die", 1, 1, "object", "Ends the program as raised.", subDie},
	{"%backtrace", 0, 0, "", "Return offsets of the frames, innermost first.", subBacktrace},
	{"%gc", 0, 0, "", "Collects garbage.", subCollect},
	{"%guard", 2, 2, "body handler", "Calls body with a guard among the handlers: handler gets what is raised, and the guard.", subGuard},
	{"%catch", 1, 1, "guard", "Makes its caller's frame the one that the guard's had: what was called within the guard is left.", subCatch},
	{"call-with-values", 2, 2, "producer consumer", "Calls consumer with the values of producer.", subSpread},
}

// enterNative runs a native whose frame at fp is in place. An argc of -1 says where the loop goes on; otherwise the
// procedure now in slot 0 is to be entered with that many arguments.
func (m *Machine) enterNative(fp up, sub, argc, fuel int) (up, up, int, int) {
	arg := *rg(fp, 16)
	var v heap.Word
	switch sub {
	case subApply:
		return m.apply(fp, argc, fuel)
	case subCallCC:
		fp = m.capture(fp, 3)
		*rg(fp, 0), *rg(fp, 16) = arg, m.reify()
		return fp, nil, fuel, 1
	case subContinue:
		args, ok := m.Slice(*rg(fp, 24), 1<<30)
		if !ok || !m.isReified(arg) {
			return m.nativeFault(fp, fuel, "type-error", "%continue: argument 1 must be a continuation, argument 2 a list", arg)
		}
		return notNext(m.goOn(arg, m.join(args), fuel))
	case subWithin:
		if !m.isReified(arg) {
			return m.nativeFault(fp, fuel, "type-error", "%within: argument 1 must be a continuation", arg)
		}
		thunk := *rg(fp, 24)
		m.adoptState(arg)
		fp = ca(m.mem, stackBase)
		*rg(fp, 0), *rg(fp, 8) = thunk, baseReturn
		return fp, nil, fuel, 0
	case subSetThrow:
		m.root[rootThrow] = arg
		v = heap.Unspecified
	case subContFiber, subContWinds:
		if !m.isReified(arg) {
			return m.nativeFault(fp, fuel, "type-error", "argument 1 must be a continuation", arg)
		}
		v = m.Field(arg, reifiedFiber)
		if sub == subContWinds {
			v = m.Field(arg, reifiedWinds)
		}
	case subHost:
		return m.hostCall(fp, argc, fuel)
	case subSpawn:
		if m.leaving() {
			return m.nativeFault(fp, fuel, "cancelled", "a branch that was ended begins no other", arg)
		}
		if m.depth(m.root[rootFiber]) >= maxFiberDepth {
			return m.nativeFault(fp, fuel, "range-error", "%spawn: fibers are nested too deeply", heap.Fixnum(maxFiberDepth))
		}
		call := heap.Null
		for i := argc; i > 0; i-- {
			call = m.Cons(*rg(fp, uint64(i+1)*8), call)
		}
		v = m.spawn(call)
	case subPark:
		m.capture(fp, 2)
		m.saveFiber(fiberParked, heap.Unspecified)
		return notNext(m.schedule(fuel))
	case subKill:
		winds, ok := m.kill(arg)
		if !ok {
			return m.nativeFault(fp, fuel, "type-error", "%kill: argument 1 must be a list of fibers", arg)
		}
		fuel -= m.paid()
		v = winds // the running fiber goes on until it waits, also where it is one of them
	case subDie:
		m.deathTrace = slices.Clone(m.trace(m.callerOf(fp), *rg(fp, 8)>>16))
		return notNext(m.die(arg, fuel))
	case subFailedCall:
		v = m.failedCall(arg)
	case subHolds:
		v = heap.Bool(m.cfg.Hold)
	case subDeliver:
		return notNext(m.deliver(fp, arg, fuel))
	case subCollect:
		if !m.collect(fp, nil) {
			return notNext(m.exhausted(m.callerOf(fp), ca(m.mem, *rg(fp, 8)>>16), fuel, "memory"))
		}
		v = heap.Unspecified
	case subCatch:
		return m.catch(fp, arg, fuel)
	case subValues:
		v = m.join(unsafe.Slice(rg(fp, 16), argc))
	case subBacktrace:
		v = m.traceVector(m.trace(m.callerOf(fp), *rg(fp, 8)>>16))
	case subState, subSetState:
		if !heap.IsFixnum(arg) || uint64(heap.FixnumValue(arg)) > rootSpare-rootWinds {
			return m.nativeFault(fp, fuel, "range-error", "%state: argument 1 must be from 0 to 3", arg)
		}
		cell := &m.root[rootWinds+heap.FixnumValue(arg)]
		v = *cell
		switch {
		case sub == subState:
		case cell == &m.root[rootSpare]:
			fuel = m.setSpare(*rg(fp, 24), fuel)
			v = heap.Unspecified
		default:
			*cell, v = *rg(fp, 24), heap.Unspecified
		}
	default:
		var ok bool
		if v, ok = m.fiberNative(sub, arg, *rg(fp, 24)); !ok {
			return m.nativeFault(fp, fuel, "type-error", "argument 1 must be a fiber", arg)
		}
	}
	return notNext(m.ret(fp, v, fuel))
}

// fiberNative runs the natives on fibers that simply return.
func (m *Machine) fiberNative(sub int, f, arg heap.Word) (v heap.Word, ok bool) {
	if sub == subSelf {
		return m.root[rootFiber], true
	}
	if !m.Is(f, heap.KindFiber) {
		return 0, false
	}
	status := m.Field(f, fiberStatus)
	switch sub {
	case subWake:
		return heap.Bool(m.wake(f, arg)), true
	case subFiberDone:
		return heap.Bool(status == fiberDone || !m.alive(f)), true
	case subFiberParent:
		return m.Field(f, fiberParent), true
	case subFiberWaiting:
		return heap.Bool(status == fiberParked && m.alive(f)), true
	}
	panic(heap.ErrCorrupt)
}

func notNext(fp, ip up, fuel int) (up, up, int, int) { return fp, ip, fuel, -1 }

func (m *Machine) nativeFault(fp up, fuel int, kind, message string, irritants ...heap.Word) (up, up, int, int) {
	return notNext(m.replaceByFault(fp, fuel, m.newCondition(kind, message, m.List(irritants...), heap.Null)))
}

// doEnter runs the sub-operations that lie inside stubs.
//
//go:noinline
//go:norace
func (m *Machine) doEnter(fp, ip up, fuel int, in uint64) (up, up, int) {
	switch in >> 8 & 0xff {
	case subUnderflow:
		fp, ip, fuel = m.underflow(*rg(fp, 16), fuel, backWords)
		m.uncounted++
		if fuel--; fuel < 0 && !m.stopped { // returns count too, or a cycle of frames would never be looked at
			return m.poll(fp, ip, fuel, in)
		}
		return fp, ip, fuel
	case subNextTop:
		l := *rg(fp, 16)
		if !heap.IsPair(l) {
			return m.endTops(fp, *rg(fp, 24), fuel)
		}
		*rg(fp, 32), *rg(fp, 16) = m.Car(l), m.Cdr(l)
		return fp, ip, fuel
	case subGuard:
		if m.HP+(guardSize+3)*8 > m.Limit || everySafepoint && m.everyOther() {
			return m.collectRetry(fp, ip, fuel, in)
		}
		*rg(fp, 16) = m.root[rootHandlers]
		m.root[rootHandlers] = m.Cons(m.newGuard(fp, *rg(fp, 24)), m.root[rootHandlers])
		return fp, ip, fuel
	case subUnguard:
		m.root[rootHandlers] = *rg(fp, 16)
		return fp, ip, fuel
	case subSpread:
		v := *rg(fp, 32)
		args := []heap.Word{v}
		if m.Is(v, heap.KindValues) {
			args = m.Fields(v)
		}
		*rg(fp, 0) = *rg(fp, 24)
		fp, ip, fuel, argc := m.spread(fp, args, fuel)
		if argc >= 0 {
			return m.enter(fp, argc, fuel)
		}
		return fp, ip, fuel
	}
	return m.badInstruction(fp, ip, fuel, in)
}

// mostSpread is how many arguments may lie in a frame; more go to where they are wanted without passing through one.
const mostSpread = 2000

// apply is the native: its arguments are a procedure, arguments, and a list of more. They move down by one and the list's
// items follow.
func (m *Machine) apply(fp up, argc, fuel int) (up, up, int, int) {
	f := *rg(fp, 16)
	if argc == 1 {
		*rg(fp, 0) = f
		return fp, nil, fuel, 0
	}
	given := argc - 2
	list := *rg(fp, uint64(argc+1)*8)
	n, ok := m.ListLen(list)
	if !ok {
		return m.nativeFault(fp, fuel, "type-error", "apply: the last argument must be a list", list)
	}
	fuel -= n
	if given+n > mostSpread {
		if !m.ctx.Room(uint64(given+n)*16) || !m.Lend(uint64(given+n)*8) { // what a rest argument takes, and these words
			return m.nativeFault(fp, fuel, "memory-error", "apply: the arguments do not fit the memory limit")
		}
		args := append(make([]heap.Word, 0, given+n), unsafe.Slice(rg(fp, 24), given)...)
		for ; heap.IsPair(list); list = m.Cdr(list) {
			args = append(args, m.Car(list))
		}
		*rg(fp, 0) = f
		return m.spread(fp, args, fuel)
	}
	m.widen(uint64(given+n) + 2)
	at := up(rg(fp, 16))
	for ; given > 0; given-- {
		*(*uint64)(at) = *(*uint64)(unsafe.Add(at, 8))
		at = unsafe.Add(at, 8)
	}
	for ; heap.IsPair(list); list = m.Cdr(list) {
		*(*uint64)(at) = m.Car(list)
		at = unsafe.Add(at, 8)
	}
	*rg(fp, 0) = f
	return fp, nil, fuel, argc - 2 + n
}

// spread readies the procedure in slot 0 for being entered with args, or enters it where they are too many for a frame.
func (m *Machine) spread(fp up, args []heap.Word, fuel int) (up, up, int, int) {
	if len(args) <= mostSpread {
		m.widen(uint64(len(args)) + 2)
		copy(unsafe.Slice(rg(fp, 16), len(args)), args)
		return fp, nil, fuel, len(args)
	}
	f := *rg(fp, 0)
	if !m.accepts(f, len(args)) {
		return notNext(m.replaceByFault(fp, fuel, m.cannotCall(f, -1, args[:mostSpread])))
	}
	if m.Is(f, heap.KindCont) {
		return notNext(m.throw(fp, f, args, fuel))
	}
	if m.closureInfo(f).Case() {
		f = m.clause(f, len(args))
	}
	if in := m.nativeOp(f); in != 0 {
		switch int(in >> 8 & 0xff) {
		case subPrim:
			return notNext(m.applyPrim(fp, m.primitive(in), args, fuel))
		case subValues:
			return notNext(m.ret(fp, m.join(args), fuel))
		}
		return m.nativeFault(fp, fuel, "range-error", "apply: too many arguments", heap.Fixnum(int64(len(args))))
	}
	info := m.closureInfo(f)
	n := info.Required()
	copy(unsafe.Slice(rg(fp, 16), n), args[:n])
	*rg(fp, 0) = f
	*rg(fp, uint64(n+2)*8) = m.List(args[n:]...)
	return fp, ca(m.mem, *ld(m.mem, f, 8-heap.TagClosure)), fuel, -1
}

// widen makes the part of the stack that frames may touch large enough for a frame of n words.
func (m *Machine) widen(n uint64) { m.maxRegs = max(m.maxRegs, n) }
