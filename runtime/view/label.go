package view

import (
	"fmt"
	"strings"

	"caper/runtime/graph"
	"caper/runtime/tool"
)

// label names a job in so many cells: its tool and its arguments, paths first.
func (s Style) label(j *Job, cells int) line {
	l := line{span{s.middle(j.Name, min(cells, 60)), bold}}
	room := cells - l.cells(s) - 1
	if room < 6 {
		return l
	}
	if j.inner != nil {
		if j.source != "" {
			l = append(l, own(plain, " "), span{s.middle(oneLine(j.source), room), dim})
		}
		return l
	}
	return append(l, s.arguments(j.tool, j.given, room)...)
}

// label says how many a group has of what.
func (g *group) label(s Style, cells int) line {
	many := own(plain, fmt.Sprintf("%d %s ", g.total, s.glyph("×", "x")))
	return line{many, span{s.middle(g.name, max(min(cells, 60)-len(many.text), 8)), bold}}
}

// argument is one that is shown: a path or a command as it is, anything else as a datum.
type argument struct {
	keyword string
	datum   graph.Datum
	rank    int // paths and commands are 0
}

// maxArgCells is how much of an argument is shown when there are others.
const maxArgCells = 60

func (s Style) arguments(t *tool.Tool, given graph.List, room int) line {
	args := ranked(t, given)
	var out line
	for i, a := range args {
		if room < 6 {
			break
		}
		if a.rank != 0 && a.keyword == "" && t != nil && t.Effect == tool.Write {
			continue // what is written says less than where
		}
		most := room
		if i+1 < len(args) && most > maxArgCells && s.Width > 0 {
			most = maxArgCells
		}
		c := dim
		if a.rank == 0 {
			c = plain
		}
		text := ""
		if a.keyword != "" && a.rank != 0 {
			text = s.clean("#:"+a.keyword) + " "
		}
		text += s.middle(datumText(a), max(most-s.cells(text), 5))
		if s.cells(text) > room {
			break
		}
		out = append(out, own(plain, " "), span{text, c})
		room -= s.cells(text) + 1
	}
	return out
}

// ranked puts paths and the command before everything else and otherwise keeps the order.
func ranked(t *tool.Tool, given graph.List) []argument {
	var first, rest []argument
	position := 0
	for i := 0; i < len(given); i++ {
		a := argument{datum: given[i], rank: 1}
		var p tool.Param
		if k, ok := given[i].(graph.Keyword); ok && i+1 < len(given) {
			i++
			a.keyword, a.datum = string(k), given[i]
			if t != nil {
				p, _ = t.Param(string(k))
			}
		} else {
			p = positional(t, position)
			position++
		}
		_, isText := a.datum.(string)
		if isText && (p.Access.Path() && p.Access != tool.CwdAccess || p.Access == tool.CommandAccess) {
			a.rank = 0
			first = append(first, a)
			continue
		}
		rest = append(rest, a)
	}
	return append(first, rest...)
}

func positional(t *tool.Tool, n int) tool.Param {
	if t == nil {
		return tool.Param{}
	}
	for _, p := range t.Params {
		if p.Keyword {
			continue
		}
		if n == 0 {
			return p
		}
		n--
	}
	return tool.Param{}
}

func datumText(a argument) string {
	if text, ok := a.datum.(string); ok && a.rank == 0 && text != "" && strings.TrimSpace(text) == text {
		return oneLine(text)
	}
	return graph.Write(a.datum)
}

// oneLine shows the shape of a text of several lines on one.
func oneLine(text string) string {
	if !strings.ContainsAny(text, "\n\t") {
		return text
	}
	return strings.Join(strings.Fields(text), " ")
}
