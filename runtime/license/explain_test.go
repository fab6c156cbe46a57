package license

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestFactsAreData: stored and read again they give the same decision and the same digest.
func TestFactsAreData(t *testing.T) {
	w := newScript(t, "testdata/world.txt")
	for _, row := range readCases(t, "testdata/cases.txt") {
		f, err := Survey(context.Background(), row.call, w, row.policy.Protected...)
		if err != nil {
			t.Fatal(err)
		}
		bytes, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		var again Facts
		if err := json.Unmarshal(bytes, &again); err != nil {
			t.Fatal(err)
		}
		if utf8.ValidString(row.call.Command) && Digest(row.call, again) != Digest(row.call, f) {
			t.Errorf("line %d: another digest", row.line)
		}
		a, b := Decide(row.call, f, row.policy), Decide(row.call, again, row.policy)
		if utf8.ValidString(row.call.Command) && (a.Verdict != b.Verdict || a.Rule != b.Rule) {
			t.Errorf("line %d: %v, from stored facts %v", row.line, a, b)
		}
	}
}

func TestExplanations(t *testing.T) {
	p := basePolicy()
	p.Layers[0].Deny = []Rule{mustRule(t, "bash(rm -rf *)")}
	p.Layers[0].Deny[0].Origin = "policy.yaml:3"
	p.Layers = append(p.Layers, Layer{Tightening: true, Allow: []Rule{mustRule(t, "bash(make *)")}})
	for command, want := range map[string][]string{
		"rm -fr x":         {"deny: a deny rule names it", "step    2, deny rules", "bash(rm -rf *) (policy.yaml:3)", "about   rm -fr x", "next    refuse", "edit the rule in policy.yaml:3"},
		"make all":         {"ask: no rule speaks about it", "step    7, posture", "next    ask", "keep    session: bash(make all)", "note    the allow rule bash(make *)"},
		"cat ~/.netrc":     {"deny: it names /home/u/.netrc: it holds credentials", "step    1, protections", "nothing opens a protected place"},
		"$X":               {"ask: what this command runs cannot be known", "keep    session: this very call"},
		"echo \x1b]0;x\a$": {"ask: "},
	} {
		c := baseCall()
		c.Command = command
		e := Explain(decideOn(t, c, p), TTY)
		text := strings.Join(e.Lines(), "\n")
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%q: no %q in\n%s", command, w, text)
			}
		}
		if strings.ContainsAny(text, "\x1b\a") {
			t.Errorf("%q: control characters reach the terminal", command)
		}
		if bytes, err := json.Marshal(e); err != nil || !strings.Contains(string(bytes), `"decision":`) {
			t.Error(string(bytes), err)
		}
	}
}
