package repl

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// buffer is the text that is edited. The cursor is always between two clusters: what a reader takes for one sign.
type buffer struct {
	text   string
	at     int
	goal   int // column that up and down keep to, -1 for none
	killed string
	undo   []state
}

type state struct {
	text string
	at   int
}

const maxUndo = 200

// save keeps the state for undo.
func (b *buffer) save() {
	if n := len(b.undo); n > 0 && b.undo[n-1].text == b.text {
		return
	}
	b.undo = append(b.undo, state{b.text, b.at})
	if len(b.undo) > maxUndo {
		b.undo = b.undo[1:]
	}
}

func (b *buffer) back() {
	for n := len(b.undo) - 1; n >= 0; n-- {
		u := b.undo[n]
		b.undo = b.undo[:n]
		if u.text != b.text {
			b.text, b.at = u.text, u.at
			return
		}
	}
}

func (b *buffer) set(text string, at int) { b.text, b.at, b.goal = text, at, -1 }

// insert puts text where the cursor is. A mark that joins the sign before it moves the cursor behind the whole.
func (b *buffer) insert(text string) {
	b.save()
	b.text = b.text[:b.at] + text + b.text[b.at:]
	b.at = b.boundary(b.at + len(text))
}

// boundary is the first place between two clusters from at on.
func (b *buffer) boundary(at int) int {
	begin := b.lineStart(min(at, len(b.text)))
	for begin < at {
		n := clusterLen(b.text[begin:])
		if n == 0 {
			break
		}
		begin += n
	}
	return begin
}

// clusterLen is how many bytes the first cluster of a text has. A newline is one, whatever stands before it.
func clusterLen(text string) int {
	if text == "" {
		return 0
	}
	if text[0] < utf8.RuneSelf && (len(text) == 1 || text[1] < utf8.RuneSelf) {
		return 1
	}
	it := graphemes.FromString(text[:min(len(text), 512)])
	it.Next()
	n := len(it.Value())
	if i := strings.IndexByte(text[:n], '\n'); i > 0 {
		return i
	}
	return max(n, 1)
}

func (b *buffer) lineStart(at int) int { return strings.LastIndexByte(b.text[:at], '\n') + 1 }

func (b *buffer) lineEnd(at int) int {
	if i := strings.IndexByte(b.text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(b.text)
}

// before is the place of the cluster that ends at a place.
func (b *buffer) before(at int) int {
	begin := b.lineStart(at)
	if begin == at {
		return max(at-1, 0)
	}
	for {
		n := clusterLen(b.text[begin:])
		if n == 0 || begin+n >= at {
			return begin
		}
		begin += n
	}
}

func (b *buffer) after(at int) int { return at + clusterLen(b.text[at:]) }

func (b *buffer) cut(from, to int, keep bool) {
	if from >= to {
		return
	}
	b.save()
	if keep {
		b.killed = b.text[from:to]
	}
	b.text = b.text[:from] + b.text[to:]
	b.at = from
}

func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' }

func (b *buffer) wordLeft() int {
	at := b.at
	for seen := false; at > 0; {
		r, n := utf8.DecodeLastRuneInString(b.text[:at])
		if !letter(r) && seen {
			break
		}
		seen = seen || letter(r)
		at -= n
	}
	return b.boundary(at)
}

func (b *buffer) wordRight() int {
	at := b.at
	for seen := false; at < len(b.text); {
		r, n := utf8.DecodeRuneInString(b.text[at:])
		if !letter(r) && seen {
			break
		}
		seen = seen || letter(r)
		at += n
	}
	return b.boundary(at)
}

// vertical moves by a line; false where there is none.
func (b *buffer) vertical(down bool) bool {
	begin := b.lineStart(b.at)
	column := 0
	for i := begin; i < b.at; column++ {
		i += clusterLen(b.text[i:])
	}
	if b.goal >= 0 {
		column = b.goal
	}
	var to int
	if down {
		end := b.lineEnd(b.at)
		if end == len(b.text) {
			return false
		}
		to = end + 1
	} else {
		if begin == 0 {
			return false
		}
		to = b.lineStart(begin - 1)
	}
	end := b.lineEnd(to)
	for i := 0; i < column && to < end; i++ {
		to += clusterLen(b.text[to:])
	}
	b.at, b.goal = to, column
	return true
}

// move does a key that edits or moves; false for one that is none.
func (b *buffer) move(name string) bool {
	goal := b.goal
	b.goal = -1
	switch name {
	case "left":
		if b.at > 0 {
			b.at = b.before(b.at)
		}
	case "right":
		b.at = b.after(b.at)
	case "home":
		b.at = b.lineStart(b.at)
	case "end":
		b.at = b.lineEnd(b.at)
	case "first":
		b.at = 0
	case "last":
		b.at = len(b.text)
	case "word-left":
		b.at = b.wordLeft()
	case "word-right":
		b.at = b.wordRight()
	case "backspace":
		if b.at > 0 {
			b.cut(b.before(b.at), b.at, false)
		}
	case "delete":
		b.cut(b.at, b.after(b.at), false)
	case "kill":
		end := b.lineEnd(b.at)
		if end == b.at && end < len(b.text) {
			end++
		}
		b.cut(b.at, end, true)
	case "kill-back":
		b.cut(b.lineStart(b.at), b.at, true)
	case "kill-word":
		b.cut(b.wordLeft(), b.at, true)
	case "kill-word-right":
		b.cut(b.at, b.wordRight(), true)
	case "yank":
		b.insert(b.killed)
	case "undo":
		b.back()
	case "transpose":
		if p := b.before(b.at); b.at > b.lineStart(b.at) && p > b.lineStart(b.at) {
			q := b.before(p)
			b.save()
			b.text = b.text[:q] + b.text[p:b.at] + b.text[q:p] + b.text[b.at:]
		}
	default:
		b.goal = goal
		return false
	}
	return true
}
