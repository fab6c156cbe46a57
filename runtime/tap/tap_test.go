package tap_test

import (
	"testing"

	"caper/runtime/tap"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       tap.Report
	}{
		{"nothing", "", tap.Report{Plan: -1}},
		{"tests and a plan", "ok 1\nnot ok 2 - sum\n1..2\n", tap.Report{Plan: 2, Tests: []tap.Test{
			{Number: 1, Outcome: tap.Pass}, {Number: 2, Name: "sum", Outcome: tap.Fail}}}},
		{"two suites", "ok 1\n1..1\nok 1\n1..1\n", tap.Report{Plan: 2, Tests: []tap.Test{{Number: 1, Outcome: tap.Pass}, {Number: 1, Outcome: tap.Pass}}}},
		{"an explanation", "not ok 1 - a: b\n  ---\n  at: x.scm:3\n  got: (1 : 2)\n  ...\nok 2\n", tap.Report{Plan: -1, Tests: []tap.Test{
			{Number: 1, Name: "a: b", Outcome: tap.Fail, Notes: []tap.Note{{"at", "x.scm:3"}, {"got", "(1 : 2)"}}}, {Number: 2, Outcome: tap.Pass}}}},
		{"directives", "ok 1 - a # SKIP\nnot ok 2 - b # TODO later\nok 3 - c # todo\nok 4 - \\#TODO list\n", tap.Report{Plan: -1, Tests: []tap.Test{
			{Number: 1, Name: "a", Outcome: tap.Skipped}, {Number: 2, Name: "b", Outcome: tap.Expected},
			{Number: 3, Name: "c", Outcome: tap.Unexpected}, {Number: 4, Name: "#TODO list", Outcome: tap.Pass}}}},
		{"the program's own lines", "hello\nok 1\nokay\n# a group\n  indented\n", tap.Report{Plan: -1, Other: "hello\nokay\n  indented\n",
			Tests: []tap.Test{{Number: 1, Outcome: tap.Pass}}}},
		{"an explanation without an end", "not ok 1\n  ---\n  at: x:1\nhello\n", tap.Report{Plan: -1, Other: "hello\n",
			Tests: []tap.Test{{Number: 1, Outcome: tap.Fail, Notes: []tap.Note{{"at", "x:1"}}}}}},
		{"an explanation of nothing", "  ---\n  at: x:1\n", tap.Report{Plan: -1, Other: "  ---\n  at: x:1\n"}},
		{"numbers that are too large", "ok 99999999999999999999\n1..99999999999999999999\n", tap.Report{Plan: -1, Tests: []tap.Test{{Number: 1, Outcome: tap.Pass}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, tap.Read(c.text)); d != "" {
				t.Error(d)
			}
		})
	}
}
