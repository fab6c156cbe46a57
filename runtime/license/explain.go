package license

import "fmt"

// Explanation is a decision as `caper policy explain --json` prints it.
type Explanation struct {
	Decision string   `json:"decision"`
	Step     int      `json:"step"`
	StepName string   `json:"step_name"`
	Rule     string   `json:"rule"`
	Origin   string   `json:"origin"`
	Reason   string   `json:"reason"`
	Subject  string   `json:"subject,omitempty"`
	Action   string   `json:"action,omitempty"`
	Remember []string `json:"remember,omitempty"`
	Notes    []string `json:"notes,omitempty"`
}

// Explain puts a decision in a form to print; an empty answerability leaves out what would happen next.
func Explain(d Decision, a Answerability) Explanation {
	e := Explanation{Decision: string(d.Verdict), Step: int(d.Step), StepName: d.Step.String(), Rule: d.Rule, Origin: d.Origin,
		Reason: d.Reason, Subject: d.Subject, Notes: d.Notes}
	if a != "" {
		e.Action = string(Resolve(d, a))
	}
	for _, s := range d.Remember {
		rule := s.Rule
		if rule == "" {
			rule = "this very call"
		}
		e.Remember = append(e.Remember, fmt.Sprintf("%s: %s", s.Scope, rule))
	}
	return e
}

// Lines is the explanation for a person.
func (e Explanation) Lines() []string {
	out := []string{
		e.Decision + ": " + e.Reason,
		fmt.Sprintf("  step    %d, %s", e.Step, e.StepName),
		fmt.Sprintf("  rule    %s (%s)", show(e.Rule), show(e.Origin)),
	}
	if e.Subject != "" {
		out = append(out, "  about   "+e.Subject)
	}
	if e.Action != "" {
		out = append(out, "  next    "+e.Action)
	}
	for _, r := range e.Remember {
		out = append(out, "  keep    "+show(r))
	}
	for _, n := range e.Notes {
		out = append(out, "  note    "+show(n))
	}
	return append(out, "  change  "+e.remedy())
}

// remedy says how to change the outcome.
func (e Explanation) remedy() string {
	switch Step(e.Step) {
	case StepProtections:
		if e.Rule == "protections" || e.Rule == "facts" {
			return "nothing opens a protected place"
		}
		return "take the rule off the block list"
	case StepPlan:
		return "run it with --mode act"
	case StepDeny, StepAsk:
		if e.Origin == builtIn {
			return "approve this very call, or write the command so that it can be read"
		}
		return "edit the rule in " + show(e.Origin)
	case StepApprovals:
		return "forget the approval"
	case StepAllow:
		return "add a deny or ask rule: both come first"
	}
	return "add a rule to policy.yaml, or choose another posture with --policy"
}
