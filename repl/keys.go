package repl

import (
	"bytes"
	"cmp"
	"strings"
	"unicode/utf8"
)

// key is what was pressed: text that was typed, a paste, or the name of a key.
type key struct {
	name string // "" for text
	text string
}

const (
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// controls are the names of control bytes.
var controls = map[byte]string{
	0x00: "nothing", 0x01: "home", 0x02: "left", 0x03: "interrupt", 0x04: "eof", 0x05: "end", 0x06: "right", 0x07: "cancel", 0x08: "backspace", 0x09: "tab",
	0x0a: "newline", 0x0b: "kill", 0x0c: "clear", 0x0d: "enter", 0x0e: "down", 0x10: "up", 0x12: "search", 0x14: "transpose", 0x15: "kill-back", 0x17: "kill-word",
	0x19: "yank", 0x1a: "stop", 0x1f: "undo", 0x7f: "backspace",
}

// sequences are the names of what follows ESC [ or ESC O.
var sequences = map[string]string{
	"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end", "1~": "home", "4~": "end", "7~": "home", "8~": "end", "3~": "delete",
	"5~": "page-up", "6~": "page-down", "Z": "back-tab", "1;5C": "word-right", "1;5D": "word-left", "1;3C": "word-right", "1;3D": "word-left",
	"1;5A": "first", "1;5B": "last", "3;5~": "kill-word-right", "13;2u": "newline", "13;3u": "newline",
}

// metas are the names of keys after ESC, which Alt sends.
var metas = map[byte]string{'b': "word-left", 'f': "word-right", 'd': "kill-word-right", 0x7f: "kill-word", 0x08: "kill-word", '\r': "newline", '\n': "newline", '<': "first", '>': "last"}

// next takes the key that b begins with; n is 0 while more bytes must come. What means nothing has a name that nobody
// knows: no part of it becomes text.
func next(b []byte) (k key, n int) {
	if len(b) == 0 {
		return key{}, 0
	}
	switch c := b[0]; {
	case c == 0x1b:
		return escape(b)
	case c < 0x20 || c == 0x7f:
		return key{name: cmp.Or(controls[c], "unknown")}, 1
	}
	for n < len(b) && b[n] >= 0x20 && b[n] != 0x7f { // what was typed together is inserted together
		if !utf8.FullRune(b[n:]) {
			break
		}
		_, m := utf8.DecodeRune(b[n:])
		n += m
	}
	return key{text: clean(string(b[:n]))}, n
}

// maxSequence bounds an escape sequence: what is longer is none.
const maxSequence = 64

func escape(b []byte) (key, int) {
	if len(b) < 2 {
		return key{}, 0
	}
	switch b[1] {
	case '[', 'O':
		for i := 2; i < len(b); i++ {
			if b[i] < 0x40 || b[i] > 0x7e || b[i] == '[' && i == 2 {
				if i > maxSequence || b[i] < 0x20 {
					return key{name: "unknown"}, i // not the key that cut it short
				}
				continue
			}
			if bytes.HasPrefix(b, []byte(pasteBegin)) {
				return paste(b)
			}
			return key{name: cmp.Or(sequences[string(b[2:i+1])], "unknown")}, i + 1
		}
		return key{}, 0
	case 0x1b:
		return key{name: "unknown"}, 1
	case ']', 'P', '_', '^': // a string that a terminal sends: it ends with BEL or ESC \
		for i := 2; i < len(b); i++ {
			if b[i] == 0x07 {
				return key{name: "unknown"}, i + 1
			}
			if b[i] == 0x1b && i+1 < len(b) {
				return key{name: "unknown"}, i + 2
			}
			if b[i] == 0x03 || i > 4096 {
				return key{name: "unknown"}, i
			}
		}
		return key{}, 0
	}
	if name := metas[b[1]]; name != "" || b[1] >= 0x20 {
		return key{name: cmp.Or(name, "unknown")}, 2
	}
	return key{name: "unknown"}, 1
}

// paste takes a whole paste; until its end has come there is none.
func paste(b []byte) (key, int) {
	i := bytes.Index(b, []byte(pasteEnd))
	if i < 0 {
		return key{}, 0
	}
	return key{name: "paste", text: pasted(string(b[len(pasteBegin):i]))}, i + len(pasteEnd)
}

// pasted is pasted text as it goes into an input: lines end with LF, tabs stay, other controls are left out.
func pasted(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	return clean(text)
}

// clean leaves controls out, and puts what stands for bytes that are no UTF-8.
func clean(text string) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return -1
		}
		return r
	}, text)
}

// interrupted answers the place after the last Ctrl-C that is typed, not pasted; -1 for none.
func interrupted(b []byte) int {
	at := -1
	for i := 0; i < len(b); {
		k, n := next(b[i:])
		if n == 0 {
			if b[i] == 0x1b && !bytes.HasPrefix(b[i:], []byte(pasteBegin)) { // a sequence that never comes to its end hides none
				if j := bytes.IndexByte(b[i:], 0x03); j >= 0 {
					return i + j + 1
				}
			}
			return at
		}
		if i += n; k.name == "interrupt" {
			at = i
		}
	}
	return at
}
