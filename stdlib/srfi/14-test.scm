(import (scheme base) (scheme char) (scheme write) (srfi 14))

(define vowels (string->char-set "aeiou"))
(define abc (char-set #\a #\b #\c))
(define (show set) (char-set->string set))

(list (char-set? vowels) (char-set? "a")) => (#t #f)
(list (char-set=) (char-set= vowels) (char-set= vowels (list->char-set '(#\u #\o #\i #\e #\a))) (char-set= vowels abc)) => (#t #t #t #f)
(list (char-set<=) (char-set<= vowels) (char-set<= (char-set #\a) vowels char-set:lower-case) (char-set<= vowels abc)) => (#t #t #t #f)
(list (= (char-set-hash abc) (char-set-hash (string->char-set "cab"))) (< -1 (char-set-hash abc 7) 7) (< -1 (char-set-hash abc 0))) => (#t #t #t)
(let loop ((at (char-set-cursor (string->char-set "abz"))) (acc '()))
  (if (end-of-char-set? at) acc (loop (char-set-cursor-next abc at) (cons (char-set-ref abc at) acc)))) => (#\z #\b #\a)
(char-set-fold cons '() abc) => (#\c #\b #\a)
(show (char-set-unfold car null? cdr '(#\x #\y))) => "xy"
(show (char-set-unfold car null? cdr '(#\x #\y) abc)) => "abcxy"
(show (char-set-unfold! car null? cdr '(#\x) (char-set #\a))) => "ax"
(let ((l '())) (char-set-for-each (lambda (c) (set! l (cons c l))) abc) l) => (#\c #\b #\a)
(show (char-set-map char-upcase abc)) => "ABC"
(show (char-set-copy abc)) => "abc"
(show (char-set)) => ""
(show (list->char-set '(#\b #\a) abc)) => "abc"
(show (list->char-set! '(#\d) (char-set #\a))) => "ad"
(show (string->char-set "hello" (char-set #\z))) => "ehloz"
(show (string->char-set! "b" (char-set #\z))) => "bz"
(show (char-set-filter char-upper-case? (string->char-set "aBcD"))) => "BD"
(show (char-set-filter char-upper-case? (string->char-set "aBcD") abc)) => "BDabc"
(show (char-set-filter! char-upper-case? (string->char-set "aB") (char-set #\z))) => "Bz"
(show (ucs-range->char-set 65 68)) => "ABC"
(show (ucs-range->char-set 65 68 #t (char-set #\z))) => "ABCz"
(show (ucs-range->char-set! 65 66 #f (char-set #\z))) => "Az"
(char-set-size (ucs-range->char-set 0 #x200000)) => 1112064
(map show (list (->char-set "ab") (->char-set #\a) (->char-set abc))) => ("ab" "a" "abc")
(char-set->list abc) => (#\a #\b #\c)
(char-set->string abc) => "abc"
(list (char-set-size abc) (char-set-size char-set:empty) (char-set-size char-set:full)) => (3 0 1112064)
(char-set-count char-upper-case? (string->char-set "aBcD")) => 2
(list (char-set-contains? vowels #\e) (char-set-contains? vowels #\x)) => (#t #f)
(list (char-set-every char-lower-case? vowels) (char-set-every char-upper-case? vowels) (char-set-every car char-set:empty)) => (#t #f #t)
(list (char-set-any char-lower-case? vowels) (char-set-any char-upper-case? vowels)) => (#t #f)
(show (char-set-adjoin abc #\z #\a)) => "abcz"
(show (char-set-delete abc #\b #\z)) => "ac"
(show (char-set-adjoin! (char-set #\a) #\z)) => "az"
(show (char-set-delete! (char-set #\a #\b) #\b)) => "a"
(show (char-set-complement (char-set-complement abc))) => "abc"
(show (char-set-complement! (char-set-complement abc))) => "abc"
(list (show (char-set-union abc vowels)) (show (char-set-union))) => ("abceiou" "")
(show (char-set-union! (char-set #\a) abc)) => "abc"
(list (show (char-set-intersection abc vowels)) (char-set= char-set:full (char-set-intersection))) => ("a" #t)
(show (char-set-intersection! (char-set #\a #\x) abc)) => "a"
(show (char-set-difference abc vowels (char-set #\b))) => "c"
(show (char-set-difference! (char-set #\a #\x) abc)) => "x"
(list (show (char-set-xor abc vowels)) (show (char-set-xor)) (show (char-set-xor abc abc abc))) => ("bceiou" "" "abc")
(show (char-set-xor! (char-set #\a #\x) abc)) => "bcx"
(call-with-values (lambda () (char-set-diff+intersection abc vowels (char-set #\b))) (lambda (a b) (list (show a) (show b)))) => ("c" "ab")
(call-with-values (lambda () (char-set-diff+intersection! abc vowels)) (lambda (a b) (list (show a) (show b)))) => ("bc" "a")

(define (in c . sets) (map (lambda (s) (char-set-contains? s c)) sets))
(in #\a char-set:lower-case char-set:upper-case char-set:title-case char-set:letter char-set:digit char-set:letter+digit) => (#t #f #f #t #f #t)
(in #\x01C5 char-set:title-case char-set:letter) => (#t #t)
(in #\5 char-set:letter char-set:digit char-set:letter+digit char-set:graphic char-set:printing char-set:hex-digit) => (#f #t #t #t #t #t)
(in #\space char-set:graphic char-set:printing char-set:whitespace char-set:blank char-set:iso-control char-set:ascii) => (#f #t #t #t #f #t)
(in #\newline char-set:whitespace char-set:blank char-set:iso-control char-set:printing) => (#t #f #t #t)
(in #\! char-set:punctuation char-set:symbol char-set:graphic char-set:hex-digit) => (#t #f #t #f)
(in #\+ char-set:punctuation char-set:symbol) => (#f #t)
(in #\λ char-set:ascii char-set:empty char-set:full char-set:letter) => (#f #f #t #t)
(map char-set-size (list char-set:hex-digit char-set:ascii char-set:iso-control)) => (22 128 65)

(char-set= 5) =raises> "char-set=: argument 1 must be a character set: 5"
(char-set<= 5 abc) =raises> "char-set<=: argument 1 must be a character set"
(char-set-hash 5) =raises> "char-set-hash: argument 1 must be a character set"
(char-set-cursor 5) =raises> "char-set-cursor: argument 1 must be a character set"
(char-set-ref char-set:empty (char-set-cursor char-set:empty)) =raises> "char-set-ref: the cursor is at the end"
(char-set-cursor-next char-set:empty (char-set-cursor char-set:empty)) =raises> "char-set-cursor-next: the cursor is at the end"
(end-of-char-set? 5) =raises> "pair"
(char-set-fold cons '() 5) =raises> "char-set-fold: argument 1 must be a character set"
(char-set-unfold values null? cdr '(5)) =raises> "character"
(char-set-unfold! values null? cdr '(5) abc) =raises> "character"
(char-set-for-each car abc) =raises> "pair"
(char-set-map char->integer abc) =raises> "character"
(char-set-copy 5) =raises> "must be a character set"
(char-set 5) =raises> "char-set: every element must be a character"
(list->char-set '(5)) =raises> "character"
(list->char-set! '(5) abc) =raises> "character"
(string->char-set 5) =raises> "string->char-set: argument 1 must be a string"
(string->char-set! 5 abc) =raises> "string->char-set: argument 1 must be a string"
(char-set-filter car abc) =raises> "pair"
(char-set-filter! car abc abc) =raises> "pair"
(ucs-range->char-set 0 #x200000 #t) =raises> "ucs-range->char-set"
(ucs-range->char-set! 0 #x200000 #t abc) =raises> "ucs-range->char-set"
(->char-set 5) =raises> "->char-set: argument 1 must be a character set, a string or a character: 5"
(char-set->list 5) =raises> "char-set->list: argument 1 must be a character set"
(char-set->string 5) =raises> "must be a character set"
(char-set-size 5) =raises> "char-set-size: argument 1 must be a character set"
(char-set-count car abc) =raises> "pair"
(char-set-contains? abc 5) =raises> "char-set-contains?: argument 2"
(char-set-every car abc) =raises> "pair"
(char-set-any car abc) =raises> "pair"
(char-set-adjoin abc 5) =raises> "character"
(char-set-delete abc 5) =raises> "character"
(char-set-adjoin! abc 5) =raises> "character"
(char-set-delete! abc 5) =raises> "character"
(char-set-complement 5) =raises> "must be a character set"
(char-set-union 5) =raises> "must be a character set"
(char-set-intersection 5) =raises> "must be a character set"
(char-set-difference 5) =raises> "must be a character set"
(char-set-xor 5) =raises> "must be a character set"
(char-set-diff+intersection 5 abc) =raises> "must be a character set"
(char-set-complement! 5) =raises> "must be a character set"
(char-set-union! 5) =raises> "must be a character set"
(char-set-intersection! 5 abc) =raises> "must be a character set"
(char-set-difference! 5 abc) =raises> "must be a character set"
(char-set-xor! 5 abc) =raises> "must be a character set"
(char-set-diff+intersection! 5 abc) =raises> "must be a character set"
