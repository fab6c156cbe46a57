package expand

import (
	"slices"
	"strconv"
	"strings"

	"caper/interp/syntax"
)

// This file accepts what programs of other systems begin with. A SRFI is imported; of other modules Caper has what it has
// in the library that programs without import get.

// srfi reads the names that other systems and later reports give to (srfi 1): (srfi srfi-1), (srfi :1), (srfi 1 lists),
// (srfi :1 lists), srfi/1, srfi-1, (scheme list).
func srfi(parts []string) []string {
	if len(parts) == 1 {
		parts = strings.SplitN(strings.Replace(parts[0], "srfi-", "srfi/", 1), "/", 2)
	}
	if len(parts) < 2 {
		return nil
	}
	if n, ok := large[parts[1]]; ok && len(parts) == 2 && parts[0] == "scheme" {
		return []string{"srfi", n}
	}
	if parts[0] != "srfi" {
		return nil
	}
	number := strings.TrimPrefix(strings.TrimPrefix(parts[1], "srfi-"), ":")
	n, err := strconv.ParseUint(number, 10, 16)
	if err != nil {
		return nil
	}
	return []string{"srfi", strconv.FormatUint(n, 10)}
}

// large are the libraries (scheme …) of R7RS-large that are SRFIs.
var large = map[string]string{
	"list": "1", "charset": "14", "stream": "41", "box": "111", "set": "113", "regex": "115", "hash-table": "125",
	"comparator": "128", "sort": "132", "vector": "133", "bitwise": "151", "generator": "158",
}

// foreign says that a library is one that another system has.
func foreign(parts []string) bool {
	switch parts[0] {
	case "scheme", "r7rs":
		return len(parts) == 1 || parts[1] == "small"
	case "chicken", "ice-9", "guile", "gauche", "racket", "rnrs", "mit", "chezscheme", "chibi", "gambit", "kawa", "sagittarius":
		return true
	}
	return false
}

// moduleName reads the name of a library that is no list: Chicken's (import srfi-1), Racket's (require srfi/13).
func moduleName(s *syntax.Syntax) ([]string, bool) {
	id, ok := identOf(s)
	if !ok {
		return nil, false
	}
	parts := []string{id.name()}
	return parts, srfi(parts) != nil || foreign(strings.Split(parts[0], "/"))
}

// everyday is the library that programs without import get, nil where there is none.
func (x *expander) everyday(at *syntax.Syntax) *library {
	if len(x.world.Implicit) == 0 {
		return nil
	}
	name := x.world.Implicit[0]
	l := x.known(name, strings.Fields(strings.Trim(name, "()")), at.Span)
	if l != nil {
		x.complete(l, at)
	}
	return l
}

func defineUseModules(x *expander, b *block, u use) {
	if b.env == nil {
		x.failAt(u.s.Span, nil, "%s belongs at top level", u.form.name)
	}
	for _, s := range u.args {
		x.useModule(s, b.env)
	}
}

// useModule imports what a module is used for: all of it, or some names, perhaps under others.
func (x *expander) useModule(s *syntax.Syntax, env *environment) {
	set, prefix, names := s, "", []*syntax.Syntax(nil)
	if l, ok := s.Datum.(*syntax.List); ok && len(l.Items) > 1 {
		head := ""
		if id, ok := identOf(l.Items[0]); ok {
			head = strings.TrimSuffix(id.name(), "-in")
		}
		switch _, options := l.Items[0].Datum.(*syntax.List); {
		case options: // Guile's ((srfi srfi-1) #:select (fold (filter . keep)) #:prefix s:)
			set = l.Items[0]
			for i := 1; i+1 < len(l.Items); i += 2 {
				if chosen, ok := l.Items[i+1].Datum.(*syntax.List); ok && l.Items[i].Datum == syntax.Keyword("select") {
					names = chosen.Items
				} else if id, ok := identOf(l.Items[i+1]); ok && l.Items[i].Datum == syntax.Keyword("prefix") {
					prefix = id.name()
				}
			}
		case head == "only" || head == "rename" || head == "except":
			set, names = l.Items[1], l.Items[2:]
			if head != "only" {
				x.useModule(set, env)
			}
		case head == "prefix" && len(l.Items) == 3: // Racket has the prefix first, Chicken last
			prefix := slices.IndexFunc(l.Items[1:], func(it *syntax.Syntax) bool { _, ok := moduleName(it); return !ok && isName(it) })
			x.usePrefixed(l.Items[1:], max(prefix, 0), env)
			return
		}
	}
	x.useNames(set, names, prefix, env)
}

func isName(s *syntax.Syntax) bool {
	_, ok := identOf(s)
	return ok
}

func (x *expander) usePrefixed(items []*syntax.Syntax, prefix int, env *environment) {
	if id, ok := identOf(items[prefix]); ok {
		x.useNames(items[1-prefix], nil, id.name(), env)
	}
}

// useNames imports a module, or the names of it, with a prefix. Of a module that is not here the library of programs
// without import has the names already.
func (x *expander) useNames(module *syntax.Syntax, names []*syntax.Syntax, prefix string, env *environment) {
	var parts []string
	if id, ok := identOf(module); ok {
		parts = []string{id.name()}
	} else if l, ok := module.Datum.(*syntax.List); ok {
		for _, it := range l.Items {
			parts = append(parts, it.Brief(shownBytes))
		}
	}
	var l *library
	if usual := srfi(parts); usual != nil {
		if l = x.known("("+strings.Join(usual, " ")+")", usual, module.Span); l != nil {
			x.complete(l, module)
		}
	}
	if l == nil {
		if names == nil && prefix == "" {
			return
		}
		if l = x.everyday(module); l == nil {
			return
		}
	}
	env.addDep(l)
	from := l.exports
	if names != nil {
		some := map[*syntax.Symbol]binding{}
		for _, it := range names {
			old, as := it, it
			if pair, ok := it.Datum.(*syntax.List); ok && len(pair.Items) > 0 { // (old new), (old . new)
				old, as = pair.Items[0], pair.Tail
				if as == nil {
					as = pair.Items[len(pair.Items)-1]
				}
			}
			from, ok1 := identOf(old)
			to, ok2 := identOf(as)
			if ok1 && ok2 {
				if b := l.exports.get(from.symbol()); b != nil {
					some[to.symbol()] = b
				}
			}
		}
		from = newTable(some)
	}
	if prefix != "" {
		x.charge(from.len())
		from = prefixed(from, prefix)
	}
	env.addImport(from)
}

// defineModule is Guile's (define-module name #:use-module module … #:export (name …)).
func defineModule(x *expander, b *block, u use) {
	if b.env == nil {
		x.failAt(u.s.Span, nil, "define-module belongs at top level")
	}
	for i := 1; i+1 < len(u.args); i++ {
		if u.args[i].Datum == syntax.Keyword("use-module") {
			i++
			x.useModule(u.args[i], b.env)
		}
	}
}

// spliceAfter is a form whose body, after n other parts, stands where the form stands.
func spliceAfter(n int) func(*expander, *block, use) {
	return func(x *expander, b *block, u use) {
		if len(u.args) < n {
			x.shape(u, "a name, then definitions and expressions")
		}
		if u.form.name == "module+" && isSymbol(u.args[0], "test") {
			return
		}
		for _, f := range u.args[n:] {
			x.scan(f, b)
		}
	}
}

func defineNothing(*expander, *block, use) {}
