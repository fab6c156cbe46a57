(import (scheme base) (scheme write) (scheme char) (scheme inexact))

;; 6.7 strings
(string? "a") => #t
(string? 'a) => #f
(string-length (make-string 3)) => 3
(make-string 3 #\x) => "xxx"
(make-string 0 #\x) => ""
(make-string -1) =raises> ""
(make-string 2 "a") =raises> ""
(string) => ""
(string #\a #\b) => "ab"
(string-length "abc") => 3
(string-length "λόγος") => 5
(string-length 'a) =raises> ""
(string-ref "abc" 1) => #\b
(string-ref "λόγος" 2) => #\γ
(string-ref "abc" 3) =raises> ""
(string-ref "abc" -1) =raises> ""
(string-ref "abc" 1.0) =raises> ""
(define (f) (make-string 3 #\*))
(define (g) "***")
(let ((s (f))) (string-set! s 0 #\?) s) => "?**"
(string-set! (g) 0 #\?) =raises> "literal"
(string-set! (symbol->string 'immutable) 0 #\?) =raises> ""
(let ((s (string #\a #\b))) (string-set! s 1 #\λ) s) => "aλ"
(let ((s (string #\a #\x10000 #\c))) (string-set! s 1 #\b) (string-length s)) => 3
(string-set! (f) 3 #\a) =raises> ""
(string-set! (f) 0 1) =raises> ""
(string=? "a" "a" "a") => #t
(string=? "a" "b") => #f
(string=? "a" 'a) =raises> ""
(string<? "a" "b" "c") => #t
(string<? "a" "ab") => #t
(string<? "b" "ab") => #f
(string>? "b" "a") => #t
(string<=? "a" "a" "b") => #t
(string>=? "b" "b" "a") => #t
(string<? "z" "λ") => #t
(string-ci=? "AbC" "aBc") => #t
(string-ci<? "a" "B") => #t
(string-ci>? "B" "a") => #t
(string-ci<=? "a" "A") => #t
(string-ci>=? "A" "a") => #t
(string-ci=? "Straße" "STRASSE") => #t
(string-ci=? "ΧΑΟΣ" "χαος") => #t
(string-ci=? "ΧΑΟΣ" "χαοσ") => #t
(string-upcase "abc") => "ABC"
(string-downcase "ABC") => "abc"
(string-foldcase "ABC") => "abc"
(string-upcase "Straße") => "STRASSE"
(string-downcase "ΧΑΟΣ") => "χαος"
(string-downcase "ΧΑΟΣΣ") => "χαοσς"
(string-downcase "ΧΑΟΣ ΣΑ") => "χαος σα"
(string-foldcase "ΧΑΟΣ") => "χαοσ"
(string-upcase "χαος") => "ΧΑΟΣ"
(string-upcase "ﬃ") => "FFI"
(string-foldcase "Straße") => "strasse"
(substring "abcde" 1 3) => "bc"
(substring "abc" 0 3) => "abc"
(substring "abc" 2 2) => ""
(substring "abc" 2 1) =raises> ""
(substring "abc" 0 4) =raises> ""
(string-append "a" "bc" "") => "abc"
(string-append) => ""
(string-append "a" 'b) =raises> ""
(string->list "abc") => (#\a #\b #\c)
(string->list "abc" 1) => (#\b #\c)
(string->list "abc" 1 2) => (#\b)
(string->list "abc" 4) =raises> ""
(list->string '(#\a #\b)) => "ab"
(list->string '()) => ""
(list->string '(1)) =raises> ""
(list->string '(#\a . #\b)) =raises> ""
(string-copy "abc") => "abc"
(string-copy "abc" 1) => "bc"
(string-copy "abc" 1 2) => "b"
(let ((s (string-copy "abc"))) (string-set! s 0 #\x) s) => "xbc"
(define a "12345")
(define b (string-copy "abcde"))
(begin (string-copy! b 1 a 0 2) b) => "a12de"
(let ((s (string-copy "abcde"))) (string-copy! s 1 s 0 3) s) => "aabce"
(let ((s (string-copy "abcde"))) (string-copy! s 0 s 1 4) s) => "bcdde"
(let ((s (string-copy "abcde"))) (string-copy! s 3 "xy") s) => "abcxy"
(string-copy! (string-copy "abc") 2 "xy") =raises> ""
(string-copy! "abc" 0 "x") =raises> "literal"
(let ((s (make-string 3 #\a))) (string-fill! s #\b) s) => "bbb"
(let ((s (make-string 4 #\a))) (string-fill! s #\b 1 3) s) => "abba"
(let ((s (make-string 4 #\a))) (string-fill! s #\b 2) s) => "aabb"
(string-map char-foldcase "AbdEgH") => "abdegh"
(string-map (lambda (c) (integer->char (+ 1 (char->integer c)))) "HAL") => "IBM"
(string-map (lambda (c k) ((if (eqv? k #\u) char-upcase char-downcase) c)) "studlycaps xxx" "ululululul") => "StUdLyCaPs"
(let ((v '())) (string-for-each (lambda (c) (set! v (cons (char->integer c) v))) "abcde") v) => (101 100 99 98 97)
(let ((v '())) (string-for-each (lambda (a b) (set! v (cons (list a b) v))) "abc" "xy") (reverse v)) => ((#\a #\x) (#\b #\y))
(string->vector "ABC") => #(#\A #\B #\C)
(string->vector "ABCD" 1 3) => #(#\B #\C)
(vector->string #(#\1 #\2 #\3)) => "123"
(vector->string #(#\1 #\2 #\3) 1) => "23"
(vector->string #(1)) =raises> ""

;; 6.8 vectors
(vector? #(1)) => #t
(vector? '(1)) => #f
(vector? (bytevector 1)) => #f
#(0 (2 2 2 2) "Anna") => #(0 (2 2 2 2) "Anna")
(vector-length (make-vector 3)) => 3
(make-vector 2 'a) => #(a a)
(make-vector 0) => #()
(make-vector -1) =raises> ""
(make-vector 1.0) =raises> ""
(vector 'a 'b 'c) => #(a b c)
(vector) => #()
(vector-ref '#(1 1 2 3 5 8 13 21) 5) => 8
(vector-ref '#(1 1 2 3 5 8 13 21) (exact (round (* 2 (acos -1))))) => 13
(vector-ref '#(1) 1) =raises> ""
(vector-ref '#(1) -1) =raises> ""
(vector-ref '#(1) 0.0) =raises> ""
(let ((vec (vector 0 '(2 2 2 2) "Anna"))) (vector-set! vec 1 '("Sue" "Sue")) vec) => #(0 ("Sue" "Sue") "Anna")
(vector-set! '#(0 1 2) 1 "doe") =raises> "literal"
(vector-set! (vector 1) 1 2) =raises> ""
(vector->list '#(dah dah didah)) => (dah dah didah)
(vector->list '#(dah dah didah) 1) => (dah didah)
(vector->list '#(dah dah didah) 1 2) => (dah)
(vector->list '#(a) 2) =raises> ""
(list->vector '(dididit dah)) => #(dididit dah)
(list->vector '()) => #()
(list->vector '(1 . 2)) =raises> ""
(define a #(1 8 2 8))
(define b (vector-copy a))
(begin (vector-set! b 0 3) b) => #(3 8 2 8)
(vector-copy b 1 3) => #(8 2)
(vector-copy b 2) => #(2 8)
(vector-copy b 3 2) =raises> ""
(define a (vector 1 2 3 4 5))
(define b (vector 10 20 30 40 50))
(begin (vector-copy! b 1 a 0 2) b) => #(10 1 2 40 50)
(let ((v (vector 1 2 3 4 5))) (vector-copy! v 1 v 0 3) v) => #(1 1 2 3 5)
(let ((v (vector 1 2 3 4 5))) (vector-copy! v 0 v 2) v) => #(3 4 5 4 5)
(vector-copy! (vector 1) 0 (vector 1 2)) =raises> ""
(vector-append #(a b c) #(d e f)) => #(a b c d e f)
(vector-append) => #()
(vector-append #(1) '(2)) =raises> ""
(define a (vector 1 2 3 4 5))
(begin (vector-fill! a 'smash 2 4) a) => #(1 2 smash smash 5)
(let ((v (vector 1 2))) (vector-fill! v 0) v) => #(0 0)
(let ((v (vector 1 2 3))) (vector-fill! v 0 1) v) => #(1 0 0)
(vector-map cadr '#((a b) (d e) (g h))) => #(b e h)
(vector-map (lambda (n) (expt n n)) '#(1 2 3 4 5)) => #(1 4 27 256 3125)
(vector-map * '#(1 2) '#(10 20 30)) => #(10 40)
(let ((count 0)) (vector-map (lambda (ignored) (set! count (+ count 1)) count) '#(a b))) => #(1 2)
(let ((v (make-vector 5))) (vector-for-each (lambda (i) (vector-set! v i (* i i))) '#(0 1 2 3 4)) v) => #(0 1 4 9 16)
(let ((l '())) (vector-for-each (lambda (a b) (set! l (cons (+ a b) l))) #(1 2) #(10 20 30)) l) => (22 11)

;; 6.9 bytevectors
(bytevector? #u8(1)) => #t
(bytevector? #(1)) => #f
(make-bytevector 2 12) => #u8(12 12)
(bytevector-length (make-bytevector 3)) => 3
(make-bytevector 1 256) =raises> ""
(make-bytevector -1) =raises> ""
(bytevector 1 3 5 1 3 5) => #u8(1 3 5 1 3 5)
(bytevector) => #u8()
(bytevector 256) =raises> ""
(bytevector -1) =raises> ""
(bytevector-u8-ref '#u8(1 1 2 3 5 8 13 21) 5) => 8
(bytevector-u8-ref #u8(1) 1) =raises> ""
(let ((bv (bytevector 1 2 3 4))) (bytevector-u8-set! bv 1 3) bv) => #u8(1 3 3 4)
(bytevector-u8-set! (bytevector 1) 0 256) =raises> ""
(define a #u8(1 2 3 4 5))
(bytevector-copy a 2 4) => #u8(3 4)
(bytevector-copy a) => #u8(1 2 3 4 5)
(bytevector-copy a 3) => #u8(4 5)
(bytevector-copy a 3 6) =raises> ""
(define a (bytevector 1 2 3 4 5))
(define b (bytevector 10 20 30 40 50))
(begin (bytevector-copy! b 1 a 0 2) b) => #u8(10 1 2 40 50)
(let ((v (bytevector 1 2 3 4))) (bytevector-copy! v 1 v 0 3) v) => #u8(1 1 2 3)
(bytevector-copy! (bytevector 1) 0 #u8(1 2)) =raises> ""
(bytevector-append (bytevector 0 1 2) (bytevector 3 4 5)) => #u8(0 1 2 3 4 5)
(bytevector-append) => #u8()
(utf8->string #u8(#x41)) => "A"
(string->utf8 "λ") => #u8(206 187)
(utf8->string #u8(#xCE #xBB)) => "λ"
(utf8->string #u8(65 66 67) 1) => "BC"
(utf8->string #u8(65 66 67) 1 2) => "B"
(string->utf8 "abc" 1) => #u8(98 99)
(string->utf8 "aλc" 1 2) => #u8(206 187)
(string->utf8 'a) =raises> ""
