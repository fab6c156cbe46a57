package compile

// finish decides what the procedures of a fix become, once every use of them has been seen: nothing (unused), code at
// their only call, labels in the frame around them, or closures.
func (l *lowerer) finish(f *fix, k int) node {
	j := 0
	for i, v := range f.vars {
		m := f.lams[i]
		if !v.escapes && len(v.calls) == v.inner {
			continue // nothing outside calls it
		}
		if len(f.vars) == 1 && !v.escapes && v.inner == 0 && len(v.calls) == 1 && m.takes(len(v.calls[0].args)) {
			c := v.calls[0]
			c.fn = m
			l.merge(m.k, c.k)
			return f.body
		}
		f.vars[j], f.lams[j] = v, m
		j++
	}
	f.vars, f.lams = f.vars[:j], f.lams[:j]
	if j == 0 {
		return f.body
	}
	return l.labels(f, k)
}

// maxLabels bounds the group of procedures that is searched for labels.
const maxLabels = 64

// labels splits off the members that can be labels. Closures are bound outside: they never mention labels.
func (l *lowerer) labels(f *fix, k int) node {
	if len(f.vars) > maxLabels {
		return f
	}
	for i, v := range f.vars {
		f.lams[i].label = !v.escapes
		for _, c := range v.calls {
			f.lams[i].label = f.lams[i].label && f.lams[i].takes(len(c.args))
		}
	}
	for again := true; again; {
		again = false
		here := map[int]bool{l.find(k): true}
		for _, m := range f.lams {
			if m.label {
				here[l.find(m.k)] = true
			}
		}
		for i, m := range f.lams {
			if m.label && !l.within(f.vars[i], here) {
				m.label, again = false, true
			}
		}
	}
	inner, outer := &fix{body: f.body}, &fix{}
	for i, m := range f.lams {
		to := outer
		if m.label {
			m.loops = f.vars[i].inner > 0
			l.merge(m.k, k)
			to = inner
		}
		to.vars, to.lams = append(to.vars, f.vars[i]), append(to.lams, m)
	}
	if len(inner.vars) == 0 {
		return f
	}
	if len(outer.vars) == 0 {
		return inner
	}
	outer.body = inner
	return outer
}

func (l *lowerer) within(v *local, here map[int]bool) bool {
	for _, c := range v.calls {
		if !here[l.find(c.k)] {
			return false
		}
	}
	return true
}
