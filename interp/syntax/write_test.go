package syntax_test

import (
	"errors"
	"strings"
	"testing"

	"caper/interp/syntax"
)

func TestWriteSymbol(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"a", "a"}, {"", "||"}, {".", "|.|"}, {"..", ".."}, {"1", "|1|"}, {"1+", "1+"}, {"+inf.0", "|+inf.0|"}, {"-1/2", "|-1/2|"}, {"1/0", "|1/0|"}, {"1+2i", "|1+2i|"},
		{"a b", "|a b|"}, {"a|b", `|a\|b|`}, {`a\b`, `|a\\b|`}, {"a\nb", `|a\nb|`}, {"a\x00b", `|a\x0;b|`}, {"a(b", "|a(b|"}, {"a'b", "|a'b|"}, {"{", "|{|"},
		{"#a", "|#a|"}, {"#%a", "#%a"}, {"#% a", "|#% a|"}, {"#!default", "#!default"}, {"#!foo", "|#!foo|"}, {"a#", "a#"}, {"ABC", "ABC"}, {"λ", "λ"},
		{"\u200b", `|\x200b;|`}, {"“", "|“|"}, {"@a", "@a"}, {"a\u00a0b", `|a\xa0;b|`},
	} {
		got := syntax.WriteSymbol(c.name)
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.name, got, c.want)
		}
		all, err := syntax.ReadAll(source(got))
		if err != nil || len(all) != 1 || !all[0].IsSymbol(c.name) {
			t.Errorf("%s does not read as the symbol %q: %v", got, c.name, err)
		}
	}
}

func TestWriteCharReadsBack(t *testing.T) {
	for c := rune(0); c < 0x3000; c++ {
		if 0xd800 <= c && c < 0xe000 {
			continue
		}
		all, err := syntax.ReadAll(source("(" + syntax.WriteChar(c) + ")"))
		if err != nil || len(all) != 1 || all[0].Datum.(*syntax.List).Items[0].Datum != syntax.Char(c) {
			t.Errorf("U+%04X is written %s: %v", c, syntax.WriteChar(c), err)
		}
	}
}

func TestWriteMadeSyntax(t *testing.T) {
	var no syntax.Span
	a, b := syntax.Sym("a", no), syntax.Sym("b", no)
	tail := &syntax.List{Items: []*syntax.Syntax{b}}
	empty := syntax.NewList()
	cycle := &syntax.List{Items: []*syntax.Syntax{a}}
	cycle.Tail = syntax.New(cycle, no)
	for _, c := range []struct {
		s    *syntax.Syntax
		want string
	}{
		{syntax.NewList(a, b), "(a b)"},
		{syntax.New(&syntax.List{Items: []*syntax.Syntax{a}, Tail: syntax.New(tail, no)}, no), "(a b)"},
		{syntax.New(&syntax.List{Items: []*syntax.Syntax{a}, Tail: empty}, no), "(a)"},
		{syntax.Dotted(no, []*syntax.Syntax{a}, syntax.NewList(b)), "(a b)"},
		{syntax.Dotted(no, []*syntax.Syntax{a}, b), "(a . b)"},
		{syntax.NewList(empty, empty), "(() ())"},
		{syntax.New(cycle, no), "#0=(a . #0#)"},
		{syntax.NewList(syntax.Sym("unquote", no), syntax.Sym("@x", no)), "(unquote @x)"},
		{syntax.New(1.5, no), "1.5"},
		{syntax.New(struct{}{}, no), "#<struct {}>"},
	} {
		if got := c.s.Text(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestSharingIsWrittenInLinearSpace(t *testing.T) {
	s := syntax.Sym("a", syntax.Span{})
	for range 200 {
		s = syntax.NewList(s, s)
	}
	if n := len(s.Text()); n > 10_000 {
		t.Errorf("%d bytes", n)
	}
	if got := s.Brief(20); got != "((((((((((((((((((((…" {
		t.Errorf("%q", got)
	}
}

func TestBrief(t *testing.T) {
	all, _ := syntax.ReadAll(source(`(define "λλλλ")`))
	for _, c := range []struct {
		limit int
		want  string
	}{{100, `(define "λλλλ")`}, {19, `(define "λλλλ")`}, {5, "(defi…"}, {10, `(define "…`}, {0, "…"}} {
		if got := all[0].Brief(c.limit); got != c.want {
			t.Errorf("%d: %s, want %s", c.limit, got, c.want)
		}
	}
}

// full takes n bytes.
type full struct{ n int }

func (w *full) Write(p []byte) (int, error) {
	if w.n -= len(p); w.n < 0 {
		return 0, errFull
	}
	return len(p), nil
}

var errFull = errors.New("full")

func TestWriteReportsTheWritersError(t *testing.T) {
	all, _ := syntax.ReadAll(source("(a b c)"))
	if err := syntax.Write(&full{3}, all[0]); !errors.Is(err, errFull) {
		t.Error(err)
	}
	var out strings.Builder
	if err := syntax.Write(&out, all[0]); err != nil || out.String() != "(a b c)" {
		t.Error(out.String(), err)
	}
}
