package compile

import "caper/interp/code"

// This file notes which variables the instructions find in which registers, for who looks into a frame. Registers are given
// like a stack: nothing takes a variable's while it is in sight.

// scoped is a variable that is in sight since a word.
type scoped struct {
	v    *local
	from int32 // -1: hidden
}

// view is how much of scope and hidden there was.
type view struct{ scope, hidden int }

func (a *assembler) seen() view { return view{len(a.scope), len(a.hidden)} }

// see begins the sight of variables that have their values.
func (a *assembler) see(vars []*local) {
	if !a.b.named {
		return
	}
	for _, v := range vars {
		if v.name != "" && !v.static {
			a.scope = append(a.scope, scoped{v, int32(a.start + a.here())})
		}
	}
}

func (a *assembler) unsee(s scoped) {
	if to := int32(a.start + a.here()); s.from >= 0 && s.from < to {
		a.vars = append(a.vars, code.Var{Name: s.v.name, Reg: int32(s.v.reg), From: s.from, To: to})
	}
}

// hide takes out of sight what lies from a register on: the code of a label uses those for its own.
func (a *assembler) hide(reg int) {
	for i, s := range a.scope {
		if s.from >= 0 && s.v.reg >= reg {
			a.unsee(s)
			a.scope[i].from = -1
			a.hidden = append(a.hidden, i)
		}
	}
}

// leave ends the sight of what came since, and shows again what was hidden since.
func (a *assembler) leave(old view) {
	for _, s := range a.scope[old.scope:] {
		a.unsee(s)
	}
	a.scope = a.scope[:old.scope]
	for _, i := range a.hidden[old.hidden:] {
		if i < old.scope {
			a.scope[i].from = int32(a.start + a.here())
		}
	}
	a.hidden = a.hidden[:old.hidden]
}
