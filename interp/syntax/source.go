package syntax

import (
	"math"
	"runtime"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
	"weak"
)

// NewSource is text under the name that messages show. Positions are offsets of 31 bits: of a longer text the reader
// reports an error.
func NewSource(name, text string) *Source { return &Source{Name: name, Text: text} }

// stride is the distance of the marks that make a column cheap even on a line of megabytes.
const stride = 1 << 10

// index finds the line starts and counts runes. A line ends after \n, \r\n or a lone \r.
func (s *Source) index() {
	s.once.Do(func() {
		text := s.Text[:min(len(s.Text), math.MaxInt32)]
		s.lines = append(s.lines, 0)
		count := int32(0)
		for i := range len(text) {
			if i%stride == 0 {
				s.runes = append(s.runes, count)
			}
			if utf8.RuneStart(text[i]) {
				count++
			}
			if text[i] == '\n' || text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
				s.lines = append(s.lines, int32(i+1))
			}
		}
		s.runes = append(s.runes, count)
	})
}

// runesBefore is the number of runes that start before offset.
func (s *Source) runesBefore(offset int32) int32 {
	mark := offset / stride
	count := s.runes[mark]
	for i := mark * stride; i < offset; i++ {
		if utf8.RuneStart(s.Text[i]) {
			count++
		}
	}
	return count
}

func (s *Source) position(offset int32) (line, col int) {
	s.index()
	offset = max(0, min(offset, int32(min(len(s.Text), math.MaxInt32))))
	line = sort.Search(len(s.lines), func(i int) bool { return s.lines[i] > offset })
	return line, int(s.runesBefore(offset)-s.runesBefore(s.lines[line-1])) + 1
}

// Position is where the span starts: the source's name, line and column, both from 1, the column in runes. The zero
// span answers "", 0, 0.
func (p Span) Position() (name string, line, col int) {
	if p.Source == nil {
		return "", 0, 0
	}
	line, col = p.Source.position(p.Start)
	return p.Source.Name, line, col
}

// DatumAt is the span of what can be read at a line and a column, a character where nothing can.
func (s *Source) DatumAt(line, col int) Span {
	s.index()
	if line < 1 || line > len(s.lines) {
		return Span{}
	}
	start := int(s.lines[line-1])
	for ; col > 1 && start < len(s.Text); col-- {
		_, size := utf8.DecodeRuneInString(s.Text[start:])
		start += size
	}
	end := min(start+1, len(s.Text))
	if datum, err := NewReader(NewSource(s.Name, s.Text[start:]), ReaderOptions{}).Next(); err == nil && datum.Span.Start == 0 {
		end = start + int(datum.Span.End)
	}
	return Span{s, int32(start), int32(end)}
}

// Known reports whether the span names a place.
func (p Span) Known() bool { return p.Source != nil }

// Text is the source text of the span.
func (p Span) Text() string {
	if p.Source == nil || p.Start < 0 || p.End < p.Start || int(p.End) > len(p.Source.Text) {
		return ""
	}
	return p.Source.Text[p.Start:p.End]
}

// Join is the least span that holds both; a span without a place, or in another source, is left out.
func (p Span) Join(q Span) Span {
	switch {
	case p.Source == nil:
		return q
	case q.Source != p.Source:
		return p
	}
	return Span{p.Source, min(p.Start, q.Start), max(p.End, q.End)}
}

// caretWidth bounds what Caret shows of a long line.
const caretWidth = 160

// Caret shows the line where the span starts and under it a caret for every rune of the span on that line, tabs kept
// so that they fall in place. Of a long line only the neighbourhood is shown. It ends with a newline, or is "" when
// no place is known.
func (p Span) Caret() string {
	if p.Source == nil {
		return ""
	}
	line, _ := p.Source.position(p.Start)
	text := p.Source.Text
	begin := int(p.Source.lines[line-1])
	end := len(text)
	if i := strings.IndexAny(text[begin:], "\r\n"); i >= 0 {
		end = begin + i
	}
	start := min(max(int(p.Start), begin), end)
	stop := min(max(int(p.End), start), end)
	before, lead := text[begin:start], ""
	if n := utf8.RuneCountInString(before); n > caretWidth {
		before, lead = lastRunes(before, caretWidth/2), "…"
	}
	marked := firstRunes(text[start:stop], caretWidth)
	after := firstRunes(text[start+len(marked):end], caretWidth)
	var out strings.Builder
	for _, part := range []string{lead, before, marked, after} {
		out.WriteString(printable(part))
	}
	out.WriteByte('\n')
	for _, r := range lead + before {
		if r == '\t' {
			out.WriteByte('\t')
		} else {
			out.WriteString(strings.Repeat(" ", width(r)))
		}
	}
	carets := 0
	for _, r := range marked {
		carets += width(r)
	}
	out.WriteString(strings.Repeat("^", max(1, carets)))
	out.WriteByte('\n')
	return out.String()
}

// Caret is Span.Caret, for those who look for a function.
func Caret(p Span) string { return p.Caret() }

// printable replaces what a terminal would act on.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f || 0x80 <= r && r < 0xa0 {
			return utf8.RuneError
		}
		return r
	}, s)
}

// width is the number of terminal columns of a rune, near enough for a caret: two for East Asian wide and emoji.
func width(r rune) int {
	switch {
	case 0x300 <= r && r <= 0x36f, r == 0x200b, r == 0x200d, 0xfe00 <= r && r <= 0xfe0f:
		return 0
	case 0x1100 <= r && r <= 0x115f, 0x2e80 <= r && r <= 0xa4cf, 0xac00 <= r && r <= 0xd7a3,
		0xf900 <= r && r <= 0xfaff, 0xfe30 <= r && r <= 0xfe6f, 0xff00 <= r && r <= 0xff60,
		0x1f300 <= r && r <= 0x1faff, 0x20000 <= r && r <= 0x3fffd:
		return 2
	}
	return 1
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

func lastRunes(s string, n int) string {
	i := len(s)
	for ; n > 0 && i > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
	}
	return s[i:]
}

// symbols holds the first symbols for good, which are the library's, and of the others those that something still refers
// to: a process that reads hostile programs for months does not keep their words. A weak pointer costs ten times a plain one.
var symbols = struct {
	sync.Mutex
	kept   map[string]*Symbol
	byName map[string]weak.Pointer[Symbol]
}{kept: map[string]*Symbol{}, byName: map[string]weak.Pointer[Symbol]{}}

// Bounds on what is kept for good.
const (
	maxKept     = 10_000
	maxKeptName = 64
)

// Intern is the symbol with this name.
func Intern(name string) *Symbol {
	symbols.Lock()
	if s := symbols.kept[name]; s != nil {
		symbols.Unlock()
		return s
	}
	defer symbols.Unlock()
	if s := symbols.byName[name].Value(); s != nil {
		return s
	}
	s := &Symbol{Name: strings.Clone(name)} // a substring would keep its whole source alive
	if len(symbols.kept) < maxKept && len(name) <= maxKeptName {
		symbols.kept[s.Name] = s
		return s
	}
	symbols.byName[s.Name] = weak.Make(s)
	runtime.AddCleanup(s, forget, s.Name)
	return s
}

func forget(name string) {
	symbols.Lock()
	defer symbols.Unlock()
	if p, ok := symbols.byName[name]; ok && p.Value() == nil {
		delete(symbols.byName, name)
	}
}
