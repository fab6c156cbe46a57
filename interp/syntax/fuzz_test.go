package syntax_test

import (
	"bytes"
	"errors"
	"testing"

	"caper/interp/number"
	"caper/interp/syntax"
)

// place in a chain of pairs: the items of list from i on.
type chain struct {
	list *syntax.List
	i    int
}

// equal compares data as pairs see them, knots included: two data are equal when no path tells them apart.
func equal(a, b *syntax.Syntax) bool {
	type pair struct{ a, b any }
	seen := map[pair]bool{}
	stack := []pair{{node(a), node(b)}}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch x := p.a.(type) {
		case chain:
			y, ok := p.b.(chain)
			if !ok {
				return false
			}
			if !seen[p] {
				seen[p] = true
				stack = append(stack, pair{node(x.list.Items[x.i]), node(y.list.Items[y.i])}, pair{rest(x), rest(y)})
			}
		case *syntax.Vector:
			y, ok := p.b.(*syntax.Vector)
			if !ok || len(x.Items) != len(y.Items) {
				return false
			}
			if !seen[p] {
				seen[p] = true
				for i := range x.Items {
					stack = append(stack, pair{node(x.Items[i]), node(y.Items[i])})
				}
			}
		case syntax.Bytes:
			if y, ok := p.b.(syntax.Bytes); !ok || !bytes.Equal(x, y) {
				return false
			}
		default:
			if number.IsNumber(p.a) && number.IsNumber(p.b) {
				if !number.Eqv(p.a, p.b) {
					return false
				}
			} else if _, isBytes := p.b.(syntax.Bytes); isBytes || p.a != p.b {
				return false
			}
		}
	}
	return true
}

// node is a datum with lists turned into chains; the empty list is nil.
func node(s *syntax.Syntax) any {
	if s == nil {
		return nil
	}
	if l, ok := s.Datum.(*syntax.List); ok {
		return rest(chain{l, -1})
	}
	return s.Datum
}

func rest(c chain) any {
	if c.i++; c.i < len(c.list.Items) {
		return c
	}
	return node(c.list.Tail)
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"(define (f x) [if #t 'a `(b ,c ,@d . e)])", "#0=(a #1=#(#0# #1#) . #1#)", "#u8(1 2 255)", `#\x41 #\λ #\( #\space`, "#:key #:|a b|",
		"|a b| |x\\x41;|", "\"a\\n\\x41;\\\n  b\"", `#px"\d+\\w" #rx"a"`, "#hasheq((a . 1))", "#;(a b) c #| d |#", "1+ -> ... + - .5 1e3 1/2 #xFF",
		"#!fold-case ABC", "#!/bin/sh\na", "(a . (b . (c . d)))", "#0=#1=(#0# . #1#)", "(a\n(b", "(a]", "\xff", ", @a", "(#%hash)", "#!default",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := syntax.ReadAll(source(text))
		if err != nil {
			var e *syntax.Error
			if !errors.As(err, &e) || e.Error() == "" || e.Span.Source == nil {
				t.Fatalf("%v", err)
			}
			_ = e.Span.Caret()
			return
		}
		for _, s := range all {
			if p := s.Span; p.Start < 0 || p.End <= p.Start || int(p.End) > len(text) {
				t.Fatalf("the span %d-%d of %s", p.Start, p.End, s.Brief(50))
			}
			written := s.Text()
			again, err := syntax.ReadAll(source(written))
			if err != nil || len(again) != 1 || !equal(s, again[0]) || again[0].Text() != written {
				t.Fatalf("%q is written %q, which reads as %d data, %v", s.Span.Text(), written, len(again), err)
			}
			_ = s.Brief(10)
		}
	})
}
