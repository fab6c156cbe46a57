(import (scheme base) (scheme write) (srfi 41))

(define (first n s) (stream->list n s))
(define nats (stream-from 0))
(define-stream (evens-of s) (stream-filter even? s))

;; ---- the primitives ----
(map stream? (list stream-null nats '())) => (#t #t #f)
(map stream-null? (list stream-null nats '())) => (#t #f #f)
(map stream-pair? (list stream-null nats '())) => (#f #t #f)
(let ((s (stream-cons 1 (stream-cons 2 stream-null)))) (list (stream-car s) (stream-car (stream-cdr s)) (stream-null? (stream-cdr (stream-cdr s))))) => (1 2 #t)
(stream-car (stream-cdr (stream-cons (car 1) (stream-cons 2 (car 2))))) => 2
(let* ((n 0) (s (stream-cons (begin (set! n (+ n 1)) n) stream-null))) (list (stream-car s) (stream-car s))) => (1 1)
(letrec ((iter (stream-lambda (f x) (stream-cons x (iter f (f x)))))) (first 3 (iter (lambda (x) (* 2 x)) 1))) => (1 2 4)

;; ---- the derived ----
(first 4 (evens-of nats)) => (0 2 4 6)
(stream->list (list->stream '(a b))) => (a b)
(stream->list (port->stream (open-input-string "ab"))) => (#\a #\b)
(stream->list (stream 1 (+ 1 1))) => (1 2)
(stream->list 2 (stream 1 2 3)) => (1 2)
(stream->list (stream-append (stream 1) stream-null (stream 2 3))) => (1 2 3)
(first 3 (stream-append nats (car 1))) =raises> "pair"
(stream->list (stream-concat (stream (stream 1 2) stream-null (stream 3)))) => (1 2 3)
(first 5 (stream-constant 1 2)) => (1 2 1 2 1)
(first 2 (stream-drop 3 nats)) => (3 4)
(first 2 (stream-drop-while (lambda (x) (< x 5)) nats)) => (5 6)
(first 3 (stream-filter odd? nats)) => (1 3 5)
(stream-fold + 0 (stream 1 2 3)) => 6
(let ((l '())) (stream-for-each (lambda (x y) (set! l (cons (list x y) l))) nats (stream 'a 'b)) l) => ((1 b) (0 a))
(list (first 3 (stream-from 1 1/2)) (first 2 (stream-from 5))) => ((1 3/2 2) (5 6))
(first 4 (stream-iterate (lambda (x) (* 2 x)) 1)) => (1 2 4 8)
(stream-length (stream-range 0 1000)) => 1000
(first 3 (stream-let loop ((n 1)) (stream-cons n (loop (* n 3))))) => (1 3 9)
(first 3 (stream-map + nats (stream-from 10))) => (10 12 14)
(stream->list (stream-map - (stream 1 2))) => (-1 -2)
(define (len s) (stream-match s (() 0) ((_ . t) (+ 1 (len t)))))
(len (stream 1 2 3)) => 3
(stream-match (stream 1 1) ((a b) (= a b) 'same) (_ 'other)) => same
(stream-match (stream 1 2) ((a b) (= a b) 'same) (s (stream->list s))) => (1 2)
(first 3 (stream-of (* x x) (x in nats) (even? x))) => (0 4 16)
(first 3 (stream-of (list a b) (a in (stream-range 1 4)) (b is (* a 10)))) => ((1 10) (2 20) (3 30))
(first 4 (stream-of (list a b) (a in (stream 1 2)) (b in (stream 'x 'y)))) => ((1 x) (1 y) (2 x) (2 y))
(list (stream->list (stream-range 0 3)) (stream->list (stream-range 3 0)) (stream->list (stream-range 0 10 4))) => ((0 1 2) (3 2 1) (0 4 8))
(stream-ref nats 10000) => 10000
(stream->list (stream-reverse (stream 1 2 3))) => (3 2 1)
(stream->list (stream-scan + 0 (stream 1 2 3))) => (0 1 3 6)
(stream->list (stream-take 2 nats)) => (0 1)
(stream->list (stream-take-while (lambda (x) (< x 3)) nats)) => (0 1 2)
(stream->list (stream-unfold (lambda (x) (* x x)) (lambda (x) (< x 4)) (lambda (x) (+ x 1)) 0)) => (0 1 4 9)
(call-with-values
  (lambda () (stream-unfolds (lambda (n) (cond ((= n 4) (values n '() '())) ((even? n) (values (+ n 1) (list n) #f)) (else (values (+ n 1) #f (list n))))) 0))
  (lambda (a b) (list (stream->list a) (stream->list b)))) => ((0 2) (1 3))
(stream->list (stream-zip (stream 1 2) nats)) => ((1 0) (2 1))
(stream-ref (stream-filter (lambda (x) (= 0 (modulo x 20000))) nats) 1) => 20000

;; ---- errors ----
(stream-car stream-null) =raises> "stream-car: the stream is empty"
(stream-cdr 5) =raises> "stream-cdr: argument 1 must be a stream: 5"
(stream-cdr (stream-cdr (stream-cons 1 5))) =raises> "stream"
((stream-lambda (x) x)) =raises> "argument"
(evens-of) =raises> "argument"
(list->stream 5) =raises> "list->stream: argument 1 must be a proper list: 5"
(port->stream 5) =raises> "port->stream: argument 1 must be an input port: 5"
(stream->list -1 nats) =raises> "stream->list: argument 1 must be a count: -1"
(stream-append 5) =raises> "stream-append: argument 1 must be a stream: 5"
(first 1 (stream-concat (stream 5))) =raises> "stream-concat: argument 1 must be a stream of streams: 5"
(stream-drop -1 nats) =raises> "stream-drop"
(stream-drop-while 5 nats) =raises> "stream-drop-while: argument 1 must be a procedure: 5"
(stream-filter 5 nats) =raises> "stream-filter"
(stream-fold + 0 5) =raises> "stream-fold: argument 3 must be a stream: 5"
(stream-for-each 5 nats) =raises> "stream-for-each"
(stream-from 'a) =raises> "stream-from: argument 1 must be a number: a"
(stream-iterate 5 1) =raises> "stream-iterate"
(stream-length 5) =raises> "stream-length"
(stream-map car 5) =raises> "stream-map"
(stream-match (stream 1) (() 0)) =raises> "stream-match: no pattern matches"
(stream-match 5 (() 0)) =raises> "stream-match: argument 1 must be a stream: 5"
(first 1 (stream-of x (x in (stream (car 1))))) =raises> "pair"
(stream-range 'a 1) =raises> "stream-range"
(stream-ref (stream 1) 1) =raises> "stream-ref: the stream is too short"
(stream-reverse 5) =raises> "stream-reverse"
(stream-scan 5 0 nats) =raises> "stream-scan"
(stream-take 'a nats) =raises> "stream-take"
(stream-take-while 5 nats) =raises> "stream-take-while"
(stream-unfold 5 5 5 0) =raises> "stream-unfold"
(call-with-values (lambda () (stream-unfolds (lambda (n) (values n 5)) 0)) (lambda (s) (first 1 s))) =raises> "stream-unfolds: a result is a list of one item, #f or ()"
(stream-zip 5) =raises> "stream-zip"
(let () (define-stream (f x) 5) (first 1 (f 1))) =raises> "must be a <stream>"
(first 1 (stream-let loop ((x 1)) 5)) =raises> "must be a <stream>"
(stream-drop 1 5) =raises> "stream-drop: argument 2 must be a stream: 5"
(stream-map + nats 5) =raises> "stream-map: argument 3 must be a stream: 5"
(stream-ref nats 'a) =raises> "stream-ref: argument 2 must be a count: a"
(stream-unfold car 5 5 0) =raises> "stream-unfold: argument 2 must be a procedure: 5"
