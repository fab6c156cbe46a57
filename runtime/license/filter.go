package license

import "path"

// Filter answers a question for tools that walk a tree themselves (grep, glob, list-dir): must this file, found below
// what was licensed, be left out? It is asked with the path as found and, where a link is on it, where it leads.
func Filter(c Call, f Facts, p Policy) func(lexical, canonical string) (reason string) {
	j := &judgement{c: c, f: &f, p: p}
	var rules []Rule
	for _, r := range append(p.denies(), p.BlockList...) {
		if r.form == formPath && (r.tool == c.Tool || r.readsFor(c.Tool)) {
			rules = append(rules, r)
		}
	}
	secrets := c.Tool == "grep" && j.opensItself()
	return func(lexical, canonical string) string {
		fact := PathFact{Lexical: path.Clean(lexical), Canonical: path.Clean(canonical), State: Exists}
		if why := f.protects(fact, Read, p.Protected); why != "" {
			return why
		}
		for _, r := range rules {
			if j.pathDenied(r.glob, fact) {
				return "the deny rule " + r.Text + " (" + originOf(r, "rules") + ") names it"
			}
		}
		if secrets && (secretName(fact.Lexical) || secretName(fact.Canonical)) {
			return "it is likely to hold secrets, and neither a rule nor a person opened it"
		}
		return ""
	}
}

// opensItself says that neither a rule nor a person nor posture yolo let the call through, but that it only reads.
func (j *judgement) opensItself() bool {
	d := j.decide()
	return d.Verdict == Allow && (d.Rule == readAllowlist || d.Step == StepPosture) && ParsePosture(string(j.p.Posture)) != Yolo
}

// Canonical answers where a path leads, for the lists of a policy: give both forms of a root that a link leads to.
func Canonical(w World, p string) string { return walkPath(w, p, true).Canonical }
