package view

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/license"
)

// Bounds of what a question shows at once. A command is shown whole up to its bound, since it is what is agreed to.
const (
	maxCommand  = 64 << 10
	inlineDiff  = 24 // lines
	inlineBytes = 4 << 10
	maxDiffText = 1 << 20
)

// Question is a question for a person: what would happen, why it is asked, and what each answer means.
func Question(s Style, q call.Question) string {
	p := &paragraph{s: s}
	p.named(q)
	p.what(q)
	if q.Doubt != nil {
		p.doubt(*q.Doubt)
		return p.String()
	}
	p.reason(q.Decision)
	p.choices(q)
	return p.String()
}

// named is the line of a question that says what is asked about: the tool, its object and the call's id.
func (p *paragraph) named(q call.Question) {
	id := q.ID.String()
	head := line{own(yellow, "? "), p.s.data(bold, q.Tool)}
	if text := what(p.s, q, p.s.columns()-head.cells(p.s)-3-len(id)); text != "" {
		head = append(head, own(plain, " "), span{text, plain})
	}
	p.add(head.with(own(dim, "  "+id))...)
}

// what names the object of the call behind the name of its tool. The whole of a long one follows below.
func what(s Style, q call.Question, room int) string {
	if q.Preview.Command != "" {
		return ""
	}
	if q.Preview.Path != "" {
		return s.middle(shownPath(q), room)
	}
	return ""
}

// shownPath is the path as the program gave it, or where it leads.
func shownPath(q call.Question) string {
	for _, name := range []string{"path", "from"} {
		if text, ok := q.Args[name].(string); ok && text != "" {
			return text
		}
	}
	return q.Preview.Path
}

func (p *paragraph) what(q call.Question) {
	v := q.Preview
	if v.Command != "" {
		p.command(v.Command)
		if _, given := q.Args["cwd"]; given && v.Cwd != "" {
			p.wrap("  in ", plain, v.Cwd)
		}
	} else {
		p.arguments(q)
	}
	if v.Path != "" {
		p.wrap("  at ", dim, v.Path)
	}
	if changes := changed(p.s, q); len(changes) > 0 {
		p.add(append(line{own(plain, "  ")}, changes...)...)
	}
	if v.Note != "" {
		p.wrap("  note: ", plain, v.Note)
	}
	if inline(q) {
		p.diff(v.Diff)
	}
}

// inline reports a diff that is short enough to stand in the question.
func inline(q call.Question) bool {
	return q.Preview.Diff != "" && !q.Preview.New && short(q.Preview.Diff)
}

func short(diff string) bool {
	return len(diff) <= inlineBytes && strings.Count(diff, "\n") <= inlineDiff
}

// changed says how large the change of a file is.
func changed(s Style, q call.Question) line {
	v := q.Preview
	switch {
	case v.New && v.Diff == "":
		return line{own(green, "new file")}
	case v.New:
		return line{own(green, "new file, "+count(int64(v.Added), "line", "lines"))}
	case v.Diff == "" && v.Added == 0 && v.Removed == 0:
		return nil
	}
	return line{own(green, fmt.Sprintf("+%d", v.Added)), own(plain, " "), own(red, fmt.Sprintf("-%d", v.Removed)), own(plain, " lines")}
}

// command shows exactly what would run, line by line; a line that goes on below begins with another sign.
func (p *paragraph) command(text string) {
	cut := 0
	if len(text) > maxCommand {
		end := runeEnd(text, maxCommand)
		cut, text = len(text)-end, text[:end]
	}
	escaped := false
	for _, l := range splitLines(text) {
		c := p.s.clean(l)
		escaped = escaped || c != l
		for i, piece := range p.s.fold(c, p.s.prose()-4) {
			gutter := p.s.glyph("  │ ", "  | ")
			if i > 0 {
				gutter = p.s.glyph("  ┊ ", "  : ")
			}
			p.add(own(dim, gutter), span{piece, bold})
		}
	}
	if cut > 0 {
		p.add(own(red, fmt.Sprintf("  %s %d more bytes are not shown: say no unless you know them", p.s.ellipsis(), cut)))
	}
	if escaped {
		p.wrap("  ", yellow, `what a terminal would hide or act on is written as in \x1b;`)
	}
}

// arguments shows those of a call that has neither a command nor one path.
func (p *paragraph) arguments(q call.Question) {
	if q.Preview.Path != "" && q.Tool != "move-file" {
		return
	}
	names := make([]string, 0, len(q.Args))
	for n := range q.Args {
		names = append(names, n)
	}
	sortBy(names, func(a, b string) bool { return a < b })
	for _, n := range names {
		text, ok := q.Args[n].(string)
		if !ok || text == "" {
			text = graph.Write(q.Args[n])
		}
		label := "  " + p.s.clean(n) + " "
		p.add(own(dim, label), span{p.s.middle(text, max(p.s.prose()-p.s.cells(label), 10)*4), plain})
	}
}

func (p *paragraph) reason(d license.Decision) {
	if d.Reason != "" {
		p.wrap("  why: ", plain, oneLine(keep(d.Reason)))
	}
	if d.Rule != "" {
		text := d.Rule
		if d.Origin != "" {
			text += " (" + d.Origin + ")"
		}
		p.wrap("  rule: ", dim, text)
	}
}

// choices is the line of answers. What an answer would remember is shown whole.
func (p *paragraph) choices(q call.Question) {
	list := []line{{own(bold, "y"), own(plain, " once")}}
	for _, c := range [...]struct {
		scope     license.Scope
		key, word string
	}{{license.Session, "s", " session: "}, {license.Project, "p", " project: "}} {
		if rule := remembers(q.Decision, c.scope); rule != "" {
			list = append(list, line{own(bold, c.key), own(plain, c.word), p.s.data(plain, rule)})
		}
	}
	list = append(list, line{own(bold, "n"), own(plain, " deny")})
	if q.Preview.Diff != "" {
		list = append(list, line{own(bold, "d"), own(plain, " diff")})
	}
	list = append(list, line{own(bold, "?"), own(plain, " why")})
	p.flow(list...)
}

const veryCall = "this very call"

// remembers are the rules that a yes for a scope would keep, "" when there are none.
func remembers(d license.Decision, scope license.Scope) string {
	var rules []string
	for _, s := range d.Remember {
		if s.Scope == scope && s.Rule == "" {
			rules = append(rules, veryCall)
		} else if s.Scope == scope {
			rules = append(rules, s.Rule)
		}
	}
	return strings.Join(rules, ", ")
}

// doubt is what is known of an uncertain call, and the answers.
func (p *paragraph) doubt(d call.Doubt) {
	p.wrap("  known: ", plain, "it had begun; its process ended before it could say how it went")
	p.wrap("  not known: ", plain, "whether it did its work; "+oneLine(keep(d.Reason)))
	if d.Output != nil {
		p.wrap("  its output so far: ", dim, p.s.middle(oneLine(keep(graph.Write(d.Output))), 4*p.s.columns()))
	}
	p.flow(line{own(bold, "y"), own(plain, " it was done")}, line{own(bold, "n"), own(plain, " it was not: the call fails")},
		line{own(bold, "r"), own(plain, " do it again")}, line{own(bold, "l"), own(plain, " later")})
}

// Prompt stands before the place where the answer is typed.
func Prompt(s Style, q call.Question) string {
	if q.Doubt != nil {
		return line{own(bold, "  did it happen?"), own(plain, " y/n/r/l ")}.raw(s)
	}
	keys := "y"
	for _, c := range [...]struct {
		scope license.Scope
		key   string
	}{{license.Session, "/s"}, {license.Project, "/p"}} {
		if remembers(q.Decision, c.scope) != "" {
			keys += c.key
		}
	}
	keys += "/n"
	if q.Preview.Diff != "" {
		keys += "/d"
	}
	return line{own(bold, "  allow it?"), own(plain, " "+keys+"/? ")}.raw(s)
}

// raw is text with the spaces at its end.
func (l line) raw(s Style) string { return l.text(s) + " " }

// Diff is the whole change that is asked about.
func Diff(s Style, q call.Question) string {
	p := &paragraph{s: s}
	switch {
	case q.Preview.Diff != "":
		p.diff(q.Preview.Diff)
	case q.Preview.Note != "":
		p.wrap("  ", plain, q.Preview.Note)
	default:
		p.add(own(dim, "  there is nothing to compare"))
	}
	return p.String()
}

// diff shows a unified diff. Its lines are broken, never cut.
func (p *paragraph) diff(text string) {
	cut := len(text) > maxDiffText
	if cut {
		text = text[:runeEnd(text, maxDiffText)]
	}
	for _, l := range splitLines(text) {
		c := plain
		switch {
		case strings.HasPrefix(l, "+++"), strings.HasPrefix(l, "---"):
			c = bold
		case strings.HasPrefix(l, "@@"):
			c = cyan
		case strings.HasPrefix(l, "+"):
			c = green
		case strings.HasPrefix(l, "-"):
			c = red
		}
		for _, piece := range p.s.fold(p.s.clean(tabs(l)), p.s.prose()-2) {
			p.add(own(plain, "  "), span{piece, c})
		}
	}
	if cut {
		p.add(own(red, "  the diff is longer and is cut here"))
	}
}

// tabs sets the tabs of a line of a diff, whose first column is not the text's.
func tabs(l string) string {
	if !strings.Contains(l, "\t") {
		return l
	}
	var b strings.Builder
	col := 0
	for i := 0; i < len(l); col++ {
		_, n := utf8.DecodeRuneInString(l[i:])
		if l[i] == '\t' && i > 0 {
			gap := 8 - (col-1)%8
			b.WriteString(strings.Repeat(" ", gap))
			col += gap - 1
		} else {
			b.WriteString(l[i : i+n])
		}
		i += n
	}
	return b.String()
}

// Why says all that is known of a decision.
func Why(s Style, q call.Question) string { return explained(s, q.Decision) }

// Decision is the answer of policy explain.
func Decision(s Style, tool string, args graph.List, d license.Decision) string {
	p := &paragraph{s: s}
	head := line{s.data(bold, tool)}
	p.add(append(head, s.arguments(nil, args, s.columns()-head.cells(s))...)...)
	return p.String() + explained(s, d)
}

// DecisionObject is a decision as --json prints it.
func DecisionObject(d license.Decision) license.Explanation { return license.Explain(d, "") }

var verdicts = [...]struct {
	verdict license.Verdict
	paint   paint
}{{license.Allow, green}, {license.Deny, red}, {license.Ask, yellow}, {license.Judge, yellow}}

func explained(s Style, d license.Decision) string {
	p := &paragraph{s: s}
	for i, l := range license.Explain(d, "").Lines() {
		c := plain
		if i == 0 {
			for _, v := range verdicts {
				if v.verdict == d.Verdict {
					c = v.paint
				}
			}
		}
		text := strings.TrimLeft(l, " ")
		p.wrap("  "+strings.Repeat(" ", len(l)-len(text)), c, oneLine(text))
	}
	return p.String()
}
