package syntax_test

import (
	"errors"
	"strings"
	"testing"

	"caper/interp/syntax"
)

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		text  string
		want  string // the position and how the message begins
		hint  string // part of the hint
		open  string // position of Open
		waits bool   // Incomplete
	}{
		// what is left open
		{"(a", "1:3: the input ends inside a list: a closing", "( at 1:1", "1:1", true},
		{"(a [b", "1:6: the input ends inside a list: 2 closing", "[ at 1:4", "1:4", true},
		{"#u8(1", "1:6: the input ends inside a list", "#u8( at 1:1", "1:1", true},
		{"#(1 ; )", "1:8: the input ends inside a list", "#( at 1:1", "1:1", true},
		{"(a . ", "1:6: the input ends inside a list", "( at 1:1", "1:1", true},
		{"'", "1:2: the input ends where ' at 1:1 waits", "", "1:1", true},
		{"(a '", "1:5: the input ends where ' at 1:4", "", "1:4", true},
		{"a #;", "1:5: the input ends where #; at 1:3", "", "1:3", true},
		{"#0=", "1:4: the input ends where a datum label at 1:1", "", "1:1", true},
		{"\"abc\n(d)", "2:4: the input ends inside a string", "1:1", "1:1", true},
		{"a \"\\", "1:5: the input ends inside a string", "1:3", "1:3", true},
		{"\"\\x41", "1:6: the input ends inside a string", "1:1", "1:1", true},
		{"#px\"a", "1:6: the input ends inside a string", "1:4", "1:4", true},
		{"|abc", "1:5: the input ends inside a symbol in bars", "1:1", "1:1", true},
		{"#:|abc", "1:7: the input ends inside a symbol in bars", "1:3", "1:3", true},
		{" #| a #| b |#", "1:14: the input ends inside a #| comment", "1:2", "1:2", true},
		{"#\\", "1:3: the input ends inside a character", "", "1:1", true},
		{"#", "1:2: the input ends inside a #", "", "1:1", true},
		{"#12", "1:4: the input ends inside a datum label", "", "1:1", true},

		// which bracket, by the indentation
		{"(define (f x)\n  (g x)\n(define (h) 1)\n", "4:1: the input ends inside a list", "line 3 the ( at 1:1", "1:1", true},
		{"(a)\n(define (f x)\n  (let ((a 1)\n    (+ a x)))\n\n(define y 1)", "6:13: the input ends", "line 4 the ( at 3:8", "3:8", true},
		{"(define (f)\n  (cond [(a) 1\n        [else 2]))\n(b)", "3:17: ) does not close the [ at 2:9", "expected ]", "2:9", false},
		{"(f\n  (g (h \"\n(\"\n  x))", "4:6: the input ends", "2:3", "2:3", true},
		{"(begin\n  (a)\n  (b)", "3:6: the input ends", "( at 1:1 is not closed", "1:1", true},

		// brackets that do not pair
		{")", "1:1: unexpected )", "delete it", "", false},
		{"(a))\n", "1:4: unexpected )", "form at 1:1", "", false},
		{"(a)\n(b)]", "2:4: unexpected ]", "form at 2:1", "", false},
		{"(a]", "1:3: ] does not close the ( at 1:1", "expected )", "1:1", false},
		{"#(a [b)", "1:7: ) does not close the [ at 1:5", "expected ]", "1:5", false},
		{"#u8(1]", "1:6: ] does not close the #u8( at 1:1", "expected )", "1:1", false},
		{"(')", "1:2: ' has no datum to quote", "before the )", "", false},
		{"(a #;)", "1:4: #; has no datum to comment out", "", "", false},
		{"(#0=)", "1:2: a datum label has no datum", "", "", false},
		{"(,@ ]", "1:2: ,@ has no datum", "", "", false},
		{"{a}", "1:1: { has no meaning", "( )", "", false},
		{"(a }", "1:4: } has no meaning", "", "", false},

		// dots
		{".", "1:1: a dot outside", "", "", false}, {"a . b", "1:3: a dot outside", "", "", false},
		{"(. a)", "1:2: no datum before the dot", "", "", false}, {"(a . (. b))", "1:7: no datum before the dot", "", "", false},
		{"(a .)", "1:5: no datum after the dot", "exactly one", "", false}, {"(a . b c)", "1:8: more than one datum", "exactly one", "", false},
		{"(a . (b) c)", "1:10: more than one datum", "", "", false}, {"(a . b . c)", "1:8: a second dot", "", "", false}, {"(a . . b)", "1:6: a second dot", "", "", false},
		{"#(a . b)", "1:5: a dot belongs", "", "", false}, {"'.", "1:2: a dot belongs", "", "", false}, {"(a #;. b)", "1:6: a dot belongs", "", "", false},

		// numbers and symbols
		{"(/ 1/0)", "1:4: a ratio with the denominator zero", "", "", false},
		{"#xzz", "1:1: #xzz is no number", "", "", false}, {"#e1e999999999", "1:1: #e1e999999999 is no number", "", "", false}, {"#b12", "1:1: #b12 is no", "", "", false},
		{`a\b`, `1:2: a \ outside`, "|a b|", "", false}, {"“hi”", "1:1: the typographic", "plain", "", false}, {"a\u200bb", "1:2: the invisible character U+200B", "delete", "", false},
		{"a\x00b", "1:2: the invisible character U+0000", "", "", false}, {"#:", "1:1: #: needs a name", "", "", false}, {`#:a\b`, `1:4: a \ outside`, "", "", false},

		// strings and characters
		{"\n \"a\\qb\"", `2:4: unknown escape \q`, `written \\`, "", false}, {`"\d"`, `1:2: unknown escape \d`, "regular expression", "", false},
		{`"\x41"`, `1:2: \x needs`, `\x41;`, "", false}, {`"\x;"`, `1:2: \x needs`, "", "", false}, {`"\x110000;"`, `1:2: \x110000 is no Unicode`, "", "", false},
		{`"\xd800;"`, `1:2: \xd800 is no`, "", "", false}, {`"\ud800"`, `1:2: \ud800 is no`, "", "", false}, {`"\uq"`, `1:2: \u is no`, "", "", false}, {`"a\ b"`, `1:3: unknown escape`, "", "", false},
		{`|\q|`, `1:2: unknown escape \q`, "", "", false}, {`#\foo`, `1:1: no character is named #\foo`, "newline", "", false}, {`#\xd800`, `1:1: no character`, "", "", false},
		{`#\x110000`, `1:1: no character`, "", "", false},

		// bytevectors, hashes, labels
		{"#u8(256)", "1:5: an element of a bytevector", "", "", false}, {"#u8(-1)", "1:5: an element", "", "", false}, {"#u8(1 a)", "1:7: an element", "", "", false},
		{"#u8((1))", "1:5: an element", "", "", false}, {"#u8(1.0)", "1:5: an element", "", "", false}, {"#u8(1 . 2)", "1:7: a dot belongs", "", "", false},
		{"#hash((a . 1) b)", "1:15: an entry of a hash", "(key . value)", "", false}, {"#hash(())", "1:7: an entry", "", "", false},
		{"#0=#0#", "1:1: the datum label #0= names only itself", "", "", false}, {"#0#", "1:1: no datum label #0=", "", "", false},
		{"#0=a #0#", "1:6: no datum label #0=", "one datum", "", false}, {"(#0=a #0=b)", "1:7: the datum label #0= occurs twice", "", "", false},
		{"#99999999999=a", "1:1: a datum label beyond", "", "", false}, {"#1(a)", "1:1: a datum label needs", "", "", false}, {"#0=#1=#0#", "1:1: the datum label", "", "", false},

		// what belongs to other Schemes
		{"#'a", "1:1: #' belongs to syntax-case", "syntax-rules", "", false}, {"#`a", "1:1: #` belongs", "", "", false}, {"#,a", "1:1: #, belongs", "", "", false},
		{"#lang rhombus", "1:1: #lang names a language that is not Scheme", "delete", "", false}, {"#<procedure f>", "1:1: #< begins the printed form", "", "", false}, {"#\"a\"", "1:1: byte strings", "#px", "", false},
		{"#foo", "1:1: unknown syntax #foo", "", "", false}, {"#{a}", "1:1: unknown syntax #{", "", "", false}, {"#&a", "1:1: unknown syntax #&a", "", "", false}, {"#!foo", "1:1: unknown directive #!foo", "", "", false},
		{"#u16(1)", "1:1: unknown syntax #u16", "", "", false}, {"# a", "1:1: unknown syntax # ", "", "", false}, {"#/a+/", "1:1: unknown syntax #/a+/", `a pattern is written #px"\\d+", or as a string`, "", false}, {"#true1", "1:1: unknown syntax #true1", "", "", false},

		// encoding
		{"ab\n λ\xff", "2:3: the file is not UTF-8: byte 0xff at offset 6", "save it", "", false}, {"a\xed\xa0\x80", "1:2: the file is not UTF-8", "", "", false},
	} {
		_, err := syntax.ReadAll(source(c.text))
		var e *syntax.Error
		if !errors.As(err, &e) {
			t.Errorf("%q: %v is no *Error", c.text, err)
			continue
		}
		if !strings.HasPrefix(e.Error(), "t.scm:"+c.want) || !strings.Contains(e.Hint, c.hint) || e.Incomplete != c.waits {
			t.Errorf("%q: %v (incomplete %v), want %s … %s (%v)", c.text, e, e.Incomplete, c.want, c.hint, c.waits)
		}
		open := ""
		if e.Open.Known() {
			open = place(e.Open)
		}
		if open != c.open {
			t.Errorf("%q: open %q, want %q", c.text, open, c.open)
		}
	}
}

// TestIncompleteMeansMoreTextHelps holds for every prefix of a good text: it reads, or the reader asks for more, or it
// ends in the middle of a token that is one character short.
func TestIncompleteMeansMoreTextHelps(t *testing.T) {
	const text = "(define (f x) #| c |# `(a ,@b . [c \"d e\" #\\space #(1 |s t|) #u8(1) #:k]))"
	for i := range text {
		_, err := syntax.ReadAll(source(text[:i]))
		var e *syntax.Error
		if err != nil && !(errors.As(err, &e) && e.Incomplete) {
			switch text[:i][strings.LastIndexAny(text[:i], " ("):] {
			case ` #\sp`, ` #\spa`, ` #\spac`, ` #u`, ` #u8`, ` #:`:
			default:
				t.Errorf("%q: %v", text[:i], err)
			}
		}
	}
}
