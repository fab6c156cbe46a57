package compile

import (
	"strings"

	"caper/interp/code"
	"caper/interp/expand"
	"caper/interp/heap"
	"caper/interp/syntax"
)

// primKind says how a primitive becomes instructions.
type primKind uint8

const (
	primCall   primKind = iota // PRIM
	primUnary                  // r[A] = op r[B]
	primBinary                 // r[A] = op r[B] r[C]
	primStore2                 // op r[A] r[B]
	primStore3                 // op r[A] r[B] r[C]
	primNot                    // not
	primType                   // a test with a conditional jump on one register: op is the jump
	primOrder                  // a comparison of numbers: op is JLT, JLE, JEQ, JGTI or JGEI
	primEq                     // eq?
	primParity                 // odd? and even?: op is the jump
	primChar                   // a comparison of two characters: op is the jump
	primPath                   // c[ad]+r
	primFold                   // n-ary + and *
	primMinus
	primDivide
	primStep   // add the constant num
	primSign   // compare with zero
	primList   // list
	primEqual  // eqv? and equal?: eq? when one side is a constant
	primValues // one value is itself
	primField  // %record-ref and %record-set!
	primRecord // %record?
	primTable  // r[A] = op r[B] r[C] where r[A] is the third argument
	primProc   // procedure?, of what is plainly one or none
	primState  // %state and %set-state! of the cell num
	primIs     // eq? to the immediate num
	primCont   // what call/cc passes on: see own.go
)

type primRow struct {
	kind primKind
	op   code.Op
	num  int
	path string
}

// primRows are the primitives that the machine has instructions for.
var primRows = primitiveRows()

func primitiveRows() map[string]primRow {
	rows := map[string]primRow{
		"car": {kind: primUnary, op: code.CAR}, "cdr": {kind: primUnary, op: code.CDR}, "vector-length": {kind: primUnary, op: code.VLEN},
		"cons": {kind: primBinary, op: code.CONS}, "vector-ref": {kind: primBinary, op: code.VREF}, "string-ref": {kind: primBinary, op: code.SREF},
		"quotient": {kind: primBinary, op: code.QUO}, "remainder": {kind: primBinary, op: code.REM}, "modulo": {kind: primBinary, op: code.MOD},
		"truncate-quotient": {kind: primBinary, op: code.QUO}, "truncate-remainder": {kind: primBinary, op: code.REM}, "floor-remainder": {kind: primBinary, op: code.MOD},
		"set-car!": {kind: primStore2, op: code.SETCAR}, "set-cdr!": {kind: primStore2, op: code.SETCDR}, "vector-set!": {kind: primStore3, op: code.VSET},
		"bytevector-u8-ref": {kind: primBinary, op: code.BREF}, "bytevector-u8-set!": {kind: primStore3, op: code.BSET},
		"not": {kind: primNot}, "null?": {kind: primType, op: code.JNULL}, "pair?": {kind: primType, op: code.JPAIR},
		"symbol?": {kind: primType, op: code.JSYM}, "string?": {kind: primType, op: code.JSTR}, "vector?": {kind: primType, op: code.JVEC}, "char?": {kind: primType, op: code.JCHAR}, "eq?": {kind: primEq},
		"eqv?": {kind: primEqual}, "equal?": {kind: primEqual},
		"<": {kind: primOrder, op: code.JLT}, "<=": {kind: primOrder, op: code.JLE}, "=": {kind: primOrder, op: code.JEQ},
		">": {kind: primOrder, op: code.JGTI}, ">=": {kind: primOrder, op: code.JGEI},
		"zero?": {kind: primSign, op: code.JEQ}, "positive?": {kind: primSign, op: code.JGTI}, "negative?": {kind: primSign, op: code.JLT},
		"+": {kind: primFold, op: code.ADD}, "*": {kind: primFold, op: code.MUL, num: 1}, "-": {kind: primMinus}, "/": {kind: primDivide, op: code.DIV},
		"1+": {kind: primStep, num: 1}, "1-": {kind: primStep, num: -1}, "-1+": {kind: primStep, num: -1},
		"%record-ref": {kind: primField, op: code.RREF}, "%record-set!": {kind: primField, op: code.RSET}, "%record?": {kind: primRecord, op: code.RTEST},
		"string-length": {kind: primUnary, op: code.SLEN}, "char->integer": {kind: primUnary, op: code.CINT}, "integer->char": {kind: primUnary, op: code.INTC},
		"char<?": {kind: primChar, op: code.JCLT}, "char>?": {kind: primChar, op: code.JCGT}, "char=?": {kind: primChar, op: code.JCEQ},
		"char<=?": {kind: primChar, op: code.JCLE}, "char>=?": {kind: primChar, op: code.JCGE},
		"sqrt": {kind: primUnary, op: code.SQRT}, "odd?": {kind: primParity, op: code.JODD}, "even?": {kind: primParity, op: code.JEVEN},
		"eof-object?": {kind: primIs, num: int(heap.EOF)}, "default-object?": {kind: primIs, num: int(heap.Default)},
		"procedure?": {kind: primProc}, "%state": {kind: primState, op: code.STATE}, "%set-state!": {kind: primState, op: code.SETSTATE},
		"list": {kind: primList}, "values": {kind: primValues},
		"caar": {kind: primPath, path: "aa"}, "cadr": {kind: primPath, path: "ad"}, "cdar": {kind: primPath, path: "da"}, "cddr": {kind: primPath, path: "dd"},
		"caddr": {kind: primPath, path: "add"}, "cdddr": {kind: primPath, path: "ddd"}, "caadr": {kind: primPath, path: "aad"}, "cdadr": {kind: primPath, path: "dad"},
		"cddar": {kind: primPath, path: "dda"}, "cadar": {kind: primPath, path: "ada"}, "caaar": {kind: primPath, path: "aaa"}, "cdaar": {kind: primPath, path: "daa"},
		"cadddr": {kind: primPath, path: "addd"}, "cddddr": {kind: primPath, path: "dddd"},
	}
	for i, name := range code.TableNames {
		rows[name] = primRow{kind: primTable, op: code.TREF, num: i}
		if strings.HasSuffix(name, "!") {
			rows[name] = primRow{kind: primStore3, op: code.TSET, num: i}
		}
	}
	for i, name := range code.RealFunctions {
		rows[name] = primRow{kind: primUnary, op: code.REAL, num: i}
	}
	return rows
}

// maxPrimArgs is what a PRIM instruction can count; maxListInline is where CONS instructions stop paying.
const (
	maxPrimArgs   = 255
	maxListInline = 4
)

// primitive lowers a call of a primitive; nil when it must be an ordinary call, such as for a wrong number of arguments.
func (l *lowerer) primitive(g *expand.Global, n *expand.Call) node {
	row, known := primRows[g.Prim]
	if known && !row.takes(len(n.Args)) {
		known = false
	}
	table := row.op == code.TREF || row.op == code.TSET
	num, listed := -1, false
	if l.opts.Prims != nil {
		if num, listed = l.opts.Prims.Lookup(g.Prim); listed {
			p := &l.opts.Prims.Rows[num]
			listed = len(n.Args) >= p.Min && (p.Max < 0 || len(n.Args) <= p.Max) && len(n.Args) <= maxPrimArgs
		}
	}
	if !listed && (!known || table) {
		return nil
	}
	if known && row.kind == primProc && l.procedure(n.Args[0]) != nil {
		return immediate(heap.True, l.place(n.Span))
	}
	args := l.args(n.Args)
	span := l.place(n.Span)
	if known && (row.kind == primField || row.kind == primRecord) {
		if listed {
			return record(row, num, n, args, span)
		}
		known = false
	}
	if known {
		if p := build(row, args, span); p != nil {
			return p
		}
		if !listed {
			return &call{fn: &globalRef{g, span}, args: args, k: l.fresh(), span: span}
		}
	}
	return &primitive{kind: primCall, num: num, args: args, span: span}
}

// takes reports whether instructions may exist for so many arguments.
func (r primRow) takes(n int) bool {
	switch r.kind {
	case primUnary, primNot, primIs, primType, primParity, primPath, primStep, primSign, primValues, primProc:
		return n == 1
	case primBinary, primStore2, primEq, primEqual, primChar:
		return n == 2
	case primStore3, primTable:
		return n == 3
	case primOrder:
		return n == 2 || n == 3
	case primMinus, primDivide:
		return n >= 2
	case primFold:
		return n != 1
	case primList:
		return n <= maxListInline
	case primState:
		return r.op == code.STATE && n == 1 || r.op == code.SETSTATE && n == 2
	case primField:
		return r.op == code.RREF && n == 4 || r.op == code.RSET && n == 5
	case primRecord:
		return n == 2
	}
	return false
}

// build makes the tree of a known primitive, nil when it must be called after all.
func build(r primRow, args []node, span syntax.Span) node {
	switch r.kind {
	case primUnary, primBinary, primStore2, primStore3, primTable:
		return &primitive{kind: r.kind, op: r.op, num: r.num, args: args, span: span}
	case primParity:
		if i, ok := fixed(args[0]); ok {
			return immediate(heap.Bool(i&1 == 1 == (r.op == code.JODD)), span)
		}
		return &primitive{kind: r.kind, op: r.op, args: args, span: span}
	case primNot:
		if v, known := truth(args[0]); known {
			return immediate(heap.Bool(!v), span)
		}
		return &primitive{kind: primNot, op: code.NOT, args: args, span: span}
	case primChar:
		return &primitive{kind: primChar, op: r.op, args: args, span: span}
	case primProc:
		switch args[0].(type) {
		case *lambda, *caseLambda:
			return immediate(heap.True, span)
		case *constant:
			return immediate(heap.False, span)
		}
		return nil
	case primType:
		if c, ok := args[0].(*constant); ok && c.kind != constObj {
			return immediate(heap.Bool(r.op == code.JNULL && c.word == heap.Null || r.op == code.JCHAR && heap.IsChar(c.word)), span)
		}
		return &primitive{kind: primType, op: r.op, args: args, span: span}
	case primEq:
		return eq(args, span)
	case primIs:
		return eq([]node{args[0], immediate(heap.Word(r.num), span)}, span)
	case primEqual:
		if wordOnly(args[0]) || wordOnly(args[1]) {
			return eq(args, span)
		}
		return nil
	case primOrder:
		return order(r.op, args, span)
	case primSign:
		return order(r.op, []node{args[0], fixnum(0, span)}, span)
	case primPath:
		n := args[0]
		for i := len(r.path) - 1; i >= 0; i-- {
			op := code.CAR
			if r.path[i] == 'd' {
				op = code.CDR
			}
			n = &primitive{kind: primUnary, op: op, args: []node{n}, span: span}
		}
		return n
	case primStep:
		return arith(code.ADD, args[0], fixnum(int64(r.num), span), span)
	case primFold:
		if len(args) == 0 {
			return fixnum(int64(r.num), span)
		}
		return fold(r.op, args, span)
	case primMinus:
		return fold(code.SUB, args, span)
	case primDivide:
		return fold(code.DIV, args, span)
	case primList:
		if len(args) == 0 {
			return immediate(heap.Null, span)
		}
		return &primitive{kind: primList, args: args, span: span}
	case primValues:
		return args[0]
	case primState:
		if i, ok := fixed(args[0]); ok && i >= 0 && (i <= 2 || i == 3 && r.op == code.STATE) {
			return &primitive{kind: primState, op: r.op, num: int(i), args: args[1:], span: span}
		}
	}
	return nil
}

func fold(op code.Op, args []node, span syntax.Span) node {
	n := args[0]
	for _, a := range args[1:] {
		n = arith(op, n, a, span)
	}
	return n
}

func arith(op code.Op, a, b node, span syntax.Span) node {
	if x, ok := fixed(a); ok {
		if y, ok := fixed(b); ok {
			if v, ok := compute(op, x, y); ok {
				return fixnum(v, span)
			}
		}
	}
	return &primitive{kind: primBinary, op: op, args: []node{a, b}, span: span}
}

func fixed(n node) (int64, bool) {
	if c, ok := n.(*constant); ok && c.kind == constFix {
		return heap.FixnumValue(c.word), true
	}
	return 0, false
}

// compute folds fixnum arithmetic when the result is certainly a fixnum.
func compute(op code.Op, x, y int64) (int64, bool) {
	switch op {
	case code.ADD:
		return x + y, heap.FitsFixnum(x + y)
	case code.SUB:
		return x - y, heap.FitsFixnum(x - y)
	case code.DIV:
		return 0, false
	}
	const half = 1 << 29
	if x < -half || x > half || y < -half || y > half {
		return 0, false
	}
	return x * y, true
}

// order makes a comparison. Of three arguments it makes two comparisons when the third cannot fail.
func order(op code.Op, args []node, span syntax.Span) node {
	if len(args) == 3 {
		if _, ok := fixed(args[2]); !ok {
			return nil
		}
		return between(op, args, span)
	}
	x, okx := fixed(args[0])
	y, oky := fixed(args[1])
	if okx && oky {
		return immediate(heap.Bool(holds(op, x, y)), span)
	}
	return &primitive{kind: primOrder, op: op, args: args, span: span}
}

func holds(op code.Op, x, y int64) bool {
	switch op {
	case code.JLT:
		return x < y
	case code.JLE:
		return x <= y
	case code.JGTI:
		return x > y
	case code.JGEI:
		return x >= y
	}
	return x == y
}

func between(op code.Op, args []node, span syntax.Span) node {
	b := &let{}
	for i, a := range args[:2] {
		if !plain(a) {
			v := &local{name: "", reg: -1}
			v.self.v = v
			b.vars, b.inits = append(b.vars, v), append(b.inits, a)
			args[i] = &v.self
		}
	}
	b.body = &branch{
		test: order(op, []node{args[0], args[1]}, span),
		then: order(op, []node{args[1], args[2]}, span),
		els:  immediate(heap.False, span),
	}
	if v, known := truth(b.body.(*branch).test); known {
		if b.body = b.body.(*branch).then; !v {
			b.body = immediate(heap.False, span)
		}
	}
	if len(b.vars) == 0 {
		return b.body
	}
	return b
}

// wordOnly reports whether n is a constant that equals nothing but the same word.
func wordOnly(n node) bool {
	c, ok := n.(*constant)
	if !ok {
		return false
	}
	if c.kind == constObj {
		switch c.datum.Datum.(type) {
		case *syntax.Symbol, syntax.Keyword:
			return true
		}
		return false
	}
	return c.kind == constFix || c.kind == constImm && c.word != heap.FloZero
}

// eq makes eq?, in the form that needs the fewest registers.
func eq(args []node, span syntax.Span) node {
	for i := range 2 {
		if c, ok := args[i].(*constant); ok && c.kind == constImm {
			switch c.word {
			case heap.Null:
				return build(primRow{kind: primType, op: code.JNULL}, args[1-i:2-i], span)
			case heap.False:
				return build(primRow{kind: primNot}, args[1-i:2-i], span)
			}
		}
	}
	x, okx := args[0].(*constant)
	y, oky := args[1].(*constant)
	if okx && oky && x.kind != constObj && y.kind != constObj {
		return immediate(heap.Bool(x.word == y.word), span)
	}
	return &primitive{kind: primEq, op: code.EQP, args: args, span: span}
}
