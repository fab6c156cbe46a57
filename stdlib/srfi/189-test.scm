(import (scheme base) (scheme write) (srfi 189))

;; What is inside, to be written.
(define (show x)
  (cond ((just? x) (cons 'just (maybe->list x)))
        ((nothing? x) 'nothing)
        ((right? x) (cons 'right (either->list x)))
        ((left? x) (cons 'left (either->list (either-swap x))))
        (else x)))
(define-syntax vals (syntax-rules () ((_ e) (call-with-values (lambda () e) list))))

(map show (list (just 1 2) (just) (nothing) (right 1) (left 1 2))) => ((just 1 2) (just) nothing (right 1) (left 1 2))
(map show (list (list->just '(1 2)) (list->right '(1)) (list->left '()))) => ((just 1 2) (right 1) (left))
(list->just 5) =raises> "list->just: argument 1 must be a list"
(list->right 5) =raises> "list->right: argument 1 must be a list"
(list->left 5) =raises> "list->left: argument 1 must be a list"
(map show (list (maybe->either (just 1) 'x) (maybe->either (nothing) 'x 'y))) => ((right 1) (left x y))
(maybe->either 5) =raises> "maybe->either: argument 1 must be a Maybe"
(map show (list (either->maybe (right 1)) (either->maybe (left 1)))) => ((just 1) nothing)
(either->maybe 5) =raises> "either->maybe: argument 1 must be an Either"
(map show (list (either-swap (right 1)) (either-swap (left 1 2)))) => ((left 1) (right 1 2))
(either-swap 5) =raises> "either-swap: argument 1 must be an Either"
(map (lambda (x) (list (just? x) (nothing? x) (maybe? x) (right? x) (left? x) (either? x))) (list (just 1) (nothing) (right 1) (left 1) 5))
=> ((#t #f #t #f #f #f) (#f #t #t #f #f #f) (#f #f #f #t #f #t) (#f #f #f #f #t #t) (#f #f #f #f #f #f))
(list (maybe= = (just 1 2) (just 1 2) (just 1 2)) (maybe= = (just 1) (just 1 2)) (maybe= = (nothing) (nothing)) (maybe= = (nothing) (just 1))) => (#t #f #t #f)
(maybe= = 5) =raises> "maybe=: argument 2 must be a Maybe"
(list (either= = (right 1) (right 1)) (either= = (right 1) (left 1)) (either= = (left 1) (left 1) (left 2))) => (#t #f #f)
(either= = (left) 5) =raises> "either=: argument 3 must be an Either"

(list (maybe-ref (just 1 2) list +) (maybe-ref (nothing) (lambda () 'none)) (maybe-ref (just 5) list)) => (3 none 5)
(maybe-ref 5 list) =raises> "maybe-ref: argument 1 must be a Maybe"
(list (either-ref (right 1 2) list +) (either-ref (left 1 2) list) (either-ref (right 5) list)) => (3 (1 2) 5)
(either-ref 5 list) =raises> "either-ref: argument 1 must be an Either"
(list (maybe-ref/default (just 1) 2) (vals (maybe-ref/default (nothing) 2 3))) => (1 (2 3))
(maybe-ref/default 5 1) =raises> "maybe-ref/default: argument 1"
(list (either-ref/default (right 1) 2) (vals (either-ref/default (left 1) 2 3))) => (1 (2 3))
(either-ref/default 5 1) =raises> "either-ref/default: argument 1"
(map show (list (maybe-join (just (just 1))) (maybe-join (nothing)))) => ((just 1) nothing)
(maybe-join (just 1 2)) =raises> "maybe-join: the payload must be one value"
(map show (list (either-join (right (left 1))) (either-join (left 2)))) => ((left 1) (left 2))
(either-join (right 1)) =raises> "either-join: argument 1 must be an Either"
(define (half x) (if (even? x) (just (quotient x 2)) (nothing)))
(define (halve x) (if (even? x) (right (quotient x 2)) (left x)))
(map show (list (maybe-bind (just 8) half half) (maybe-bind (just 6) half half half) (maybe-bind (nothing) half))) => ((just 2) nothing nothing)
(maybe-bind 5 half) =raises> "maybe-bind: argument 1 must be a Maybe"
(map show (list (either-bind (right 8) halve halve) (either-bind (right 6) halve halve) (either-bind (left 1) halve))) => ((right 2) (left 3) (left 1))
(either-bind 5 halve) =raises> "either-bind: argument 1 must be an Either"
(map show (list ((maybe-compose half half) 8) ((maybe-compose half) 3))) => ((just 2) nothing)
((maybe-compose - half) 3) =raises> "maybe-bind: argument 1 must be a Maybe"
(map show (list ((either-compose halve halve) 8) ((either-compose halve halve) 6))) => ((right 2) (left 3))
((either-compose - halve) 3) =raises> "either-bind: argument 1 must be an Either"

(map maybe-length (list (just 1 2) (nothing))) => (1 0)
(maybe-length 5) =raises> "maybe-length: argument 1"
(map either-length (list (right 1 2) (left 1))) => (1 0)
(either-length 5) =raises> "either-length: argument 1"
(map show (list (maybe-filter even? (just 2)) (maybe-filter even? (just 1)) (maybe-filter even? (nothing)))) => ((just 2) nothing nothing)
(maybe-filter even? 5) =raises> "maybe-filter: argument 2 must be a Maybe"
(map show (list (maybe-remove even? (just 2)) (maybe-remove even? (just 1)))) => (nothing (just 1))
(maybe-remove even? 5) =raises> "maybe-remove: argument 2 must be a Maybe"
(map show (list (either-filter even? (right 2) 'x) (either-filter even? (right 1) 'x 'y) (either-filter even? (left 1) 'x))) => ((right 2) (left x y) (left x))
(either-filter even? 5) =raises> "either-filter: argument 2 must be an Either"
(map show (list (either-remove even? (right 2) 'x) (either-remove even? (right 1) 'x))) => ((left x) (right 1))
(either-remove even? 5) =raises> "either-remove: argument 2 must be an Either"
(map show (list (maybe-sequence (list (just 1 2) (just 3)) map) (maybe-sequence (list (just 1) (nothing)) map) (maybe-sequence (vector (just 1 2)) vector-map +)))
=> ((just ((1 2) (3))) nothing (just #(3)))
(maybe-sequence '(5) map) =raises> "maybe-ref: argument 1 must be a Maybe"
(map show (list (either-sequence (list (right 1 2) (right 3)) map) (either-sequence (list (right 1) (left 2)) map) (either-sequence (vector (right 1 2)) vector-map +)))
=> ((right ((1 2) (3))) (left 2) (right #(3)))
(either-sequence '(5) map) =raises> "either-ref: argument 1 must be an Either"

(map maybe->list (list (just 1 2) (nothing))) => ((1 2) ())
(maybe->list 5) =raises> "maybe->list: argument 1"
(map either->list (list (right 1 2) (left 1))) => ((1 2) ())
(either->list 5) =raises> "either->list: argument 1"
(map show (list (list->maybe '(1 2)) (list->maybe '()))) => ((just 1 2) nothing)
(list->maybe 5) =raises> "list->maybe: argument 1 must be a list"
(map show (list (list->either '(1 2) 'x) (list->either '() 'x))) => ((right 1 2) (left x))
(list->either 5) =raises> "list->either: argument 1 must be a list"
(map maybe->truth (list (just 1) (nothing))) => (1 #f)
(maybe->truth (just 1 2)) =raises> "maybe->truth: the payload must be one value"
(map either->truth (list (right 1) (left 1))) => (1 #f)
(either->truth (right)) =raises> "either->truth: the payload must be one value"
(map show (list (truth->maybe 1) (truth->maybe #f))) => ((just 1) nothing)
(map show (list (truth->either 1 'x) (truth->either #f 'x))) => ((right 1) (left x))
(map maybe->list-truth (list (just 1 2) (nothing))) => ((1 2) #f)
(maybe->list-truth 5) =raises> "maybe->list-truth: argument 1"
(map either->list-truth (list (right 1 2) (left 1))) => ((1 2) #f)
(either->list-truth 5) =raises> "either->list-truth: argument 1"
(map show (list (list-truth->maybe '(1 2)) (list-truth->maybe #f))) => ((just 1 2) nothing)
(list-truth->maybe 5) =raises> "must be a list"
(map show (list (list-truth->either '(1 2) 'x) (list-truth->either #f 'x))) => ((right 1 2) (left x))
(list-truth->either 5) =raises> "must be a list"
(list (maybe->generation (just 1)) (eof-object? (maybe->generation (nothing)))) => (1 #t)
(maybe->generation (just 1 2)) =raises> "maybe->generation: the payload must be one value"
(list (either->generation (right 1)) (eof-object? (either->generation (left 1)))) => (1 #t)
(either->generation (right 1 2)) =raises> "either->generation: the payload must be one value"
(map show (list (generation->maybe 1) (generation->maybe (eof-object)))) => ((just 1) nothing)
(map show (list (generation->either 1 'x) (generation->either (eof-object) 'x))) => ((right 1) (left x))
(list (vals (maybe->values (just 1 2))) (vals (maybe->values (nothing)))) => ((1 2) ())
(maybe->values 5) =raises> "argument 1 must be a Maybe"
(list (vals (either->values (right 1 2))) (vals (either->values (left 1)))) => ((1 2) ())
(either->values 5) =raises> "argument 1 must be an Either"
(map show (list (values->maybe (lambda () (values 1 2))) (values->maybe values))) => ((just 1 2) nothing)
(values->maybe 5) =raises> "5"
(map show (list (values->either (lambda () (values 1 2)) 'x) (values->either values 'x))) => ((right 1 2) (left x))
(values->either 5) =raises> "5"
(list (vals (maybe->two-values (just 1))) (vals (maybe->two-values (nothing)))) => ((1 #t) (#f #f))
(maybe->two-values (just)) =raises> "maybe->two-values: the payload must be one value"
(map show (list (two-values->maybe (lambda () (values 1 #t))) (two-values->maybe (lambda () (values 1 #f))))) => ((just 1) nothing)
(two-values->maybe (lambda () 1)) =raises> "takes 2 arguments"
(map show (list (exception->either symbol? (lambda () (raise 'oops))) (exception->either symbol? (lambda () (values 1 2))))) => ((left oops) (right 1 2))
(exception->either string? (lambda () (raise 'oops))) =raises> "oops"

(map show (list (maybe-map + (just 1 2)) (maybe-map values (just 1 2)) (maybe-map + (nothing)))) => ((just 3) (just 1 2) nothing)
(maybe-map + 5) =raises> "maybe-map: argument 2 must be a Maybe"
(map show (list (either-map + (right 1 2)) (either-map + (left 1)))) => ((right 3) (left 1))
(either-map + 5) =raises> "either-map: argument 2 must be an Either"
(let ((l '())) (maybe-for-each (lambda (x) (set! l (cons x l))) (just 1)) (maybe-for-each car (nothing)) l) => (1)
(maybe-for-each car 5) =raises> "maybe-for-each: argument 2"
(let ((l '())) (either-for-each (lambda (x) (set! l (cons x l))) (right 1)) (either-for-each car (left 2)) l) => (1)
(either-for-each car 5) =raises> "either-for-each: argument 2"
(list (maybe-fold list 'z (just 1 2)) (maybe-fold list 'z (nothing))) => ((1 2 z) z)
(maybe-fold list 'z 5) =raises> "maybe-fold: argument 3 must be a Maybe"
(list (either-fold list 'z (right 1 2)) (either-fold list 'z (left 1))) => ((1 2 z) z)
(either-fold list 'z 5) =raises> "either-fold: argument 3 must be an Either"
(map show (list (maybe-unfold (lambda (x) (> x 1)) - (lambda (x) (+ x 1)) 1) (maybe-unfold (lambda (x) (> x 1)) - list 2))) => ((just -1) nothing)
(maybe-unfold (lambda (x) #f) - - 1) =raises> "maybe-unfold: there must be one value only"
(map show (list (either-unfold (lambda (x) (> x 1)) - (lambda (x) (+ x 1)) 1) (either-unfold (lambda (x) (> x 1)) - list 2))) => ((right -1) (left 2))
(either-unfold (lambda (x) #f) - - 1) =raises> "either-unfold: there must be one value only"

(list (maybe-if (just 1) 'yes 'no) (maybe-if (nothing) 'yes 'no)) => (yes no)
(maybe-if 5 1 2) =raises> "maybe-if: argument 1 must be a Maybe"
(map show (list (maybe-and (just 1) (just 2)) (maybe-and (just 1) (nothing) (car 5)) (maybe-and))) => ((just 2) nothing (just #t))
(maybe-and 5 (just 1)) =raises> "maybe-and: argument 1 must be a Maybe"
(map show (list (maybe-or (nothing) (just 2) (car 5)) (maybe-or (nothing) (nothing)) (maybe-or))) => ((just 2) nothing nothing)
(maybe-or 5) =raises> "maybe-or: argument 1 must be a Maybe"
(define m (just 7))
(map show (list (maybe-let* ((x (just 1)) m ((just 5)) (y (just (+ x 1)))) (define z 3) (+ x y z)) (maybe-let* ((x (nothing)) (y (car 5))) x)
                (maybe-let* ((x (just 1)) (y (just 2)))) (maybe-let* ()) (maybe-let* () 1)))
=> ((just 6) nothing (just 2) (just #t) (just 1))
(maybe-let* ((x 5)) x) =raises> "must be a Maybe"
(maybe-let* ((x (just 1 2))) x) =raises> "the payload must be one value"
(map show (list (maybe-let*-values (((a b) (just 1 2)) (c (just 3)) m) (values a b c)) (maybe-let*-values (((a) (nothing))) a))) => ((just 1 2 (3)) nothing)
(maybe-let*-values (((a) (just 1 2))) a) =raises> "takes 1 argument"
(map show (list (either-and (right 1) (right 2)) (either-and (left 1) (car 5)) (either-and))) => ((right 2) (left 1) (right #t))
(either-and 5) =raises> "either-and: argument 1 must be an Either"
(map show (list (either-or (left 1) (right 2) (car 5)) (either-or (left 1) (left 2)) (left? (either-or)))) => ((right 2) (left 2) #t)
(either-or 5) =raises> "either-or: argument 1 must be an Either"
(map show (list (either-let* ((x (right 1)) ((right 5)) (y (right (+ x 1)))) (+ x y)) (either-let* ((x (left 1)) (y (car 5))) x))) => ((right 3) (left 1))
(either-let* ((x 5)) x) =raises> "must be an Either"
(map show (list (either-let*-values (((a . b) (right 1 2 3))) (list a b)) (either-let*-values (((a) (left 1))) a))) => ((right (1 (2 3))) (left 1))
(either-let*-values (((a) (right 1 2))) a) =raises> "takes 1 argument"
(map show (list (either-guard symbol? (raise 'oops)) (either-guard symbol? 1 2))) => ((left oops) (right 2))
(either-guard string? (raise 'oops)) =raises> "oops"

(define t (just 1))
(define f (just #f))
(define n (nothing))
(map show (map tri-not (list t f n))) => ((just #f) (just #t) nothing)
(tri-not 5) =raises> "must be a Maybe"
(map show (list (tri=? t (just 2)) (tri=? f f f) (tri=? t f) (tri=? n n) (tri=? t n))) => ((just #t) (just #t) (just #f) (just #f) (just #f))
(tri=? t 5) =raises> "tri=?: argument 3 must be a Maybe"
(map show (list (tri-and t t) (tri-and t n f) (tri-and f n) (tri-and))) => ((just #t) nothing (just #f) (just #t))
(tri-and 5) =raises> "tri-and: argument 1 must be a Maybe"
(map show (list (tri-or f t) (tri-or f n t) (tri-or f f) (tri-or))) => ((just 1) nothing (just #f) (just #f))
(tri-or 5) =raises> "tri-or: argument 1 must be a Maybe"
(map show (list (tri-merge n t f) (tri-merge n n) (tri-merge))) => ((just 1) nothing nothing)
(tri-merge 5) =raises> "tri-merge: argument 1 must be a Maybe"
