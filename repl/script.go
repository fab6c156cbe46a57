package repl

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"caper/interp/syntax"
)

// reference is how an input names the value of an earlier one.
var reference = regexp.MustCompile(`\$([0-9]+)`)

// script is the session as the text of a program that does the same again. The form that an input failed with is a comment, and
// so is what the next input does not go on from; a name that was defined again is set; values that later inputs name are
// defined.
func (s *Shell) script() string {
	stands := s.stands()
	wanted := map[int]bool{}
	for _, p := range s.inputs {
		text := p.text
		for _, r := range p.went {
			text += " " + r.Use
		}
		for _, m := range reference.FindAllStringSubmatch(text, -1) {
			if n, err := strconv.Atoi(m[1]); err == nil {
				wanted[n] = true
			}
		}
	}
	var b strings.Builder
	b.WriteString("; A session of caper, as a script.\n")
	for _, p := range s.inputs {
		if strings.Contains(p.text, "(import") {
			b.WriteString("\n(begin) ; a program whose first form is an import has nothing else\n")
			break
		}
	}
	seen := map[string]bool{}
	for _, p := range s.inputs {
		text, rest := p.text, ""
		here := stands(p.id)
		switch {
		case !here:
			text, rest = "", text
		case p.code != 0:
			at := before(text, p.at)
			text, rest = text[:at], text[at:]
		}
		if text = strings.TrimSpace(text); text != "" {
			b.WriteString("\n" + restarts(p.went) + s.again(text, seen, wanted[p.number] && rest == "", p.number) + "\n")
			if p.went != nil {
				b.WriteString("(#%restarts)\n")
			}
		}
		if rest = strings.TrimSpace(rest); rest != "" {
			what := "was taken back"
			if here {
				what = fmt.Sprintf("came to no value (exit code %d); what this changed is not here", p.code)
			}
			fmt.Fprintf(&b, "\n; input %d %s:\n", p.number, what)
			for line := range strings.Lines(rest) {
				b.WriteString("; " + strings.TrimRight(line, "\n") + "\n")
			}
		}
	}
	return b.String()
}

// stands tells which inputs the next one goes on from, by their jobs; what made none always stands.
func (s *Shell) stands() func(id string) bool {
	all := map[string]bool{"": true}
	for id := s.after; id != ""; id = s.before[id] {
		all[id] = true
	}
	return func(id string) bool { return all[id] }
}

// before is the end of the forms that a text has before the one at an offset, 0 for none.
func before(text string, at int) int {
	forms, _ := syntax.ReadAll(syntax.NewSource("input", text))
	end := 0
	for _, f := range forms {
		if int(f.Span.End) > at {
			break
		}
		end = int(f.Span.End)
	}
	return end
}

// restarts is a form that has what fails go on as it did in the session.
func restarts(went []Restart) string {
	if went == nil {
		return ""
	}
	text := "(#%restarts"
	for _, r := range went {
		if r.Retry {
			text += " 'retry"
		} else {
			text += " (lambda () " + strings.TrimSpace(r.Use) + "\n)" // it may end in a comment
		}
	}
	return text + ")\n"
}

// again is the text of an input with names that were defined before set instead, and its value defined where it is wanted.
func (s *Shell) again(text string, seen map[string]bool, wanted bool, number int) string {
	forms, err := syntax.ReadAll(syntax.NewSource("input", text))
	if err != nil || len(forms) == 0 {
		return text
	}
	var b strings.Builder
	at := 0
	for i, f := range forms {
		b.WriteString(text[at:f.Span.Start])
		form := text[f.Span.Start:f.Span.End]
		at = int(f.Span.End)
		if name, rest, procedure, ok := defined(form); ok {
			if seen[name] && procedure {
				form = fmt.Sprintf("(set! %s (lambda %s)", name, rest)
			} else if seen[name] {
				form = fmt.Sprintf("(set! %s %s", name, rest)
			}
			seen[name] = true
		} else if wanted && i == len(forms)-1 {
			form = fmt.Sprintf("(define $%d %s)", number, form)
		}
		b.WriteString(form)
	}
	return b.String() + text[at:]
}

// defined takes a definition of a variable apart: rest is what follows the name, of a procedure its parameters and body.
func defined(form string) (name, rest string, procedure, ok bool) {
	body, ok := strings.CutPrefix(form, "(define ")
	if !ok {
		return "", "", false, false
	}
	body = strings.TrimLeft(body, " \t\n")
	if inner, is := strings.CutPrefix(body, "("); is {
		name = word(inner)
		inner = strings.TrimLeft(inner[len(name):], " ")
		if params, body, _ := strings.Cut(inner, ")"); strings.HasPrefix(params, ". ") { // all of them are one list
			return name, params[2:] + body, true, name != ""
		}
		return name, "(" + inner, true, name != ""
	}
	name = word(body)
	return name, strings.TrimLeft(body[len(name):], " "), false, name != ""
}

// callWords are the words by which a call is explained: (bash "ls") or what stands for it on a command line.
func callWords(text string) ([]string, error) {
	if !strings.HasPrefix(strings.TrimSpace(text), "(") {
		return strings.Fields(text), nil
	}
	forms, err := syntax.ReadAll(syntax.NewSource(",explain", text))
	if err != nil {
		return nil, err
	}
	if len(forms) != 1 {
		return nil, fmt.Errorf(",explain wants one call, such as (bash \"ls\")")
	}
	var words []string
	items, ok := forms[0].Proper()
	if !ok {
		return nil, fmt.Errorf(",explain wants one call, such as (bash \"ls\")")
	}
	for _, x := range items {
		if t, ok := x.Datum.(syntax.String); ok {
			words = append(words, string(t))
			continue
		}
		words = append(words, text[x.Span.Start:x.Span.End])
	}
	return words, nil
}
