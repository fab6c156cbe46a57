(import (scheme base) (scheme write))

;; 4.1.1 variable references
(define x 28)
x => 28
undefined-variable =raises> "is not defined"

;; 4.1.2 literals
(quote a) => a
(quote #(a b c)) => #(a b c)
(quote (+ 1 2)) => (+ 1 2)
'a => a
'#(a b c) => #(a b c)
'() => ()
'(+ 1 2) => (+ 1 2)
'(quote a) => (quote a)
''a => (quote a)
'145932 => 145932
145932 => 145932
'"abc" => "abc"
"abc" => "abc"
'#\a => #\a
#\a => #\a
'#(a 10) => #(a 10)
#(a 10) => #(a 10)
'#u8(64 65) => #u8(64 65)
#u8(64 65) => #u8(64 65)
'#t => #t
#t => #t
#true => #t
#false => #f
(set-car! '(1) 2) =raises> "literal"
(vector-set! '#(1) 0 2) =raises> "literal"
(string-set! "abc" 0 #\x) =raises> "literal"
(bytevector-u8-set! #u8(1) 0 2) =raises> "literal"
(string-set! (symbol->string 'immutable) 0 #\?) =raises> "string-set!"

;; 4.1.3 procedure calls
(+ 3 4) => 7
((if #f + *) 3 4) => 12
(3 4) =raises> "no procedure: 3"
((lambda (x) x)) =raises> "argument"
((lambda (x) x) 1 2) =raises> "argument"
() =rejects> "()"
(+ 1 . 2) =rejects> ""

;; 4.1.4 procedures
(procedure? (lambda (x) (+ x x))) => #t
((lambda (x) (+ x x)) 4) => 8
(define reverse-subtract (lambda (x y) (- y x)))
(reverse-subtract 7 10) => 3
(define add4 (let ((x 4)) (lambda (y) (+ x y))))
(add4 6) => 10
((lambda x x) 3 4 5 6) => (3 4 5 6)
((lambda (x y . z) z) 3 4 5 6) => (5 6)
((lambda (x y . z) z) 3 4) => ()
((lambda x x)) => ()
(lambda (x x) x) =rejects> "x"
(lambda (x . x) x) =rejects> "x"
(lambda (1) x) =rejects> ""
(lambda (x)) =rejects> ""
(let ((f (lambda (x) x))) (eq? f f)) => #t

;; 4.1.5 conditionals
(if (> 3 2) 'yes 'no) => yes
(if (> 2 3) 'yes 'no) => no
(if (> 3 2) (- 3 2) (+ 3 2)) => 1
(if '() 1 2) => 1
(if 0 1 2) => 1
(if "" 1 2) => 1
(if) =rejects> "if"
(if 1 2 3 4) =rejects> "if"

;; 4.1.6 assignments
(define x 2)
(+ x 1) => 3
(set! x 4)
(+ x 1) => 5
(set! not-defined-anywhere 1) =raises> "is not defined"
(set! 1 2) =rejects> "set!"
(set! x) =rejects> "set!"

;; 4.1.7 inclusion is tested where there are files

;; 4.2.1 is with the derived forms
