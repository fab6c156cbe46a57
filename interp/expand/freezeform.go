package expand

import (
	"fmt"
	"math"
	"math/big"

	"caper/interp/frozen"
	"caper/interp/number"
	"caper/interp/syntax"
)

// This file writes data and core forms down.

// Codes of nodes and of data.
const (
	nodeConst = iota
	nodeUnspecified
	nodeLocalRef
	nodeLocalSet
	nodeGlobalRef
	nodeGlobalSet
	nodeIf
	nodeLambda
	nodeCaseLambda
	nodeLet
	nodeLetrec
	nodeSeq
	nodeCall
)

const (
	datumSymbol = iota
	datumAlias
	datumKeyword
	datumInt
	datumBig
	datumRatio
	datumComplex
	datumFloat
	datumBool
	datumChar
	datumString
	datumBytes
	datumList
	datumVector
)

// maxFrozen bounds how deep a datum or a form of the library may nest; one that is circular is deeper.
const maxFrozen = 2000

func (f *freezer) syntax(w *frozen.Writer, s *syntax.Syntax) {
	f.span(w, s.Span)
	f.datum(w, s.Datum)
}

func (f *freezer) syntaxes(w *frozen.Writer, all []*syntax.Syntax) {
	w.Int(len(all))
	for _, s := range all {
		f.syntax(w, s)
	}
}

func (f *freezer) deeper() {
	if f.depth++; f.depth > maxFrozen {
		panic(unfrozen{"a datum or form of a library that is circular or very deep"})
	}
}

func (f *freezer) datum(w *frozen.Writer, datum any) {
	f.deeper()
	defer func() { f.depth-- }()
	switch d := datum.(type) {
	case *syntax.Symbol:
		w.Int(datumSymbol)
		w.Text(d.Name)
	case *Alias:
		w.Int(datumAlias)
		w.Int(f.aliases.number(d))
	case syntax.Keyword:
		w.Int(datumKeyword)
		w.Text(string(d))
	case int64:
		w.Int(datumInt)
		w.Signed(d)
	case *big.Int:
		w.Int(datumBig)
		w.Text(d.String())
	case *big.Rat:
		w.Int(datumRatio)
		w.Text(d.String())
	case float64:
		w.Int(datumFloat)
		w.Word(math.Float64bits(d))
	case number.Complex:
		w.Int(datumComplex)
		w.Text(number.Format(d, 10))
	case bool:
		w.Int(datumBool)
		w.Bool(d)
	case syntax.Char:
		w.Int(datumChar)
		w.Int(int(d))
	case syntax.String:
		w.Int(datumString)
		w.Text(string(d))
	case syntax.Bytes:
		w.Int(datumBytes)
		w.Text(string(d))
	case *syntax.List:
		w.Int(datumList)
		f.syntaxes(w, d.Items)
		w.Bool(d.Tail != nil)
		if d.Tail != nil {
			f.syntax(w, d.Tail)
		}
	case *syntax.Vector:
		w.Int(datumVector)
		f.syntaxes(w, d.Items)
	default:
		panic(unfrozen{fmt.Sprintf("a datum of type %T", d)})
	}
}

func (f *freezer) node(w *frozen.Writer, n Node) {
	f.deeper()
	defer func() { f.depth-- }()
	head := func(code int) {
		w.Int(code)
		f.span(w, n.Place())
	}
	switch n := n.(type) {
	case *Const:
		head(nodeConst)
		f.syntax(w, n.Datum)
	case *Unspecified:
		head(nodeUnspecified)
	case *LocalRef:
		head(nodeLocalRef)
		f.use(w, n.Var)
	case *LocalSet:
		head(nodeLocalSet)
		f.use(w, n.Var)
		f.node(w, n.Value)
	case *GlobalRef:
		head(nodeGlobalRef)
		w.Int(f.globals.number(n.Global))
	case *GlobalSet:
		head(nodeGlobalSet)
		w.Int(f.globals.number(n.Global))
		f.node(w, n.Value)
	case *If:
		head(nodeIf)
		f.node(w, n.Test)
		f.node(w, n.Then)
		f.node(w, n.Else)
	case *Lambda:
		head(nodeLambda)
		f.lambda(w, n)
	case *CaseLambda:
		head(nodeCaseLambda)
		w.Text(n.Name)
		w.Int(len(n.Clauses))
		for _, c := range n.Clauses {
			f.node(w, c)
		}
	case *Let:
		head(nodeLet)
		f.nodes(w, n.Inits)
		f.bind(w, n.Vars)
		f.node(w, n.Body)
	case *Letrec:
		head(nodeLetrec)
		f.bind(w, n.Vars)
		f.nodes(w, n.Inits)
		f.node(w, n.Body)
	case *Seq:
		head(nodeSeq)
		f.nodes(w, n.Nodes)
	case *Call:
		head(nodeCall)
		f.node(w, n.Func)
		f.nodes(w, n.Args)
	default:
		panic(unfrozen{fmt.Sprintf("a form of type %T", n)})
	}
}

func (f *freezer) nodes(w *frozen.Writer, all []Node) {
	w.Int(len(all))
	for _, n := range all {
		f.node(w, n)
	}
}

func (f *freezer) lambda(w *frozen.Writer, n *Lambda) {
	w.Text(n.Name)
	f.bind(w, n.Params)
	w.Bool(n.Rest != nil)
	if n.Rest != nil {
		f.bind(w, []*Var{n.Rest})
	}
	f.node(w, n.Body)
}

func (f *freezer) bind(w *frozen.Writer, vars []*Var) {
	w.Int(len(vars))
	for _, v := range vars {
		f.vars[v] = len(f.vars)
		w.Text(v.Name)
		w.Bool(v.Assigned)
	}
}

func (f *freezer) use(w *frozen.Writer, v *Var) {
	i, ok := f.vars[v]
	if !ok {
		panic(unfrozen{"a variable " + v.Name + " that is bound outside of the form"})
	}
	w.Int(i)
}
