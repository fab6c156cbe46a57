package expand

import (
	"caper/interp/syntax"
)

// This file defines the core forms: what is left of a program after expansion, and all that the compiler knows.

// Node is one core form.
type Node interface{ Place() syntax.Span }

// Var is a local variable. The expander sets Assigned when a LocalSet of it exists; the rest belongs to the compiler.
type Var struct {
	Name     string
	Assigned bool
	Data     any // the compiler's own notes
}

// Global is a top-level variable of a library or a program. Slot is its index in the machine's global table,
// handed out by a Slots when the Global is made. Constant is set for variables that can never be assigned after
// their definition ran once (library variables that no set! names, primitives): the compiler may rely on it.
// Prim is the primitive's name when the variable is bound to one by the primitive library, else "".
type Global struct {
	Name     string // as messages show it
	Slot     int
	Constant bool
	Prim     string
	Defined  bool         // a definition of it has been expanded (or it is a primitive)
	body     Node         // see Value
	image    *frozenWorld // that has the body, until it is asked for; nil: there is none
	at       int          // its number there
	state    globalState  // the expander's own notes
}

type (
	// Const is a quoted or self-evaluating datum, any of syntax.Syntax's kinds with renamings stripped.
	// Unspecified is the datum of a form with no useful value.
	Const struct {
		Span  syntax.Span
		Datum *syntax.Syntax
	}
	// Unspecified is the value of (if #f #f).
	Unspecified struct{ Span syntax.Span }
	LocalRef    struct {
		Span syntax.Span
		Var  *Var
	}
	LocalSet struct {
		Span  syntax.Span
		Var   *Var
		Value Node
	}
	GlobalRef struct {
		Span   syntax.Span
		Global *Global
	}
	// GlobalSet is set! of a defined global; the machine raises when it is still unbound.
	GlobalSet struct {
		Span   syntax.Span
		Global *Global
		Value  Node
	}
	// GlobalDefine is a top-level definition; it occurs only at top level (in a Seq or alone).
	GlobalDefine struct {
		Span   syntax.Span
		Global *Global
		Value  Node
	}
	If struct {
		Span             syntax.Span
		Test, Then, Else Node
	}
	// Lambda is one procedure. Params are required; Rest, when not nil, takes the others as a list.
	Lambda struct {
		Span   syntax.Span
		Name   string // from its definition or binding, "" if none
		Params []*Var
		Rest   *Var
		Body   Node
		Data   any // the compiler's own notes
	}
	// CaseLambda chooses the first clause that takes the number of arguments given.
	CaseLambda struct {
		Span    syntax.Span
		Name    string
		Clauses []*Lambda
	}
	// Let binds Vars to Inits, evaluated left to right in the outer scope.
	Let struct {
		Span  syntax.Span
		Vars  []*Var
		Inits []Node
		Body  Node
	}
	// Letrec has the meaning of letrec*: the Inits see all Vars and run in order.
	Letrec struct {
		Span  syntax.Span
		Vars  []*Var
		Inits []Node
		Body  Node
	}
	Seq struct {
		Span  syntax.Span
		Nodes []Node // at least one
	}
	Call struct {
		Span syntax.Span
		Func Node
		Args []Node
	}
)

// Value is the core form of a variable's only definition when it is Constant (a *Lambda may be inlined), else nil. Of a
// variable of the library image it is nil too where the image left it out.
func (g *Global) Value() Node {
	if g.image == nil {
		return g.body
	}
	return g.image.value(g)
}

func (n *Const) Place() syntax.Span        { return n.Span }
func (n *Unspecified) Place() syntax.Span  { return n.Span }
func (n *LocalRef) Place() syntax.Span     { return n.Span }
func (n *LocalSet) Place() syntax.Span     { return n.Span }
func (n *GlobalRef) Place() syntax.Span    { return n.Span }
func (n *GlobalSet) Place() syntax.Span    { return n.Span }
func (n *GlobalDefine) Place() syntax.Span { return n.Span }
func (n *If) Place() syntax.Span           { return n.Span }
func (n *Lambda) Place() syntax.Span       { return n.Span }
func (n *CaseLambda) Place() syntax.Span   { return n.Span }
func (n *Let) Place() syntax.Span          { return n.Span }
func (n *Letrec) Place() syntax.Span       { return n.Span }
func (n *Seq) Place() syntax.Span          { return n.Span }
func (n *Call) Place() syntax.Span         { return n.Span }
