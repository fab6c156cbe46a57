package license

import (
	"context"
	"strings"
	"testing"
	"time"
)

// FuzzShell: any text is read without a panic and in bounded time, and what cannot be read is never allowed.
func FuzzShell(f *testing.F) {
	for _, row := range readCases(f, "testdata/cases.txt") {
		if row.call.Command != "" {
			f.Add(row.call.Command)
		}
	}
	for _, s := range []string{"(((((((((((((", "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "{1..999999999}", "$(((((((", "`\\`\\\\`", "<<E\n$(", "if if if if", strings.Repeat("a|", 2000), strings.Repeat("! ", 5000),
		strings.Repeat("eval ", 500), strings.Repeat("env ", 500) + "rm", strings.Repeat("sh -c '", 20), strings.Repeat("$(", 300), strings.Repeat("a=1 ", 3000), strings.Repeat("-", 9000)} {
		f.Add(s)
	}
	w := newScript(f, "testdata/world.txt")
	rule, err := ParseRule("bash(git *)", "x")
	if err != nil {
		f.Fatal(err)
	}
	p := basePolicy()
	p.Layers[0].Allow, p.Layers[0].Deny = []Rule{rule}, []Rule{mustRule(f, "bash(rm -rf *)"), mustRule(f, "read-file(docs/**)")}
	f.Fuzz(func(t *testing.T, command string) {
		c := baseCall()
		c.Command = command
		start := time.Now()
		facts, err := Survey(context.Background(), c, w, p.Protected...)
		if err != nil {
			t.Fatal(err)
		}
		d := Decide(c, facts, p)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("it took %v", took)
		}
		if d.Verdict == Allow && len(facts.Shell.Hard) > 0 {
			t.Errorf("%q: %v, though %v", command, d, facts.Shell.Hard)
		}
		if d2 := Decide(c, facts, p); d2.Verdict != d.Verdict || d2.Rule != d.Rule {
			t.Errorf("%q: two decisions", command)
		}
		Explain(d, TTY).Lines()
	})
}

func mustRule(t testing.TB, text string) Rule {
	r, err := ParseRule(text, "x")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// FuzzPolicyYAML: any bytes give a layer or an error with file and line.
func FuzzPolicyYAML(f *testing.F) {
	for _, s := range []string{"deny:\n  - bash(rm -rf *)\n", "allow: [a, b]\n", "a: &x [*x]\n", "? [", "---\n...\n", "deny:\n - |\n  x\n", "\xff", "deny: {", "%", "!!x", "- - - -"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		layer, err := ParsePolicy("p.yaml", src)
		if err != nil {
			if pe, ok := err.(*PolicyError); !ok || pe.Line < 1 || pe.Why == "" {
				t.Errorf("%#v", err)
			}
			return
		}
		for _, list := range [][]Rule{layer.Deny, layer.Ask, layer.Allow} {
			for _, r := range list {
				if _, err := ParseRule(r.Text, r.Origin); err != nil {
					t.Error(err)
				}
			}
		}
	})
}

// FuzzRule: any text gives a rule or an error, and a rule reads back from its data.
func FuzzRule(f *testing.F) {
	for _, s := range []string{"bash(rm -rf *)", "write-file(docs/**)", "a/*", "x(a=b, c=d)", "bash('", "bash({a,b})", "read-file({a,{b,c}}/[!x]*)", "bash(* * *)"} {
		f.Add(s, "git push -f")
	}
	w := newScript(f, "testdata/world.txt")
	f.Fuzz(func(t *testing.T, text, command string) {
		r, err := ParseRule(text, "x")
		if err != nil {
			return
		}
		if _, again, err := ParseRuleDatum(r.Datum(KindDeny), "x"); err == nil && again.tool != r.tool {
			t.Errorf("%q reads back as %q", text, again.Text)
		}
		c := baseCall()
		c.Command = command
		p := basePolicy()
		p.Layers[0].Deny, p.Layers[0].Allow = []Rule{r}, []Rule{r}
		facts, err := Survey(context.Background(), c, w)
		if err != nil {
			t.Fatal(err)
		}
		if d := Decide(c, facts, p); d.Verdict == Allow && d.Step == StepAllow {
			t.Errorf("%q allows %q though it denies it as well: %v", text, command, d)
		}
	})
}

// TestHostileCommandsAreBounded: what nests or grows without end is answered soon, and asks.
func TestHostileCommandsAreBounded(t *testing.T) {
	w := newScript(t, "testdata/world.txt")
	p := basePolicy()
	p.Layers[0].Deny = []Rule{mustRule(t, "bash(rm -rf *)"), mustRule(t, "read-file(docs/**)")}
	for name, s := range map[string]string{
		"pipes":       strings.Repeat("a|", 30000) + "a",
		"lists":       strings.Repeat("a&&", 20000) + "a",
		"words":       "a " + strings.Repeat("b ", 30000),
		"assignments": strings.Repeat("a=1 ", 15000),
		"elif":        "if a; then b; " + strings.Repeat("elif a; then b; ", 500) + "fi",
		"subst":       strings.Repeat("$(a ", 250) + strings.Repeat(")", 250),
		"subshells":   strings.Repeat("(", 250) + "a" + strings.Repeat(")", 250),
		"brackets":    strings.Repeat("(", 60000),
		"env":         strings.Repeat("env ", 10000) + "rm",
		"timeout":     strings.Repeat("timeout 5 ", 5000) + "rm",
		"guesses":     "timeout --x " + strings.Repeat("sudo --x ", 1000),
		"braces":      "echo " + strings.Repeat("{a,b}", 100),
		"sum":         "echo $((" + strings.Repeat("1+", 20000) + "1))",
		"ternary":     "echo $((" + strings.Repeat("1?", 10000) + "1" + strings.Repeat(":1", 10000) + "))",
		"test":        "[[ " + strings.Repeat("a && ", 10000) + "a ]]",
		"find":        "find . " + strings.Repeat("-exec a ';' ", 5000),
		"loops":       strings.Repeat("for i in a; do ", 90) + "a" + strings.Repeat("; done", 90),
		"unknown":     "rm " + strings.Repeat("$x ", 3000),
		"eval":        strings.Repeat("eval ", 8000) + "rm",
		"heredocs":    strings.Repeat("a <<E\nx\nE\n", 3000),
		"too long":    strings.Repeat("a ", 40000),
	} {
		c := baseCall()
		c.Command = s
		start := time.Now()
		f, err := Survey(context.Background(), c, w)
		if err != nil {
			t.Fatal(err)
		}
		if d := Decide(c, f, p); d.Verdict != Ask {
			t.Errorf("%s: %v", name, d)
		}
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}
