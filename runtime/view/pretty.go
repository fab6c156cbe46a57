package view

import (
	"fmt"
	"strings"

	"caper/runtime/graph"
)

// Bounds of what a value may take on the screen. Beyond them it is folded, and what is left out is not even formatted.
const (
	prettyItems = 60   // of one list, vector or table
	prettyRows  = 40   // in all
	prettyText  = 2000 // bytes of one string
	prettyDepth = 40
)

// Pretty is a value on as many lines as the width asks for: what fits stands on one line, what does not has its items
// below each other. first is how many cells of the first line are taken. Long data are folded; folded says so.
func Pretty(s Style, d graph.Datum, first int) (text string, folded bool) {
	p := &pretty{s: s, width: s.columns()}
	if s.Width <= 0 {
		p.width = 1 << 20
	}
	p.put(d, first, 0, 0)
	lines := strings.Split(p.b.String(), "\n")
	if len(lines) > prettyRows {
		p.folded = true
		lines = append(lines[:prettyRows], s.ellipsis())
	}
	return strings.Join(lines, "\n"), p.folded
}

type pretty struct {
	s      Style
	b      strings.Builder
	width  int
	rows   int
	folded bool
}

// put writes d where at cells of the line are taken; after closing brackets follow.
func (p *pretty) put(d graph.Datum, at, after, depth int) {
	if p.rows > prettyRows {
		return
	}
	head, items, tail := parts(d)
	if head == "" {
		p.b.WriteString(p.atom(d))
		return
	}
	if depth >= prettyDepth {
		p.folded = true
		p.b.WriteString(p.s.ellipsis())
		return
	}
	if line, ok := p.flat(d, p.width-at-after); ok {
		p.b.WriteString(line)
		return
	}
	p.b.WriteString(head)
	at += len(head)
	shown := items[:min(len(items), prettyItems)]
	// Small things flow, as many on a line as fit; where one of them needs several lines, each has its own.
	flow := true
	for _, x := range shown {
		h, inner, _ := parts(x)
		flow = flow && (h == "" || len(inner) <= 2)
	}
	col := at
	for i, x := range shown {
		last := after + 1
		if flow {
			line, ok := p.flat(x, p.width-at-last)
			if ok {
				if n := p.s.cells(line); i > 0 && col+1+n+last > p.width {
					p.newline(at)
					col = at
				} else if i > 0 {
					p.b.WriteByte(' ')
					col++
				}
				p.b.WriteString(line)
				col += p.s.cells(line)
				continue
			}
		}
		if i > 0 {
			p.newline(at)
		}
		col = p.width
		p.put(x, at, last, depth+1)
	}
	if n := len(items) - len(shown); n > 0 {
		p.folded = true
		p.newline(at)
		fmt.Fprintf(&p.b, "%s %d more", p.s.ellipsis(), n)
	}
	if tail != nil {
		p.newline(at)
		p.b.WriteString(". ")
		p.put(tail, at+2, after+1, depth+1)
	}
	p.b.WriteByte(')')
}

func (p *pretty) newline(at int) {
	p.rows++
	p.b.WriteByte('\n')
	p.b.WriteString(strings.Repeat(" ", min(at, p.width/2)))
}

// flat is d on one line, unless it takes more than so many cells.
func (p *pretty) flat(d graph.Datum, room int) (string, bool) {
	if room <= 0 || least(d, room) > room {
		return "", false
	}
	text := p.s.clean(graph.Write(d))
	return text, p.s.cells(text) <= room
}

// least is at least how many signs writing d takes, as far as most.
func least(d graph.Datum, most int) int {
	head, items, tail := parts(d)
	if head == "" {
		if t, ok := d.(string); ok {
			return 2 + len(t)/4 // a sign may have four bytes
		}
		return 1
	}
	n := len(head) + 1
	for _, x := range items {
		if n > most {
			return n
		}
		n += least(x, most-n) + 1
	}
	if tail != nil {
		n += least(tail, most-n)
	}
	return n - min(1, len(items))
}

// parts are a compound's opening and items; head is empty for what has none, and for what has a short way of writing.
func parts(d graph.Datum) (head string, items []graph.Datum, tail graph.Datum) {
	switch d := d.(type) {
	case graph.List:
		if len(d) == 0 {
			return "", nil, nil
		}
		return "(", d, nil
	case graph.Vector:
		return "#(", d, nil
	case *graph.Dotted:
		return "(", d.Items, d.Tail
	case *graph.Table:
		for i := 0; i+1 < len(d.Items); i += 2 {
			items = append(items, &graph.Dotted{Items: d.Items[i : i+1], Tail: d.Items[i+1]})
			if len(items) > prettyItems { // the rest is only counted
				items = append(items, make([]graph.Datum, len(d.Items)/2-len(items))...)
				break
			}
		}
		return "#hash(", items, nil
	}
	return "", nil, nil
}

// atom is what has no items; of a long text or bytevector the beginning.
func (p *pretty) atom(d graph.Datum) string {
	switch t := d.(type) {
	case string:
		if len(t) > prettyText {
			p.folded = true
			cut := runeEnd(t, prettyText)
			text := graph.Write(t[:cut])
			return p.s.clean(text[:len(text)-1]) + fmt.Sprintf("%s\" (%d bytes)", p.s.ellipsis(), len(t))
		}
	case []byte:
		if len(t) > prettyText/8 {
			p.folded = true
			text := graph.Write(t[:prettyText/8])
			return text[:len(text)-1] + fmt.Sprintf(" %s) (%d bytes)", p.s.ellipsis(), len(t))
		}
	}
	text := p.s.clean(graph.Write(d))
	if len(text) > 2*prettyText {
		p.folded = true
		return text[:runeEnd(text, 2*prettyText)] + p.s.ellipsis()
	}
	return text
}
