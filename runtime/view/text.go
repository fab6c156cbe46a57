package view

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/mattn/go-runewidth"
)

// maxMarks bounds the combining marks on one letter: more would paint over the lines around it. maxJoined bounds how many
// pictographs are joined into one.
const (
	maxMarks  = 4
	maxJoined = 7
)

// clean makes text from outside fit to be shown on one line: controls, marks of direction, what has no width or no shape,
// and bytes that are not UTF-8 appear as \x…; as they would in a Scheme string. Backslashes stay as they are.
// Clean is clean for others.
func (s Style) Clean(text string) string { return s.clean(text) }

// Cells is about how many columns clean text takes; terminals do not agree.
func (s Style) Cells(text string) int { return s.cells(text) }

func (s Style) clean(text string) string {
	if plainASCII(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + 16)
	joined := 0
	before, marks := rune(-1), maxMarks // a mark at the beginning would sit on a letter that is not its own
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		next, _ := utf8.DecodeRuneInString(text[i+n:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%x;`, text[i])
			marks = maxMarks
		case s.ASCII && r >= utf8.RuneSelf:
			b.WriteString(escape(r))
		case unicode.IsMark(r) && !unicode.Is(hidden, r):
			if marks++; marks > maxMarks {
				b.WriteString(escape(r))
				break
			}
			b.WriteRune(r)
		case r == zeroWidthJoiner && pictograph(before) && pictograph(next) && joined < maxJoined:
			b.WriteRune(r)
			joined++
		case visible(r):
			b.WriteRune(r)
			if marks = 0; before != zeroWidthJoiner {
				joined = 0
			}
		default:
			b.WriteString(escape(r))
			marks = maxMarks
		}
		before = r
		i += n
	}
	return b.String()
}

func plainASCII(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

func escape(r rune) string {
	switch r {
	case '\n':
		return `\n`
	case '\t':
		return `\t`
	case '\r':
		return `\r`
	}
	return fmt.Sprintf(`\x%x;`, r)
}

const (
	zeroWidthJoiner  = 0x200d
	ideographicSpace = 0x3000
)

// hidden are letters and marks that show nothing, or something else than they are.
var hidden = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034f, Hi: 0x034f, Stride: 1}, {Lo: 0x115f, Hi: 0x1160, Stride: 1}, {Lo: 0x17b4, Hi: 0x17b5, Stride: 1},
		{Lo: 0x180b, Hi: 0x180f, Stride: 1}, {Lo: 0x2800, Hi: 0x2800, Stride: 1}, {Lo: 0x3164, Hi: 0x3164, Stride: 1},
		{Lo: 0xffa0, Hi: 0xffa0, Stride: 1}, {Lo: 0xfffd, Hi: 0xfffd, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0xe0000, Hi: 0xe0fff, Stride: 1}},
}

func visible(r rune) bool {
	return (unicode.IsPrint(r) || r == ideographicSpace) && !unicode.Is(hidden, r)
}

// pictograph reports what a joiner may stand between: emoji and their modifiers.
func pictograph(r rune) bool {
	return unicode.Is(unicode.So, r) || r >= 0x1f3fb && r <= 0x1f3ff || r == 0xfe0f
}

// cellWidths measures as terminals do where the locale is not East Asian, whatever the environment says.
func cellWidths() *runewidth.Condition { return &runewidth.Condition{StrictEmojiNeutral: true} }

// cells is the number of columns that clean text takes.
func (s Style) cells(text string) int {
	if plainASCII(text) {
		return len(text)
	}
	n := 0
	for c := range clusters(text) {
		n += c.cells
	}
	return n
}

// cluster is what a reader takes for one sign.
type cluster struct {
	text  string
	cells int
}

func clusters(text string) func(func(cluster) bool) {
	return func(yield func(cluster) bool) {
		w := cellWidths()
		for it := graphemes.FromString(text); it.Next(); {
			v := it.Value()
			if len(v) == 1 {
				if !yield(cluster{v, 1}) {
					return
				}
				continue
			}
			n := clusterCells(w, v)
			if n > maxClusterCells || len(v) > maxClusterBytes && !pictures(v) { // no sign of any script
				for _, r := range v {
					if !yield(cluster{string(r), w.RuneWidth(r)}) {
						return
					}
				}
				continue
			}
			if !yield(cluster{v, n}) {
				return
			}
		}
	}
}

// clusterCells adds up what terminals give the parts of a cluster; only pictures that are joined, coloured or made of two
// letters count as one.
func clusterCells(w *runewidth.Condition, v string) int {
	if pictures(v) {
		return w.StringWidth(v)
	}
	n := 0
	for _, r := range v {
		n += w.RuneWidth(r)
	}
	return n
}

// pictures reports a cluster that is shown as one picture.
func pictures(v string) bool {
	if len(v) < 6 {
		return false
	}
	for _, r := range v {
		if r == zeroWidthJoiner || r == 0xfe0f || r >= 0x1f1e6 && r <= 0x1f1ff || r >= 0x1f3fb && r <= 0x1f3ff {
			return true
		}
	}
	return false
}

// head keeps what fits into so many cells from the beginning of clean text.
func (s Style) head(text string, cells int) string {
	at, used := 0, 0
	for c := range clusters(text) {
		if used+c.cells > cells {
			break
		}
		at, used = at+len(c.text), used+c.cells
	}
	return text[:at]
}

// tail keeps what fits into so many cells from the end.
func (s Style) tail(text string, cells int) string {
	left := s.cells(text)
	at := 0
	for c := range clusters(text) {
		if left <= cells {
			break
		}
		at, left = at+len(c.text), left-c.cells
	}
	return text[at:]
}

// maxClusterBytes is more than any sign of clean text takes for one cell; what takes more is no sign, and neither is what
// takes more than maxClusterCells.
const (
	maxClusterBytes = 64
	maxClusterCells = 6
)

// middle cleans text and shortens it in its middle, so that both its ends can be read. It looks at no more of a long text
// than it shows.
func (s Style) middle(text string, cells int) string {
	cells = max(cells, 5)
	more := false
	if most := cells * maxClusterBytes; len(text) > 2*most {
		// Cut inside of runes, the pieces would begin and end with escapes that were not there.
		text, more = text[:runeEnd(text, most)]+text[runeEnd(text, len(text)-most):], true
	}
	text = s.clean(text)
	if !more && s.cells(text) <= cells {
		return text
	}
	room := cells - s.cells(s.ellipsis())
	front := (room*3 + 2) / 5
	return s.head(text, front) + s.ellipsis() + s.tail(text, room-front)
}

// runeEnd is the first border of a rune at or after a place.
func runeEnd(text string, at int) int {
	for n := 0; n < utf8.UTFMax && at < len(text) && !utf8.RuneStart(text[at]); n++ {
		at++
	}
	return at
}

// fold breaks clean text into lines of so many cells, at borders of signs.
func (s Style) fold(text string, cells int) []string {
	cells = max(cells, 10)
	if len(text) <= cells && plainASCII(text) {
		return []string{text}
	}
	var out []string
	begin, at, used := 0, 0, 0
	for c := range clusters(text) {
		if used+c.cells > cells {
			out = append(out, text[begin:at])
			begin, used = at, 0
		}
		at, used = at+len(c.text), used+c.cells
	}
	return append(out, text[begin:])
}

// words breaks clean text like fold, but where it can at a space, which goes.
func (s Style) words(text string, cells int) []string {
	cells = max(cells, 10)
	var out []string
	for {
		piece := s.head(text, cells)
		if len(piece) == len(text) {
			return append(out, text)
		}
		rest := text[len(piece):]
		if rest[0] != ' ' {
			if i := strings.LastIndexByte(piece, ' '); i > len(piece)/3 {
				piece, rest = piece[:i], text[i:]
			}
		}
		out = append(out, piece)
		text = strings.TrimPrefix(rest, " ")
	}
}
