(import (scheme base) (scheme write) (scheme read) (scheme char) (scheme inexact))

;; 2.1 identifiers
(define-syntax name (syntax-rules () ((_ x) (symbol->string 'x))))
(name ...) => "..."
(name +) => "+"
(name +soup+) => "+soup+"
(name <=?) => "<=?"
(name ->string) => "->string"
(name a34kTMNs) => "a34kTMNs"
(name lambda) => "lambda"
(name list->vector) => "list->vector"
(name q) => "q"
(name V17a) => "V17a"
(name |two words|) => "two words"
(name |two\x20;words|) => "two words"
(name the-word-recursion-has-many-meanings) => "the-word-recursion-has-many-meanings"
(name !$%&*/:<=>?^_~) => "!$%&*/:<=>?^_~"
(name -) => "-"
(name -a) => "-a"
(name -.a) => "-.a"
(name +.a) => "+.a"
(name +@) => "+@"
(name ..a) => "..a"
(name .a) => ".a"
(name --1) => "--1"
(name +-1) => "+-1"
(name 1+) => "1+"
(name -1+) => "-1+"
(name a@b) => "a@b"
(name a.b) => "a.b"
(name ||) => ""
(name |foo bar|) => "foo bar"
(name |H\x65;llo|) => "Hello"
(name |\x9;\x9;|) => "\t\t"
(name |\t\t|) => "\t\t"
(name |a\nb|) => "a\nb"
(name |a\|b|) => "a|b"
(eq? '|H\x65;llo| 'Hello) => #t
(eq? '|\x3BB;| 'λ) => #t
(eq? '|\t\t| '|\x9;\x9;|) => #t
(eq? 'abc 'ABC) => #f
(eq? 'abc '|abc|) => #t
'|foo bar| => |foo bar|
'|| => ||
'|a\x7c;b| => |a\|b|
(symbol->string 'λόγος) => "λόγος"
(define |strange name| 3)
(+ |strange name| 1) => 4
(string->symbol "") => ||
(string->symbol "1") => |1|
(string->symbol "+1") => |+1|
(string->symbol ".") => |.|
(string->symbol "+i") => |+i|
(string->symbol "-inf.0") => |-inf.0|
(string->symbol "a b") => |a b|
(string->symbol "a;b") => |a;b|
(string->symbol "a'b") =prints> "|a'b|"
(string->symbol "#a") => |#a|
(string->symbol "A") => A
(string->symbol "...") => ...

;; fold-case
(read (open-input-string "ABC")) => ABC
(read (open-input-string "#!fold-case ABC")) => abc
(read (open-input-string "#!fold-case |ABC|")) => ABC
(read (open-input-string "#!fold-case #\\A")) => #\A
(read (open-input-string "#!fold-case #\\SPACE")) => #\space
(read (open-input-string "#!fold-case \"ABC\"")) => "ABC"
(read (open-input-string "#!fold-case #T")) => #t
(read (open-input-string "(#!fold-case ABC #!no-fold-case ABC)")) => (abc ABC)
(let ((p (open-input-string "#!fold-case A B #!no-fold-case C"))) (list (read p) (read p) (read p))) => (a b C)
(read (open-input-string "#!fold-case ΣΑΣ")) => σασ

;; 2.2 whitespace and comments
(list 1 #;2 3) => (1 3)
(list 1 #; 2 3) => (1 3)
(list 1 #;(a b #;c) 3) => (1 3)
(list 1 #;#;2 3 4) => (1 4)
(list 1 #| block |# 2) => (1 2)
(list 1 #| a #| nested |# b |# 2) => (1 2)
(list 1 ; to the end
  2) => (1 2)
'(a #;b) => (a)
'(a . b #;c) => (a . b)
'(a #;b . c) => (a . c)
'#(1 #;2 3) => #(1 3)
(read (open-input-string "#;a b")) => b
(read (open-input-string "#| x |# b")) => b
(read (open-input-string "#||#b")) => b
(read (open-input-string "#|||#b")) => b
(eof-object? (read (open-input-string "#;a"))) => #t
(eof-object? (read (open-input-string "; a"))) => #t
(define (fact n)
  #|
    This procedure computes the factorial of a non-negative integer.
  |#
  (define fact (lambda (n) (if (= n 0) #;(= n 1) 1 (* n (fact (- n 1))))))
  (fact n))
(fact 5) => 120

;; 2.3 other notations, 2.4 datum labels
(let ((x (read (open-input-string "#0=(a b c . #0#)")))) (list (car x) (cadr x) (eq? x (cdr (cdr (cdr x)))))) => (a b #t)
(let ((x '#0=(a b c . #0#))) (list (car x) (list-ref x 4) (eq? x (cdr (cdr (cdr x)))))) => (a b #t)
(let ((x (list 'a 'b 'c))) (set-cdr! (cddr x) x) x) => #0=(a b c . #0#)
(let ((x (read (open-input-string "(#1=(a) #1#)")))) (eq? (car x) (cadr x))) => #t
(let ((x (read (open-input-string "#0=#(1 #0#)")))) (eq? x (vector-ref x 1))) => #t
(let ((x (read (open-input-string "(#0=\"ab\" #0#)")))) (eq? (car x) (cadr x))) => #t
(let ((v (vector 1 2))) (vector-set! v 0 v) v) => #0=#(#0# 2)
(let ((x (list 1)) ) (list x x)) => ((1) (1))
(let ((p (open-output-string)) (x (list 1))) (write-shared (list x x) p) (get-output-string p)) => "(#0=(1) #0#)"
(let ((p (open-output-string)) (x (list 1))) (write-simple (list x x) p) (get-output-string p)) => "((1) (1))"
(let ((p (open-output-string)) (x (list 1 2))) (set-cdr! (cdr x) x) (display x p) (get-output-string p)) => "#0=(1 2 . #0#)"
(let ((p (open-output-string)) (x (list 'a)) (y (list 'b))) (set-cdr! x x) (set-cdr! y y) (write (list x y) p) (get-output-string p)) => "(#0=(a . #0#) #1=(b . #1#))"
(equal? '#0=(a b . #0#) '#1=(a b a b . #1#)) => #t
(guard (e ((read-error? e) 'bad)) (read (open-input-string "#0#"))) => bad
(guard (e ((read-error? e) 'bad)) (read (open-input-string "#0=#0#"))) => bad

;; external representations: 1.3.4, 3.3, 7.1
(read (open-input-string "#t")) => #t
(read (open-input-string "#true")) => #t
(read (open-input-string "#f")) => #f
(read (open-input-string "#false")) => #f
(read (open-input-string "'a")) => (quote a)
(read (open-input-string "`(a ,b ,@c)")) => (quasiquote (a (unquote b) (unquote-splicing c)))
(read (open-input-string "#u8(0 10 5)")) => #u8(0 10 5)
(read (open-input-string "#U8(1)")) => #u8(1)
(read (open-input-string "#(a #(b) ())")) => #(a #(b) ())
(read (open-input-string "(a . (b . (c . ())))")) => (a b c)
(read (open-input-string "(a . b)")) => (a . b)
(read (open-input-string "()")) => ()
(guard (e ((read-error? e) 'bad)) (read (open-input-string "(a . )"))) => bad
(guard (e ((read-error? e) 'bad)) (read (open-input-string "( . a)"))) => bad
(guard (e ((read-error? e) 'bad)) (read (open-input-string "(a . b c)"))) => bad
(guard (e ((read-error? e) 'bad)) (read (open-input-string "(a"))) => bad
(guard (e ((read-error? e) 'bad)) (read (open-input-string ")"))) => bad
(guard (e ((read-error? e) 'bad)) (read (open-input-string "\"a"))) => bad
(guard (e ((read-error? e) 'bad)) (read (open-input-string "|a"))) => bad
(guard (e ((read-error? e) 'bad)) (read (open-input-string "#|a"))) => bad
(guard (e ((read-error? e) 'bad)) (read (open-input-string "#(1"))) => bad
(guard (e ((read-error? e) 'bad)) (read (open-input-string "#u8(256)"))) => bad
(guard (e ((read-error? e) 'bad)) (read (open-input-string "#u8(-1)"))) => bad
(guard (e ((read-error? e) 'bad)) (read (open-input-string "#u8(a)"))) => bad
(guard (e ((read-error? e) 'bad)) (read (open-input-string "#\\notachar"))) => bad
(guard (e ((read-error? e) 'bad)) (read (open-input-string "#(a . b)"))) => bad
(guard (e ((read-error? e) 'bad)) (read (open-input-string "'"))) => bad
(guard (e ((read-error? e) 'bad)) (read (open-input-string "\"\\x41\""))) => bad
(guard (e ((read-error? e) 'bad)) (read (open-input-string "\"\\x110000;\""))) => bad
(guard (e ((read-error? e) 'bad)) (read (open-input-string "\"\\xD800;\""))) => bad
(guard (e ((read-error? e) 'bad)) (read (open-input-string "#\\xD800"))) => bad
(guard (e ((read-error? e) 'bad)) (read (open-input-string "#zip"))) => bad
(let ((p (open-input-string "a(b)\"c\"|d|'e"))) (list (read p) (read p) (read p) (read p) (read p))) => (a (b) "c" d (quote e))

;; characters
(list #\a #\A #\( #\space) => (#\a #\A #\( #\space)
(map char->integer '(#\alarm #\backspace #\delete #\escape #\newline #\null #\return #\space #\tab)) => (7 8 127 27 10 0 13 32 9)
'(#\alarm #\backspace #\delete #\escape #\newline #\null #\return #\space #\tab) => (#\alarm #\backspace #\delete #\escape #\newline #\null #\return #\space #\tab)
(char->integer #\x41) => 65
(char->integer #\x03BB) => 955
(char->integer #\x) => 120
(char->integer #\X41) => 65
(char->integer #\λ) => 955
(char->integer #\x10FFFF) => 1114111
#\x41 =prints> "#\\A"
#\x0 =prints> "#\\null"
#\x7f =prints> "#\\delete"
#\λ =prints> "#\\λ"
(list #\)#\;) => (#\) #\;)

;; strings
(map char->integer (string->list "\a\b\t\n\r\"\\\|")) => (7 8 9 10 13 34 92 124)
"\x41;bc" => "Abc"
"\x03bb;" => "λ"
(string-length "a\
   b") => 2
"a\
   b" => "ab"
"a \   
   b" => "a b"
"The word \"recursion\" has many meanings." => "The word \"recursion\" has many meanings."
(string-length "Another example:\ntwo lines of text") => 34
"Here's text \
   containing just one line" => "Here's text containing just one line"
"\x03B1; is named GREEK SMALL LETTER ALPHA." => "α is named GREEK SMALL LETTER ALPHA."
(string-length "a
b") => 3
(string #\a #\" #\\ #\newline #\tab #\return #\alarm) => "a\"\\\n\t\r\a"
(string #\x1) =prints> "\"\\x1;\""
(string-length "") => 0
