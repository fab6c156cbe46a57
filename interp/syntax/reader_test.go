package syntax_test

import (
	"errors"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"caper/interp/number"
	"caper/interp/syntax"
)

func source(text string) *syntax.Source { return syntax.NewSource("t.scm", text) }

// written is every datum of text as Write writes it, with blanks between.
func written(text string) (string, error) {
	all, err := syntax.ReadAll(source(text))
	var out []string
	for _, s := range all {
		out = append(out, s.Text())
	}
	return strings.Join(out, " "), err
}

func TestLexicalForms(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		// white space and comments
		{"", ""}, {" \t\r\n\f\v\u00a0\u2003 ", ""}, {"\ufeffa", "a"},
		{"a ; b\nc", "a c"}, {";", ""}, {"; x\rb", "b"}, {"a;b", "a"},
		{"#| a |# b", "b"}, {"a #| x #| y |# z |# b", "a b"}, {"#||# a", "a"}, {"#|#|a|#|#b", "b"}, {"#| | # |# a", "a"}, {"#|a||#b", "b"},
		{"#;a b", "b"}, {"#; a b", "b"}, {"#;(a (b)) c", "c"}, {"#;#;a b c", "c"}, {"(a #;b)", "(a)"}, {"(a #;b . c)", "(a . c)"},
		{"(a . #;b c)", "(a . c)"}, {"(a . c #;b)", "(a . c)"}, {"'#;a b", "'b"}, {"#;'a b", "b"}, {"#(1 #;2 3)", "#(1 3)"}, {"#u8(1 #;x 2)", "#u8(1 2)"},
		{"#;#0=a b", "b"},
		{"#!/usr/bin/env caper\na", "a"}, {"#! /bin/sh", ""}, {"#!/usr/bin/guile -s\n!#\na", "a"}, {"#!/bin/sh\nexec guile \"$0\"\n!#\na", "a"}, {"#!/bin/sh\n(a !#)", "(a !#)"}, {"#!/bin/sh\r\nexec\r\n!#\r\na", "a"}, {"#! sh\r!#\ra", "a"},
		{"#lang racket\na", "a"}, {"; x\n#lang racket/base\n#lang r7rs", ""}, {"\ufeff#!/bin/sh\na", "a"},
		{"#!fold-case ABC #!no-fold-case ABC", "abc ABC"}, {"#!fold-case |ABC| #:KEY #\\A #T", "ABC #:key #\\A #t"}, {"#!fold-case ΛΣ", "λσ"},
		{"#!r6rs a #!r7rs", "a"}, {"#!default #!optional #!rest #!eof", "#!default #!optional #!rest #!eof"},

		// booleans, numbers
		{"#t #f #true #false #T #F #True", "#t #f #t #f #t #f #t"},
		{"1 -1 +1 1.5 .5 1. -.5e2 1/2 #xff #e1.5 #i1/2 #b101", "1 -1 1 1.5 0.5 1.0 -50.0 1/2 255 3/2 0.5 5"},
		{"+inf.0 -inf.0 +nan.0 123456789012345678901234567890", "+inf.0 -inf.0 +nan.0 123456789012345678901234567890"},

		// symbols
		{"+ - ... .. -> ->x +x -x .x 1+ 1- -1+ <=? !$%&*/:<=>?^_~ a.b a#b a@b", "+ - ... .. -> ->x +x -x .x 1+ 1- -1+ <=? !$%&*/:<=>?^_~ a.b a#b a@b"},
		{"λ été 日本 x₁", "λ été 日本 x₁"}, {"ABC", "ABC"}, {"+i -i", "+i -i"},
		{"|a b| || |a\\|b| |\\x41;| |a\\nb| |1| |.| |a\nb|", "|a b| || |a\\|b| A |a\\nb| |1| |.| |a\\nb|"},
		{"a|b|c", "a b c"}, {"a\"b\"", "a \"b\""}, {"a'b", "a 'b"}, {"|a#|", "a#"}, {"|#a|", "|#a|"}, {"#%app", "#%app"},

		// keywords
		{"#:key #:|a b| #:1 #:a-b?", "#:key #:|a b| #:1 #:a-b?"}, {"(f #:x 1)", "(f #:x 1)"},

		// strings
		{`"" "abc" "a\"b" "a\\b"`, `"" "abc" "a\"b" "a\\b"`}, {`"\a\b\t\n\r\|"`, `"\a\b\t\n\r|"`}, {`"\x41;\x3bb;\x0;"`, `"Aλ\x0;"`},
		{`"\e\f\v\0\'"`, `"\x1b;\xc;\xb;\x0;'"`}, {`"\u03bb\u41 \U1F600 \ud83d\ude00"`, `"λA 😀 😀"`},
		{"\"a\\\n   b\"", `"ab"`}, {"\"a \\  \t\n \t b\"", `"a b"`}, {"\"a\\\r\n b\"", `"ab"`}, {"\"a\\\rb\"", `"ab"`}, {"\"a\\\n\n b\"", `"a\n b"`},
		{"\"a\nb\"", `"a\nb"`}, {"\"a\r\nb\rc\"", `"a\nb\nc"`}, {"\";#|\"", `";#|"`}, {`"a""b"`, `"a" "b"`},

		// characters
		{`#\a #\A #\λ #\1 #\space #\newline #\tab #\nul #\null #\return #\linefeed`, `#\a #\A #\λ #\1 #\space #\newline #\tab #\null #\null #\return #\newline`},
		{`#\alarm #\backspace #\delete #\rubout #\escape #\altmode #\page #\vtab`, `#\alarm #\backspace #\delete #\delete #\escape #\escape #\page #\vtab`},
		{`#\x #\x41 #\X41 #\x3bb #\u #\u3bb #\U1F600 #\x0`, `#\x #\A #\A #\λ #\u #\λ #\😀 #\null`},
		{`#\( #\) #\; #\" #\# #\| #\' #\, #\[ #\\ #\.`, `#\( #\) #\; #\" #\# #\| #\' #\, #\[ #\\ #\.`}, {`(#\a)`, `(#\a)`}, {`(#\()`, `(#\()`},
		{"#\\ #\\\n#\\\t", `#\space #\newline #\tab`}, {`#\Space #\NEWLINE`, `#\space #\newline`}, {`#\x301`, `#\x301`}, {`#\x200b`, `#\x200b`},

		// lists, vectors, bytevectors
		{"() (a) (a b) (a . b) (a b . c) (a . (b)) (a . (b . (c . d))) (a . ())", "() (a) (a b) (a . b) (a b . c) (a b) (a b c . d) (a)"},
		{"[a [b] (c)]", "(a (b) (c))"}, {"(a.b)", "(a.b)"}, {"(a .b)", "(a .b)"}, {"(a . 'b)", "(a quote b)"}, {"(a . [b c])", "(a b c)"}, {"(a . #(b))", "(a . #(b))"},
		{"#() #(a #(b) (c)) #[a]", "#() #(a #(b) (c)) #(a)"}, {"#u8() #u8(0 255 #xf) #vu8(1)", "#u8() #u8(0 255 15) #u8(1)"},
		{"((a)(b))", "((a) (b))"}, {"(\n)", "()"},

		// abbreviations
		{"'a `a ,a ,@a ''a", "'a `a ,a ,@a ''a"}, {"(quote a) (quasiquote (a (unquote b) (unquote-splicing c)))", "'a `(a ,b ,@c)"},
		{"'()", "'()"}, {"' a", "'a"}, {", @a", "(unquote @a)"}, {"(quote) (quote a b) (quote . a)", "(quote) (quote a b) (quote . a)"}, {"`((k . ,v))", "`((k unquote v))"},
		{"'(a . b)", "'(a . b)"},

		// regular expressions and hashes
		{`#px"\d+" #px"\\d+" #rx"a\"b" #px"\t\n" #px"\b\." #px"[\]]"`, `(#%pregexp "\\d+") (#%pregexp "\\d+") (#%regexp "a\"b") (#%pregexp "\t\n") (#%pregexp "\\b\\.") (#%pregexp "[\\]]")`},
		{"#hash() #hasheq((a . 1) (b 2)) #hasheqv([1 . 2])", "(#%hash) (#%hash (a . 1) (b 2)) (#%hash (1 . 2))"},

		// datum labels
		{"#0=a", "a"}, {"(#0=a #0#)", "(a a)"}, {"#0=(a . #0#)", "#0=(a . #0#)"}, {"#7=(a #7#)", "#0=(a #0#)"}, {"(#1=(a) #1# #1#)", "(#0=(a) #0# #0#)"},
		{"#0=#(a #0#)", "#0=#(a #0#)"}, {"#0='#0#", "#0='#0#"}, {"(a . #0=(b c))", "(a b c)"}, {"(#0=(b) . #0#)", "(#0=(b) . #0#)"},
		{"#0=#1=(#0# #1#)", "#0=(#0# #0#)"}, {"#0=(a #1=#0# #1#)", "#0=(a #0# #0#)"}, {"#0=(a #1=(b #0# . #1#) . #0#)", "#0=(a #1=(b #0# . #1#) . #0#)"},
		{"#0=a #0=b", "a b"}, {"#0=hello", "hello"},
	} {
		got, err := written(c.text)
		if err != nil || got != c.want {
			t.Errorf("%q reads as %s %v, want %s", c.text, got, err, c.want)
			continue
		}
		if again, err := written(got); err != nil || again != got {
			t.Errorf("%q is written %s, which reads as %s %v", c.text, got, again, err)
		}
	}
}

func TestDataHaveTheDocumentedTypes(t *testing.T) {
	all, err := syntax.ReadAll(source(`a #:k 1 #t #\a "s" #u8(1) (a . b) #(a)`))
	if err != nil {
		t.Fatal(err)
	}
	want := []any{
		(*syntax.Symbol)(nil), syntax.Keyword(""), int64(0), false, syntax.Char(0), syntax.String(""), syntax.Bytes{},
		(*syntax.List)(nil), (*syntax.Vector)(nil),
	}
	for i, s := range all {
		if reflect.TypeOf(s.Datum) != reflect.TypeOf(want[i]) {
			t.Errorf("%s is a %T, want %T", s.Text(), s.Datum, want[i])
		}
	}
	list := all[7].Datum.(*syntax.List)
	if all[0].Datum != list.Items[0].Datum {
		t.Error("equal names are the same symbol")
	}
}

func TestALabelledTailIsKept(t *testing.T) {
	all, err := syntax.ReadAll(source("(a . #0=(b . #0#))"))
	if err != nil {
		t.Fatal(err)
	}
	l := all[0].Datum.(*syntax.List)
	inner := l.Tail.Datum.(*syntax.List)
	if len(l.Items) != 1 || inner.Tail.Datum != any(inner) {
		t.Errorf("%v", all[0].Text())
	}
}

func TestSpans(t *testing.T) {
	text := " (a\n  'bc \"d\\\n e\" #(1 #;x #u8(2)) . [λ]) #0=(z) "
	all, err := syntax.ReadAll(source(text))
	if err != nil {
		t.Fatal(err)
	}
	l := all[0].Datum.(*syntax.List)
	for _, c := range []struct {
		s    *syntax.Syntax
		text string
		line int
		col  int
	}{
		{all[0], "(a\n  'bc \"d\\\n e\" #(1 #;x #u8(2)) . [λ])", 1, 2}, {l.Items[0], "a", 1, 3}, {l.Items[1], "'bc", 2, 3},
		{l.Items[1].Datum.(*syntax.List).Items[0], "'", 2, 3}, {l.Items[1].Datum.(*syntax.List).Items[1], "bc", 2, 4},
		{l.Items[2], "\"d\\\n e\"", 2, 7}, {l.Items[3], "#(1 #;x #u8(2))", 3, 5}, {l.Items[4], "λ", 3, 24}, {all[1], "#0=(z)", 3, 28},
	} {
		name, line, col := c.s.Span.Position()
		if c.s.Span.Text() != c.text || name != "t.scm" || line != c.line || col != c.col {
			t.Errorf("%q at %d:%d, want %q at %d:%d", c.s.Span.Text(), line, col, c.text, c.line, c.col)
		}
	}
}

func TestReaderStreams(t *testing.T) {
	r := syntax.NewReader(source("a (b) )"), syntax.ReaderOptions{})
	for _, want := range []string{"a", "(b)"} {
		if s, err := r.Next(); err != nil || s.Text() != want {
			t.Fatalf("%v %v, want %s", s, err, want)
		}
	}
	_, first := r.Next()
	_, again := r.Next()
	if first == nil || first != again {
		t.Errorf("an error stays: %v, %v", first, again)
	}
	r = syntax.NewReader(source("ABC"), syntax.ReaderOptions{FoldCase: true})
	if s, err := r.Next(); err != nil || s.Text() != "abc" {
		t.Error(s, err)
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

func TestDepth(t *testing.T) {
	n, many := 200_000, 50_000
	if os.Getenv("CAPER_FULL") != "" {
		n, many = 1_000_000, 200_000
	}
	for _, c := range []struct{ name, text string }{
		{"lists", strings.Repeat("(", n) + strings.Repeat(")", n)},
		{"vectors", strings.Repeat("#(", many) + strings.Repeat(")", many)},
		{"quotes", strings.Repeat("'", many) + "a"},
		{"tails", strings.Repeat("(a . ", many) + "b" + strings.Repeat(")", many)},
		{"comments", strings.Repeat("#;", many) + strings.Repeat("a ", many) + "b"},
		{"block comments", strings.Repeat("#|", many) + strings.Repeat("|#", many) + "a"},
	} {
		all, err := syntax.ReadAll(source(c.text))
		if err != nil || len(all) != 1 {
			t.Errorf("%s: %d data, %v", c.name, len(all), err)
			continue
		}
		if len(all[0].Brief(100)) > 110 {
			t.Errorf("%s: a brief text is long", c.name)
		}
	}
	deep := source(strings.Repeat("(", n) + strings.Repeat(")", n))
	s, _ := syntax.NewReader(deep, syntax.ReaderOptions{}).Next()
	if text := s.Text(); text != deep.Text {
		t.Error("a deep list is not written as it was read")
	}
	_, err := syntax.NewReader(source("((((a))))"), syntax.ReaderOptions{MaxDepth: 3}).Next()
	if err == nil || err.Error() != "t.scm:1:4: data nested more than 3 deep" {
		t.Error(err)
	}
}

func TestNumbersComeFromNumber(t *testing.T) {
	for _, text := range []string{"1", "1/2", "1e3", "#xff", "-12345678901234567890", "+nan.0"} {
		all, err := syntax.ReadAll(source(text))
		want, _ := number.Parse(text, 10)
		if err != nil || !number.Eqv(all[0].Datum, want) {
			t.Errorf("%s: %v %v", text, all, err)
		}
	}
}
