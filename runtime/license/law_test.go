package license

import (
	"context"
	"strings"
	"testing"
)

func TestLawS22_UnknownOrEmptyPostureIsManual(t *testing.T) {
	for given, want := range map[string]Posture{
		"manual": Manual, "auto": Auto, "yolo": Yolo, "": Manual, "YOLO": Manual, "yolo ": Manual, "allow": Manual, "nil": Manual,
	} {
		if got := ParsePosture(given); got != want {
			t.Errorf("%q is %s, want %s", given, got, want)
		}
	}
	c := baseCall()
	c.Command = "make"
	for _, posture := range []Posture{"", "Yolo", "nonsense"} {
		p := basePolicy()
		p.Posture = posture
		if d := decideOn(t, c, p); d.Verdict != Ask || d.Rule != "posture manual" {
			t.Errorf("posture %q decides %v", posture, d)
		}
	}
}

func TestLawS23_TheDecisionFollowsThePostureItIsGiven(t *testing.T) {
	c := baseCall()
	c.Command = "make"
	for posture, want := range map[Posture]Verdict{Manual: Ask, Auto: Ask, Yolo: Allow} {
		p := basePolicy()
		p.Posture = posture
		if d := decideOn(t, c, p); d.Verdict != want {
			t.Errorf("%s: %v", posture, d)
		}
	}
}

func TestLawS26_ThePolicyFileHoldsRulesAndNeverThePosture(t *testing.T) {
	for _, src := range []string{"posture: yolo\n", "policy: auto\n", "mode: plan\n", "defaultPolicy: yolo\n", "deny: []\nposture: manual\n"} {
		_, err := ParsePolicy("policy.yaml", []byte(src))
		if err == nil || !strings.Contains(err.Error(), "never the posture") {
			t.Errorf("%q: %v", src, err)
		}
	}
	layer, err := ParsePolicy("policy.yaml", []byte("deny:\n  - bash(rm -rf *)\nask:\n  - write-file\nallow:\n  - read-file(docs/**)\n"))
	if err != nil || len(layer.Deny) != 1 || len(layer.Ask) != 1 || len(layer.Allow) != 1 {
		t.Fatal(layer, err)
	}
	if o := layer.Ask[0].Origin; o != "policy.yaml:4" {
		t.Error("origin", o)
	}
}

func TestLawS27_PlanLicensesReadsOnly(t *testing.T) {
	p := basePolicy()
	p.Mode, p.Posture = Plan, Yolo
	for _, tool := range []struct {
		effect Effect
		want   Verdict
	}{{EffectRead, Allow}, {EffectWrite, Deny}, {EffectExternal, Deny}, {"", Deny}, {"READ", Deny}} {
		c := baseCall()
		c.Tool, c.Effect = "some-tool", tool.effect
		if d := decideOn(t, c, p); d.Verdict != tool.want {
			t.Errorf("%q: %v", tool.effect, d)
		}
	}
	lying := baseCall()
	lying.Tool, lying.Effect, lying.Uses = "some-tool", EffectRead, []Use{{"p", "x", Write}}
	if d := decideOn(t, lying, p); d.Verdict != Deny {
		t.Error("a writer that calls itself a reader:", d)
	}
	if ParseMode("") != Act || ParseMode("act") != Act || ParseMode("plan") != Plan || ParseMode("?") != Plan {
		t.Error("modes")
	}
}

func decideOn(t testing.TB, c Call, p Policy) Decision {
	t.Helper()
	f, err := Survey(context.Background(), c, newScript(t, "testdata/world.txt"), p.Protected...)
	if err != nil {
		t.Fatal(err)
	}
	return Decide(c, f, p)
}

// TestTheOrderOfSteps takes one call and adds what speaks at each step, from the last to the first: each takes over.
func TestTheOrderOfSteps(t *testing.T) {
	rule := func(s string) []Rule {
		r, err := ParseRule(s, "x")
		if err != nil {
			t.Fatal(err)
		}
		return []Rule{r}
	}
	c := baseCall()
	c.Command = "make all"
	p := basePolicy()
	p.Posture = Yolo
	want := func(v Verdict, s Step) {
		t.Helper()
		if d := decideOn(t, c, p); d.Verdict != v || d.Step != s {
			t.Errorf("want %s at %s, got %v", v, s, d)
		}
	}
	want(Allow, StepPosture)
	p.Layers[0].Allow = rule("bash(make *)")
	want(Allow, StepAllow)
	p.Layers[0].Ask = rule("bash(make all)")
	want(Ask, StepAsk)
	p.Approvals = []Approval{{Scope: Session, Rule: "bash(make *)"}}
	want(Allow, StepApprovals)
	p.Mode = Plan
	want(Deny, StepPlan)
	p.Layers[0].Deny = rule("bash(make *)")
	want(Deny, StepDeny)
	p.BlockList = rule("bash(make *)")
	want(Deny, StepProtections)
}

// TestTheOrderOfRulesNeverMatters turns every list round: no decision of the table changes.
func TestTheOrderOfRulesNeverMatters(t *testing.T) {
	w := newScript(t, "testdata/world.txt")
	reverse := func(rs []Rule) (out []Rule) {
		for _, r := range rs {
			out = append([]Rule{r}, out...)
		}
		return out
	}
	for _, row := range readCases(t, "testdata/cases.txt") {
		f, err := Survey(context.Background(), row.call, w, row.policy.Protected...)
		if err != nil {
			t.Fatal(err)
		}
		a := Decide(row.call, f, row.policy)
		p := row.policy
		p.Layers = nil
		for _, l := range row.policy.Layers {
			p.Layers = append([]Layer{{l.Name, l.Tightening, reverse(l.Deny), reverse(l.Ask), reverse(l.Allow)}}, p.Layers...)
		}
		p.BlockList, p.AllowList = reverse(p.BlockList), reverse(p.AllowList)
		if b := Decide(row.call, f, p); a.Verdict != b.Verdict || a.Step != b.Step {
			t.Errorf("line %d: %v, turned round %v", row.line, a, b)
		}
	}
}

func TestResolve(t *testing.T) {
	for _, row := range []struct {
		v    Verdict
		a    Answerability
		want Action
	}{
		{Allow, None, Proceed}, {Deny, TTY, Refuse}, {Ask, TTY, AskNow}, {Ask, Queue, Park}, {Ask, None, Refuse},
		{Ask, "", Refuse}, {Judge, None, AskJudge}, {"", TTY, Refuse},
	} {
		if got := Resolve(Decision{Verdict: row.v}, row.a); got != row.want {
			t.Errorf("%s with %s: %s, want %s", row.v, row.a, got, row.want)
		}
	}
}

func TestAJudgeThatIsNotClearMeansAsk(t *testing.T) {
	d := Decision{Verdict: Judge}
	for answer, want := range map[string]Verdict{"allow": Allow, "deny": Deny, "": Ask, "ALLOW": Ask, "allow, I think": Ask, "judge": Ask} {
		if got := AfterJudge(d, answer, nil); got.Verdict != want || got.Reason == "" {
			t.Errorf("%q: %v", answer, got)
		}
	}
	if got := AfterJudge(d, "allow", context.DeadlineExceeded); got.Verdict != Ask {
		t.Error("a judge that failed:", got)
	}
	if got := AfterJudge(Decision{Verdict: Deny}, "allow", nil); got.Verdict != Deny {
		t.Error("a judge cannot undo a denial:", got)
	}
}

// TestSuggestions: what would be remembered covers this very call and not a neighbour's.
func TestSuggestions(t *testing.T) {
	w := newScript(t, "testdata/world.txt")
	for _, row := range readCases(t, "testdata/cases.txt") {
		f, err := Survey(context.Background(), row.call, w, row.policy.Protected...)
		if err != nil {
			t.Fatal(err)
		}
		d := Decide(row.call, f, row.policy)
		if d.Verdict != Ask && d.Verdict != Judge {
			if len(d.Remember) > 0 {
				t.Errorf("line %d: nothing is asked, %v suggested", row.line, d.Remember)
			}
			continue
		}
		for _, scope := range []Scope{Once, Session, Project} {
			p := row.policy
			p.Approvals = nil
			for _, s := range d.Remember {
				if s.Scope == scope && s.Rule == "" {
					p.Approvals = append(p.Approvals, Approval{Scope: scope, Digest: Digest(row.call, f)})
				} else if s.Scope == scope {
					p.Approvals = append(p.Approvals, Approval{Scope: scope, Rule: s.Rule})
				}
			}
			if got := Decide(row.call, f, p); got.Verdict != Allow || got.Step != StepApprovals {
				t.Errorf("line %d: with %v for %s: %v", row.line, d.Remember, scope, got)
			}
			other := row.call
			other.Command, other.Uses = "touch other", nil
			if other.Tool != BashTool {
				other.Tool, other.Command = "other-tool", ""
			}
			g, err := Survey(context.Background(), other, w)
			if err != nil {
				t.Fatal(err)
			}
			p.Layers, p.AllowList, p.Posture = nil, nil, Manual
			if got := Decide(other, g, p); got.Verdict == Allow {
				t.Errorf("line %d: %v lets another call through: %v", row.line, p.Approvals, got)
			}
		}
	}
}

func TestSuggestionsAsTheyAreShown(t *testing.T) {
	for _, row := range []struct{ call, session, project string }{
		{"$ git push origin main", "bash(git push origin main)", "bash(git push *)"},
		{"$ rm docs/a.md", "bash(rm docs/a.md)", "bash(rm docs/a.md)"},
		{"$ git commit -m 'a * b'", "bash(git commit -m 'a * b')", "bash(git commit *)"},
		{"$ timeout 5 make all", "bash(make all)", "bash(make all)"},
		{"$ make all > out.txt", "bash(make all) write-file(out.txt)", "bash(make all) write-file(out.txt)"},
		{"$ go vet && go test ./...", "bash(go vet) bash(go test ./...)", "bash(go vet) bash(go test *)"},
		{"$ $X", "", ""},
		{"$ sudo make", "", ""},
		{"$ make $X", "", ""},
		{"write-file docs/b.md", "write-file(docs/**)", "write-file(docs/**)"},
		{"delete-file docs/b.md", "delete-file(docs/b.md)", "delete-file(docs/**)"},
		{"write-file README.md", "write-file(README.md)", "write-file(README.md)"},
		{"write-file /tmp/x", "write-file(//tmp/x)", "write-file(//tmp/x)"},
		{"delete-file docs/[a].md", `delete-file(docs/\[a\].md)`, "delete-file(docs/**)"},
		{"files/read path=x", "files/read", "files/read"},
		{"web-extract url=https://a.example/x/y", "web-extract(url=https://a.example/*)", "web-extract(url=https://a.example/*)"},
		{"spawn-agent spec=review", "spawn-agent(spec=review)", "spawn-agent(spec=review)"},
	} {
		d := decideOn(t, callOf(t, baseCall(), row.call), basePolicy())
		got := map[Scope][]string{}
		for _, s := range d.Remember {
			got[s.Scope] = append(got[s.Scope], s.Rule)
		}
		if s, p := strings.Join(got[Session], " "), strings.Join(got[Project], " "); s != row.session || p != row.project {
			t.Errorf("%s: session %q, project %q", row.call, s, p)
		}
	}
}

func TestWithPolicyOnlyTightens(t *testing.T) {
	c := baseCall()
	c.Command = "make"
	for _, row := range []struct {
		outer, inner Posture
		want         Verdict
	}{{Yolo, Manual, Ask}, {Yolo, Auto, Ask}, {Yolo, Yolo, Allow}, {Yolo, "", Allow}, {Manual, Yolo, Ask}, {Auto, Yolo, Ask}, {Yolo, "nonsense", Ask}} {
		p := basePolicy()
		p.Posture = row.outer
		if d := decideOn(t, c, p.With(row.inner, Layer{Allow: []Rule{mustRule(t, "bash(make)")}})); d.Verdict != row.want {
			t.Errorf("%s within %s: %v", row.inner, row.outer, d)
		}
	}
	p := basePolicy()
	p.Posture = Yolo
	if d := decideOn(t, c, p.With(Yolo, Layer{Deny: []Rule{mustRule(t, "bash(make)")}})); d.Verdict != Deny {
		t.Error(d)
	}
	if len(p.Layers) != 1 {
		t.Error("With changed the policy that it was asked of")
	}
}
