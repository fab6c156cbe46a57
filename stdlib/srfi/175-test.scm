(import (scheme base) (scheme write) (srfi 175))

(map ascii-codepoint? '(0 127 128 -1 #\a)) => (#t #t #f #f #f)
(map ascii-bytevector? '(#u8() #u8(1 127) #u8(128) "a")) => (#t #t #f #f)
(map ascii-char? '(#\a #\x7f #\x80 97)) => (#t #t #f #f)
(map ascii-string? '("" "abc" "naïve" #\a)) => (#t #t #f #f)
(map ascii-control? '(0 #\tab #\space 127 128)) => (#t #t #f #t #f)
(ascii-control? "a") =raises> "ascii-control?: argument 1 must be a character or an exact integer"
(map ascii-non-control? '(#\space #\~ 127 31 128)) => (#t #t #f #f #f)
(ascii-non-control? "a") =raises> "ascii-non-control?: argument 1"
(map ascii-whitespace? '(#\space #\tab 13 14 8)) => (#t #t #t #f #f)
(ascii-whitespace? "a") =raises> "ascii-whitespace?: argument 1"
(map ascii-space-or-tab? '(#\space #\tab #\newline)) => (#t #t #f)
(ascii-space-or-tab? "a") =raises> "ascii-space-or-tab?: argument 1"
(map ascii-other-graphic? '(#\! #\: #\[ #\{ #\a #\0 #\space)) => (#t #t #t #t #f #f #f)
(ascii-other-graphic? "a") =raises> "ascii-other-graphic?: argument 1"
(map ascii-upper-case? '(#\A 90 #\a #\[)) => (#t #t #f #f)
(ascii-upper-case? "a") =raises> "ascii-upper-case?: argument 1"
(map ascii-lower-case? '(#\a 122 #\A #\{)) => (#t #t #f #f)
(ascii-lower-case? "a") =raises> "ascii-lower-case?: argument 1"
(map ascii-alphabetic? '(#\a #\Z #\0 #\ä)) => (#t #t #f #f)
(ascii-alphabetic? "a") =raises> "ascii-alphabetic?: argument 1"
(map ascii-alphanumeric? '(#\a #\Z #\0 #\_)) => (#t #t #t #f)
(ascii-alphanumeric? "a") =raises> "ascii-alphanumeric?: argument 1"
(map ascii-numeric? '(#\0 57 #\a)) => (#t #t #f)
(ascii-numeric? "a") =raises> "ascii-numeric?: argument 1"
(list (ascii-digit-value #\7 10) (ascii-digit-value #\7 7) (ascii-digit-value #\a 10) (ascii-digit-value 48 99)) => (7 #f #f 0)
(ascii-digit-value "1" 10) =raises> "ascii-digit-value: argument 1"
(list (ascii-upper-case-value #\C 10 26) (ascii-upper-case-value #\C 10 2) (ascii-upper-case-value #\c 10 26)) => (12 #f #f)
(ascii-upper-case-value "1" 0 10) =raises> "ascii-upper-case-value: argument 1"
(list (ascii-lower-case-value #\c 10 26) (ascii-lower-case-value #\C 10 26)) => (12 #f)
(ascii-lower-case-value "1" 0 10) =raises> "ascii-lower-case-value: argument 1"
(map ascii-nth-digit '(0 9 10 -1)) => (#\0 #\9 #f #f)
(ascii-nth-digit #\a) =raises> "ascii-nth-digit: argument 1 must be an exact integer"
(map ascii-nth-upper-case '(0 25 26 -1)) => (#\A #\Z #\A #\Z)
(ascii-nth-upper-case #\a) =raises> "ascii-nth-upper-case: argument 1"
(map ascii-nth-lower-case '(0 25 26 -1)) => (#\a #\z #\a #\z)
(ascii-nth-lower-case #\a) =raises> "ascii-nth-lower-case: argument 1"
(map ascii-upcase '(#\a #\A 97 #\ä #\0)) => (#\A #\A 65 #\ä #\0)
(ascii-upcase "a") =raises> "ascii-upcase: argument 1"
(map ascii-downcase '(#\a #\A 65 #\Ä)) => (#\a #\a 97 #\Ä)
(ascii-downcase "a") =raises> "ascii-downcase: argument 1"
(map ascii-control->graphic '(0 #\x1b 127 #\a)) => (64 #\[ 63 #f)
(ascii-control->graphic "a") =raises> "ascii-control->graphic: argument 1"
(map ascii-graphic->control '(64 #\[ #\? #\a)) => (0 #\escape #\delete #f)
(ascii-graphic->control "a") =raises> "ascii-graphic->control: argument 1"
(map ascii-mirror-bracket '(#\( #\] 123 #\< #\a)) => (#\) #\[ 125 #\> #f)
(ascii-mirror-bracket "a") =raises> "ascii-mirror-bracket: argument 1"
(list (ascii-ci=? #\a #\A) (ascii-ci=? 65 #\a) (ascii-ci=? #\ä #\Ä)) => (#t #t #f)
(ascii-ci=? #\a "a") =raises> "ascii-ci=?: argument 2"
(list (ascii-ci<? #\a #\B) (ascii-ci<? #\B #\a)) => (#t #f)
(ascii-ci<? "a" #\a) =raises> "ascii-ci<?: argument 1"
(list (ascii-ci>? #\a #\B) (ascii-ci>? #\B #\a)) => (#f #t)
(ascii-ci>? "a" #\a) =raises> "ascii-ci>?: argument 1"
(list (ascii-ci<=? #\a #\A) (ascii-ci<=? #\B #\a)) => (#t #f)
(ascii-ci<=? "a" #\a) =raises> "ascii-ci<=?: argument 1"
(list (ascii-ci>=? #\a #\A) (ascii-ci>=? #\a #\B)) => (#t #f)
(ascii-ci>=? "a" #\a) =raises> "ascii-ci>=?: argument 1"
(list (ascii-string-ci=? "aBc" "AbC") (ascii-string-ci=? "ä" "Ä")) => (#t #f)
(ascii-string-ci=? "a" 5) =raises> "ascii-string-ci=?: argument 2 must be a string"
(list (ascii-string-ci<? "a" "B") (ascii-string-ci<? "AB" "a")) => (#t #f)
(ascii-string-ci<? 5 "a") =raises> "ascii-string-ci<?: argument 1"
(list (ascii-string-ci>? "a" "B") (ascii-string-ci>? "AB" "a")) => (#f #t)
(ascii-string-ci>? 5 "a") =raises> "ascii-string-ci>?: argument 1"
(list (ascii-string-ci<=? "a" "A") (ascii-string-ci<=? "AB" "a")) => (#t #f)
(ascii-string-ci<=? 5 "a") =raises> "ascii-string-ci<=?: argument 1"
(list (ascii-string-ci>=? "a" "A") (ascii-string-ci>=? "a" "AB")) => (#t #f)
(ascii-string-ci>=? 5 "a") =raises> "ascii-string-ci>=?: argument 1"
