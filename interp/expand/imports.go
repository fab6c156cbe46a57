package expand

import (
	"errors"
	"io"
	"strings"

	"caper/interp/syntax"
)

// This file reads import sets, cond-expand requirements and included files.

func defineImport(x *expander, b *block, u use) {
	if b.env == nil {
		x.failAt(u.s.Span, nil, "import: an import belongs at top level")
	}
	x.changes(b.env, u.s)
	for _, set := range u.args {
		x.importSet(u, set, b.env)
	}
}

// importSet adds the bindings of one import set to an environment. Of two imports of one name the later wins.
func (x *expander) importSet(u use, s *syntax.Syntax, env *environment) {
	u.form = x.builtin("import")
	env.addImport(x.importTable(u, s, env))
}

// importTable answers the bindings of a set.
func (x *expander) importTable(u use, s *syntax.Syntax, env *environment) *table {
	x.enter(s)
	defer func() { x.depth-- }()
	if parts, ok := moduleName(s); ok {
		return x.whole(parts, parts[0], s, env)
	}
	l, ok := s.Datum.(*syntax.List)
	if !ok || len(l.Items) == 0 || l.Tail != nil {
		x.found(u, s, "an import set is a library name or (only|except|prefix|rename set ...)")
	}
	modifier := ""
	if id, ok := identOf(l.Items[0]); ok && len(l.Items) > 1 {
		_, nested := l.Items[1].Datum.(*syntax.List)
		if _, named := moduleName(l.Items[1]); nested || named {
			modifier = id.name()
		}
	}
	switch modifier {
	case "only", "except", "prefix", "rename":
	default:
		parts, name := x.libraryName(u, s)
		return x.whole(parts, name, s, env)
	}
	from := x.importTable(u, l.Items[1], env)
	x.charge(from.len())
	rest := l.Items[2:]
	switch modifier {
	case "only":
		result := make(map[*syntax.Symbol]binding, len(rest))
		for _, it := range rest {
			sym := x.imported(u, it, from)
			result[sym] = from.get(sym)
		}
		return newTable(result)
	case "prefix":
		if len(rest) != 1 {
			x.found(u, s, "a prefix is (prefix set name)")
		}
		return prefixed(from, x.identifier(u, rest[0], "a prefix is an identifier").name())
	}
	result := newTable(from.copied())
	if modifier == "except" {
		for _, it := range rest {
			delete(result.made, x.imported(u, it, result))
		}
		return result
	}
	x.renameImports(u, rest, result)
	return result
}

// whole answers all that a library exports. A program that imports modules of another system knows nothing of the
// libraries here: it gets what a program without import gets.
func (x *expander) whole(parts []string, name string, s *syntax.Syntax, env *environment) *table {
	lib := x.library(parts, name, s)
	if implicit := x.world.Implicit; len(implicit) > 0 && lib.name == implicit[0] && name != lib.name && env.name == "" {
		for _, l := range implicit[1:] {
			x.importNamed(env, l)
		}
	}
	env.addDep(lib)
	return lib.exports
}

func prefixed(from *table, prefix string) *table {
	result := make(map[*syntax.Symbol]binding, from.len())
	for sym, b := range from.copied() {
		result[syntax.Intern(prefix+sym.Name)] = b
	}
	return newTable(result)
}

func (x *expander) renameImports(u use, pairs []*syntax.Syntax, t *table) {
	renamed := make(map[*syntax.Symbol]binding, len(pairs))
	for _, it := range pairs {
		l, ok := it.Datum.(*syntax.List)
		if !ok || len(l.Items) != 2 || l.Tail != nil {
			x.found(u, it, "each renaming is (old new)")
		}
		old := x.imported(u, l.Items[0], t)
		renamed[x.identifier(u, l.Items[1], "a name is an identifier").symbol()] = t.get(old)
	}
	for _, it := range pairs {
		id, _ := identOf(it.Datum.(*syntax.List).Items[0])
		delete(t.made, id.symbol())
	}
	for sym, b := range renamed {
		t.made[sym] = b
	}
}

// imported checks that a set has a name.
func (x *expander) imported(u use, s *syntax.Syntax, from *table) *syntax.Symbol {
	sym := x.identifier(u, s, "a name is an identifier").symbol()
	if from.get(sym) == nil {
		x.failAt(s.Span, didYouMean(nearest(sym.Name, from.names())), "import: the library does not export %s", sym.Name)
	}
	return sym
}

// Conditional expansion

func defineCondExpand(x *expander, b *block, u use) {
	for _, f := range x.condExpand(u) {
		x.scan(f, b)
	}
}

func exprCondExpand(x *expander, u use) Node {
	forms := x.condExpand(u)
	u.args = forms
	return exprBegin(x, u)
}

// condExpand answers the forms of the first clause whose requirement holds.
func (x *expander) condExpand(u use) []*syntax.Syntax {
	for i, c := range u.args {
		l, ok := c.Datum.(*syntax.List)
		if !ok || len(l.Items) == 0 || l.Tail != nil {
			x.found(u, c, "each clause is (requirement form ...)")
		}
		if id, ok := identOf(l.Items[0]); ok && id.name() == "else" {
			if i != len(u.args)-1 {
				x.failAt(c.Span, nil, "cond-expand: else must be the last clause")
			}
			return l.Items[1:]
		}
		if x.required(u, l.Items[0]) {
			return l.Items[1:]
		}
	}
	return nil
}

func (x *expander) required(u use, s *syntax.Syntax) bool {
	x.enter(s)
	defer func() { x.depth-- }()
	if id, ok := identOf(s); ok {
		if x.world.features[id.name()] {
			return true
		}
		if number, ok := strings.CutPrefix(id.name(), "srfi-"); ok { // as SRFI 0 has it
			parts := srfi([]string{"srfi", number})
			return parts != nil && x.known("(srfi "+number+")", parts, s.Span) != nil
		}
		return false
	}
	l, ok := s.Datum.(*syntax.List)
	if ok && len(l.Items) > 0 && l.Tail == nil {
		rest := l.Items[1:]
		id, _ := identOf(l.Items[0])
		name := ""
		if id != (ident{}) {
			name = id.name()
		}
		switch {
		case name == "and":
			for _, r := range rest {
				if !x.required(u, r) {
					return false
				}
			}
			return true
		case name == "or":
			for _, r := range rest {
				if x.required(u, r) {
					return true
				}
			}
			return false
		case name == "not" && len(rest) == 1:
			return !x.required(u, rest[0])
		case name == "library" && len(rest) == 1:
			parts, lib := x.libraryName(u, rest[0])
			return x.known(lib, parts, s.Span) != nil
		}
	}
	x.found(u, s, "a requirement is a feature, (library name), (and ...), (or ...) or (not ...)")
	return false
}

// Included files

func defineInclude(x *expander, b *block, u use) {
	x.includes++
	for _, f := range x.include(u) {
		x.scan(f, b)
	}
	x.includes--
}

func exprInclude(x *expander, u use) Node {
	x.includes++
	u.args = x.include(u)
	n := exprBegin(x, u)
	x.includes--
	return n
}

// include reads the files that a form names and answers their forms.
func (x *expander) include(u use) []*syntax.Syntax {
	if len(u.args) == 0 {
		x.shape(u, "the names of files as strings")
	}
	if x.includes > x.limits.Includes {
		x.failAt(u.s.Span, nil, "%s: files include each other too deeply (limit %d)", u.form.name, x.limits.Includes)
	}
	var forms []*syntax.Syntax
	for _, a := range u.args {
		path, ok := a.Datum.(syntax.String)
		if !ok {
			x.found(u, a, "the name of a file is a string")
		}
		if x.world.loader == nil {
			x.failAt(a.Span, nil, "%s: files cannot be included here", u.form.name)
		}
		src, err := x.world.loader.Include(string(path), u.s.Span.Source, a.Span)
		if err != nil {
			x.failAt(a.Span, nil, "%s: %q cannot be read: %v", u.form.name, string(path), err)
		}
		if src == nil {
			x.failAt(a.Span, nil, "%s: there is no file %q", u.form.name, string(path))
		}
		forms = append(forms, x.read(src, u.form.name == "include-ci")...)
	}
	return forms
}

// read reads program text that was loaded.
func (x *expander) read(src *syntax.Source, fold bool) []*syntax.Syntax {
	r := syntax.NewReader(src, syntax.ReaderOptions{FoldCase: fold})
	var forms []*syntax.Syntax
	for {
		s, err := r.Next()
		if errors.Is(err, io.EOF) {
			return forms
		}
		if err != nil {
			panic(readFailure{err})
		}
		forms = append(forms, s)
	}
}
