package view

import (
	"fmt"
	"strings"

	"caper/runtime/agent"
	"caper/runtime/call"
	"caper/runtime/session"
	"caper/runtime/store"
)

// maxConstitution is how much of a constitution a transcript shows.
const maxConstitution = 200

// Transcript is a conversation for a terminal.
func Transcript(s Style, st store.Store, calls *call.Service, units []agent.Painted) string {
	var b strings.Builder
	r := reader{store: st, calls: calls}
	d := drawing{s: s, now: r.now()}
	for i, u := range units {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(s.unitLine(u).cut(s, s.prose()).text(s) + "\n")
		for _, c := range u.Cells {
			b.WriteString(d.cell(r, c))
		}
	}
	return b.String()
}

func (s Style) unitLine(u agent.Painted) line {
	what := "genesis"
	if u.Unit.Turn != nil {
		what = "turn " + number(u.Unit.Turn.Depth)
	}
	l := line{own(dim, u.Unit.ID.String()), own(plain, "  "), own(bold, what), own(dim, s.dot()+u.Policy)}
	switch {
	case u.Unit.Turn != nil && !u.Unit.Closed():
		l = append(l, own(yellow, s.dot()+"open"))
	case u.Unit.Outcome != nil && u.Unit.Outcome.State != "settled":
		l = append(l, own(red, s.dot()+string(u.Unit.Outcome.State)))
	}
	if u.Head {
		l = append(l, own(cyan, s.dot()+"head"))
	}
	return l
}

// cell is one cell of a tape as lines.
func (d *drawing) cell(r reader, c agent.PaintedCell) string {
	switch c.Kind {
	case "constitution":
		text := oneLine(c.Text)
		if short := d.s.head(text, maxConstitution); short != text {
			text = short + d.s.ellipsis() + fmt.Sprintf(" (caper transcript %d --json has all of it)", c.ID.Session)
		}
		return d.paragraph("  ", dim, text)
	case "prompt":
		mark := "> "
		if c.Source != "user" {
			mark = "> (" + c.Source + ") "
		}
		return d.paragraph("  ", bold, mark+c.Text)
	case "fold":
		return d.paragraph("  ", dim, c.Text)
	case "calls":
		return d.calls(r, c.Calls)
	}
	if c.Failed != "" {
		return d.paragraph("  ", red, c.Failed)
	}
	if c.Text == "" {
		return ""
	}
	return d.paragraph("  ", plain, c.Text)
}

func (d *drawing) paragraph(indent string, p paint, text string) string {
	var b strings.Builder
	for _, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		for _, part := range d.s.words(d.s.clean(l), max(d.s.prose()-len(indent), 20)) {
			b.WriteString(strings.TrimRight(indent+line{span{part, p}}.text(d.s), " ") + "\n")
		}
	}
	return b.String()
}

func (d *drawing) calls(r reader, calls []session.Call) string {
	var rows []row
	for _, c := range calls {
		if c.Entry == nil {
			continue
		}
		if j := r.job(*c.Entry); j != nil {
			one := d.job(j)
			one.prefix = "  "
			rows = append(rows, one)
		}
	}
	if len(rows) == 0 {
		return ""
	}
	text, _ := d.lines(rows, 0)
	return strings.Join(text, "\n") + "\n"
}

// TranscriptObjects are the cells of a conversation as --json prints them.
func TranscriptObjects(units []agent.Painted) []map[string]any {
	var out []map[string]any
	for _, u := range units {
		for _, c := range u.Cells {
			o := map[string]any{"type": "cell", "unit": u.Unit.ID.String(), "id": c.ID.String(), "kind": c.Kind, "posture": u.Policy}
			if u.Head {
				o["head"] = true
			}
			for key, text := range map[string]string{"source": c.Source, "text": c.Text, "failed": c.Failed} {
				if text != "" {
					o[key] = text
				}
			}
			var calls []string
			for _, one := range c.Calls {
				calls = append(calls, one.ID.String())
			}
			if calls != nil {
				o["calls"] = calls
			}
			out = append(out, o)
		}
	}
	return out
}
