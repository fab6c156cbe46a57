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
	// A macro may expand the last first; who reads begins at the left.
	text := missing[0].span.Source
	slices.SortStableFunc(missing, func(a, b freeUse) int {
		switch {
		case a.span.Source == text && b.span.Source == text:
			return int(a.span.Start) - int(b.span.Start)
		case a.span.Source == text:
			return -1
		case b.span.Source == text:
			return 1
		}
		return 0
	})
	first := missing[0]
	x.trail = first.trail
	hints, form := x.near(first.sym.Name, e, first.scope)
	hints = append(hints, infix(first.span)...)
	var others []string
	for _, u := range missing[1:] {
		switch {
		case (form || len(hints) > 0 && u.inside == nil) && sameUse(u.inside, first):
		case len(others) == 8:
			others = append(others, "…")
		case len(others) < 8:
			others = append(others, u.sym.Name)
		}
	}
	if len(others) > 0 {
		hints = append(hints, "also not defined: "+strings.Join(others, ", "))
		if e.name == "" && !slices.ContainsFunc(missing, func(u freeUse) bool { return !x.world.implies(u.sym) }) {
			hints = append(hints, "without any import a program has all of these")
		}
	}
	x.failAt(first.span, hints, "%s is not defined", shown(first.sym.Name))
}

// implies says that a program without import has a name.
func (w *World) implies(sym *syntax.Symbol) bool {
	return slices.ContainsFunc(w.Implicit, func(l string) bool { return w.find(l) != nil && w.find(l).exports.get(sym) != nil })
}

// sameUse reports whether inside is the call whose name is u.
func sameUse(inside *freeUse, u freeUse) bool { return inside != nil && inside.span == u.span }

// shown is a name in a message; one that would not be seen is in its bars.
func shown(name string) string {
	if name == "" {
		return "||"
	}
	return name
}

// near answers hints about an unknown name: what macros renamed, other dialects' spelling, near names, libraries. The
// name stands for a form when what was meant is syntax: then what stands inside it means nothing either.
func (x *expander) near(name string, e *environment, sc *scope) (hints []string, form bool) {
	for a := range e.renamed {
		if a.String() == name {
			return []string{"a macro defines " + name + ", but under a name of its own: hand the name to the macro as an argument"}, false
		}
	}
	if text := spelled[name]; text != "" {
		return []string{text}, true
	}
	var same []string
	for _, other := range dialects[name] {
		if other[0] == '#' || e.visible(syntax.Intern(other)) != nil {
			same = append(same, other)
		}
	}
	if len(same) == 0 {
		same = x.respelled(name, e)
	}
	hints = append(didYouMean(same), x.homes(name)...)
	if len(hints) == 0 {
		// The program's own names come first: who mistypes one has just written it.
		if same = nearest(name, append(sc.names(), e.symbols.names()...)); len(same) == 0 {
			same = nearest(name, e.names())
		}
		hints = didYouMean(same)
	}
	if len(hints) == 0 { // perhaps a name that was not imported
		for _, l := range x.world.Implicit {
			if l := x.world.find(l); l != nil {
				if same := nearest(name, l.exports.names()); len(same) > 0 {
					return append(didYouMean(same[:1]), x.homes(same[0])...), false
				}
			}
		}
	}
	for _, other := range same {
		if len(name) < 4 {
			break // much is near a short name
		}
		if b := e.visible(syntax.Intern(other)); b != nil {
			if _, value := b.(*Global); !value {
				form = true
			}
		}
	}
	return hints, form
}

// homes says from where a name can be imported.
func (x *expander) homes(name string) []string {
	libs := x.world.exporting(name)
	if len(libs) == 0 {
		return nil
	}
	if standard := standardHome(name); standard != "" {
		libs = []string{standard}
	}
	return []string{"import " + near.Or(libs)}
}

// respelled answers a name that differs only in the habits of another language: evenp, equal, hashTableRef, string_length.
func (x *expander) respelled(name string, e *environment) []string {
	plain := kebab(name)
	for _, try := range [...]string{plain, plain + "?", strings.TrimSuffix(plain, "p") + "?", strings.TrimSuffix(plain, "-p") + "?", strings.Replace(plain, "-to-", "->", 1), plain + "!"} {
		if try != name && try != "?" && try[0] != '%' && e.visible(syntax.Intern(try)) != nil {
			return []string{try}
		}
	}
	return nil
}

// kebab is a name in small letters with hyphens.
func kebab(name string) string {
	var out strings.Builder
	for i, r := range name {
		switch {
		case r == '_':
			r = '-'
		case 'A' <= r && r <= 'Z':
			if i > 0 && 'a' <= name[i-1] && name[i-1] <= 'z' {
				out.WriteByte('-')
			}
			r += 'a' - 'A'
		}
		out.WriteRune(r)
	}
	return out.String()
}

// names lists the local variables that are seen from a scope, the innermost first.
func (s *scope) names() []string {
	var names []string
	for ; s != nil; s = s.parent {
		for _, e := range s.entries {
			if e.id.sym != nil {
				names = append(names, e.id.sym.Name)
			}
		}
	}
	return names
}

// infix says what a name is for that stands where another language would have a statement.
func infix(at syntax.Span) []string {
	if at.Source == nil || int(at.End) > len(at.Source.Text) {
		return nil
	}
	before, after := at.Source.Text[:at.Start], at.Source.Text[at.End:]
	name := at.Text()
	alone := strings.TrimLeft(after, " \t")
	operator, _, _ := strings.Cut(alone, " ")
	switch {
	case strings.HasSuffix(before, "(") && len(operator) < len(alone) && strings.Contains(" + - * / = < > <= >= ", " "+operator+" ") && operator != "":
		return []string{"the procedure comes first: (" + operator + " a b)"}
	case strings.HasPrefix(alone, "= ") && !strings.HasSuffix(before, "("):
		return []string{write("(define " + name + " value), and (set! " + name + " value) to change it")}
	case strings.HasPrefix(after, "(") && !strings.HasSuffix(before, "("):
		return []string{callHint(name)}
	case strings.HasSuffix(name, "++"):
		return []string{spelled["++"]}
	case name != "" && '0' <= name[0] && name[0] <= '9':
		return []string{"it begins like a number, but is none"}
	case len(name) > 1 && name[0] == ':':
		return []string{"a keyword is written #" + name + ", a symbol '" + name[1:]}
	}
	return nil
}

// parenthesized reports whether a name stands inside of a list, as far as its line shows.
func parenthesized(at syntax.Span) bool {
	if at.Source == nil || int(at.Start) > len(at.Source.Text) {
		return true
	}
	before := at.Source.Text[:at.Start]
	return before != "" && before[len(before)-1] != '\n'
}

func callHint(name string) string {
	return "a call has the procedure inside its parentheses: (" + name + " argument ...)"
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
	var libs, own []string
	for _, l := range w.Libraries() {
		switch {
		case strings.HasPrefix(l, "(%") || w.find(l).exports.get(sym) == nil:
		case slices.Contains(w.Implicit, l):
			own = append(own, l)
		default:
			libs = append(libs, l)
		}
	}
	libs = append(libs, own...)
	return libs[:min(len(libs), 3)]
}

func (x *expander) nearLibraries(name string) []string {
	var public []string
	all := x.world.Libraries()
	if l, ok := x.world.loader.(interface{ Libraries() []string }); ok {
		all = append(all, l.Libraries()...)
	}
	slices.Sort(all)
	for _, l := range slices.Compact(all) {
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
