// Package tap reads TAP, the Test Anything Protocol, as tests of programs write it. It is pure.
package tap

import (
	"regexp"
	"strconv"
	"strings"
)

// Outcome is how one test ended.
type Outcome string

const (
	Pass       Outcome = "pass"
	Fail       Outcome = "fail"
	Skipped    Outcome = "skip"
	Expected   Outcome = "expected-fail"   // failed, as it should
	Unexpected Outcome = "unexpected-pass" // passed, and should have failed
)

// Bad reports whether an outcome fails its file.
func (o Outcome) Bad() bool { return o == Fail || o == Unexpected }

// Test is one line "ok" or "not ok" with what explains it.
type Test struct {
	Number  int
	Name    string
	Outcome Outcome
	Notes   []Note // what stands between --- and ..., in order
}

// Note is one line of an explanation.
type Note struct{ Key, Text string }

// Report is what a text says.
type Report struct {
	Tests []Test
	Plan  int    // how many tests were announced in all, -1 for none
	Other string // lines that are no TAP: what the program under test printed
}

// Count is how many tests ended so.
func (r *Report) Count(o Outcome) int {
	n := 0
	for _, t := range r.Tests {
		if t.Outcome == o {
			n++
		}
	}
	return n
}

// Bad are the tests that fail the file.
func (r *Report) Bad() []Test {
	var bad []Test
	for _, t := range r.Tests {
		if t.Outcome.Bad() {
			bad = append(bad, t)
		}
	}
	return bad
}

var (
	test      = regexp.MustCompile(`^(not )?ok(?: +([0-9]+))?(?: +-)?(?: +(.*))?$`)
	plan      = regexp.MustCompile(`^1\.\.([0-9]+)$`)
	directive = regexp.MustCompile(`(?i)(?:^|\s)#\s*(TODO|SKIP)\b.*$`)
)

// Read reads a text. Every line of it is a test, a plan, a comment, an explanation, or the program's own.
func Read(text string) Report {
	r := Report{Plan: -1}
	explains := false
	var other strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch m := test.FindStringSubmatch(line); {
		case explains && line == "  ...":
			explains = false
		case explains && strings.HasPrefix(line, "  "):
			key, text, _ := strings.Cut(line[2:], ": ")
			last := &r.Tests[len(r.Tests)-1]
			last.Notes = append(last.Notes, Note{key, text})
		case line == "  ---" && len(r.Tests) > 0:
			explains = true
		case m != nil:
			explains = false
			r.Tests = append(r.Tests, result(m, len(r.Tests)+1))
		case plan.MatchString(line):
			if n, err := strconv.Atoi(line[3:]); err == nil && n <= 1<<30 { // each of several suites has one
				r.Plan = max(r.Plan, 0) + n
			}
		case strings.HasPrefix(line, "# "), line == "TAP version 13", line == "TAP version 14":
		default:
			explains = false
			other.WriteString(line + "\n")
		}
	}
	r.Other = other.String()
	return r
}

func result(m []string, next int) Test {
	t := Test{Number: next, Name: m[3], Outcome: Pass}
	if n, err := strconv.Atoi(m[2]); err == nil {
		t.Number = n
	}
	if m[1] != "" {
		t.Outcome = Fail
	}
	if d := directive.FindStringSubmatchIndex(t.Name); d != nil {
		switch skip := strings.EqualFold(t.Name[d[2]:d[3]], "skip"); {
		case skip:
			t.Outcome = Skipped
		case t.Outcome == Fail:
			t.Outcome = Expected
		default:
			t.Outcome = Unexpected
		}
		t.Name = t.Name[:d[0]]
	}
	t.Name = strings.ReplaceAll(t.Name, `\#`, "#")
	return t
}
