package syntax

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// This file defines the reader: a push-down automaton over tokens whose stack is a slice, so that nesting costs
// memory in proportion to the text and never Go's stack.

// DefaultMaxDepth is how deep data may nest unless the options say otherwise.
const DefaultMaxDepth = 1 << 20

// ReaderOptions change how a Reader reads; the zero value is right for programs.
type ReaderOptions struct {
	MaxDepth int  // brackets, quotes, labels and datum comments open at once; 0 means DefaultMaxDepth
	MaxData  int  // data in all; 0 means any number
	FoldCase bool // as if the text began with #!fold-case
}

// Reader reads one datum after the other from a source. After an error it only repeats the error.
type Reader struct {
	src  *Source
	text string
	pos  int
	opts ReaderOptions
	err  error

	data   int // read so far
	frames []frame
	block  []Syntax  // room for the next data
	values []*Syntax // what the open frames have gathered, each from its base on

	labels   map[int]*label       // of the datum being read
	knotted  bool                 // there were some in the last datum
	labelled map[*Syntax]struct{} // the data they stand for, which must not be flattened into a list around them

	lineStart int   // of the current line
	fresh     bool  // no token of this line was read yet
	last      Span  // the top-level datum before this one
	suspect   guess // see balance.go
}

// frame is one datum that waits for its parts.
type frame struct {
	kind      kind
	closer    byte  // of a bracketed kind
	dot       dot   // of a list
	start     int32 // where it begins
	lineStart int32 // of the line where it begins
	base      int32 // where its values begin
	aux       int32 // the number of a label
}

type kind uint8

const (
	inList   kind = iota
	inSplice      // a list right after a dot: its items belong to the list around it
	inVector
	inBytes
	inHash
	inQuote
	inQuasiquote
	inUnquote
	inUnquoteSplicing
	inComment
	inLabel
)

func (k kind) bracketed() bool { return k <= inHash }

// prefixes is how the kinds that take one datum are written and, for abbreviations, the symbol they stand for.
var prefixes = [...]struct{ text, symbol, verb string }{
	inQuote:           {"'", "quote", "quote"},
	inQuasiquote:      {"`", "quasiquote", "quasiquote"},
	inUnquote:         {",", "unquote", "unquote"},
	inUnquoteSplicing: {",@", "unquote-splicing", "splice"},
	inComment:         {"#;", "", "comment out"},
	inLabel:           {"a datum label", "", "name"},
}

type dot uint8

const (
	noDot    dot = iota
	afterDot     // a tail must follow
	hasTail      // the tail is the last value
	spliced      // the tail was a proper list, its items are values
)

type label struct{ place *Syntax }

// NewReader reads from the start of src.
func NewReader(src *Source, opts ReaderOptions) *Reader {
	if opts.MaxDepth <= 0 {
		opts.MaxDepth = DefaultMaxDepth
	}
	r := &Reader{src: src, text: src.Text, opts: opts, fresh: true}
	if len(r.text) > math.MaxInt32 {
		r.err = &Error{Span: Span{Source: src}, Message: "the text is longer than 2 GiB", Hint: "split it"}
	} else if i := invalidUTF8(r.text); i >= 0 {
		r.err = &Error{
			Span:    r.span(i, i+1),
			Message: fmt.Sprintf("the file is not UTF-8: byte 0x%02x at offset %d", r.text[i], i),
			Hint:    "save it as UTF-8",
		}
	}
	r.pos = len(r.text) - len(strings.TrimPrefix(r.text, "\ufeff"))
	r.lineStart = r.pos
	r.skipShebang()
	return r
}

// ReadAll is every datum of the source, or the first error.
func ReadAll(src *Source) ([]*Syntax, error) { return ReadAllWith(src, ReaderOptions{}) }

// ReadAllWith is ReadAll with options.
func ReadAllWith(src *Source, opts ReaderOptions) ([]*Syntax, error) {
	var all []*Syntax
	for r := NewReader(src, opts); ; {
		s, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
}

func invalidUTF8(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for i, r := range s {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return i
			}
		}
	}
	return -1
}

// Next is the next datum, io.EOF after the last, else an *Error.
func (r *Reader) Next() (*Syntax, error) {
	for r.err == nil {
		s, err := r.token()
		if err != nil {
			r.err = err
			break
		}
		if s == nil {
			continue
		}
		if s, r.err = r.deliver(s); s != nil && r.err == nil {
			r.knotted = r.labels != nil
			r.labels, r.labelled, r.suspect = nil, nil, guess{}
			r.last = s.Span
			return s, nil
		}
	}
	return nil, r.err
}

// Knotted reports whether datum labels stood in the last datum: parts of it may be the same *Syntax.
func (r *Reader) Knotted() bool { return r.knotted }

// FoldsCase reports whether the names that follow are folded.
func (r *Reader) FoldsCase() bool { return r.opts.FoldCase }

// Offset is the byte offset after what was read so far.
func (r *Reader) Offset() int { return r.pos }

func (r *Reader) span(start, end int) Span {
	return Span{r.src, int32(start), int32(min(end, len(r.text)))}
}

// fail is an error about the text from start to end.
func (r *Reader) fail(start, end int, message, hint string) error {
	return &Error{Span: r.span(start, end), Message: message, Hint: hint}
}

func (r *Reader) top() *frame {
	if len(r.frames) == 0 {
		return nil
	}
	return &r.frames[len(r.frames)-1]
}

// push opens a frame that begins at start; width is the length of its opening token.
func (r *Reader) push(f frame, start, width int) error {
	if len(r.frames) >= r.opts.MaxDepth {
		return r.fail(start, start+width, fmt.Sprintf("data nested more than %d deep", r.opts.MaxDepth), "")
	}
	f.start, f.lineStart, f.base = int32(start), int32(r.lineStart), int32(len(r.values))
	r.frames = append(r.frames, f)
	r.pos = start + width
	return nil
}

func (r *Reader) pop() frame {
	f := r.frames[len(r.frames)-1]
	r.frames = r.frames[:len(r.frames)-1]
	return f
}

// open starts a bracketed datum whose last opening byte is the bracket.
func (r *Reader) open(k kind, start, width int) error {
	closer := byte(')')
	if r.text[start+width-1] == '[' {
		closer = ']'
	}
	if t := r.top(); t != nil {
		if t.kind == inBytes {
			return r.notByte(r.span(start, start+width))
		}
		if k == inList && t.dot == afterDot {
			k = inSplice
		}
	}
	return r.push(frame{kind: k, closer: closer}, start, width)
}

// close ends the innermost bracketed datum at the bracket c at pos. It answers nil when the datum was spliced away.
func (r *Reader) close(c byte) (*Syntax, error) {
	f := r.top()
	switch {
	case f == nil:
		return nil, r.stray(c)
	case !f.kind.bracketed():
		p := prefixes[f.kind]
		return nil, r.fail(int(f.start), r.pos, p.text+" has no datum to "+p.verb, fmt.Sprintf("put one before the %c", c))
	case f.closer != c:
		return nil, r.mismatch(f, c)
	case f.dot == afterDot:
		return nil, r.fail(r.pos, r.pos+1, "no datum after the dot", "a dot is followed by exactly one datum: (a . b)")
	}
	r.pos++
	return r.finish(r.pop())
}

// finish makes the datum of a bracketed frame just popped out of its values.
func (r *Reader) finish(f frame) (*Syntax, error) {
	if f.kind == inSplice {
		around := r.top()
		around.dot = spliced
		if f.dot == hasTail {
			around.dot = hasTail
		}
		return nil, nil
	}
	values := r.values[f.base:]
	s := r.node(nil, r.span(int(f.start), r.pos))
	switch f.kind {
	case inVector:
		s.Datum = &Vector{Items: clone(values)}
	case inBytes:
		bytes := make(Bytes, len(values))
		for i, v := range values {
			bytes[i] = byte(v.Datum.(int64))
		}
		s.Datum = bytes
	case inHash:
		for _, v := range values {
			if l, ok := v.Datum.(*List); !ok || len(l.Items) == 0 {
				return nil, &Error{Span: v.Span, Message: "an entry of a hash literal is a pair", Hint: "write (key . value)"}
			}
		}
		head := Sym("#%hash", r.span(int(f.start), int(f.start)+1))
		s.Datum = &List{Items: append([]*Syntax{head}, values...)}
	default:
		list := &List{}
		if f.dot == hasTail {
			list.Tail = values[len(values)-1]
			values = values[:len(values)-1]
		}
		list.Items = clone(values)
		s.Datum = list
	}
	clear(r.values[f.base:])
	r.values = r.values[:f.base]
	return s, nil
}

func clone(values []*Syntax) []*Syntax {
	if len(values) == 0 {
		return nil
	}
	return append(make([]*Syntax, 0, len(values)), values...)
}

// deliver hands a complete datum to the frame that waits for it, and the datum that this may complete to the next. It
// answers a datum when no frame is left.
func (r *Reader) deliver(s *Syntax) (*Syntax, error) {
	if r.data++; r.opts.MaxData > 0 && r.data > r.opts.MaxData {
		return nil, &Error{Span: s.Span, Message: fmt.Sprintf("the text has more than %d data, too many for the memory given", r.opts.MaxData), Hint: "split it, or give more memory"}
	}
	for len(r.frames) > 0 {
		f := r.top()
		switch {
		case f.kind.bracketed():
			return nil, r.gather(f, s)
		case f.kind == inComment:
			r.pop()
			return nil, nil
		case f.kind == inLabel:
			var err error
			if s, err = r.tie(r.pop(), s); err != nil {
				return nil, err
			}
		default:
			r.pop()
			p := prefixes[f.kind]
			head := Sym(p.symbol, r.span(int(f.start), int(f.start)+len(p.text)))
			s = &Syntax{Datum: &List{Items: []*Syntax{head, s}}, Span: head.Span.Join(s.Span)}
		}
	}
	return s, nil
}

// gather adds one datum to a bracketed frame.
func (r *Reader) gather(f *frame, s *Syntax) error {
	switch {
	case f.kind == inBytes:
		if n, ok := s.Datum.(int64); !ok || n < 0 || n > 255 {
			return r.notByte(s.Span)
		}
	case f.dot == afterDot:
		f.dot = hasTail
		if l, ok := s.Datum.(*List); ok && !r.isLabelled(s) {
			r.values = append(r.values, l.Items...)
			if s = l.Tail; s == nil {
				f.dot = spliced
				return nil
			}
		}
	case f.dot != noDot:
		return &Error{Span: s.Span, Message: "more than one datum after the dot", Hint: "a dot is followed by exactly one datum: (a . b)"}
	}
	r.values = append(r.values, s)
	return nil
}

func (r *Reader) notByte(p Span) error {
	return &Error{Span: p, Message: "an element of a bytevector is an exact integer from 0 to 255"}
}

func (r *Reader) isLabelled(s *Syntax) bool { _, ok := r.labelled[s]; return ok }

// define opens the label n.
func (r *Reader) define(n, start, width int) error {
	if _, ok := r.labels[n]; ok {
		return r.fail(start, start+width, fmt.Sprintf("the datum label #%d= occurs twice in one datum", n), "")
	}
	if r.labels == nil {
		r.labels, r.labelled = map[int]*label{}, map[*Syntax]struct{}{}
	}
	l := &label{place: &Syntax{Span: r.span(start, start+width)}} // where it is until its datum is read
	r.labels[n] = l
	r.labelled[l.place] = struct{}{}
	return r.push(frame{kind: inLabel, aux: int32(n)}, start, width)
}

// tie makes the label's place, to which references may point already, the datum s.
func (r *Reader) tie(f frame, s *Syntax) (*Syntax, error) {
	l := r.labels[int(f.aux)]
	if s.Datum == nil { // a reference to a label that is still open
		if s == l.place {
			return nil, r.fail(int(f.start), r.pos, fmt.Sprintf("the datum label #%d= names only itself", f.aux), "")
		}
		l.place = s
		return s, nil
	}
	l.place.Datum = s.Datum
	l.place.Span = r.span(int(f.start), r.pos)
	return l.place, nil
}

// refer is the datum that label n stands for, which may still be open.
func (r *Reader) refer(n, start, width int) (*Syntax, error) {
	l := r.labels[n]
	if l == nil {
		return nil, r.fail(start, start+width, fmt.Sprintf("no datum label #%d= comes before #%d#", n, n), "labels hold within one datum")
	}
	r.pos = start + width
	return l.place, nil
}
