package port

import (
	"strings"

	"caper/interp/heap"
)

// This file holds the directives of format that go over a list: ~{ … ~^ … ~}.

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
	end, after := closing(s)
	if end < 0 || f.nested == maxNested {
		f.c.Fail("range-error", "format: ~{ is closed by ~}, and nested no deeper than 20 times")
		return 0
	}
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
		done, ok := f.run(s[:end])
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

// closing is where the ~} begins and ends that belongs to a brace before s, -1 for nowhere.
func closing(s string) (start, end int) {
	depth := 0
	for i := 0; i+1 < len(s); i++ {
		if s[i] != '~' {
			continue
		}
		start := i
		i++
		for i < len(s)-1 && (s[i] == '@' || s[i] == ':') {
			i++
		}
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth == 0 {
				return start, i + 1
			}
			depth--
		}
	}
	return -1, 0
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
