package view

import (
	"fmt"
	"strings"

	"caper/runtime/program"
	"caper/runtime/tap"
)

// Tested is a file of tests that ran: what it reported, and how its program ended.
type Tested struct {
	File   string
	Report tap.Report
	Result program.Result
	Broken error // it could not be run: its text is no program, or the store failed
}

// Problem is what is wrong with the file as a whole, "" for nothing: its tests may still fail.
func (f *Tested) Problem() string {
	ran := len(f.Report.Tests)
	switch {
	case f.Broken != nil || f.Result.Error != nil:
		return fmt.Sprintf("the program stopped after %s", count(int64(ran), "test", "tests"))
	case f.Result.State == program.Exited && f.Result.Code != 0:
		return fmt.Sprintf("the program left with exit code %d", f.Result.Code)
	case f.Result.State == program.Exited:
	case f.Result.State != program.Done:
		return fmt.Sprintf("the program did not end: it is %s", f.Result.State)
	}
	switch {
	case ran == 0:
		return "it ran no tests"
	case f.Report.Plan >= 0 && f.Report.Plan != ran:
		return fmt.Sprintf("%s reported of %d", count(int64(ran), "test", "tests"), f.Report.Plan)
	}
	return ""
}

// Passed reports whether nothing is wrong.
func (f *Tested) Passed() bool { return f.Problem() == "" && len(f.Report.Bad()) == 0 }

var outcomes = []struct {
	outcome tap.Outcome
	word    string
	paint   paint
}{
	{tap.Pass, "passed", plain}, {tap.Fail, "failed", red}, {tap.Unexpected, "passed against expectation", red},
	{tap.Expected, "failed as expected", dim}, {tap.Skipped, "skipped", dim},
}

func tallies(reports ...tap.Report) (l line, sep string) {
	for _, o := range outcomes {
		n := 0
		for i := range reports {
			n += reports[i].Count(o.outcome)
		}
		if n > 0 {
			l = append(l, own(dim, sep), own(o.paint, fmt.Sprintf("%d %s", n, o.word)))
			sep = ", "
		}
	}
	return l, sep
}

// maxPrinted is how many lines of a failed program's own output are shown, the last ones.
const maxPrinted = 20

// TestFile is what one file did: a line when all went well, else with each test that did not.
func TestFile(s Style, f *Tested) string {
	p := &paragraph{s: s}
	mark := own(green, s.glyph("✓ ", "ok   "))
	if !f.Passed() {
		mark = own(red, s.glyph("✗ ", "FAIL "))
	}
	tally, _ := tallies(f.Report)
	head := line{mark, s.data(bold, f.File)}
	if len(tally) > 0 {
		head = append(append(head, own(plain, "  ")), tally...)
	}
	p.add(head...)
	if f.Passed() {
		return p.String()
	}
	for _, t := range f.Report.Bad() {
		p.failedTest(t)
	}
	if problem := f.Problem(); problem != "" {
		p.wrap("  ", red, problem)
	}
	inner := ""
	if f.Broken != nil {
		inner = Error(s, f.Broken)
	} else if f.Result.Error != nil {
		inner = Failure(s, f.Result)
	}
	for l := range strings.Lines(inner) {
		p.b.WriteString("    " + l)
	}
	if printed := splitLines(strings.TrimRight(f.Report.Other, "\n")); f.Report.Other != "" {
		p.add(own(dim, "  it printed"))
		for _, l := range printed[max(len(printed)-maxPrinted, 0):] {
			p.wrap("    ", dim, l)
		}
	}
	return p.String()
}

func (p *paragraph) failedTest(t tap.Test) {
	at, form := "", ""
	var rest []tap.Note
	for _, n := range t.Notes {
		switch n.Key {
		case "at":
			at = n.Text
		case "form":
			form = n.Text
		default:
			rest = append(rest, n)
		}
	}
	name := t.Name
	if name == "" {
		name = fmt.Sprintf("test %d", t.Number)
	}
	if t.Outcome == tap.Unexpected {
		name += " passed, and was expected to fail"
	}
	if at != "" {
		at += "  "
	}
	p.add(own(plain, "  "), p.s.data(bold, at), p.s.data(red, name))
	if form != "" {
		p.wrap("    ", plain, form)
	}
	for _, n := range rest {
		p.wrap("    "+fmt.Sprintf("%-9s", p.s.clean(oneLine(n.Key))), plain, n.Text)
	}
}

// TestTotal is the last line: all files together.
func TestTotal(s Style, files []*Tested) string {
	var reports []tap.Report
	bad := 0
	for _, f := range files {
		reports = append(reports, f.Report)
		if !f.Passed() {
			bad++
		}
	}
	tally, sep := tallies(reports...)
	if sep == "" {
		tally = line{own(plain, "no tests")}
	}
	what := line{own(bold, count(int64(len(files)), "file", "files"))}
	if bad > 0 {
		what = append(what, own(red, fmt.Sprintf(", %d failed", bad)))
	}
	p := &paragraph{s: s}
	p.add(append(append(what, own(dim, ": ")), tally...)...)
	return p.String()
}
