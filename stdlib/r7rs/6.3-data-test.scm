(import (scheme base) (scheme write) (scheme char) (scheme cxr))

;; 6.3 booleans
#t => #t
#f => #f
'#f => #f
(not 3) => #f
(not (list 3)) => #f
(not #f) => #t
(not '()) => #f
(not (list)) => #f
(not 'nil) => #f
(not #t) => #f
(boolean? #f) => #t
(boolean? 0) => #f
(boolean? '()) => #f
(boolean=? #t #t) => #t
(boolean=? #f #f #f) => #t
(boolean=? #t #f) => #f
(boolean=? #f #f #t) => #f
(boolean=? 1 #t) =raises> ""

;; 6.4 pairs and lists
(define x (list 'a 'b 'c))
(define y x)
y => (a b c)
(list? y) => #t
(set-cdr! x 4)
x => (a . 4)
(eqv? x y) => #t
y => (a . 4)
(list? y) => #f
(begin (set-cdr! x x) (list? x)) => #f
(pair? '(a . b)) => #t
(pair? '(a b c)) => #t
(pair? '()) => #f
(pair? '#(a b)) => #f
(cons 'a '()) => (a)
(cons '(a) '(b c d)) => ((a) b c d)
(cons "a" '(b c)) => ("a" b c)
(cons 'a 3) => (a . 3)
(cons '(a b) 'c) => ((a b) . c)
(car '(a b c)) => a
(car '((a) b c d)) => (a)
(car '(1 . 2)) => 1
(car '()) =raises> "car"
(cdr '((a) b c d)) => (b c d)
(cdr '(1 . 2)) => 2
(cdr '()) =raises> "cdr"
(car 5) =raises> "car"
(define (f) (list 'not-a-constant-list))
(define (g) '(constant-list))
(begin (set-car! (f) 3) 'ok) => ok
(set-car! (g) 3) =raises> "literal"
(caar '((1) 2)) => 1
(cadr '(1 2)) => 2
(cdar '((1 2) 3)) => (2)
(cddr '(1 2 3)) => (3)
(define tree '((((1 . 2) . (3 . 4)) . ((5 . 6) . (7 . 8))) . (((9 . 10) . (11 . 12)) . ((13 . 14) . (15 . 16)))))
(map (lambda (f) (f tree)) (list caaaar cdaaar cadaar cddaar caadar cdadar caddar cdddar caaadr cdaadr cadadr cddadr caaddr cdaddr cadddr cddddr)) => (1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
(map (lambda (f) (f tree)) (list caaar cdaar cadar cddar caadr cdadr caddr cdddr)) => ((1 . 2) (3 . 4) (5 . 6) (7 . 8) (9 . 10) (11 . 12) (13 . 14) (15 . 16))
(caddr '(1 2)) =raises> "must be a pair"
(null? '()) => #t
(null? '(1)) => #f
(null? #f) => #f
(list? '(a b c)) => #t
(list? '()) => #t
(list? '(a . b)) => #f
(let ((x (list 'a))) (set-cdr! x x) (list? x)) => #f
(make-list 2 3) => (3 3)
(length (make-list 3)) => 3
(make-list 0 1) => ()
(make-list -1) =raises> ""
(list 'a (+ 3 4) 'c) => (a 7 c)
(list) => ()
(length '(a b c)) => 3
(length '(a (b) (c d e))) => 3
(length '()) => 0
(length '(a . b)) =raises> ""
(let ((x (list 1))) (set-cdr! x x) (length x)) =raises> ""
(append '(x) '(y)) => (x y)
(append '(a) '(b c d)) => (a b c d)
(append '(a (b)) '((c))) => (a (b) (c))
(append '(a b) '(c . d)) => (a b c . d)
(append '() 'a) => a
(append) => ()
(append '(1)) => (1)
(append '(1) '(2) '() '(3)) => (1 2 3)
(append 1 '(2)) =raises> ""
(let ((l (list 1))) (eq? l (append '() l))) => #t
(reverse '(a b c)) => (c b a)
(reverse '(a (b c) d (e (f)))) => ((e (f)) d (b c) a)
(reverse '()) => ()
(reverse '(a . b)) =raises> ""
(list-tail '(1 2 3 4) 2) => (3 4)
(list-tail '(1 2) 2) => ()
(list-tail '(1) 2) =raises> "list-tail"
(list-ref '(a b c d) 2) => c
(list-ref '(a b c d) (exact (round 1.8))) => c
(list-ref '(a) 1) =raises> "list-ref"
(list-ref '(a) 0.0) =raises> "list-ref"
(let ((ls (list 'one 'two 'five!))) (list-set! ls 2 'three) ls) => (one two three)
(list-set! '(0 1 2) 1 "oops") =raises> "literal"
(list-set! (list 1) 1 2) =raises> "list-set!"
(memq 'c '(a b c d e)) => (c d e)
(memq 'a '(a b c)) => (a b c)
(memq 'b '(a b c)) => (b c)
(memq 'd '(a b c)) => #f
(memq (list 'a) '(b (a) c)) => #f
(member (list 'a) '(b (a) c)) => ((a) c)
(member "B" '("a" "b" "c") string-ci=?) => ("b" "c")
(memv 101 '(100 101 102)) => (101 102)
(memv 1.5 '(1 1.5 2)) => (1.5 2)
(member 2.0 (list 1 2 3) =) => (2 3)
(memq 'x 5) =raises> ""
(define e '((a 1) (b 2) (c 3)))
(assq 'a e) => (a 1)
(assq 'b e) => (b 2)
(assq 'd e) => #f
(assq (list 'a) '(((a)) ((b)) ((c)))) => #f
(assoc (list 'a) '(((a)) ((b)) ((c)))) => ((a))
(assoc 2.0 '((1 1) (2 4) (3 9)) =) => (2 4)
(assv 5 '((2 3) (5 7) (11 13))) => (5 7)
(assq 'a '(1)) =raises> ""
(define a '(1 8 2 8))
(define b (list-copy a))
(begin (set-car! b 3) b) => (3 8 2 8)
a => (1 8 2 8)
(list-copy 5) => 5
(list-copy '()) => ()
(list-copy '(1 2 . 3)) => (1 2 . 3)
(let* ((l (list 1 2)) (c (list-copy l))) (eq? l c)) => #f

;; 6.5 symbols
(symbol? 'foo) => #t
(symbol? (car '(a b))) => #t
(symbol? "bar") => #f
(symbol? 'nil) => #t
(symbol? '()) => #f
(symbol? #f) => #f
(symbol=? 'a 'a) => #t
(symbol=? 'a 'a 'a) => #t
(symbol=? 'a 'a 'b) => #f
(symbol=? 'a "a") =raises> ""
(symbol->string 'flying-fish) => "flying-fish"
(symbol->string 'Martin) => "Martin"
(symbol->string (string->symbol "Malvina")) => "Malvina"
(symbol->string 5) =raises> ""
(string->symbol "mISSISSIppi") => mISSISSIppi
(eqv? 'bitBlt (string->symbol "bitBlt")) => #t
(eqv? 'LollyPop (string->symbol (symbol->string 'LollyPop))) => #t
(string=? "K. Harper, M.D." (symbol->string (string->symbol "K. Harper, M.D."))) => #t
(string->symbol 'a) =raises> ""

;; 6.6 characters
(char? #\a) => #t
(char? "a") => #f
(char=? #\a #\a #\a) => #t
(char<? #\a #\b #\c) => #t
(char<? #\a #\c #\b) => #f
(char>? #\c #\b #\a) => #t
(char<=? #\a #\a #\b) => #t
(char>=? #\b #\a #\a) => #t
(char=? #\a 1) =raises> ""
(char-ci=? #\a #\A) => #t
(char-ci<? #\a #\B) => #t
(char-ci>? #\B #\a) => #t
(char-ci<=? #\A #\a #\B) => #t
(char-ci>=? #\b #\B #\a) => #t
(char-ci=? #\ς #\σ #\Σ) => #t
(char-alphabetic? #\a) => #t
(char-alphabetic? #\λ) => #t
(char-alphabetic? #\1) => #f
(char-alphabetic? #\space) => #f
(char-alphabetic? #\中) => #t
(char-numeric? #\1) => #t
(char-numeric? #\a) => #f
(char-numeric? #\x0664) => #t
(char-whitespace? #\space) => #t
(char-whitespace? #\newline) => #t
(char-whitespace? #\xA0) => #t
(char-whitespace? #\a) => #f
(char-upper-case? #\A) => #t
(char-upper-case? #\a) => #f
(char-upper-case? #\Σ) => #t
(char-lower-case? #\a) => #t
(char-lower-case? #\ß) => #t
(char-lower-case? #\A) => #f
(char-lower-case? #\1) => #f
(digit-value #\3) => 3
(digit-value #\x0664) => 4
(digit-value #\x0AE6) => 0
(digit-value #\x0EA6) => #f
(digit-value #\a) => #f
(char->integer #\A) => 65
(integer->char 955) => #\λ
(integer->char #x10FFFF) => #\x10ffff
(integer->char #xD800) =raises> ""
(integer->char #x110000) =raises> ""
(integer->char -1) =raises> ""
(char->integer (integer->char 5000)) => 5000
(char-upcase #\i) => #\I
(char-downcase #\I) => #\i
(char-foldcase #\A) => #\a
(char-foldcase #\Σ) => #\σ
(char-foldcase #\ς) => #\σ
(char-upcase #\ß) => #\ß
(char-upcase #\ÿ) => #\Ÿ
(char-downcase #\Σ) => #\σ
(char-upcase #\1) => #\1
(char-upcase "a") =raises> ""
