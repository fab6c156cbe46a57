// Package code is the machine language: THE instruction table, compiled units, their verifier and disassembler.
// It knows words (heap) and nothing of syntax, compilation or execution. The compiler, the machine, the image and the
// snapshots import it.
package code

// An instruction is one 64-bit word:
//
//	bits 0–7 op   8–15 X   16–31 A   32–47 B   48–63 C        (32–63 together: D)
//
// Register operands are byte offsets from the frame pointer, a multiple of 8. In the pictures below r[A] is the word at
// fp+A. A frame is
//
//	slot 0  the running closure; the result lands here on return, in the caller's window register
//	slot 1  return word: return offset<<16 | window offset A of the call, both multiples of 8, so a fixnum
//	slot 2… arguments, then locals and temporaries
//
// A call builds the callee's frame in place: the caller's register A becomes the callee's slot 0. Everything in a frame
// is relative, so frames are copied freely. Before each entry point lies one info word (see Info).
//
// A jump's distance is counted in words from the following instruction: signed 16 bits in C, or signed 32 bits in D
// for the forms that say so. Only the polled forms may jump backwards; each counts fuel.
type Op uint8

// Notes in X tell messages what the program said where one instruction serves several of its forms; execution does not
// look at them.
const (
	NoteSwapped = 1 // of a comparison of numbers, ADD and MUL: the operands were written in the other order, with the mirrored operator
	NoteRight   = 1 // of ADDI: (+ constant x)
	NoteMinus   = 2 // of ADDI: (- x constant)
)

// Chains in X, from bit 4, of ADD, SUB, MUL, DIV, SQRT and ADDI say that nothing but the next instruction reads the result
// r[A], and what it does with it. A flonum then goes there without becoming a word; r[A] is left as it is.
const (
	ChainNone   = iota
	ChainAdd    // the next instruction is ADD, its B the result; and so on
	ChainSub    // SUB
	ChainMul    // MUL
	ChainDiv    // DIV
	ChainToSub  // SUB, its C the result
	ChainToDiv  // DIV, its C the result
	ChainTest   // one of JLT … JNEQ, its A the result
	ChainToTest // one of them, its B the result

	ShiftChain = 12
)

// Chain says how the result of an instruction in register t goes to the next one with the operands x and y, in the order
// of its fields; swap asks for these to change places. ChainNone: it cannot.
func Chain(next Op, t, x, y int) (chain int, swap bool) {
	if x == y || t != x && t != y {
		return ChainNone, false
	}
	to := t == y
	switch {
	case next == ADD:
		return ChainAdd, to
	case next == MUL:
		return ChainMul, to
	case next == SUB && to:
		return ChainToSub, false
	case next == SUB:
		return ChainSub, false
	case next == DIV && to:
		return ChainToDiv, false
	case next == DIV:
		return ChainDiv, false
	case next >= JLT && next <= JNEQ && to:
		return ChainToTest, false
	case next >= JLT && next <= JNEQ:
		return ChainTest, false
	}
	return ChainNone, false
}

// Chained is the chain that an instruction word begins.
func Chained(w uint64) int {
	if BeginsChain(First(Op(uint8(w)))) {
		return int(w >> ShiftChain & 0xf)
	}
	return ChainNone
}

// BeginsChain reports whether op has a chain in its X.
func BeginsChain(op Op) bool { return op == ADDI || op == SQRT || Arith(op) }

// pairs are the instructions for the beginnings of chains that occur most.
var pairs = [...]struct {
	first Op
	chain int
}{{MUL, ChainAdd}, {MUL, ChainSub}, {MUL, ChainToSub}, {MUL, ChainMul}, {ADD, ChainAdd}, {ADD, ChainMul}, {SUB, ChainAdd}, {SUB, ChainMul}}

// Paired is the instruction for op as the beginning of chain, and First undoes it.
func Paired(op Op, chain int) Op {
	for i, p := range pairs {
		if p.first == op && p.chain == chain {
			return MULADD + Op(i)
		}
	}
	return op
}

func First(op Op) Op {
	switch {
	case op < MULADD || op > SUBMUL:
		return op
	case op <= MULMUL:
		return MUL
	case op <= ADDMUL:
		return ADD
	}
	return SUB
}

// Arith reports whether op is arithmetic on r[B] and r[C] that a chain may pass through.
func Arith(op Op) bool { return op >= ADD && op <= MUL || op == DIV }

// Fields of an instruction word.
const (
	ShiftX, ShiftA, ShiftB, ShiftC, ShiftD = 8, 16, 32, 48, 32
)

const (
	HALT Op = iota // never reached; ends every procedure

	MOVE  // r[A] = r[B]
	LOADW // r[A] = the word D, zero-extended: a static reference or an immediate
	LOADI // r[A] = the signed D as a fixnum
	LOADM // r[A] = the word at static offset D: a flonum or other 64-bit constant

	GREF  // r[A] = the global word at offset D, known to be bound
	GREFC // the same; a fault when it is unbound
	GSET  // the global at offset D = r[A]; a fault when it is unbound
	GDEF  // the global at offset D = r[A]

	FREE       // r[A] = word at offset B of the running closure (16 + 8·i: free variable i)
	FREEBOX    // r[A] = contents of the box there; a fault when Unbound
	FREEBOXSET // contents of the box at closure offset B = r[A]; X≠0: a fault when it is still Unbound
	MKBOX      // r[A] = new box holding r[B]
	BOXREF     // r[A] = contents of box r[B]; a fault when Unbound
	BOXSET     // contents of box r[A] = r[B]; X≠0: a fault when it is still Unbound
	CLOSURE    // r[A] = new closure with entry D; X capture words (CAPTURE) follow and are skipped
	CAPTURE    // up to three captures in A, B, C: a register, or, when bit 0, 1, 2 of X is set, a closure offset; 0xffff = none
	PATCH      // closure r[A], word at offset C = r[B] (ties the knots of mutually recursive procedures)
	MKCASE     // r[A] = new case-lambda of the X closures r[B], r[B+8], …

	ADD  // r[A] = r[B] + r[C]
	SUB  // r[A] = r[B] - r[C]
	MUL  // r[A] = r[B] * r[C]
	ADDI // r[A] = r[B] + signed C
	QUO  // r[A] = quotient
	REM  // r[A] = remainder
	MOD  // r[A] = modulo

	JMP  // jump D
	LOOP // jump D, polled
	JF   // jump D when r[A] is #f
	JT   // jump D when r[A] is not #f
	// Conditional jumps by type of r[A], D.
	JNULL
	JNNULL
	JPAIR
	JNPAIR
	// Conditional jumps on r[A], r[B], distance C. The N forms jump when the relation does NOT hold (NaN makes them differ).
	JLT
	JNLT
	JLE
	JNLE
	JEQ
	JNEQ
	JEQP // the same word (eq?)
	JNEQP
	// Conditional jumps on r[A] and the signed immediate B, distance C.
	JLTI
	JNLTI
	JLEI
	JNLEI
	JGTI
	JNGTI
	JGEI
	JNGEI
	JEQI
	JNEQI

	CAR    // r[A] = car r[B]
	CDR    // r[A] = cdr r[B]
	CONS   // r[A] = cons r[B] r[C]
	SETCAR // set-car! r[A] r[B]
	SETCDR // set-cdr! r[A] r[B]
	VREF   // r[A] = vector-ref r[B] r[C]
	VSET   // vector-set! r[A] r[B] r[C]
	VLEN   // r[A] = vector-length r[B]
	NOT    // r[A] = not r[B]
	EQP    // r[A] = eq? r[B] r[C]
	SREF   // r[A] = string-ref r[B] r[C]
	RREF   // r[A] = field C (a literal index from 1) of record r[B], whose type must be r[X·8]: see RTEST
	RSET   // field C of record r[A], of type r[X·8], = r[B]
	RTEST  // r[A] = is r[B] a record of type r[C]

	PRIM   // r[A] = primitive number C applied to the X words r[B], r[B+8], …
	CALL   // call the procedure r[A] with B arguments in r[A+16]…; the result lands in r[A]
	TCALL  // the same as a tail call: the frame is replaced
	CALLG  // call the procedure in global slot C with B arguments in r[A+16]…; the result lands in r[A]
	TCALLG // the same as a tail call; X 1: of apply, whose list nobody else has, so that it may become a rest argument
	RET    // return r[A]
	RETI   // return the signed D as a fixnum

	ENTER // first instruction of a procedure that is entered through a body of the machine's own: sub-operation X (see the machine)

	// Fused forms: what the compiler emits where their parts meet.
	CALLGADDI // r[A+16] = r[B] + signed X, then CALLG A 1 C
	ADDRET    // return r[B] + r[C]
	ADDIRET   // return r[B] + signed C

	SLEN // r[A] = string-length r[B]
	CINT // r[A] = char->integer r[B]
	INTC // r[A] = integer->char r[B]
	// Conditional jumps on the characters r[A], r[B], distance C, in pairs like those above; they have no polled forms.
	JCLT
	JCNLT
	JCGT
	JCNGT
	JCLE
	JCNLE
	JCGE
	JCNGE
	JCEQ
	JCNEQ
	// Conditional jumps by parity of r[A], D; they have no polled forms.
	JODD
	JNODD
	JEVEN
	JNEVEN
	// Conditional jumps by type of r[A], D; they have no polled forms.
	JSYM
	JNSYM
	JSTR
	JNSTR
	JVEC
	JNVEC
	JCHAR
	JNCHAR
	// Conditional jumps when r[A] is a record of type r[B], distance C; they have no polled forms.
	JREC
	JNREC

	// Pairs: the first instruction of a chain, named with the next one's operator.
	MULADD
	MULSUB
	MULTOSUB
	MULMUL
	ADDADD
	ADDMUL
	SUBADD
	SUBMUL
	DIV  // r[A] = r[B] / r[C]
	SQRT // r[A] = sqrt r[B]
	REAL // r[A] = the function X (see RealFunctions) of r[B]

	BREF // r[A] = bytevector-u8-ref r[B] r[C]
	BSET // bytevector-u8-set! r[A] r[B] r[C]

	// Hash tables; X is the name by which the program called them: see TableNames.
	TREF // r[A] = the value in table r[B] at key r[C]; unchanged if there is none
	TSET // puts into table r[A] at key r[B] the value r[C]

	STATE    // r[A] = cell D of the fiber's dynamic state
	SETSTATE // that cell = r[A]; not 3

	// ADDI of a loop's counter r[A], together with the polled jump that follows and compares it: a jump of that name, with the
	// counter at the place of r[A], or of r[B] for ADDNLT. Where the fast way of either does not do, both are executed in turn.
	ADDLT   // before LJLT
	ADDLTI  // before LJLTI
	ADDNEQ  // before LJNEQ
	ADDNEQI // before LJNEQI
	ADDNLT  // before LJNLT, whose r[B] is the counter

	// Calls of procedures that the compiler knows: nothing is left to look at. The closure of one that captures nothing is
	// the word before its info word.
	CALLK     // call the procedure that begins D words on with X arguments in r[A+16]…; the result lands in r[A]
	TCALLK    // the same as a tail call, with the arguments in r[16]… already
	CALLKADDI // r[A+16] = r[B] + signed X, then CALLK A with one argument, C words on
	CALLC     // CALLK of the closure in r[A]
	TCALLC    // TCALLK of the closure in r[A]

	CALLW // call the procedure D, a word, with X arguments in r[A+16]…; the result lands in r[A]. The loader makes it of a CALLG
	CONT  // r[A] = the continuation of the running procedure's call
	CADR  // r[A] = car of cdr r[B]
	CDDR  // r[A] = cdr of cdr r[B]
	MOVE2 // r[A] = r[B], then r[X·8] = r[C]
	RETW  // return the immediate D

	// Polled forms of JMP's conditional relatives, in the order JF … JNEQI: for the back edges of inverted loops.
	POLLED
	OpEnd = POLLED + (JNEQI - JF + 1)
)

// Counting answers the form of ADDI that goes before polled jump op, and which of the jump's operands is the counter; ok is
// false when there is none.
func Counting(op Op) (add Op, shift int, ok bool) {
	switch op {
	case Polled(JLT):
		return ADDLT, ShiftA, true
	case Polled(JLTI):
		return ADDLTI, ShiftA, true
	case Polled(JNEQ):
		return ADDNEQ, ShiftA, true
	case Polled(JNEQI):
		return ADDNEQI, ShiftA, true
	case Polled(JNLT):
		return ADDNLT, ShiftB, true
	}
	return 0, 0, false
}

// TableNames are the primitives for which TREF and TSET stand.
var TableNames = [...]string{
	"%table-ref", "%hash-ref", "hash-table-ref/default", "hash-table/get", "hashq-ref/default",
	"hash-table-set!", "hash-set!", "hash-table/put!", "hashq-set!", "hashv-set!", "hash-table-put!",
}

// Loops reports whether op looks up where it jumps.
func Loops(op Op) bool {
	return op == LOOP || op >= ADDLT && op <= ADDNLT || op >= POLLED && op < OpEnd
}

// Pollable reports whether a conditional jump has a polled form.
func Pollable(op Op) bool { return op >= JF && op <= JNEQI }

// Polled answers the polled form of a conditional jump, and Plain undoes it.
func Polled(op Op) Op { return POLLED + (op - JF) }
func Plain(op Op) Op {
	if op >= POLLED {
		return op - POLLED + JF
	}
	return op
}

// RealFunctions are the functions that REAL knows.
var RealFunctions = [...]string{"sin", "cos", "tan", "exp", "floor", "ceiling", "truncate", "round", "abs",
	"inexact", "exact->inexact", "exact", "inexact->exact"}

// Format says which fields an instruction uses and how: what the verifier, the disassembler and the linker know of it.
type Format uint8

const (
	FNone    Format = iota
	FA              // A
	FAB             // A B
	FABC            // A B C registers
	FABI            // A B and signed C
	FAD             // A and D
	FD              // D
	FAJ             // A, distance D
	FJ              // distance D
	FABJ            // A B, distance C
	FAIJ            // A, signed B, distance C
	FAN             // A and count B
	FANG            // A, count B, global slot C
	FABX            // A B and X
	FClosure        // A, entry D, X
	FCapture        // X, three captures
	FPrim           // A, B, count X, primitive C
	FField          // A B, register X, literal C
	FX              // X
	FABXG           // A B, signed X, global slot C
	FFree           // A, closure offset B, X
	FPatch          // A B, closure offset C
	FGlobal         // A, global offset D
	FStatic         // A, static reference or immediate D
	FCallK          // A, count X, D words to a procedure
	FABXK           // A B, signed X, C words to a procedure
	FMoves          // A B, register X, C
)

// Row describes one instruction.
type Row struct {
	Name   string
	Format Format
}

// Table is the instruction table, by Op.
var Table = buildTable()

func buildTable() [OpEnd]Row {
	t := [OpEnd]Row{
		HALT: {"halt", FNone}, MOVE: {"move", FAB}, LOADW: {"loadw", FStatic}, LOADI: {"loadi", FAD}, LOADM: {"loadm", FAD},
		GREF: {"gref", FGlobal}, GREFC: {"grefc", FGlobal}, GSET: {"gset", FGlobal}, GDEF: {"gdef", FGlobal},
		FREE: {"free", FFree}, FREEBOX: {"freebox", FFree}, FREEBOXSET: {"freeboxset", FFree},
		MKBOX: {"mkbox", FAB}, BOXREF: {"boxref", FAB}, BOXSET: {"boxset", FABX},
		CLOSURE: {"closure", FClosure}, CAPTURE: {"capture", FCapture}, PATCH: {"patch", FPatch}, MKCASE: {"mkcase", FABX},
		ADD: {"add", FABC}, SUB: {"sub", FABC}, MUL: {"mul", FABC}, ADDI: {"addi", FABI}, QUO: {"quo", FABC}, REM: {"rem", FABC}, MOD: {"mod", FABC},
		JMP: {"jmp", FJ}, LOOP: {"loop", FJ}, JF: {"jf", FAJ}, JT: {"jt", FAJ}, JNULL: {"jnull", FAJ}, JNNULL: {"jnnull", FAJ}, JPAIR: {"jpair", FAJ}, JNPAIR: {"jnpair", FAJ},
		JLT: {"jlt", FABJ}, JNLT: {"jnlt", FABJ}, JLE: {"jle", FABJ}, JNLE: {"jnle", FABJ}, JEQ: {"jeq", FABJ}, JNEQ: {"jneq", FABJ}, JEQP: {"jeqp", FABJ}, JNEQP: {"jneqp", FABJ},
		JLTI: {"jlti", FAIJ}, JNLTI: {"jnlti", FAIJ}, JLEI: {"jlei", FAIJ}, JNLEI: {"jnlei", FAIJ}, JGTI: {"jgti", FAIJ}, JNGTI: {"jngti", FAIJ}, JGEI: {"jgei", FAIJ}, JNGEI: {"jngei", FAIJ}, JEQI: {"jeqi", FAIJ}, JNEQI: {"jneqi", FAIJ},
		CAR: {"car", FAB}, CDR: {"cdr", FAB}, CONS: {"cons", FABC}, SETCAR: {"setcar", FAB}, SETCDR: {"setcdr", FAB},
		VREF: {"vref", FABC}, VSET: {"vset", FABC}, VLEN: {"vlen", FAB}, NOT: {"not", FAB}, EQP: {"eqp", FABC}, SREF: {"sref", FABC},
		RREF: {"rref", FField}, RSET: {"rset", FField}, RTEST: {"rtest", FABC},
		PRIM: {"prim", FPrim}, CALL: {"call", FAN}, TCALL: {"tcall", FAN}, CALLG: {"callg", FANG}, TCALLG: {"tcallg", FANG}, RET: {"ret", FA}, RETI: {"reti", FD},
		SLEN: {"slen", FAB}, CINT: {"cint", FAB}, INTC: {"intc", FAB},
		JCLT: {"jclt", FABJ}, JCNLT: {"jcnlt", FABJ}, JCGT: {"jcgt", FABJ}, JCNGT: {"jcngt", FABJ}, JCLE: {"jcle", FABJ}, JCNLE: {"jcnle", FABJ},
		JCGE: {"jcge", FABJ}, JCNGE: {"jcnge", FABJ}, JCEQ: {"jceq", FABJ}, JCNEQ: {"jcneq", FABJ},
		ADDLT: {"addlt", FABI}, ADDLTI: {"addlti", FABI}, ADDNEQ: {"addneq", FABI}, ADDNEQI: {"addneqi", FABI}, ADDNLT: {"addnlt", FABI},
		TREF: {"tref", FABC}, TSET: {"tset", FABC}, STATE: {"state", FAD}, SETSTATE: {"setstate", FAD},
		DIV: {"div", FABC}, SQRT: {"sqrt", FAB}, REAL: {"real", FABX}, BREF: {"bref", FABC}, BSET: {"bset", FABC}, JODD: {"jodd", FAJ}, JNODD: {"jnodd", FAJ}, JEVEN: {"jeven", FAJ}, JNEVEN: {"jneven", FAJ},
		MULADD: {"muladd", FABC}, MULSUB: {"mulsub", FABC}, MULTOSUB: {"multosub", FABC}, MULMUL: {"mulmul", FABC},
		ADDADD: {"addadd", FABC}, ADDMUL: {"addmul", FABC}, SUBADD: {"subadd", FABC}, SUBMUL: {"submul", FABC},
		CALLK: {"callk", FCallK}, TCALLK: {"tcallk", FCallK}, CALLKADDI: {"callkaddi", FABXK}, CALLC: {"callc", FCallK}, TCALLC: {"tcallc", FCallK},
		MOVE2: {"move2", FMoves}, RETW: {"retw", FStatic}, CALLW: {"callw", FX}, CADR: {"cadr", FAB}, CDDR: {"cddr", FAB},
		JSYM: {"jsym", FAJ}, JNSYM: {"jnsym", FAJ}, JSTR: {"jstr", FAJ}, JNSTR: {"jnstr", FAJ}, JVEC: {"jvec", FAJ}, JNVEC: {"jnvec", FAJ}, JCHAR: {"jchar", FAJ}, JNCHAR: {"jnchar", FAJ}, CONT: {"cont", FA}, JREC: {"jrec", FABJ}, JNREC: {"jnrec", FABJ},
		ENTER: {"enter", FX}, CALLGADDI: {"callgaddi", FABXG}, ADDRET: {"addret", FABC}, ADDIRET: {"addiret", FABI},
	}
	for op := JF; op <= JNEQI; op++ {
		t[Polled(op)] = Row{"l" + t[op].Name, t[op].Format}
	}
	return t
}

// VariadicArity in a closure's entry word makes every call take the slow path, which reads Info.
const VariadicArity = 0xffff

// Info is the word before an entry point.
//
//	bits 0–15 registers in a frame   16–31 required arguments   32–47 captured variables   48 rest argument   49 case-lambda
type Info uint64

func NewInfo(regs, required, captures int, rest, isCase bool) Info {
	i := Info(regs) | Info(required)<<16 | Info(captures)<<32
	if rest {
		i |= 1 << 48
	}
	if isCase {
		i |= 1 << 49
	}
	return i
}
func (i Info) Regs() int     { return int(i & 0xffff) }
func (i Info) Required() int { return int(i >> 16 & 0xffff) }
func (i Info) Captures() int { return int(i >> 32 & 0xffff) }
func (i Info) Rest() bool    { return i>>48&1 != 0 }
func (i Info) Case() bool    { return i>>49&1 != 0 }

// Entry is a closure's second word.
func Entry(offset uint64, info Info) uint64 {
	n := uint64(info.Required())
	if info.Rest() || info.Case() {
		n = VariadicArity
	}
	return offset | n<<48
}
