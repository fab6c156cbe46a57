package syntax

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"caper/interp/number"
)

// This file defines what begins with #.

func isNameStart(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }

// hash reads the token at pos, which stands at a #. Comments are gone already.
func (r *Reader) hash() (*Syntax, error) {
	start := r.pos
	if start+1 == len(r.text) {
		return nil, r.endsInside("a # token", r.span(start, start+1), "")
	}
	switch c := r.text[start+1]; {
	case c == '(' || c == '[':
		return nil, r.open(inVector, start, 2)
	case c == '\\':
		return r.character()
	case c == ':':
		return r.keyword()
	case c == ';':
		return nil, r.push(frame{kind: inComment}, start, 2)
	case c == '!':
		return r.directive()
	case '0' <= c && c <= '9':
		return r.label()
	case c == '\'' || c == '`' || c == ',':
		return nil, r.fail(start, start+2, fmt.Sprintf("#%c belongs to syntax-case, which is not supported", c), "macros are written with syntax-rules; a procedure is named without #'")
	case c == '<':
		return nil, r.fail(start, start+2, "#< begins the printed form of a value that cannot be read back", "make the value anew: a procedure by its name, a table with (make-hash-table)")
	case c == '"':
		return nil, r.fail(start, start+2, "byte strings are not supported", "a regular expression is written #px\"…\", bytes #u8(104 105) or (string->utf8 \"hi\")")
	}
	return r.hashWord(start)
}

// hashWord reads a # token that is a word.
func (r *Reader) hashWord(start int) (*Syntax, error) {
	end := r.wordEnd(start + 1)
	word := r.text[start+1 : end]
	next := byte(0)
	if end < len(r.text) {
		next = r.text[end]
	}
	switch {
	case next == '(' || next == '[':
		switch strings.ToLower(word) {
		case "u8", "vu8":
			return nil, r.open(inBytes, start, end+1-start)
		case "hash", "hasheq", "hasheqv":
			return nil, r.open(inHash, start, end+1-start)
		}
	case next == '"' && (word == "px" || word == "rx"):
		return r.pattern(start, end)
	}
	switch strings.ToLower(word) {
	case "t", "true":
		r.pos = end
		return r.atom(start, true), nil
	case "f", "false":
		r.pos = end
		return r.atom(start, false), nil
	}
	if word != "" && word[0] == '%' && badSymbol(word) < 0 { // Racket's names for what a program does not write
		r.pos = end
		return r.atom(start, Intern(r.folded("#"+word))), nil
	}
	if n, ok := number.Parse(r.text[start:end], 10); ok {
		r.pos = end
		return r.atom(start, n), nil
	}
	if word == "lang" && r.dialect(end) {
		return nil, nil
	}
	return nil, r.unknownHash(start, end, word)
}

// dialect passes over the rest of a #lang line that names a Scheme or a Racket; pos is behind the word.
func (r *Reader) dialect(pos int) bool {
	line, _, _ := strings.Cut(r.text[pos:], "\n")
	name := strings.TrimSpace(line)
	for _, scheme := range [...]string{"racket", "scheme", "r5rs", "r6rs", "r7rs", "sicp", "guile", "chicken", "typed/racket"} {
		if name == scheme || strings.HasPrefix(name, scheme+"/") {
			r.pos = pos + len(line)
			return true
		}
	}
	return false
}

func (r *Reader) unknownHash(start, end int, word string) error {
	shown := "#" + printable(firstRunes(word, 40))
	switch {
	case word == "":
		_, size := utf8.DecodeRuneInString(r.text[end:])
		return r.fail(start, end+size, "unknown syntax #"+printable(r.text[end:end+size]), hashHint)
	case word == "lang":
		return r.fail(start, end, "#lang names a language that is not Scheme", "delete the line")
	case word[0] == '/':
		return r.fail(start, end, "unknown syntax "+shown, `a pattern is written #px"\\d+", or as a string`)
	case strings.IndexByte("eibodxEIBODX", word[0]) >= 0 && len(word) > 1:
		return r.fail(start, end, shown+" is no number", "")
	}
	return r.fail(start, end, "unknown syntax "+shown, hashHint)
}

// hashHint says what may follow the sign that begins the most different things.
const hashHint = "# begins #t and #f, characters #\\a, vectors #(1 2), #u8(1 2), numbers such as #xff, keywords #:key and comments #| |#; a comment to the end of the line begins with ;"

// pattern reads #px"…" or #rx"…" as the list (#%pregexp "…") or (#%regexp "…"); the quote stands at quote.
func (r *Reader) pattern(start, quote int) (*Syntax, error) {
	name := "#%regexp"
	if r.text[start+1] == 'p' {
		name = "#%pregexp"
	}
	r.pos = quote + 1
	body, err := r.quoted(quote, '"', regexpEscapes)
	if err != nil {
		return nil, err
	}
	return ListAt(r.span(start, r.pos), Sym(name, r.span(start, quote)), r.atom(quote, String(body))), nil
}

// keyword reads #:name or #:|na me|.
func (r *Reader) keyword() (*Syntax, error) {
	start := r.pos
	first := start + 2
	if strings.HasPrefix(r.text[first:], "|") {
		name, err := r.barred(first)
		return r.atom(start, Keyword(name)), err
	}
	end := r.wordEnd(first)
	if end == first {
		return nil, r.fail(start, end, "#: needs a name", "as in #:key")
	}
	if i := badSymbol(r.text[first:end]); i >= 0 {
		return nil, r.badCharacter(first + i)
	}
	r.pos = end
	return r.atom(start, Keyword(strings.Clone(r.folded(r.text[first:end])))), nil
}

// label reads #n= or #n#.
func (r *Reader) label() (*Syntax, error) {
	start := r.pos
	end := start + 1
	for end < len(r.text) && '0' <= r.text[end] && r.text[end] <= '9' {
		end++
	}
	n, err := strconv.ParseInt(r.text[start+1:end], 10, 32)
	switch {
	case err != nil:
		return nil, r.fail(start, end, "a datum label beyond 2147483647", "")
	case end == len(r.text):
		return nil, r.endsInside("a datum label", r.span(start, end), "")
	case r.text[end] == '=':
		return nil, r.define(int(n), start, end+1-start)
	case r.text[end] == '#':
		return r.refer(int(n), start, end+1-start)
	}
	return nil, r.fail(start, end, fmt.Sprintf("a datum label needs = or # after #%d", n), "")
}

// isObjectName reports whether a #! word stands for a value; it reads as the symbol of that name.
func isObjectName(word string) bool {
	switch word {
	case "#!default", "#!optional", "#!rest", "#!eof", "#!unspecific":
		return true
	}
	return false
}

// directive reads #!word.
func (r *Reader) directive() (*Syntax, error) {
	start := r.pos
	end := r.wordEnd(start + 2)
	word := r.text[start:end]
	switch word {
	case "#!fold-case":
		r.opts.FoldCase = true
	case "#!no-fold-case":
		r.opts.FoldCase = false
	case "#!r6rs", "#!r7rs": // name the language, change nothing
	default:
		if word == "#!key" {
			return nil, r.fail(start, end, "#!key is another system's", "a parameter by name is written (define* (f #:key (x 1)) ...), and handed over as (f #:x 2)")
		}
		if !isObjectName(word) {
			return nil, r.fail(start, end, "unknown directive "+printable(firstRunes(word, 40)), "#!/… may stand only in the first line")
		}
		r.pos = end
		return r.atom(start, Intern(word)), nil
	}
	r.pos = end
	return nil, nil
}
