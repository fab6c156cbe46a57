package license

import (
	"errors"
	"fmt"
	"slices"

	"caper/interp/near"
)

// Posture is what becomes of a call that no rule speaks about.
type Posture string

const (
	Manual Posture = "manual" // ask
	Auto   Posture = "auto"   // reads inside the workspace go on, a judge or a person decides the rest
	Yolo   Posture = "yolo"   // go on
)

// Postures are all there are, tightest first.
var Postures = []Posture{Manual, Auto, Yolo}

// NamedPosture reads the posture that a person or a program writes.
func NamedPosture(s string) (Posture, error) { return named("posture", s, Postures) }

// NamedMode reads the mode that a person writes.
func NamedMode(s string) (Mode, error) { return named("mode", s, []Mode{Act, Plan}) }

func named[T ~string](what, s string, all []T) (T, error) {
	names := make([]string, len(all))
	for i, x := range all {
		if names[i] = string(x); names[i] == s {
			return x, nil
		}
	}
	message := fmt.Sprintf("there is no %s %q: it is %s", what, s, near.Or(names))
	if q := near.Question(near.Names(s, names)); q != "" {
		message += "; " + q
	}
	return "", errors.New(message)
}

// ParsePosture reads a stored posture. What is unknown or empty is Manual (law S22).
func ParsePosture(s string) Posture {
	p, err := NamedPosture(s)
	if err != nil {
		return Manual
	}
	return p
}

// Tighter says that p lets fewer calls through than q: with-policy may only go that way.
func (p Posture) Tighter(q Posture) bool { return looseness(p) < looseness(q) }

func looseness(p Posture) int { return max(slices.Index(Postures, p), 0) }

// Mode is act or plan; plan licenses reads only (law S27).
type Mode string

const (
	Act  Mode = "act"
	Plan Mode = "plan"
)

// ParseMode reads a stored mode; what is empty is Act, what is unknown is Plan, the tighter one.
func ParseMode(s string) Mode {
	if s == "" || Mode(s) == Act {
		return Act
	}
	return Plan
}

// Answerability says who could answer a question; it is fixed when a call is admitted.
type Answerability string

const (
	TTY   Answerability = "tty"
	Queue Answerability = "queue"
	None  Answerability = "none"
)

// Action is what the caller of Decide does next.
type Action string

const (
	Proceed  Action = "proceed"
	Refuse   Action = "refuse"
	AskNow   Action = "ask"
	Park     Action = "park"
	AskJudge Action = "judge"
)

// Resolve turns a decision into the next action. Where nobody can answer, a question is a refusal at once.
func Resolve(d Decision, a Answerability) Action {
	switch d.Verdict {
	case Allow:
		return Proceed
	case Judge:
		return AskJudge
	case Ask:
		switch a {
		case TTY:
			return AskNow
		case Queue:
			return Park
		}
	}
	return Refuse
}

// AfterJudge folds a judge's answer into a decision that asked for one. Only a clear allow or deny counts: a judge that
// is absent, slow, failing or unclear means ask.
func AfterJudge(d Decision, answer string, err error) Decision {
	if d.Verdict != Judge {
		return d
	}
	switch {
	case err != nil:
		d.Verdict, d.Reason = Ask, "the policy judge gave no answer: "+err.Error()
	case Verdict(answer) == Allow:
		d.Verdict, d.Reason, d.Remember = Allow, "the policy judge allows it", nil
	case Verdict(answer) == Deny:
		d.Verdict, d.Reason, d.Remember = Deny, "the policy judge denies it", nil
	default:
		d.Verdict, d.Reason = Ask, "the policy judge's answer is not clear"
	}
	d.Rule, d.Origin = "policy judge", "built in"
	return d
}
