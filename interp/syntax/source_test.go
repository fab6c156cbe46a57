package syntax_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"caper/interp/syntax"
)

func place(p syntax.Span) string {
	_, line, col := p.Position()
	return fmt.Sprintf("%d:%d", line, col)
}

func TestPosition(t *testing.T) {
	for _, c := range []struct {
		text   string
		offset int32
		want   string
	}{
		{"", 0, "1:1"}, {"abc", 2, "1:3"}, {"abc", 3, "1:4"}, {"a\nb", 1, "1:2"}, {"a\nb", 2, "2:1"}, {"a\r\nb", 3, "2:1"}, {"a\rb", 2, "2:1"}, {"a\n", 2, "2:1"},
		{"\tb", 1, "1:2"}, {"λλb", 4, "1:3"}, {"日\n本x", 7, "2:2"}, {"abc", 99, "1:4"}, {"abc", -1, "1:1"},
		{strings.Repeat("λ", 3000) + "\n" + strings.Repeat("λ", 3000), 6001 + 2*2500, "2:2501"}, {strings.Repeat("a", 1024), 1024, "1:1025"},
	} {
		if got := place(syntax.Span{Source: source(c.text), Start: c.offset}); got != c.want {
			t.Errorf("offset %d of %.20q: %s, want %s", c.offset, c.text, got, c.want)
		}
	}
	if name, line, col := (syntax.Span{}).Position(); name != "" || line != 0 || col != 0 {
		t.Error("the zero span has no position")
	}
}

func TestPositionIsSafeForConcurrentUse(t *testing.T) {
	s := source(strings.Repeat("a\n", 1000))
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if got := place(syntax.Span{Source: s, Start: 1000}); got != "501:1" {
				t.Error(got)
			}
		})
	}
	group.Wait()
}

func TestJoin(t *testing.T) {
	a, b := source("abcdef"), source("x")
	p, q := syntax.Span{Source: a, Start: 1, End: 2}, syntax.Span{Source: a, Start: 4, End: 5}
	for _, c := range []struct{ got, want syntax.Span }{
		{p.Join(q), syntax.Span{Source: a, Start: 1, End: 5}}, {q.Join(p), syntax.Span{Source: a, Start: 1, End: 5}},
		{p.Join(syntax.Span{}), p}, {syntax.Span{}.Join(p), p}, {p.Join(syntax.Span{Source: b}), p},
	} {
		if c.got != c.want {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
}

func TestCaret(t *testing.T) {
	for _, c := range []struct {
		text       string
		start, end int32
		want       string
	}{
		{"(car x)", 1, 4, "(car x)\n ^^^\n"},
		{"a\n\t(λ b)\nc", 3, 8, "\t(λ b)\n\t^^^^\n"},
		{"(日本 x)", 8, 9, "(日本 x)\n      ^\n"},
		{"a\nbc\nd", 3, 6, "bc\n ^\n"},
		{"abc", 3, 3, "abc\n   ^\n"},
		{"a\x1bb", 2, 3, "a�b\n  ^\n"},
		{"", 0, 0, "\n^\n"},
	} {
		if got := (syntax.Span{Source: source(c.text), Start: c.start, End: c.end}).Caret(); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
	if got := syntax.Caret(syntax.Span{}); got != "" {
		t.Errorf("%q", got)
	}
	long := source(strings.Repeat("a", 1_000_000))
	if got := (syntax.Span{Source: long, Start: 500_000, End: 500_001}).Caret(); len(got) > 1000 || !strings.HasPrefix(got, "…") {
		t.Errorf("a long line takes %d bytes", len(got))
	}
}

func TestInternForgetsWhatNobodyHolds(t *testing.T) {
	held := syntax.Intern("held")
	for i := range 1000 {
		syntax.Intern(fmt.Sprint("passing", i))
	}
	runtime.GC()
	if syntax.Intern("held") != held {
		t.Error("a held symbol changed")
	}
	runtime.KeepAlive(held)
}
