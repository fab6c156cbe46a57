package repl

import (
	"fmt"
	"strings"
	"testing"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// typed does keys, each named in angle brackets, on an empty input.
func typed(e *editor, keys string) {
	for keys != "" {
		if rest, ok := strings.CutPrefix(keys, "<"); ok {
			name, after, _ := strings.Cut(rest, ">")
			e.edit(key{name: name})
			keys = after
			continue
		}
		i := strings.IndexByte(keys, '<')
		if i < 0 {
			i = len(keys)
		}
		e.edit(key{text: keys[:i]})
		keys = keys[i:]
	}
}

func newEditor() *editor {
	e := &editor{prompt: prompt}
	e.reset()
	e.screen.width, e.screen.height = 80, 24
	return e
}

func TestEditing(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		{"abc<left><left>x", "ax|bc"},
		{"abc<home>x<end>y", "xabcy|"},
		{"ab<backspace>", "a|"},
		{"ab<left><delete>", "a|"},
		{"日本<left>x", "日x|本"},
		{"e\u0301x<left><left>y", "y|e\u0301x"},
		{"👩‍👩‍👧<backspace>", "|"},
		{"e\u0301<backspace>", "|"},
		{"one two-three four<kill-word>", "one two-three |"},
		{"one two-three<word-left>x", "one x|two-three"},
		{"one two<home><word-right>x", "onex| two"},
		{"abc<left><kill>", "ab|"},
		{"abc<kill-back>x<yank>", "xabc|"},
		{"abc<backspace><undo>", "abc|"},
		{"ab<transpose>", "ba|"},
		{"(f<enter>x", "(f\n x|"},
		{"(define (f x)<enter>(g<enter>y", "(define (f x)\n  (g\n   y|"},
		{"(abc<newline>de<up>X", "(abX|c\n de"},
		{"(abcdef<newline>d<up><down>X", "(abcdef\n dX|"},
		{"(f x<left><left><enter>", "(f\n |x"},
		{"\"a<enter>  b", "\"a\n  b|"},
	} {
		t.Run(c.keys, func(t *testing.T) {
			e := newEditor()
			typed(e, c.keys)
			if got := e.text[:e.at] + "|" + e.text[e.at:]; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestLefts: from the end of a text there are as many Lefts as it has clusters.
func TestLefts(t *testing.T) {
	for _, text := range Strings {
		e := newEditor()
		e.insert(text)
		n := 0
		for ; e.at > 0; n++ {
			e.edit(key{name: "left"})
		}
		want := 0
		for it := graphemes.FromString(text); it.Next(); {
			want++
		}
		if n != want {
			t.Errorf("%q: %d Lefts, want %d", text, n, want)
		}
	}
}

// TestRows: nothing is lost in rows, each fits, and the cursor is where its text ends.
func TestRows(t *testing.T) {
	for _, text := range append(append([]string{}, Strings...), strings.Repeat("λ日本x ", 60), strings.Repeat("(f x)\n", 30)) {
		for _, width := range []int{20, 40, 80, 300} {
			s := screen{width: width, height: 24}
			for at := range text {
				p := s.layout(prompt, text, at)
				if b := (&buffer{text: text}).boundary(at); b != at {
					continue
				}
				if !strings.HasPrefix(p.rows[p.at], p.before) {
					t.Fatalf("%q at %d of %d: row %q, before %q", text, at, width, p.rows[p.at], p.before)
				}
				for _, row := range p.rows {
					if most(row) >= width && len([]rune(row)) > 8 {
						t.Fatalf("%q: a row of %d cells in %d", text, most(row), width)
					}
				}
			}
		}
	}
}

func TestRecall(t *testing.T) {
	h := NewHistory(t.TempDir() + "/history")
	for _, x := range []string{"(first)", "(second\n  line)", "(third)"} {
		h.Add(x)
	}
	for _, c := range []struct{ keys, want string }{
		{"<up>", "(third)"},
		{"<up><up><up><down>", "(second\n  line)"},
		{"<page-up><page-up><page-up>", "(first)"},
		{"draft<up><down>", "draft"},
		{"<search>fir", "(first)"},
		{"<search>i<search>", "(second\n  line)"},
		{"<search>i<search><search>", "(first)"},
		{"draft<search>fir<cancel>", "draft"},
		{"<search>nothing<backspace>", ""},
		{"<search>ird<end>x", "(third)x"},
	} {
		t.Run(c.keys, func(t *testing.T) {
			e := newEditor()
			e.history = h
			typed(e, c.keys)
			if e.text != c.want {
				t.Errorf("got %q, want %q", e.text, c.want)
			}
		})
	}
}

// TestCompleteBefore: Tab may be pressed at any place of an input.
func TestCompleteBefore(t *testing.T) {
	s := New(Options{Host: &manyNames{}})
	for _, text := range []string{",help doc", " \n\t,he x", "(f \"a", "#:x"} {
		for at := range len(text) + 1 {
			if from, _ := s.Complete(text, at); from < 0 || from > at {
				t.Errorf("%q at %d: completed from %d", text, at, from)
			}
		}
	}
	if from, all := s.Complete("\n,hel", 5); from != 2 || len(all) != 1 {
		t.Error(from, all)
	}
}

// TestCompleteOnce: what was defined here stands once, in its place, whether or not programs had the name before.
func TestCompleteOnce(t *testing.T) {
	s := New(Options{Host: &manyNames{}})
	s.defined["name-00001"], s.defined["name-0000y"] = true, true
	_, all := s.Complete("(name-0000", 10)
	var told []string
	for _, c := range all {
		if c.Doc != "" {
			told = append(told, c.Text)
		}
	}
	if len(all) != 11 || all[1].Text != "name-00001" || all[10].Text != "name-0000y" || len(told) != 2 {
		t.Error(all)
	}
}

func BenchmarkKey(b *testing.B) {
	e := newEditor()
	e.insert("(list\n" + strings.Repeat("  (define (procedure-of some arguments) (+ 1 2 3))\n", 500) + ")")
	e.at = len(e.text) / 2
	e.at = e.boundary(e.at)
	for b.Loop() {
		e.edit(key{text: "x"})
		e.screen.paint(e.screen.clip(e.picture(), e.status))
	}
}

func BenchmarkTab(b *testing.B) {
	s := New(Options{Host: &manyNames{}})
	for b.Loop() {
		if _, all := s.Complete("(name-", 6); len(all) != 10_000 {
			b.Fatal(len(all))
		}
	}
}

type manyNames struct {
	Host
	all []Candidate
}

func (m *manyNames) Names() []Candidate {
	if m.all == nil {
		for i := range 10_000 {
			m.all = append(m.all, Candidate{Text: fmt.Sprintf("name-%05d", i)})
		}
	}
	return m.all
}
