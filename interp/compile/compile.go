package compile

import (
	"fmt"

	"caper/interp/code"
	"caper/interp/expand"
	"caper/interp/heap"
	"caper/interp/prim"
	"caper/interp/syntax"
)

// Options say what the compiler may rely on.
type Options struct {
	Prims    *prim.Table // primitives by number; without it every call that has no instruction is an ordinary one
	Nameless bool        // the unit needs no hash: it becomes part of an image, which has its own
}

// Error is a program that cannot be compiled: a limit was passed.
type Error struct {
	Span    syntax.Span
	Message string
}

func (e *Error) Error() string {
	if name, line, col := e.Span.Position(); e.Span.Source != nil {
		return fmt.Sprintf("%s:%d:%d: %s", name, line, col, e.Message)
	}
	return e.Message
}

// topSize is the number of instructions after which top-level code goes on in another procedure.
const topSize = 300

// topName is what a backtrace calls the code outside all procedures.
const topName = "top level"

// Compile turns the top-level forms of a library body, a program or one REPL entry into a unit. The value of the last
// form is the value of the last of the unit's Top procedures. The forms are used up: their variables carry notes.
func Compile(name string, body []expand.Node, opts Options) (u *code.Unit, err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *Error:
			u, err = nil, e
		default:
			panic(e)
		}
	}()
	forms := flatten(body)
	b := newBuilder(name, forms)
	b.named = !opts.Nameless
	var a *assembler
	for i, f := range forms {
		if a == nil {
			a = b.begin(b.add(&lambda{k: -1, name: topName}, i), false)
			b.unit.Top = append(b.unit.Top, a.lam.proc-1)
		}
		last := i == len(forms)-1
		a = b.form(a, f, i, last, opts)
		if last || a.here() >= topSize {
			a.value(immediate(heap.Unspecified, syntax.Span{})) // unreachable after the last
			b.end(a)
			b.drain()
			a = nil
		}
	}
	b.link()
	if !opts.Nameless {
		b.unit.Hash = b.unit.Sum()
	}
	return b.unit, nil
}

// flatten lists the top-level forms, sequences opened.
func flatten(body []expand.Node) []expand.Node {
	var forms []expand.Node
	for work := [][]expand.Node{body}; len(work) > 0; {
		top := &work[len(work)-1]
		if len(*top) == 0 {
			work = work[:len(work)-1]
			continue
		}
		n := (*top)[0]
		*top = (*top)[1:]
		if s, ok := n.(*expand.Seq); ok {
			work = append(work, s.Nodes)
		} else {
			forms = append(forms, n)
		}
	}
	if len(forms) == 0 {
		forms = append(forms, &expand.Unspecified{})
	}
	return forms
}

// form compiles one top-level form into the procedure of a, again with long jumps when the short ones do not reach.
func (b *builder) form(a *assembler, f expand.Node, order int, last bool, opts Options) *assembler {
	l := &lowerer{opts: opts}
	if !opts.Nameless { // the engine's own procedures are not shown where a program's are
		l.texts = &b.texts
	}
	n := l.lower(f, l.fresh())
	if d, ok := n.(*globalSet); ok && d.define {
		if m, ok := d.value.(*lambda); ok {
			b.known[d.g] = m
		}
	}
	o := &owner{l: l, current: a.lam}
	o.walk(n)
	a.order = order
	return b.attempt(a, func(a *assembler) {
		if !last {
			a.generate(n, where{dst: -1})
			return
		}
		// Not a tail call: the frame stays, so that a backtrace shows the place at top level.
		t := a.temp()
		a.generate(n, where{dst: t})
		if !a.dead {
			a.ret(t)
		}
		a.top = t
	})
}

// attempt runs emit on a and, when a jump does not reach, once more from the same place with long jumps.
func (b *builder) attempt(a *assembler, emit func(*assembler)) *assembler {
	saved, mark := *a, b.mark()
	if b.reaches(a, emit) {
		return a
	}
	b.reset(mark)
	saved.far = true
	saved.lines, saved.vars = saved.lines[:len(saved.lines):len(saved.lines)], saved.vars[:len(saved.vars):len(saved.vars)]
	again := &saved
	emit(again)
	return again
}

func (b *builder) reaches(a *assembler, emit func(*assembler)) (ok bool) {
	defer func() {
		if e := recover(); e != nil {
			if _, far := e.(errFar); !far {
				panic(e)
			}
		}
	}()
	emit(a)
	return true
}
