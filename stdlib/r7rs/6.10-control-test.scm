(import (scheme base) (scheme write) (scheme inexact))

;; 6.10 control features
(procedure? car) => #t
(procedure? 'car) => #f
(procedure? (lambda (x) (* x x))) => #t
(procedure? '(lambda (x) (* x x))) => #f
(call-with-current-continuation procedure?) => #t
(apply + (list 3 4)) => 7
(define compose (lambda (f g) (lambda args (f (apply g args)))))
((compose sqrt *) 12 75) => 30
(apply + 1 2 '(3 4)) => 10
(apply list '()) => ()
(apply + 1) =raises> ""
(apply + '(1 . 2)) =raises> ""
(apply 5 '()) =raises> ""
(let ((l (list 1 2))) (eq? l (apply list l))) => #f
(map cadr '((a b) (d e) (g h))) => (b e h)
(map (lambda (n) (expt n n)) '(1 2 3 4 5)) => (1 4 27 256 3125)
(map + '(1 2 3) '(4 5 6)) => (5 7 9)
(let ((count 0)) (map (lambda (ignored) (set! count (+ count 1)) count) '(a b))) =prints> "(1 2)"
(map + '(1 2 3) '(10 20)) => (11 22)
(let ((x (list 1 2))) (set-cdr! (cdr x) x) (map + '(1 1 1) x)) => (2 3 2)
(map car '()) => ()
(let ((v (make-vector 5))) (for-each (lambda (i) (vector-set! v i (* i i))) '(0 1 2 3 4)) v) => #(0 1 4 9 16)
(let ((l '())) (for-each (lambda (a b) (set! l (cons (cons a b) l))) '(1 2) '(3 4)) l) => ((2 . 4) (1 . 3))
(call-with-current-continuation (lambda (exit) (for-each (lambda (x) (if (negative? x) (exit x))) '(54 0 37 -3 245 19)) #t)) => -3
(define list-length (lambda (obj) (call-with-current-continuation (lambda (return) (letrec ((r (lambda (obj) (cond ((null? obj) 0) ((pair? obj) (+ (r (cdr obj)) 1)) (else (return #f)))))) (r obj))))))
(list-length '(1 2 3 4)) => 4
(list-length '(a b . c)) => #f
(call/cc (lambda (k) (+ 1 (k 42)))) => 42
(+ 1 (call/cc (lambda (k) 1))) => 2
(call-with-values (lambda () (call/cc (lambda (k) (k 1 2)))) list) => (1 2)
(call-with-values (lambda () (values 4 5)) (lambda (a b) b)) => 5
(call-with-values * -) => -1
(call-with-values (lambda () (values)) list) => ()
(call-with-values (lambda () 1) list) => (1)
(call-with-values (lambda () (values 1 2)) (lambda (a) a)) =raises> ""
(values 1) => 1
(begin (values 1 2) 3) => 3
(let ((k (call/cc (lambda (c) c)))) (if (procedure? k) (k 5) k)) => 5
(let ((path '()) (c #f)) (let ((add (lambda (s) (set! path (cons s path))))) (dynamic-wind (lambda () (add 'connect)) (lambda () (add (call-with-current-continuation (lambda (c0) (set! c c0) 'talk1)))) (lambda () (add 'disconnect))) (if (< (length path) 4) (c 'talk2) (reverse path)))) => (connect talk1 disconnect connect talk2 disconnect)
(dynamic-wind (lambda () #f) (lambda () 5) (lambda () 6)) => 5
(call-with-values (lambda () (dynamic-wind (lambda () 1) (lambda () (values 1 2)) (lambda () 3))) list) => (1 2)
(let ((log '())) (call/cc (lambda (k) (dynamic-wind (lambda () (set! log (cons 'in log))) (lambda () (k 1)) (lambda () (set! log (cons 'out log)))))) log) => (out in)
(let ((log '())) (define (note x) (set! log (cons x log))) (call/cc (lambda (k) (dynamic-wind (lambda () (note 1)) (lambda () (dynamic-wind (lambda () (note 2)) (lambda () (k 0)) (lambda () (note 3)))) (lambda () (note 4))))) (reverse log)) => (1 2 3 4)

;; 6.11 exceptions
(call-with-current-continuation (lambda (k) (with-exception-handler (lambda (e) (k (list 'condition e))) (lambda () (+ 1 (raise 'an-error)))))) => (condition an-error)
(with-exception-handler (lambda (e) 'ignored) (lambda () (+ 1 (raise 'an-error)))) =raises> ""
(with-exception-handler (lambda (con) (cond ((string? con) 'text) (else 'none)) 42) (lambda () (+ (raise-continuable "should be a number") 23))) => 65
(with-exception-handler (lambda (e) (* e 2)) (lambda () (+ 1 (raise-continuable 5)))) => 11
(with-exception-handler 5 (lambda () 1)) =raises> ""
(with-exception-handler (lambda (e) 1) 5) =raises> ""
(define (null-list? l) (cond ((pair? l) #f) ((null? l) #t) (else (error "null-list?: argument out of domain" l))))
(guard (e (#t (list (error-object? e) (error-object-message e) (error-object-irritants e)))) (null-list? 5)) => (#t "null-list?: argument out of domain" (5))
(guard (e (#t (error-object-irritants e))) (error "msg")) => ()
(guard (e (#t (error-object-irritants e))) (error "msg" 1 'b "c")) => (1 b "c")
(error "BOOM!" 1 2) =raises> "BOOM!"
(error-object? 'a) => #f
(error-object? (guard (e (#t e)) (raise 5))) => #f
(guard (e ((error-object? e) 'error)) (car 5)) => error
(guard (e ((error-object? e) 'error)) (vector-ref (vector 1) 1)) => error
(guard (e ((string? (error-object-message e)) 'message)) (car 5)) => message
(guard (e ((list? (error-object-irritants e)) 'irritants)) (car 5)) => irritants
(error-object-message 5) =raises> ""
(error-object-irritants 5) =raises> ""
(read-error? 5) => #f
(file-error? 5) => #f
(guard (e (#t (list (read-error? e) (file-error? e)))) (error "x")) => (#f #f)
(guard (e (#t (read-error? e))) (car 5)) => #f
(guard (e (#t e)) (with-exception-handler (lambda (e) (raise (list 'second e))) (lambda () (raise 'first)))) => (second first)
(with-exception-handler (lambda (e) 'outer) (lambda () (with-exception-handler (lambda (e) (raise-continuable (list 'inner e))) (lambda () (raise-continuable 'x))))) => outer
(guard (e (#t (error-object? e))) (with-exception-handler (lambda (e) 'returned) (lambda () (raise 'x)))) => #t
(raise 5) =raises> "5"
(raise (list 1 2)) =raises> "(1 2)"

;; 6.14 features
(list? (features)) => #t
(and (memq 'r7rs (features)) #t) => #t
(cond-expand ((and r7rs caper exact-closed full-unicode ieee-float ratios) 'all)) => all
(let loop ((l '(r7rs caper exact-closed full-unicode ieee-float ratios))) (or (null? l) (and (memq (car l) (features)) (loop (cdr l))))) => #t
(and (memq 'full-unicode (features)) #t) => #t
(let loop ((l (features))) (or (null? l) (and (symbol? (car l)) (loop (cdr l))))) => #t
