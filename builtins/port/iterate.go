package port

import (
	"fmt"
	"strings"
	"unicode"

	"caper/interp/heap"
)

// This file holds the directives of format that go round other text or choose among values: ~{ … ~^ … ~}, ~[ … ~; … ~],
// ~( … ~), ~* and ~?.

// run fills a template in; done is set when ~^ ended it early.
func (f *formatter) run(template string) (done, ok bool) {
	for template != "" {
		i := strings.IndexByte(template, '~')
		if i < 0 {
			i = len(template)
		}
		if !f.add([]byte(template[:i])) {
			return false, false
		}
		if template = template[i:]; template == "" {
			break
		}
		if strings.HasPrefix(template, "~^") {
			if f.used == len(f.args) {
				return true, true
			}
			template = template[2:]
			continue
		}
		n := f.directive(template)
		if n == 0 {
			return false, false
		}
		template = template[n:]
	}
	return false, true
}

const maxNested = 20

// iterate repeats the text between ~{ and ~} for a list, or with @ for the values that are left. s begins behind the
// brace; the answer is the length of it up to and with ~}, 0 after a failure.
func (f *formatter) iterate(s, params string) int {
	pieces, after, _ := f.enclosed(s, '{', '}')
	if pieces == nil {
		return 0
	}
	body := pieces[0]
	items := f.args[f.used:]
	if !strings.Contains(params, "@") {
		list, ok := f.next()
		if !ok {
			return 0
		}
		items = nil
		rest := list
		for heap.IsPair(rest) {
			if len(items)%1024 == 1023 && !f.c.Room(uint64(len(items))*16) {
				f.c.TooLarge("the list that format goes over")
				return 0
			}
			items = append(items, f.c.Car(rest))
			rest = f.c.Cdr(rest)
			if rest == list {
				break
			}
		}
		f.c.Charge(uint64(len(items)))
		if rest != heap.Null {
			f.c.Fail("type-error", "format: ~{ needs a proper list", list)
			return 0
		}
	}
	args, used := f.args, f.used
	f.args, f.used = items, 0
	f.nested++
	for f.used < len(f.args) {
		before := f.used
		f.c.Charge(1)
		done, ok := f.run(body)
		if !ok {
			return 0
		}
		if done || f.used == before {
			break
		}
	}
	f.nested--
	f.args, f.used = args, used
	if strings.Contains(params, "@") {
		f.used = len(f.args)
	}
	return after
}

// enclosed cuts the text up to the directive that closes one before s, at each ~; of its own. after is behind the closing
// one; last says that the last piece came after ~:;. There are no pieces after a failure.
func (f *formatter) enclosed(s string, open, shut byte) (pieces []string, after int, last bool) {
	depth, from := 0, 0
	for i := 0; i+1 < len(s); i++ {
		if s[i] != '~' {
			continue
		}
		start := i
		i++
		for i < len(s)-1 && (s[i] == '@' || s[i] == ':') {
			i++
		}
		switch {
		case s[i] == open:
			depth++
		case s[i] == shut && depth > 0:
			depth--
		case s[i] == shut && f.nested < maxNested:
			return append(pieces, s[from:start]), i + 1, last
		case s[i] == ';' && depth == 0 && open == '[':
			pieces, from, last = append(pieces, s[from:start]), i+1, s[i-1] == ':'
		}
	}
	f.c.Fail("range-error", fmt.Sprintf("format: ~%c is closed by ~%c, and nested no deeper than %d times", open, shut, maxNested))
	return nil, 0, false
}

// inner fills in a piece of the template.
func (f *formatter) inner(piece string) bool {
	f.nested++
	_, ok := f.run(piece)
	f.nested--
	return ok
}

// choose is ~[zero~;one~:;other~], ~:[false~;true~], and ~@[text~] for a value that is not #f.
func (f *formatter) choose(s, params string) int {
	pieces, after, last := f.enclosed(s, '[', ']')
	if pieces == nil {
		return 0
	}
	w, ok := f.next()
	if !ok {
		return 0
	}
	which := len(pieces)
	switch {
	case strings.Contains(params, "@"):
		if w != heap.False {
			f.used--
			which = 0
		}
	case strings.Contains(params, ":"):
		which = 1
		if w == heap.False {
			which = 0
		}
	case heap.IsFixnum(w) && heap.FixnumValue(w) >= 0 && heap.FixnumValue(w) < int64(len(pieces)):
		which = int(heap.FixnumValue(w))
	case last:
		which--
	}
	if which < len(pieces) && !f.inner(pieces[which]) {
		return 0
	}
	return after
}

// changeCase is ~( … ~) for small letters, with : capitalized words, with @ a capital first, with both capitals.
func (f *formatter) changeCase(s, params string) int {
	pieces, after, _ := f.enclosed(s, '(', ')')
	start := len(f.text)
	if pieces == nil || !f.inner(pieces[0]) {
		return 0
	}
	text := strings.ToLower(string(f.text[start:]))
	words, first := strings.Contains(params, ":"), strings.Contains(params, "@")
	if words && first {
		text = strings.ToUpper(text)
	} else if words || first {
		inWord, done := false, false
		text = strings.Map(func(r rune) rune {
			begins := unicode.IsLetter(r) && !inWord && !(first && done)
			inWord = unicode.IsLetter(r) || unicode.IsDigit(r)
			if done = done || begins; begins {
				return unicode.ToUpper(r)
			}
			return r
		}, text)
	}
	f.text = f.text[:start]
	if !f.add([]byte(text)) {
		return 0
	}
	return after
}

// skip is ~*: the next value is not wanted, with : the one before once more.
func (f *formatter) skip(params string) bool {
	if strings.Contains(params, ":") {
		f.used = max(f.used-1, 0)
		return true
	}
	_, ok := f.next()
	return ok
}

// indirect is ~?: a template and the list of its values.
func (f *formatter) indirect() bool {
	template, ok1 := f.next()
	list, ok2 := f.next()
	if !ok1 || !ok2 {
		return false
	}
	items, proper := f.c.Slice(list, 1000)
	if !f.c.IsString(template) || !proper || f.nested == maxNested {
		f.c.Fail("type-error", "format: ~? needs a template and a list of at most 1000 values", template, list)
		return false
	}
	text := f.c.Text(template)
	f.c.Charge(uint64(len(text)) / 16)
	args, used := f.args, f.used
	f.args, f.used = items, 0
	ok := f.inner(text)
	f.args, f.used = args, used
	return ok
}

// plural is ~p: an s unless the next value is 1; with : it looks at the last one again.
func (f *formatter) plural(params string) bool {
	if strings.Contains(params, ":") && f.used > 0 {
		f.used--
	}
	w, ok := f.next()
	one, many := "", "s"
	if strings.Contains(params, "@") {
		one, many = "y", "ies"
	}
	if w == heap.Fixnum(1) {
		many = one
	}
	return ok && f.add([]byte(many))
}
