package license

// Policy is everything that Decide weighs a call against. It is a value: nothing in it is read from disk later.
type Policy struct {
	Posture Posture
	Mode    Mode
	Layers  []Layer
	// AllowList and BlockList are the session's own lists.
	AllowList []Rule
	BlockList []Rule
	// ReadAllow are absolute paths under which reading needs no question: the workspace and what the command line names.
	ReadAllow []string
	// Protected are absolute paths that no call may touch: the store, the config folder, sockets, Caper's home.
	Protected []string
	Approvals []Approval
	HasJudge  bool
}

// Layer is one source of rules: a file, a session, a with-policy form.
type Layer struct {
	Name string
	// Tightening marks a layer that may deny and ask but whose allows have no force: what a repository carries, and with-policy.
	Tightening bool
	Deny       []Rule
	Ask        []Rule
	Allow      []Rule
}

// Ignored are the allow rules that have no force because their layer may only tighten.
func (p Policy) Ignored() []Rule {
	var out []Rule
	for _, l := range p.Layers {
		if l.Tightening {
			out = append(out, l.Allow...)
		}
	}
	return out
}

// With answers the policy of a with-policy form: its rules may deny and ask, its posture counts only where it is
// tighter.
func (p Policy) With(posture Posture, rules Layer) Policy {
	if posture != "" && posture.Tighter(p.Posture) {
		p.Posture = posture
	}
	rules.Tightening = true
	p.Layers = append(p.Layers[:len(p.Layers):len(p.Layers)], rules)
	return p
}

func (p Policy) denies() (out []Rule) {
	for _, l := range p.Layers {
		out = append(out, l.Deny...)
	}
	return out
}

func (p Policy) asks() (out []Rule) {
	for _, l := range p.Layers {
		out = append(out, l.Ask...)
	}
	return out
}

func (p Policy) allows() (out []Rule) {
	for _, l := range p.Layers {
		if !l.Tightening {
			out = append(out, l.Allow...)
		}
	}
	return append(out, p.AllowList...)
}
