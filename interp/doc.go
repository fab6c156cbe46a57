package interp

import (
	"maps"
	"slices"
	"strings"

	"caper/builtins"
	"caper/interp/syntax"
	"caper/interp/vm"
	"caper/stdlib"
)

// This file gathers what is said of the names of the language, where somebody asks. Of a primitive its row says it; of a
// procedure or a form of the library its definition shows how it is called; stdlib/doc.txt says the rest.

// Doc is what is known of a name: how it is used, a line for each way, and one line of what it does.
type Doc struct {
	Uses []string
	Line string
}

func (d Doc) String() string {
	text := strings.Join(d.Uses, "\n")
	if d.Line != "" {
		text += "\n    " + d.Line
	}
	return text
}

// docs gathers docs; also holds of names that are others by another name.
type docs struct {
	of   map[string]Doc
	also map[string]string
}

// Docs are the docs of the standard library and of the engine's own ones, by name. All texts are read for them: who asks
// often keeps the answer.
func (e *Engine) Docs() map[string]Doc {
	d := docs{map[string]Doc{}, map[string]string{}}
	for _, name := range slices.Sorted(maps.Keys(e.sources)) {
		d.read(name, e.sources[name])
	}
	for _, file := range stdlib.Definitions() {
		text, _ := stdlib.File(file)
		d.read(file, text)
	}
	for _, p := range builtins.All() {
		d.row(p.Name, p.Args, p.Doc)
	}
	for _, n := range vm.Control {
		d.row(n.Name, n.Args, n.Doc)
	}
	d.written(stdlib.Doc)
	for name := range d.also {
		if doc, ok := d.named(name); ok {
			d.of[name] = doc
		}
	}
	return d.of
}

// named is the doc of a name, or of what it is another name of.
func (d docs) named(name string) (Doc, bool) {
	other := name
	for range len(d.also) + 1 {
		doc, ok := d.of[other]
		if ok {
			uses := make([]string, len(doc.Uses))
			for i, s := range doc.Uses {
				uses[i] = strings.Replace(s, other, name, 1)
			}
			return Doc{uses, doc.Line}, true
		}
		if other, ok = d.also[other]; !ok {
			break
		}
	}
	return Doc{}, false
}

func (d docs) row(name, args, line string) {
	d.of[name] = Doc{[]string{use(name, args)}, line}
	if own := strings.TrimPrefix(name, "%"); own != name { // what the library makes a procedure of
		if _, defined := d.named(own); !defined {
			d.also[own] = name
		}
	}
}

func use(name string, args ...string) string {
	return strings.TrimRight("("+name+" "+strings.Join(args, " "), " ") + ")"
}

// written takes lines such as "(when test body …)  Evaluates the body where test is true." A name may have several, one
// for each way to use it; a line that starts with a semicolon is a remark.
func (d docs) written(text string) {
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		name := DocOf(line)
		if name == "" {
			continue
		}
		how, what, _ := strings.Cut(strings.TrimSpace(line), "  ")
		doc, ok := d.of[name]
		if !ok {
			doc = d.of["%"+name]
		}
		if !seen[name] {
			doc.Uses = nil
		}
		seen[name] = true
		if doc.Uses = append(doc.Uses, how); what != "" {
			doc.Line = what
		}
		d.of[name] = doc
	}
}

// DocOf is the name that a line of stdlib/doc.txt is of; "" for a remark.
func DocOf(line string) string {
	how, _, _ := strings.Cut(strings.TrimSpace(line), "  ")
	if strings.HasPrefix(how, ";") {
		return ""
	}
	name, _, _ := strings.Cut(strings.Trim(how, "()"), " ")
	return name
}

// read takes the definitions of a text of the library.
func (d docs) read(name, text string) {
	forms, err := syntax.ReadAll(&syntax.Source{Name: name, Text: text, Own: true})
	if err != nil {
		return // the library does not load either
	}
	d.body(forms)
}

// library takes what a library defines and exports.
func (d docs) library(parts []*syntax.Syntax) {
	inside := docs{map[string]Doc{}, map[string]string{}}
	inside.body(parts)
	for _, part := range parts {
		p := items(part)
		if len(p) == 0 || symbol(p[0]) != "export" {
			continue
		}
		for _, x := range p[1:] {
			name := symbol(x)
			if doc, ok := inside.named(name); ok {
				d.of[name] = doc
			} else if other, ok := inside.also[name]; ok {
				d.also[name] = other
			}
		}
	}
}

func (d docs) body(forms []*syntax.Syntax) {
	for _, f := range forms {
		l := items(f)
		if len(l) < 2 {
			continue
		}
		switch symbol(l[0]) {
		case "begin":
			d.body(l[1:])
		case "define-library":
			d.library(l[2:])
		case "define-record-type":
			d.record(l[1:])
		case "define":
			if name := symbol(l[1]); name == "" {
				if of, ok := l[1].Datum.(*syntax.List); ok && len(of.Items) > 0 {
					d.uses(symbol(of.Items[0]), parameters(l[1], 1))
				}
			} else if len(l) == 3 {
				d.value(name, l[2])
			}
		case "define-syntax":
			if rules := items(l[len(l)-1]); len(rules) > 2 && symbol(rules[0]) == "syntax-rules" {
				var all []string
				for _, r := range rules[2:] {
					if clause := items(r); len(clause) > 0 {
						all = append(all, parameters(clause[0], 1))
					}
				}
				d.uses(symbol(l[1]), all...)
			}
		}
	}
}

// value is what a name is defined to be.
func (d docs) value(name string, v *syntax.Syntax) {
	if other := symbol(v); other != "" {
		d.also[name] = other
		return
	}
	l := items(v)
	if len(l) < 2 {
		return
	}
	switch symbol(l[0]) {
	case "lambda":
		d.uses(name, parameters(l[1], 0))
	case "case-lambda":
		var all []string
		for _, clause := range l[1:] {
			if c := items(clause); len(c) > 0 {
				all = append(all, parameters(c[0], 0))
			}
		}
		d.uses(name, all...)
	case "let", "let*", "letrec":
		d.value(name, l[len(l)-1])
	}
}

func (d docs) record(l []*syntax.Syntax) {
	if len(l) < 3 {
		return
	}
	if makes := items(l[1]); len(makes) > 0 {
		d.uses(symbol(makes[0]), parameters(l[1], 1))
	}
	d.uses(symbol(l[2]), "value")
	for _, f := range l[3:] {
		field := items(f)
		for i := 1; i < min(len(field), 3); i++ {
			d.uses(symbol(field[i]), []string{symbol(l[0]), symbol(l[0]) + " value"}[i-1])
		}
	}
}

func (d docs) uses(name string, parameters ...string) {
	var all []string
	for _, p := range parameters {
		all = append(all, use(name, p))
	}
	d.of[name] = Doc{Uses: all}
}

// parameters is a lambda list, or the pattern of a macro, from an item on.
func parameters(s *syntax.Syntax, from int) string {
	l, ok := s.Datum.(*syntax.List)
	if !ok {
		return s.Span.Text() + " …"
	}
	var all []string
	for _, x := range l.Items[min(from, len(l.Items)):] {
		all = append(all, strings.ReplaceAll(strings.Join(strings.Fields(x.Span.Text()), " "), "...", "…"))
	}
	if l.Tail != nil {
		all = append(all, l.Tail.Span.Text()+" …")
	}
	return strings.Join(all, " ")
}

func items(s *syntax.Syntax) []*syntax.Syntax {
	if l, ok := s.Datum.(*syntax.List); ok {
		return l.Items
	}
	return nil
}

func symbol(s *syntax.Syntax) string {
	if y, ok := s.Datum.(*syntax.Symbol); ok {
		return y.Name
	}
	return ""
}
