package license

// Verdict is the answer of Decide.
type Verdict string

const (
	Allow Verdict = "allow"
	Deny  Verdict = "deny"
	Ask   Verdict = "ask"
	Judge Verdict = "judge" // ask the policy judge, then AfterJudge
)

// Step is the place in the fixed order where a decision fell.
type Step int

const (
	StepProtections Step = 1 + iota
	StepDeny
	StepPlan
	StepApprovals
	StepAsk
	StepAllow
	StepPosture
)

// stepNames are the order of Decide in words.
var stepNames = [...]string{"", "protections", "deny rules", "mode plan", "approvals", "ask rules", "allow rules", "posture"}

func (s Step) String() string {
	if s < 1 || int(s) >= len(stepNames) {
		return "none"
	}
	return stepNames[s]
}

// Decision is a verdict and why.
type Decision struct {
	Verdict Verdict
	Step    Step
	Rule    string // the text of the rule that fired, or the name of a built-in one
	Origin  string // file:line, "session", "built in"
	Reason  string // one sentence for a person
	Subject string // the simple command or the path that decided, as it may be shown
	// Remember are what could be remembered when a person says yes, each shown as a rule first.
	Remember []Suggestion
	// Notes are what had no force: allow rules of a layer that may only tighten.
	Notes []string
}

const builtIn = "built in"

func decided(v Verdict, s Step, rule, origin, reason, subject string) Decision {
	return Decision{Verdict: v, Step: s, Rule: rule, Origin: origin, Reason: clean(reason), Subject: subject}
}
