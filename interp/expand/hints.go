package expand

import (
	"slices"
	"strings"

	"caper/interp/near"
	"caper/interp/syntax"
)

// This file says what to do about names that mean nothing.

// checkFree fails when a top level refers to a variable that it does not define.
func (x *expander) checkFree(e *environment) {
	var missing []freeUse
	for _, u := range e.uses {
		if !u.global.Defined {
			missing = append(missing, u)
		}
	}
	if len(missing) == 0 {
		return
	}
	first := missing[0]
	x.trail = first.trail
	hints := x.near(first.sym.Name, e)
	if len(missing) > 1 {
		var others []string
		for i, u := range missing[1:] {
			if i == 8 {
				others = append(others, "…")
				break
			}
			others = append(others, u.sym.Name)
		}
		hints = append(hints, "also not defined: "+strings.Join(others, ", "))
	}
	x.failAt(first.span, hints, "%s is not defined", first.sym.Name)
}

// near answers hints about an unknown name: what macros renamed, other dialects' spelling, near names, libraries.
func (x *expander) near(name string, e *environment) []string {
	var hints []string
	for a := range e.renamed {
		if a.String() == name {
			hints = append(hints, "a macro defines "+name+", but under a name of its own: hand the name to the macro as an argument")
			break
		}
	}
	names := e.names()
	visible := map[string]bool{}
	for _, n := range names {
		visible[n] = true
	}
	var same []string
	for _, other := range dialects[name] {
		if visible[other] || other[0] == '#' {
			same = append(same, other)
		}
	}
	hints = append(hints, didYouMean(same)...)
	if libs := x.world.exporting(name); len(libs) > 0 {
		if standard := standardHome(name); standard != "" {
			libs = []string{standard}
		}
		hints = append(hints, "import "+strings.Join(libs, " or "))
	}
	if len(hints) == 0 {
		hints = didYouMean(nearest(name, names))
	}
	return hints
}

// standardHome is the library of R7RS besides (scheme base) that a much used name is in, "" for others: who imports the
// standard's libraries wants to hear of those, and they need not be loaded yet.
func standardHome(name string) string {
	switch name {
	case "display", "write", "write-shared", "write-simple":
		return "(scheme write)"
	case "read":
		return "(scheme read)"
	case "delay", "force", "delay-force", "make-promise", "promise?":
		return "(scheme lazy)"
	case "exit", "command-line", "get-environment-variable":
		return "(scheme process-context)"
	case "sqrt", "sin", "cos", "tan", "exp", "log", "finite?", "infinite?", "nan?":
		return "(scheme inexact)"
	case "current-second", "current-jiffy", "jiffies-per-second":
		return "(scheme time)"
	case "char-upcase", "char-downcase", "char-alphabetic?", "char-numeric?", "char-whitespace?", "string-upcase", "string-downcase":
		return "(scheme char)"
	}
	return ""
}

// exporting lists the public libraries that export a name, at most three.
func (w *World) exporting(name string) []string {
	sym := syntax.Intern(name)
	var libs []string
	for _, l := range w.Libraries() {
		if !strings.HasPrefix(l, "(%") && w.find(l).exports.get(sym) != nil && len(libs) < 3 {
			libs = append(libs, l)
		}
	}
	return libs
}

func (x *expander) nearLibraries(name string) []string {
	var public []string
	for _, l := range x.world.Libraries() {
		if !strings.HasPrefix(l, "(%") {
			public = append(public, l)
		}
	}
	file := strings.ReplaceAll(strings.Trim(name, "()"), " ", "/") + ".sld"
	return append(didYouMean(nearest(name, public)), "it would be "+file+" beside the program or in a folder given with --lib")
}

func didYouMean(names []string) []string {
	if q := near.Question(names); q != "" {
		return []string{q}
	}
	return nil
}

// nearest answers the names most like one, without those that only the library may write.
func nearest(name string, names []string) []string {
	if !strings.HasPrefix(name, "%") {
		names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return strings.HasPrefix(n, "%") })
	}
	return near.Names(name, names)
}
