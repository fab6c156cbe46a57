package repl

import (
	"strings"
	"testing"

	"caper/interp/syntax"
)

// forms are texts and whether they are whole: as the reader of programs says it.
var forms = []string{
	"(f)", "(f", "f", "'x", "'", "`(a ,b", "\"a", "\"a\\\"", "\"a\\\"\"", "|a b|", "|a b", "#\\(", "(#\\()", "(#\\( ", "; only", "#| a |#", "#| a", "#| a #| b |# c", "#;", "#;x y",
	"[a (b]", "[a b]", "(a . b)", "#(1 2", "#u8(1 2)", "(a ; )\n", "(a ; )\n)", "λ", "(日本 \"λ)\"", "'()", "`(,@x)", "#t", "(a)(b)", "(a) (b", "\"two\nlines\"",
}

func TestWholeForms(t *testing.T) {
	for _, text := range forms {
		all, err := syntax.ReadAll(syntax.NewSource("x", text))
		var e *syntax.Error
		open := false
		if err != nil {
			e, _ = err.(*syntax.Error)
			open = e != nil && e.Incomplete
		}
		if err != nil && !open {
			continue // it is wrong: evaluating says how
		}
		var s scanner
		for line := range strings.Lines(text) {
			s.scan(line)
		}
		if want := err == nil && len(all) > 0; s.complete() != want {
			t.Errorf("%q is whole: %v, want %v", text, s.complete(), want)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, text := range forms {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var whole, parts scanner
		whole.scan(text)
		for line := range strings.Lines(text) {
			parts.scan(line)
		}
		if whole.complete() != parts.complete() || len(whole.open) != len(parts.open) {
			t.Errorf("%q: whole %v, line by line %v", text, whole.complete(), parts.complete())
		}
		if n := whole.indent(); n < 0 || n > len(text)+2 {
			t.Errorf("%q is indented by %d", text, n)
		}
	})
}

func TestIndentation(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"(", 1}, {"(define (f x)", 2}, {"(f a", 3}, {"(f", 1}, {"(let ((a 1)", 6}, {"(let ((a 1))", 2}, {"(if (a)", 4}, {"'(a b", 4}, {"((a)", 1},
		{"(define x \"a", 0}, {"(define-record-type p", 2}, {"(lambda (x)\n  (f x", 5}, {"(f ; no argument\n", 1}, {"\"x\\\nyy\" (g", 5}, {"(日本 x", 4}, {"[let loop ()", 2},
	} {
		var s scanner
		s.scan(c.text)
		if got := s.indent(); got != c.want {
			t.Errorf("%q: %d, want %d", c.text, got, c.want)
		}
	}
}
