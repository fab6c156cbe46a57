package compile

import (
	"caper/interp/code"
	"caper/interp/expand"
	"caper/interp/heap"
	"caper/interp/syntax"
)

// This file defines the compiler's own tree, made by lowering and read by ownership analysis and generation.

// node is one of the pointer types below.
type node any

// local is one variable in a register or a box.
type local struct {
	name     string
	assigned bool
	captured bool // by a closure
	boxed    bool
	letrec   bool // may be read before its value is there: boxed, and the box is checked
	static   bool // bound to a closure without free variables: constant is its place in the unit
	constant int
	owner    *lambda // the procedure whose frame holds it
	reg      int
	known    *lambda // what it is bound to, when that is a lambda and never changes
	alias    node    // a constant or another variable to be used instead
	self     ref     // the one reference node
	uses     int

	group *group // the letrec being lowered that binds it
	fix   *fix   // the fix that binds it, once generated
	index int    // in the group or fix
	stamp int    // last init of the group that mentioned it, plus one

	// How a known lambda is used.
	escapes bool
	calls   []*call
	inside  int // depth of its own body being lowered
	inner   int // calls from its own body
}

// group is a letrec whose inits are being lowered.
type group struct {
	current    int     // index of the init being lowered, -1 outside
	edges      [][]int // for each init the variables of the group that it mentions
	procedures int     // depth of lambdas around it
}

// Kinds of constants.
const (
	constFix = iota // a fixnum
	constImm        // an immediate, or a word below 2^32 that is none
	constRaw        // a flonum word of 64 bits
	constObj        // an object of the static area
)

type (
	constant struct {
		kind  uint8
		word  heap.Word // constFix, constImm, constRaw
		datum *syntax.Syntax
		span  syntax.Span
	}
	ref struct{ v *local }
	set struct {
		v     *local
		value node
		init  bool // the first value of a letrec variable
		span  syntax.Span
	}
	globalRef struct {
		g    *expand.Global
		span syntax.Span
	}
	globalSet struct {
		g      *expand.Global
		value  node
		define bool
		span   syntax.Span
	}
	branch struct{ test, then, els node }
	let    struct {
		vars  []*local
		inits []node
		body  node
	}
	// fix binds procedures that see each other. After lowering, members with label set are labels in the frame of
	// the procedure around them; the rest are closures.
	fix struct {
		vars []*local
		lams []*lambda
		body node
	}
	seq  struct{ nodes []node }
	call struct {
		fn    node // a *lambda is called in place
		args  []node
		k     int  // continuation
		inner bool // from the body of the procedure called
		span  syntax.Span
	}
	primitive struct {
		kind  primKind
		op    code.Op
		num   int // PRIM: the primitive's number
		field int // RREF, RSET: from 1
		args  []node
		span  syntax.Span
	}
	caseLambda struct {
		clauses []*lambda
		span    syntax.Span
	}
)

// lambda is one procedure, or, when label is set, a place to jump to in the frame of its owner.
type lambda struct {
	name     string
	params   []*local
	rest     bool
	body     node
	span     syntax.Span
	k        int            // continuation of the body
	self     *local         // the variable bound to it, if only ever to it
	global   *expand.Global // the same for a constant global
	proc     int            // number in the unit, from 1
	constant int            // its static closure among the constants, from 1
	before   bool           // which stands before its code
	label    bool
	loops    bool  // a label that its own body jumps to
	rests    uint8 // whether the rest list is handed on unseen: 0 unknown, 1 no, 2 yes
	parent   *lambda
	free     []*local
	jump     target // where jumps to it go: a label's, or the start of a procedure that calls itself last
}

// required is the number of required parameters.
func (l *lambda) required() int {
	if l.rest {
		return len(l.params) - 1
	}
	return len(l.params)
}

// takes reports whether a call with n arguments can be a jump.
func (l *lambda) takes(n int) bool { return !l.rest && len(l.params) == n }

func newLocal(v *expand.Var) *local {
	l := &local{name: v.Name, assigned: v.Assigned, reg: -1}
	l.self.v = l
	return l
}

func immediate(w heap.Word, span syntax.Span) *constant {
	return &constant{kind: constImm, word: w, span: span}
}
func fixnum(i int64, span syntax.Span) *constant {
	return &constant{kind: constFix, word: heap.Fixnum(i), span: span}
}

// small reports the value of a fixnum constant of 16 bits.
func small(n node) (int, bool) {
	if c, ok := n.(*constant); ok && c.kind == constFix {
		if i := heap.FixnumValue(c.word); i >= -1<<15 && i < 1<<15 {
			return int(i), true
		}
	}
	return 0, false
}

// truth reports the value of a constant as a test.
func truth(n node) (value, known bool) {
	switch n := n.(type) {
	case *constant:
		return !(n.kind == constImm && n.word == heap.False), true
	case *lambda, *caseLambda:
		return true, true
	}
	return false, false
}
