(import (scheme base) (scheme write) (scheme read) (scheme inexact) (scheme complex) (srfi 69))

(define (twice x) (+ x x))
(define (less? x y) (< x y))
(define (same? x y) (= x y))
(define (one? x) (= x 1))

;; literals are written as they are read
'(+i -i 1+2i 1/2-3/4i +2.5i -1.5+0.0i +inf.0i 1.0-inf.0i) => (+i -i 1+2i 1/2-3/4i +2.5i -1.5+0.0i +inf.0i 1.0-inf.0i)
(list 1+0i 1.5+2i #e1.5+2.5i #i1+2i #x-a+fi 2@0) => (1 1.5+2.0i 3/2+5/2i 1.0+2.0i -10+15i 2)
(quote |+i|) => |+i|
(symbol? '1+i2) => #t
(read (open-input-string "(1+i . -i)")) => (1+i . -i)
(number->string 10+255i 16) => "a+ffi"
(string->number "a+ffi" 16) => 10+255i
(string->number "1+2") => #f
(string->number "1+1/0i") => #f

;; parts
(make-rectangular 1 2) => 1+2i
(make-rectangular 1 0) => 1
(make-rectangular 1 2.0) => 1.0+2.0i
(make-rectangular 0 2.0) => +2.0i
(make-polar 3 0) => 3
(map (lambda (z) (list (real-part z) (imag-part z) (magnitude z))) '(3+4i 1.5 -2 +2.0i)) => ((3 4 5) (1.5 0 1.5) (-2 0 2) (0 2.0 2.0))
(angle +i) => 1.5707963267948966
(angle -1) => 3.141592653589793
(make-rectangular 1+i 2) =raises> "must be a real number"

;; classes
(map (lambda (z) (list (number? z) (complex? z) (real? z) (rational? z) (integer? z) (exact? z))) '(1+2i 1.0+0.0i 1+0i))
  => ((#t #t #f #f #f #t) (#t #t #f #f #f #f) (#t #t #t #t #t #t))
(map zero? '(0.0+0.0i 0+1.0i)) => (#t #f)
(map finite? (list 1+i (make-rectangular 1.0 +inf.0))) => (#t #f)
(map exact-integer? '(1+i 2)) => (#f #t)

;; arithmetic, as instructions and as procedures
(twice 1+2i) => 2+4i
(list (+ 1+2i 1-2i) (- 1+2i 1) (- 1+2i) (* 1+2i 1-2i) (/ 1+2i 3-4i) (/ +i) (* 2 1.5+i)) => (2 +2i -1-2i 5 -1/5+2/5i -i 3.0+2.0i)
(apply + '(1+i 1+i)) => 2+2i
(apply * '(+i +i)) => -1
(/ 1+i 0) =raises> "division by zero"
(exact 1.5+2.0i) => 3/2+2i
(inexact 1/2+2i) => 0.5+2.0i
(exact (make-rectangular 1.0 +inf.0)) =raises> ""

;; equivalence
(list (same? 1+2i 1+2i) (same? 1+2i 1.0+2.0i) (same? 1+2i 1) (one? 1+i) (apply = '(+i +i +i))) => (#t #t #f #f #t)
(list (eqv? 1+2i (+ 1 +2i)) (eqv? 1+2i 1.0+2.0i) (equal? '(1/2+i) (list (+ 1/2 +i))) (eqv? 1.0+0.0i 1.0-0.0i)) => (#t #f #t #f)
(let ((h (make-hash-table eqv?))) (hash-table-set! h 1+2i 'a) (hash-table-set! h 1.5+2.0i 'b) (map (lambda (k) (hash-table-ref/default h k #f)) (list (+ 1 +2i) (+ 1.5 +2.0i) 1+3i)))
  => (a b #f)
(case (* +i 1+i) ((-1+i) 'yes) (else 'no)) => yes
(let-syntax ((i? (syntax-rules () ((_ +i) #t) ((_ z) #f)))) (list (i? +i) (i? -i))) => (#t #f)

;; there is no order
(less? 1+i 2) =raises> "<: argument 1 must be a real number"
(less? 1 +i) =raises> "<: argument 2 must be a real number"
(apply < '(1 +i)) =raises> "<: every argument must be a real number"
(max 1 +i) =raises> "max: argument 2 must be a real number"
(floor 1.5+i) =raises> "floor: argument 1 must be a real number"
(quotient 1+i 2) =raises> "must be an integer"
(even? +i) =raises> "real"
(abs 1+i) =raises> "real"
(bitwise-and 1+i 1) =raises> ""
(exact-integer-sqrt +i) =raises> ""
(vector-ref #(1) +i) =raises> ""

;; roots and powers
(map sqrt '(-4 -1 -2.25 3+4i -3-4i -1/4 +2i)) => (+2i +i +1.5i 2+i 1-2i +1/2i 1+i)
(expt +i 1000000000000000000000000000000000000002) => -1
(list (expt 1+i 8) (expt 1+i -2) (expt 1+i 0) (expt -4 1/2)) => (16 -1/2i 1 +2i)
(expt 1+i 1000000000000) =raises> ""
(log -1) => +3.141592653589793i
(log -1.0) => 0.0+3.141592653589793i
(exp 0+0i) => 1
(define (close? a b) (< (magnitude (- a b)) 1e-12))
(close? (exp (make-rectangular 0 3.141592653589793)) -1) => #t
(map close? (map log (list 1+i -i (exp 1+i))) '(0.34657359027997264+0.7853981633974483i -1.5707963267948966i 1.0+1.0i)) => (#t #t #t)
(map (lambda (f g) (close? (f (g 0.3-0.4i)) 0.3-0.4i)) (list sin cos tan) (list asin acos atan)) => (#t #t #t)
(map (lambda (x z) (close? (asin x) z)) '(2 -2) '(1.5707963267948966-1.3169578969248166i -1.5707963267948966+1.3169578969248166i)) => (#t #t)
(map (lambda (x z) (close? (acos x) z)) '(2 -2) '(+1.3169578969248166i 3.141592653589793-1.3169578969248166i)) => (#t #t)
(close? (expt -8 1/3) 1.0+1.7320508075688772i) => #t
(close? (expt 2 +i) 0.7692389013639721+0.6389612763136348i) => #t
(close? (make-polar 2 1) 1.0806046117362795+1.682941969615793i) => #t
(atan +i) =raises> ""
