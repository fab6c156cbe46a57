package view

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"caper/interp/syntax"
	"caper/runtime/check"
)

// Foreseen is a call that a program may make.
type Foreseen struct {
	Call    string
	Sites   []syntax.Span
	Verdict check.Verdict
}

// Where is a place as file:line:column.
func Where(s syntax.Span) string {
	name, line, col := s.Position()
	if name == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", name, line, col)
}

// Mistakes counts the calls that will fail.
func Mistakes(rows []Foreseen) (n int) {
	for _, row := range rows {
		if row.Verdict.Problem != nil {
			n++
		}
	}
	return n
}

// Checked is what was found in a program that can be loaded.
func Checked(s Style, file string, rows []Foreseen, r *check.Report) string {
	p := paragraph{s: s}
	what := map[int]string{0: "it calls no tool", 1: "it may make this call"}[len(rows)]
	if what == "" {
		what = "it may make these calls"
	}
	width := 0
	for _, row := range rows {
		width = max(width, len(shortPlace(file, row.Sites)))
	}
	switch wrong := Mistakes(rows); wrong {
	case 0:
		what = "no mistakes; " + what
	case 1:
		what = "1 mistake; " + what
	default:
		what = strconv.Itoa(wrong) + " mistakes; " + what
	}
	p.add(s.data(bold, file), own(plain, ": "+what))
	for _, row := range rows {
		place := line{own(plain, "  "), s.data(dim, shortPlace(file, row.Sites))}.pad(s, width+4)
		a := answer(row.Verdict)
		said := line{own(answerPaint[a], a)}.pad(s, 9)
		p.folded(append(place, said...), s.clean(row.Call))
		if why := reason(row.Verdict); why != "" {
			p.wrap(strings.Repeat(" ", min(width+13, s.columns()/3)), dim, s.clean(why))
		}
	}
	for _, n := range r.Notes {
		p.wrap("  "+s.clean(shortPlace(file, []syntax.Span{n.At}))+"  ", plain, n.Text)
	}
	if r.Cut {
		p.wrap("  ", yellow, "the program is too large to be followed to its end: it may call more than this")
	}
	return p.String()
}

// folded writes a text behind a head of several colours, on as many lines as it takes.
func (p *paragraph) folded(head line, text string) {
	if p.s.Width == 0 { // no terminal: a line is a line
		p.b.WriteString(append(head, own(plain, text)).text(p.s) + "\n")
		return
	}
	indent := min(head.cells(p.s), p.s.columns()/3)
	for i, piece := range p.s.words(text, max(10, p.s.columns()-head.cells(p.s))) {
		if i > 0 {
			head = line{own(plain, strings.Repeat(" ", indent+2))}
		}
		p.b.WriteString(append(head[:len(head):len(head)], own(plain, piece)).text(p.s))
		p.b.WriteByte('\n')
	}
}

var answerPaint = map[string]paint{"allow": green, "deny": red, "fails": red, "ask": yellow, check.Depends: cyan}

func answer(v check.Verdict) string {
	if v.Problem != nil {
		return "fails"
	}
	return v.Verdict
}

func reason(v check.Verdict) string {
	switch {
	case v.Problem != nil:
		return v.Problem.Error()
	case v.On == check.OnTool:
		return "on whether the program or the workspace defines that tool"
	case v.On == "with-policy":
		return "on the rules of with-policy; without them: " + v.Inside
	case v.Inside != "":
		return "on its " + v.On + "; in the workspace: " + v.Inside
	case v.On != "":
		return "on its " + v.On
	case v.Verdict == "allow":
		return ""
	}
	return v.Decision.Reason
}

// shortPlace is line:column of the first place, with the file where it is another; more places are counted.
func shortPlace(file string, at []syntax.Span) string {
	if len(at) == 0 {
		return ""
	}
	p := strings.TrimPrefix(Where(at[0]), file+":")
	if name, _, _ := at[0].Position(); name != file {
		p = strings.TrimPrefix(Where(at[0]), filepath.Dir(name)+"/")
	}
	if n := len(at) - 1; n > 0 {
		p += fmt.Sprintf(" +%d", n)
	}
	return p
}

// Finding is a line about the installation, and what to do about it.
func Finding(s Style, what, found, do string, bad bool) string {
	p := paragraph{s: s}
	mark, c := s.glyph("✓", "ok"), green
	switch {
	case bad:
		mark, c = s.glyph("✗", "!!"), red
	case do != "":
		mark, c = s.glyph("•", "--"), yellow
	}
	head := line{own(c, mark), own(plain, " "), own(bold, what)}.pad(s, 14)
	p.folded(head, s.clean(oneLine(found)))
	if do != "" {
		p.wrap(strings.Repeat(" ", 14), cyan, do)
	}
	return p.String()
}

// Size is a number of bytes in words.
func Size(n int64) string { return size(n) }
