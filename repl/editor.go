package repl

import (
	"fmt"
	"slices"
	"strings"
)

// editor is what keys do to an input. It knows no terminal: keys come in, pictures go out.
type editor struct {
	buffer
	screen   screen
	prompt   string
	status   []string // below the input
	complete Completer
	history  *History

	past   []string // the history as it was when it was first asked for
	nth    int      // which of it is shown; len(past) for what was typed
	draft  string
	search *search
}

// search is a search in the history.
type search struct {
	query string
	found int
	draft state
}

// action is what a key asks of the terminal.
type action byte

const (
	none action = iota
	submit
	giveUp
	leave
	clear
	stop
)

func (e *editor) reset() {
	killed := e.killed
	e.buffer = buffer{goal: -1, killed: killed}
	e.status, e.past, e.search = nil, nil, nil
}

func (e *editor) picture() picture {
	if e.search != nil {
		e.status = []string{fmt.Sprintf("history: %s", e.search.query)}
	}
	return e.screen.layout(e.prompt, e.text, e.at)
}

// edit does a key.
func (e *editor) edit(k key) action {
	e.status = nil
	if e.search != nil {
		if e.searching(k) {
			return none
		}
		e.search = nil
	}
	switch k.name {
	case "", "paste":
		e.insert(k.text)
		e.goal = -1
	case "enter":
		if e.ready() {
			return submit
		}
		e.newLine()
	case "newline":
		e.newLine()
	case "tab":
		e.tab()
	case "up":
		if !e.vertical(false) {
			e.recall(-1)
		}
	case "down":
		if !e.vertical(true) {
			e.recall(1)
		}
	case "page-up":
		e.recall(-1)
	case "page-down":
		e.recall(1)
	case "search":
		e.search = &search{found: len(e.remembered()), draft: state{e.text, e.at}}
	case "interrupt":
		return giveUp
	case "eof":
		if e.text == "" {
			return leave
		}
		e.move("delete")
	case "clear":
		return clear
	case "stop":
		return stop
	default:
		e.move(k.name)
	}
	return none
}

// ready says that what was typed can be evaluated.
func (e *editor) ready() bool {
	if strings.TrimSpace(e.text) == "" || Command(e.text) {
		return true
	}
	var s scanner
	s.scan(e.text)
	return s.complete() || !s.begun && len(s.open) == 0 && !s.inText()
}

// newLine begins a line where the form above it asks for.
func (e *editor) newLine() {
	var s scanner
	s.scan(e.text[:e.at])
	rest := e.text[e.at:]
	if !s.inText() { // the rest of the line is indented anew
		rest = strings.TrimLeft(rest, " ")
	}
	e.save()
	e.text = e.text[:e.at] + rest
	e.insert("\n" + strings.Repeat(" ", s.indent()))
	e.goal = -1
	var whole scanner
	whole.scan(e.text)
	if n := len(whole.open); n > 0 {
		b := whole.open[n-1]
		line := strings.Count(e.text[:b.at], "\n") + 1
		e.status = []string{fmt.Sprintf("%c at %d:%d is open", b.sign, line, b.column+1)}
	} else if whole.inText() {
		e.status = []string{"a string, symbol or comment is open"}
	}
}

func (e *editor) remembered() []string {
	if e.past == nil && e.history != nil {
		e.past = slices.Clone(e.history.All())
		e.nth = len(e.past)
	}
	return e.past
}

// recall shows an input before or after the one that is shown.
func (e *editor) recall(by int) {
	past := e.remembered()
	to := e.nth + by
	if to < 0 || to > len(past) || len(past) == 0 {
		return
	}
	if e.nth == len(past) {
		e.draft = e.text
	}
	e.nth = to
	text := e.draft
	if to < len(past) {
		text = strings.TrimRight(past[to], "\n")
	}
	e.save()
	e.set(text, len(text))
}

// searching does a key of a search; false for one that ends it and is done as usual.
func (e *editor) searching(k key) bool {
	s := e.search
	from := s.found
	switch {
	case k.name == "" || k.name == "paste":
		s.query += line(k.text)
		from = min(from+1, len(e.past))
	case k.name == "backspace":
		if s.query == "" {
			return true
		}
		b := buffer{text: s.query, at: len(s.query)}
		b.move("backspace")
		s.query, from = b.text, len(e.past)
	case k.name == "search":
	case k.name == "cancel" || k.name == "interrupt":
		e.set(s.draft.text, s.draft.at)
		e.search = nil
		return true
	default:
		return false
	}
	for i := min(from, len(e.past)) - 1; i >= 0; i-- {
		if at := strings.Index(e.past[i], s.query); at >= 0 {
			s.found = i
			e.set(strings.TrimRight(e.past[i], "\n"), 0)
			e.at = e.boundary(min(at, len(e.text)))
			return true
		}
	}
	return true
}

// maxListed is how many candidates are shown.
const maxListed = 8

// tab completes the word before the cursor, or shows what it may become.
func (e *editor) tab() {
	begin := e.lineStart(e.at)
	if strings.TrimSpace(e.text[begin:e.at]) == "" || e.complete == nil {
		e.insert("  ")
		return
	}
	from, all := e.complete(e.text, e.at)
	if len(all) == 0 {
		e.status = []string{"nothing begins so"}
		return
	}
	typed := e.text[from:e.at]
	common := all[0].Text
	for _, c := range all[1:] {
		common = shared(common, c.Text)
	}
	if len(common) > len(typed) {
		e.save()
		e.text = e.text[:from] + common + e.text[e.at:]
		e.at = from + len(common)
	}
	if len(all) == 1 {
		e.status = slices.DeleteFunc([]string{all[0].Use, all[0].Doc}, func(line string) bool { return line == "" })
		return
	}
	for _, c := range all[:min(len(all), maxListed)] {
		e.status = append(e.status, c.line())
	}
	if n := len(all) - maxListed; n > 0 {
		e.status = append(e.status, fmt.Sprintf("and %d more", n))
	}
}

// shared is what two texts begin with, in whole signs.
func shared(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && a[n]&0xc0 == 0x80 {
		n--
	}
	return a[:n]
}

// line is text on one line.
func line(text string) string { return strings.ReplaceAll(text, "\n", " ") }
