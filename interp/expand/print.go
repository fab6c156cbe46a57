package expand

import (
	"fmt"
	"strings"

	"caper/interp/syntax"
)

// Print writes a core form compactly, for tests and for looking at: (let ((x.1 1)) (call g:car x.1)). Local variables
// are numbered in order of appearance where two have the same name.
func Print(n Node) string {
	p := &printer{names: map[*Var]string{}, count: map[string]int{}}
	p.node(n)
	return p.String()
}

type printer struct {
	strings.Builder
	names map[*Var]string
	count map[string]int
}

func (p *printer) name(v *Var) string {
	if v == nil {
		return "?"
	}
	s, ok := p.names[v]
	if !ok {
		p.count[v.Name]++
		s = v.Name
		if n := p.count[v.Name]; n > 1 {
			s = fmt.Sprintf("%s.%d", v.Name, n)
		}
		p.names[v] = s
	}
	return s
}

func (p *printer) list(head string, nodes ...Node) {
	p.WriteString("(" + head)
	for _, n := range nodes {
		p.WriteByte(' ')
		p.node(n)
	}
	p.WriteByte(')')
}

func (p *printer) bindings(head string, vars []*Var, inits []Node, body Node) {
	p.WriteString("(" + head + " (")
	for i, v := range vars {
		if i > 0 {
			p.WriteByte(' ')
		}
		p.WriteString("(" + p.name(v) + " ")
		p.node(inits[i])
		p.WriteByte(')')
	}
	p.WriteString(") ")
	p.node(body)
	p.WriteByte(')')
}

func (p *printer) params(l *Lambda) {
	p.WriteByte('(')
	for i, v := range l.Params {
		if i > 0 {
			p.WriteByte(' ')
		}
		p.WriteString(p.name(v))
	}
	if l.Rest != nil {
		if len(l.Params) > 0 {
			p.WriteByte(' ')
		}
		p.WriteString(". " + p.name(l.Rest))
	}
	p.WriteString(") ")
	p.node(l.Body)
}

func (p *printer) node(n Node) {
	switch n := n.(type) {
	case *Const:
		p.constant(n.Datum)
	case *Unspecified:
		p.WriteString("#!unspecified")
	case *LocalRef:
		p.WriteString(p.name(n.Var))
	case *LocalSet:
		p.list("set! "+p.name(n.Var), n.Value)
	case *GlobalRef:
		p.WriteString("g:" + n.Global.Name)
	case *GlobalSet:
		p.list("set! g:"+n.Global.Name, n.Value)
	case *GlobalDefine:
		p.list("define g:"+n.Global.Name, n.Value)
	case *If:
		p.list("if", n.Test, n.Then, n.Else)
	case *Lambda:
		p.WriteString("(lambda ")
		p.params(n)
		p.WriteByte(')')
	case *CaseLambda:
		p.WriteString("(case-lambda")
		for _, c := range n.Clauses {
			p.WriteString(" (")
			p.params(c)
			p.WriteByte(')')
		}
		p.WriteByte(')')
	case *Let:
		p.bindings("let", n.Vars, n.Inits, n.Body)
	case *Letrec:
		p.bindings("letrec", n.Vars, n.Inits, n.Body)
	case *Seq:
		p.list("begin", n.Nodes...)
	case *Call:
		p.list("call", append([]Node{n.Func}, n.Args...)...)
	default:
		fmt.Fprintf(p, "#<%T>", n)
	}
}

func (p *printer) constant(s *syntax.Syntax) {
	switch s.Datum.(type) {
	case *syntax.Symbol, *syntax.List, *syntax.Vector:
		p.WriteByte('\'')
	}
	p.WriteString(s.Text())
}
