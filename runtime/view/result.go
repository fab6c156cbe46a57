package view

import (
	"fmt"
	"strings"

	"caper/interp/syntax"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/program"
	"caper/runtime/store"
)

// maxTrace is how many frames of a backtrace are shown, from each of its ends.
const maxTrace = 12

// topLevel is the procedure of what stands outside of all definitions.
const topLevel = "top level"

// Failure says what ended a program: the condition, where it was raised, and for a refusal how to change that.
func Failure(s Style, r program.Result) string {
	f := r.Error
	if f == nil {
		return ""
	}
	p := &paragraph{s: s}
	p.failure(r, func() { p.refusal(f) })
	if !r.ID.IsZero() {
		p.add(own(dim, "  caper tree "+r.ID.String()+" shows what it did"))
	}
	return p.String()
}

// failure is the condition that ended a program, with its place; refusal says more of a denial.
func (p *paragraph) failure(r program.Result, refusal func()) {
	f := r.Error
	head := f.Kind
	if head == "" {
		head = string(r.State)
	}
	text := f.Message
	if f.Irritants != "" {
		sep := ": "
		if strings.HasSuffix(text, ":") {
			sep = " "
		}
		text = join(sep, text, keep(f.Irritants))
	}
	if f.At.Known() {
		p.located(f.At, head+": "+text)
	} else {
		p.headed(head, text)
	}
	if r.State == program.Denied {
		refusal()
	}
	frames := f.Trace
	if _, line, col := f.At.Position(); len(frames) == 1 && frames[0].Procedure == topLevel && frames[0].Line == line && frames[0].Column == col {
		frames = nil // as shown
	}
	p.trace(frames)
	for _, h := range f.Hints {
		p.hint(h)
	}
}

// Unwritten says what a program that exited at once left unwritten.
func Unwritten(s Style, r program.Result) string {
	p := &paragraph{s: s}
	for _, u := range r.Unwritten {
		p.headed("files", u)
	}
	return p.String()
}

// headed is a message after a coloured word; it is broken, never cut.
func (p *paragraph) headed(word, text string) {
	word = p.s.head(p.s.clean(oneLine(word)), p.s.columns()/2)
	indent := ""
	for i, l := range splitLines(text) {
		l = p.s.clean(strings.TrimSpace(l))
		if i == 0 {
			l = word + ": " + l
		}
		for _, piece := range p.s.words(l, p.s.prose()-2) {
			if rest, ok := strings.CutPrefix(piece, word+":"); ok && indent == "" {
				p.add(span{word, red}, own(plain, ":"), span{rest, plain})
			} else {
				p.add(own(plain, indent), span{piece, plain})
			}
			indent = "  "
		}
	}
}

// refusal says which rule refused, where it stands and how to change it.
func (p *paragraph) refusal(f *program.Failure) {
	rule, origin, step := graph.TextField(f.Data, "rule"), graph.TextField(f.Data, "origin"), graph.TextField(f.Data, "step")
	by := graph.TextField(f.Data, "by")
	if rule != "" {
		p.wrap("  rule: ", plain, rule)
	}
	if origin != "" {
		p.wrap("  it stands in: ", plain, origin+" ("+step+")")
	}
	if by != "" && by != "policy" {
		p.wrap("  decided by: ", plain, by)
		return
	}
	p.wrap("  to change it: ", plain, remedy(step, rule, origin))
}

// remedy says how to change a decision that fell at a step.
func remedy(step, rule, origin string) string {
	d := license.Decision{Verdict: license.Deny, Rule: rule, Origin: origin}
	for n := license.StepProtections; n <= license.StepPosture; n++ {
		if n.String() == step {
			d.Step = n
		}
	}
	if d.Step == license.StepPosture || d.Step == license.StepAsk {
		return "run it where a person can be asked, with --park to ask later, or add an allow rule to policy.yaml"
	}
	lines := license.Explain(d, "").Lines()
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(lines[len(lines)-1]), "change"))
}

func (p *paragraph) trace(frames []program.Frame) {
	for i, f := range frames {
		if len(frames) > 2*maxTrace && i >= maxTrace && i < len(frames)-maxTrace {
			if i == maxTrace {
				p.add(own(dim, fmt.Sprintf("  %s %d more", p.s.ellipsis(), len(frames)-2*maxTrace)))
			}
			continue
		}
		p.add(p.frame("  in ", f)...)
	}
}

// frame is a line about a frame.
func (p *paragraph) frame(head string, f program.Frame) line {
	name := f.Procedure
	if name == "" {
		name = "(anonymous)"
	}
	where := ""
	if f.File != "" {
		where = f.File
		if f.Line > 0 {
			where += fmt.Sprintf(":%d:%d", f.Line, f.Column)
		}
	}
	l := line{own(dim, head), span{p.s.middle(name, p.s.columns()/2), plain}}
	if where != "" {
		l = append(l, own(dim, " at "), span{p.s.middle(where, max(p.s.prose()-l.cells(p.s)-4, 5)), plain})
	}
	return l
}

// Frame is a line about a frame, to stand behind its number.
func Frame(s Style, f program.Frame) string {
	p := &paragraph{s: s}
	p.add(p.frame("in ", f)...)
	return strings.TrimSuffix(p.String(), "\n")
}

// around is how many lines are shown before and after a place in a text.
const around = 2

// Source shows a place in a text, marked, with the lines around it.
func Source(s Style, at syntax.Span) string {
	if !at.Known() {
		return ""
	}
	p := &paragraph{s: s}
	text := at.Source.Text
	start := min(max(int(at.Start), 0), len(text))
	begin := strings.LastIndexByte(text[:start], '\n') + 1
	from := begin
	for n := 0; n < around && from > 0; n++ {
		from = strings.LastIndexByte(text[:from-1], '\n') + 1
	}
	plainLine := func(l string) {
		p.add(own(plain, "  "), span{s.head(s.clean(tabs(first(strings.TrimRight(l, "\r\n"), s.columns()))), s.columns()-4), dim})
	}
	for l := range strings.Lines(text[from:begin]) {
		plainLine(l)
	}
	p.caret(at, int(at.End-at.Start))
	after := ""
	if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
		after = text[start+i+1:]
	}
	n := 0
	for l := range strings.Lines(after) {
		if n++; n > around {
			break
		}
		plainLine(l)
	}
	return p.String()
}

// Waiting says what a program that rests waits for, what is known of it, and how it goes on: the last line continues it.
func Waiting(s Style, st store.Store, calls *call.Service, describe Describe, r program.Result) (string, error) {
	p := &paragraph{s: s}
	rd := reader{store: st, calls: calls}
	for i, id := range r.Waiting {
		if i == maxTrace {
			p.add(own(dim, fmt.Sprintf("%s %d more: caper approvals lists them", s.ellipsis(), len(r.Waiting)-i)))
			break
		}
		e, err := st.Entry(id)
		if err != nil {
			return "", err
		}
		j := rd.job(e)
		if j == nil {
			continue
		}
		if describe != nil && j.State == waiting {
			if q, err := describe(e); err == nil { // else what is on record serves
				p.asked(q, false)
				continue
			}
		}
		p.waits(j, e)
	}
	if r.State == program.Parked && len(r.Waiting) == 0 {
		p.wrap("", plain, "the program was put aside before its end; nothing of it is lost")
	}
	p.wrap("", dim, "when that is answered, this continues the program:")
	p.add(own(bold, "caper resume "+r.ID.String()))
	return p.String(), nil
}

func (p *paragraph) waits(j *Job, e store.Entry) {
	head := line{p.s.mark(j), own(plain, " ")}
	p.add(append(head, p.s.label(j, p.s.columns()-2-len(j.ID)-2)...).with(own(dim, "  "+j.ID))...)
	why, since := waitsFor(e)
	if j.State != uncertain {
		if why != "" {
			p.wrap("  why: ", plain, oneLine(keep(why)))
		}
		p.parkedRule(e)
		p.flow(line{own(plain, "caper approve "+j.ID)}, line{own(dim, "or "), own(plain, "caper deny "+j.ID)})
		return
	}
	began := "it had begun"
	if !j.Began.IsZero() {
		began += " at " + moment(j.Began) + " UTC"
	}
	p.wrap("  known: ", plain, began+"; its process ended before it could say how it went")
	if !since.IsZero() {
		p.wrap("  not known: ", plain, "whether it did its work; "+oneLine(keep(why)))
	}
	p.output(e)
	for _, x := range [...]struct{ flag, means string }{
		{"--happened [--value DATUM]", "it was done, and this is its answer"}, {"--did-not", "it was not done: the call fails"}, {"--retry", "do it again"},
	} {
		p.flow(line{own(plain, "caper resolve "+j.ID+" "+x.flag)}, line{own(dim, x.means)})
	}
}

// parkedRule shows the rule that asked and what a yes could remember.
func (p *paragraph) parkedRule(e store.Entry) {
	for _, f := range e.Facts {
		if f.What != kind.FactParked {
			continue
		}
		rule, origin := graph.TextField(f.Value.Datum, "rule"), graph.TextField(f.Value.Datum, "origin")
		if rule != "" && origin != "" {
			rule += " (" + origin + ")"
		}
		if rule != "" {
			p.wrap("  rule: ", dim, rule)
		}
		for _, scope := range []string{"session", "project"} {
			if rules, _ := graph.Field(f.Value.Datum, "remember-"+scope).(graph.List); len(rules) > 0 {
				p.wrap("  --for "+scope+" remembers: ", dim, ruleList(rules))
			}
		}
		return
	}
}

// ruleList names rules that are remembered together; an empty one means the call itself.
func ruleList(rules graph.List) string {
	var out []string
	for _, r := range rules {
		if text, _ := r.(string); text != "" {
			out = append(out, text)
		} else {
			out = append(out, veryCall)
		}
	}
	return strings.Join(out, ", ")
}

// output shows what a command had written before its process ended.
func (p *paragraph) output(e store.Entry) {
	for _, f := range e.Facts {
		if f.What == kind.FactUncertain {
			if d := graph.Field(f.Value.Datum, "output"); d != nil {
				p.wrap("  its output so far: ", dim, p.s.middle(oneLine(keep(graph.Write(d))), 4*p.s.columns()))
			}
		}
	}
}

// with adds spans to a line.
func (l line) with(spans ...span) line { return append(l[:len(l):len(l)], spans...) }
