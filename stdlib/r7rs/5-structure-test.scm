;; 5.1, 5.2: imports
(import (scheme base) (scheme write) (prefix (only (scheme char) char-upcase char-downcase) c:) (rename (scheme inexact) (sqrt root)))
(c:char-upcase #\a) => #\A
(root 16) => 4
(import (except (scheme cxr) caaar))
(caddr '(1 2 3)) => 3
(import (only (prefix (rename (scheme lazy) (delay later)) l:) l:later l:force))
(l:force (l:later 3)) => 3
(import (only (scheme base) no-such-name)) =rejects> "no-such-name"
(import (no such library)) =rejects> "no such library"
(import (except (scheme lazy) no-such-name)) =rejects> "no-such-name"
(import (rename (scheme lazy) (no-such-name x))) =rejects> "no-such-name"

;; 5.3.1 top level definitions
(define add3 (lambda (x) (+ x 3)))
(add3 3) => 6
(define first car)
(first '(1 2)) => 1
(define (add4 x) (+ x 4))
(add4 1) => 5
(define (all . x) x)
(all 1 2) => (1 2)
(define (one x . more) (list x more))
(one 1 2 3) => (1 (2 3))
(define add3 (lambda (x) (+ x 30)))
(add3 3) => 33
(define) =rejects> "define"
(define 1 2) =rejects> "define"
(define x 1 2) =rejects> "define"

;; 5.3.2 internal definitions
(let ((x 5)) (define foo (lambda (y) (bar x y))) (define bar (lambda (a b) (+ (* a b) a))) (foo (+ x 3))) => 45
(let ((x 5)) (define (e? n) (if (= n 0) #t (o? (- n 1)))) (define (o? n) (if (= n 0) #f (e? (- n 1)))) (list (e? 100) (o? 100))) => (#t #f)
(let () (define a 1) (define b (+ a 1)) (* b 10)) => 20
(let () (begin (define a 1)) (begin (define b 2)) (+ a b)) => 3
(let () (define x 1) (define x 2) x) =rejects> "x"
(let () (define a b) (define b 1) a) =raises> ""
(define (internal) (define x 1) (set! x (+ x 1)) x)
(internal) => 2
(let () (define x 1) (let () (define x 2) x) x) => 1
(when #t (let () (define x 3) x)) => 3
(let-values (((a) (values 1))) (define b 2) (+ a b)) => 3
(do ((i 0 (+ i 1))) ((= i 1) (let () (define z 9) z))) => 9
(parameterize () (define q 4) q) => 4
(guard (e (#t e)) (let () (define q 4) q)) => 4
(case-lambda-less 1) =raises> ""

;; 5.3.3 multiple-value definitions
(define-values (x y) (exact-integer-sqrt 17))
(list x y) => (4 1)
(let () (define-values (x y) (values 1 2)) (+ x y)) => 3
(define-values (a . b) (values 1 2 3))
(list a b) => (1 (2 3))
(define-values all (values 1 2))
all => (1 2)
(define-values () (values))
(let () (define-values (a b . c) (values 1 2 3 4)) (list a b c)) => (1 2 (3 4))
(let () (define-values (a) (values 1)) (define-values b (values a 2)) b) => (1 2)
(let () (define-values (a b) (values 1)) a) =raises> ""

;; 5.4 syntax definitions
(let ((x 1) (y 2)) (define-syntax swap! (syntax-rules () ((swap! a b) (let ((tmp a)) (set! a b) (set! b tmp))))) (swap! x y) (list x y)) => (2 1)
(let () (define-syntax one (syntax-rules () ((_) 1))) (define x (one)) (+ x (one))) => 2
(let () (define (f) (m)) (define-syntax m (syntax-rules () ((_) 'late))) (f)) => late

;; 5.5 records
(define-record-type <pare> (kons x y) pare? (x kar set-kar!) (y kdr))
(pare? (kons 1 2)) => #t
(pare? (cons 1 2)) => #f
(kar (kons 1 2)) => 1
(kdr (kons 1 2)) => 2
(let ((k (kons 1 2))) (set-kar! k 3) (kar k)) => 3
(kar 5) =raises> ""
(kar '(1 . 2)) =raises> ""
(set-kar! 5 1) =raises> ""
(kons 1) =raises> ""
(pair? (kons 1 2)) => #f
(vector? (kons 1 2)) => #f
(procedure? kons) => #t
(define-record-type thing (make-thing b) thing? (a thing-a set-thing-a!) (b thing-b))
(let ((t (make-thing 2))) (set-thing-a! t 1) (list (thing-a t) (thing-b t))) => (1 2)
(define-record-type empty (make-empty) empty?)
(empty? (make-empty)) => #t
(empty? (kons 1 2)) => #f
(eqv? (make-empty) (make-empty)) => #f
(let ((x (kons 1 2))) (eqv? x x)) => #t
(equal? (kons 1 2) (kons 1 2)) => #f
(define-record-type a1 (make-a1 x) a1? (x a1-x))
(define old (make-a1 1))
(define-record-type a1 (make-a1 x) a1? (x a1-x))
(a1? old) => #f
(a1-x old) =raises> ""
(let () (define-record-type local (make-local x) local? (x local-x)) (local-x (make-local 3))) => 3
(define-record-type <r> #f r?)
(r? 1) => #f
(define-record-type bad (make-bad z) bad? (x bad-x)) =rejects> "z"

;; 5.6 libraries
(define-library (stack) (export make push! pop! empty!) (import (scheme base)) (begin (define (make) (list '())) (define (push! s v) (set-car! s (cons v (car s)))) (define (pop! s) (let ((v (caar s))) (set-car! s (cdar s)) v)) (define (empty! s) (set-car! s '()))))
(import (prefix (stack) stack:))
(let ((s (stack:make))) (stack:push! s 1) (stack:push! s 2) (let* ((a (stack:pop! s)) (b (stack:pop! s))) (list a b))) => (2 1)
(define-library (renames) (import (scheme base)) (export (rename inner outer) count! get) (begin (define n 0) (define (count!) (set! n (+ n 1))) (define (get) n)) (begin (define inner 'renamed)))
(import (renames))
outer => renamed
(begin (count!) (count!) (get)) => 2
(define-library (with syntax) (export my-if) (import (scheme base)) (begin (define-syntax my-if (syntax-rules () ((_ a b c) (helper a b c)))) (define-syntax helper (syntax-rules () ((_ a b c) (cond (a b) (else c)))))))
(import (with syntax))
(let ((cond list) (else #f)) (my-if #t 1 2)) => 1
helper =raises> "is not defined"
(define-library (numbered 1 2) (export x) (import (scheme base)) (begin (define x 'numbered)))
(import (rename (numbered 1 2) (x numbered-x)))
numbered-x => numbered
(define-library (conditional) (export which) (import (scheme base)) (cond-expand (r7rs (begin (define which 'r7rs))) (else (begin (define which 'other)))))
(import (conditional))
which => r7rs
(define-library (cond export) (cond-expand ((library (scheme base)) (import (scheme base)) (export z)) (else (export none))) (begin (define z 'z)))
(import (cond export))
z => z
(define-library (missing export) (export nowhere) (import (scheme base))) =rejects> "nowhere"
(define-library (missing import) (export a) (begin (define a (car '(1))))) =rejects> ""
(define-library (twice) (export t) (import (scheme base)) (begin (define t (list 1))))
(import (twice) (prefix (twice) again-))
(eq? t again-t) => #t
(define-library (life) (export life-rows) (import (except (scheme base) set!) (scheme write)) (begin (define (life-rows) (vector-length (make-vector 3)))))
(import (life))
(life-rows) => 3

;; 4.1.7 include reads beside the program
(include "no-such-file.scm") =rejects> ""
(include-ci "no-such-file.scm") =rejects> ""
(include) =rejects> "include"
(include 5) =rejects> "include"
