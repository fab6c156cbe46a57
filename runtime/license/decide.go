package license

import (
	"fmt"
	"path"
	"strings"
)

// Decide answers whether a call may happen. It is pure: the same call, facts and policy always give the same decision.
func Decide(c Call, f Facts, p Policy) Decision {
	j := &judgement{c: c, f: &f, p: p}
	d := j.decide()
	for _, r := range p.Ignored() {
		if d.Verdict != Allow && j.covers([]Rule{r}) {
			d.Notes = append(d.Notes, fmt.Sprintf("the allow rule %s (%s) has no force: what a repository or with-policy brings can only tighten", r.Text, r.Origin))
		}
	}
	if d.Verdict == Ask || d.Verdict == Judge {
		d.Remember = j.suggest()
	}
	return d
}

type judgement struct {
	c Call
	f *Facts
	p Policy
}

// decide is the order of the steps, and never otherwise.
func (j *judgement) decide() Decision {
	for _, step := range []func() (Decision, bool){
		j.protections, j.denyRules, j.planMode, j.approvals, j.askRules, j.allowRules,
	} {
		if d, done := step(); done {
			return d
		}
	}
	return j.posture()
}

// protections is step 1: what no posture and no approval opens.
func (j *judgement) protections() (Decision, bool) {
	deny := func(rule, reason, subject string) (Decision, bool) {
		return decided(Deny, StepProtections, rule, builtIn, reason, show(subject)), true
	}
	if reason := j.stale(); reason != "" {
		return deny("facts", reason, "")
	}
	for _, u := range j.f.Uses {
		if why := j.f.protects(u.Fact, u.Access, j.p.Protected); why != "" {
			return deny("protections", fmt.Sprintf("%s may not be touched: %s", show(u.Path), why), u.Path)
		}
		if reason := badState(u); reason != "" {
			return deny("protections", reason, u.Path)
		}
		if u.Access == Delete || j.c.Tool == "move-file" && u.Access == Write {
			if why := j.removes(u.Fact); why != "" && (u.Access == Delete || u.Fact.Entry.Kind == Dir) {
				return deny("protections", "it would remove "+why, u.Path)
			}
			if u.Fact.State == Exists && u.Fact.Entry.Kind == Dir {
				if inside := j.f.holdsGuard(u.Fact, true, j.p.Protected); inside != "" {
					return deny("protections", "it would take with it what may not be touched: "+show(inside), u.Path)
				}
			}
		}
	}
	if j.f.Shell != nil {
		if why := j.f.protects(PathFact{Lexical: path.Clean(j.c.Cwd), Canonical: j.f.Cwd}, Read, j.p.Protected); why != "" {
			return deny("protections", "no command may run in "+show(j.c.Cwd)+": "+why, j.c.Cwd)
		}
		if rule, reason, subject := j.shellProtections(); reason != "" {
			return deny(rule, reason, subject)
		}
	}
	for _, r := range j.p.BlockList {
		if got, subject := j.speaks(r); got == yes {
			return decided(Deny, StepProtections, r.Text, originOf(r, "session"), "the block list names it", subject), true
		}
	}
	return Decision{}, false
}

// stale finds facts that are not of this call: nothing may be decided from those.
func (j *judgement) stale() string {
	if len(j.f.Uses) != len(j.c.Uses) || j.f.Command != j.c.Command {
		return "the facts are of another call"
	}
	for i, u := range j.c.Uses {
		if j.f.Uses[i].Use != u {
			return "the facts are of another call"
		}
	}
	if (j.c.Tool == BashTool || j.c.Command != "") && j.f.Shell == nil {
		return "the command was never read"
	}
	if !path.IsAbs(j.c.Cwd) || !path.IsAbs(j.c.Workspace) {
		return "the call does not say in which folder it happens"
	}
	return ""
}

func badState(u UseFact) string {
	switch u.Fact.State {
	case Dangling:
		return show(u.Path) + " goes through a link that leads nowhere"
	case Looping:
		return show(u.Path) + " goes through links that never end"
	case BadName:
		return show(u.Path) + " is no path: it is empty, too long, or holds a NUL byte"
	case Unknown:
		return show(u.Path) + " cannot be looked at, so nobody knows where it leads"
	}
	return ""
}

// removes says what of weight a removal of a path would take away.
func (j *judgement) removes(p PathFact) string {
	for _, form := range []string{p.Lexical, p.Canonical} {
		switch {
		case form == "":
		case form == "/":
			return "/"
		case j.f.within(j.c.Workspace, form) || j.f.within(j.f.Workspace, form):
			return "the workspace"
		case j.f.Home != "" && (j.f.within(j.f.Home, form) || j.f.within(j.f.HomeCanonical, form)):
			return "the home folder"
		case systemFolder(form):
			return "the system folder " + form
		}
	}
	return ""
}

func systemFolder(p string) bool {
	switch p {
	case "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib32", "/lib64", "/opt", "/proc", "/root", "/sbin", "/sys", "/usr", "/var",
		"/usr/bin", "/usr/lib", "/usr/sbin", "/usr/local", "/usr/share", "/var/lib", "/Users", "/System", "/Library", "/Applications":
		return true
	}
	return false
}

func (j *judgement) denyRules() (Decision, bool) {
	for _, r := range j.p.denies() {
		if got, subject := j.speaks(r); got == yes {
			return decided(Deny, StepDeny, r.Text, originOf(r, "rules"), "a deny rule names it", subject), true
		}
	}
	return Decision{}, false
}

func (j *judgement) planMode() (Decision, bool) {
	if j.p.Mode == "" || j.p.Mode == Act {
		return Decision{}, false
	}
	if (j.c.Effect == EffectRead || j.c.Effect == EffectSpend || j.c.Effect == EffectInner) && j.readsOnly() {
		return Decision{}, false
	}
	return decided(Deny, StepPlan, "mode plan", builtIn, "mode plan licenses reads only", show(j.c.Tool)), true
}

// readsOnly says that no use of the call contradicts a tool that calls itself a reader.
func (j *judgement) readsOnly() bool {
	for _, u := range j.c.Uses {
		if u.Access != Read && u.Access != List {
			return false
		}
	}
	return j.c.Command == ""
}

func (j *judgement) approvals() (Decision, bool) {
	digest := ""
	var rules []Rule
	for _, a := range j.p.Approvals {
		if a.Used && a.Scope != Session && a.Scope != Project {
			continue
		}
		if a.Digest != "" {
			if digest == "" {
				digest = Digest(j.c, *j.f)
			}
			if a.Digest == digest {
				return approvedBy(a, "this very call"), true
			}
		}
		if (a.Scope == Session || a.Scope == Project) && a.Rule != "" {
			if r, err := ParseRule(a.Rule, string(a.Scope)); err == nil {
				rules = append(rules, r)
			}
		}
	}
	if len(rules) > 0 && !j.mustAsk() && j.covers(rules) {
		for _, a := range j.p.Approvals {
			if r, err := ParseRule(a.Rule, string(a.Scope)); err == nil && a.Scope != Once && j.takesPart(r) {
				return approvedBy(a, a.Rule), true
			}
		}
	}
	return Decision{}, false
}

func approvedBy(a Approval, what string) Decision {
	reason := fmt.Sprintf("approved for %s", scopeWords(a.Scope))
	if a.By != "" {
		reason += " by " + show(a.By)
	}
	rule := a.Rule
	if rule == "" {
		rule = what
	}
	return decided(Allow, StepApprovals, rule, string(a.Scope), reason, "")
}

func scopeWords(s Scope) string {
	switch s {
	case Session:
		return "this session"
	case Project:
		return "this project"
	}
	return "this one time"
}

// mustAsk says that only a person who sees this very call may let it through.
func (j *judgement) mustAsk() bool {
	return j.f.Limit != "" || j.f.Shell != nil && len(j.f.Shell.Hard) > 0
}

func (j *judgement) askRules() (Decision, bool) {
	for _, r := range j.p.asks() {
		if got, subject := j.speaks(r); got != no {
			return decided(Ask, StepAsk, r.Text, originOf(r, "rules"), "an ask rule names it", subject), true
		}
	}
	if j.f.Shell != nil && len(j.f.Shell.Hard) > 0 {
		return decided(Ask, StepAsk, "cannot be resolved", builtIn, "what this command runs cannot be known: "+strings.Join(j.f.Shell.Hard, "; "), show(j.c.Command)), true
	}
	if j.f.Limit != "" {
		return decided(Ask, StepAsk, "cannot be resolved", builtIn, j.f.Limit, show(j.c.Command)), true
	}
	if what := j.riskyRemoval(); what != "" {
		return decided(Ask, StepAsk, "cannot be resolved", builtIn, "it removes everything if the part that is not known is empty", what), true
	}
	for _, r := range append(j.p.denies(), j.p.BlockList...) {
		if got, subject := j.speaks(r); got == maybe {
			return decided(Ask, StepAsk, "cannot be resolved", builtIn, "it may be what the deny rule "+r.Text+" ("+originOf(r, "rules")+") names, and nobody can know before it runs", subject), true
		}
	}
	return Decision{}, false
}

func (j *judgement) allowRules() (Decision, bool) {
	rules := j.p.allows()
	if len(rules) > 0 && j.covers(rules) {
		for _, r := range rules {
			if j.takesPart(r) {
				return decided(Allow, StepAllow, r.Text, originOf(r, "rules"), "an allow rule names it", ""), true
			}
		}
	}
	if j.c.Effect == EffectRead && len(j.f.Uses) > 0 && j.readsOnly() && j.readable() {
		return decided(Allow, StepAllow, readAllowlist, builtIn, "it only reads below the workspace or a path named on the command line", ""), true
	}
	return Decision{}, false
}

// readAllowlist is what fires where no rule has to.
const readAllowlist = "read allowlist"

// readable says that every use lies below the read allowlist, as named and where it leads.
func (j *judgement) readable() bool {
	for _, u := range j.f.Uses {
		if !j.readablePath(u.Fact) {
			return false
		}
	}
	return true
}

func (j *judgement) readablePath(p PathFact) bool {
	if p.State != Exists && p.State != Missing || secretName(p.Lexical) || secretName(p.Canonical) {
		return false
	}
	lexical, canonical := false, false
	for _, root := range j.p.ReadAllow {
		root = path.Clean(root)
		real := root
		if root == path.Clean(j.c.Workspace) {
			real = j.f.Workspace
		}
		lexical = lexical || within(p.Lexical, root) || within(p.Lexical, real)
		canonical = canonical || within(p.Canonical, root) || within(p.Canonical, real)
	}
	return lexical && canonical
}

func (j *judgement) posture() Decision {
	if j.c.Effect == EffectInner {
		return decided(Allow, StepPosture, "inner calls", builtIn, "it touches nothing itself; each call that it makes is judged by itself", "")
	}
	posture := ParsePosture(string(j.p.Posture))
	at := func(v Verdict, reason string) Decision {
		return decided(v, StepPosture, "posture "+string(posture), builtIn, reason, "")
	}
	switch posture {
	case Yolo:
		return at(Allow, "posture yolo lets through what no rule forbids")
	case Auto:
		if j.c.Effect == EffectSpend {
			return at(Allow, "it spends of its budget; each call that comes of it is judged by itself")
		}
		if j.autoReads() {
			return at(Allow, "it only reads inside the workspace")
		}
		if soft := j.softReasons(); len(soft) > 0 {
			return at(Ask, "not everything about it is known: "+strings.Join(soft, "; "))
		}
		if j.p.HasJudge {
			return at(Judge, "no rule speaks about it; the policy judge decides")
		}
		return at(Ask, "no rule speaks about it, and it is more than reading inside the workspace")
	}
	reason := "no rule speaks about it"
	if soft := j.softReasons(); len(soft) > 0 {
		reason = "not everything about it is known: " + strings.Join(soft, "; ")
	}
	return at(Ask, reason)
}

// softReasons are why an allow rule that seems to fit did not count.
func (j *judgement) softReasons() []string {
	if j.f.Shell == nil {
		return nil
	}
	out := append([]string(nil), j.f.Shell.Soft...)
	for _, c := range j.f.Shell.Commands {
		for _, s := range c.Soft {
			out = addReason(out, s)
		}
	}
	return out
}

func originOf(r Rule, otherwise string) string {
	if r.Origin == "" {
		return otherwise
	}
	return r.Origin
}
