;; What implementations are known to get wrong.
(import (scheme base) (scheme write) (scheme lazy) (scheme char) (scheme case-lambda))

;; re-entry of letrec's and letrec*'s inits
(let ((cont #f)) (letrec ((x (call/cc (lambda (c) (set! cont c) 0))) (y (call/cc (lambda (c) (set! cont c) 0)))) (if cont (let ((c cont)) (set! cont #f) (set! x 1) (set! y 1) (c 0)) (+ x y)))) => 1
(letrec ((x (call/cc list)) (y (call/cc list))) (cond ((procedure? x) (x (pair? y))) ((procedure? y) (y (pair? x)))) (let ((x (car x)) (y (car y))) (and (call/cc x) (call/cc y) (call/cc x)))) => #t
(let ((x '()) (y 0)) (call/cc (lambda (escape) (let* ((yin ((lambda (foo) (set! x (cons y x)) (if (= y 10) (escape x) (begin (set! y 0) foo))) (call/cc (lambda (bar) bar)))) (yang ((lambda (foo) (set! y (+ y 1)) foo) (call/cc (lambda (baz) baz))))) (yin yang))))) => (10 9 8 7 6 5 4 3 2 1 0)

;; call/cc and procedures
(call/cc (lambda (c) (0 (c 1)))) => 1
(call/cc (lambda (c) ((c 1) 2))) => 1
(let ((r '())) (let ((w (let ((v 1)) (set! v (+ (call/cc (lambda (c0) (set! r (cons c0 r)) v)) v)) (set! r (cons v r)) v))) (if (<= w 1024) ((car (reverse r)) w) (cdr (reverse r))))) => (2 4 8 16 32 64 128 256 512 1024 2048)
(let ((k1 #f) (k2 #f) (k3 #f) (state 0)) (define (identity x) x) (define (fn) ((identity (if (= state 0) (call/cc (lambda (k) (set! k1 k) +)) +)) (identity (if (= state 0) (call/cc (lambda (k) (set! k2 k) 1)) 1)) (identity (if (= state 0) (call/cc (lambda (k) (set! k3 k) 2)) 2)))) (define (check states) (set! state 0) (let* ((res '()) (r (fn))) (set! res (cons r res)) (if (null? states) res (begin (set! state (car states)) (set! states (cdr states)) (case state ((1) (k3 4)) ((2) (k2 2)) ((3) (k1 -))))))) (map (lambda (x) (check x)) '((1 2 3) (1 3 2) (2 1 3) (2 3 1) (3 1 2) (3 2 1)))) => ((-1 4 5 3) (4 -1 5 3) (-1 5 4 3) (5 -1 4 3) (4 5 -1 3) (5 4 -1 3))

;; map is re-entrant, and does not undo what it answered
(let ((result (let () (define executed-k #f) (define cont #f) (define res1 #f) (define res2 #f) (set! res1 (map (lambda (x) (if (= x 0) (call/cc (lambda (k) (set! cont k) 0)) 0)) '(1 0 2))) (if (not executed-k) (begin (set! executed-k #t) (set! res2 res1) (cont 1))) (list res1 res2)))) result) => ((0 1 0) (0 0 0))
(let ((k* #f) (y* 1)) (set! y* (* 2 (+ y* (let ((x 5)) (call/cc (lambda (k) (set! k* k) x)))))) (if (< y* 100) (k* y*) y*)) => 110
(let ((k* #f) (n 0) (seen '())) (let ((v (vector-map (lambda (x) (call/cc (lambda (k) (if (= x 2) (set! k* k)) x))) #(1 2 3)))) (set! seen (cons v seen)) (set! n (+ n 1)) (if (< n 3) (k* (* n 10)) (reverse seen)))) => (#(1 2 3) #(1 10 3) #(1 20 3))
(let ((k* #f) (n 0) (seen '())) (let ((s (string-map (lambda (c) (call/cc (lambda (k) (if (char=? c #\b) (set! k* k)) c))) "abc"))) (set! seen (cons s seen)) (set! n (+ n 1)) (if (< n 2) (k* #\x) (reverse seen)))) => ("abc" "axc")
(let ((k* #f) (n 0) (total 0)) (for-each (lambda (x) (call/cc (lambda (k) (if (= x 2) (set! k* k)))) (set! total (+ total x))) '(1 2 3)) (set! n (+ n 1)) (if (< n 3) (k* #f) total)) => 16

;; do makes each variable anew
(map (lambda (f) (f)) (do ((i 0 (+ i 1)) (l '() (cons (lambda () i) l))) ((= i 3) l))) => (2 1 0)
(let ((k* #f) (y 0)) (define l (do ((i 0 (+ i 1)) (fs '() (cons (lambda () i) fs))) ((= i 3) fs))) (set! y (+ y 1)) (list y (map (lambda (f) (f)) l))) => (1 (2 1 0))

;; dynamic-wind, entered again
(let ((log '()) (k #f) (n 0)) (define (note x) (set! log (cons x log))) (dynamic-wind (lambda () (note 'in)) (lambda () (call/cc (lambda (c) (set! k c))) (note 'body)) (lambda () (note 'out))) (set! n (+ n 1)) (if (< n 3) (k #f)) (reverse log)) => (in body out in body out in body out)
(let ((log '())) (define (note x) (set! log (cons x log))) (let ((k #f) (n 0)) (dynamic-wind (lambda () (note 'a)) (lambda () (dynamic-wind (lambda () (note 'b)) (lambda () (call/cc (lambda (c) (set! k c)))) (lambda () (note 'c)))) (lambda () (note 'd))) (set! n (+ n 1)) (if (= n 1) (k 0))) (reverse log)) => (a b c d a b c d)
(let ((log '())) (define (note x) (set! log (cons x log))) (call/cc (lambda (exit) (dynamic-wind (lambda () (note 'in)) (lambda () 1) (lambda () (note 'out) (exit 1))))) (reverse log)) => (in out)
(let ((log '())) (define (note x) (set! log (cons x log))) (guard (e (#t (note e))) (dynamic-wind (lambda () (note 'in)) (lambda () 1) (lambda () (note 'out) (raise 'in-after)))) (reverse log)) => (in out in-after)
(let ((log '())) (define (note x) (set! log (cons x log))) (guard (e (#t (note e))) (dynamic-wind (lambda () (note 'in) (raise 'in-before)) (lambda () (note 'body)) (lambda () (note 'out)))) (reverse log)) => (in in-before)
(let ((log '())) (define (note x) (set! log (cons x log))) (guard (e (#f 1)) (guard (e ((number? e) (note 'number))) (dynamic-wind (lambda () (note 'in)) (lambda () (with-exception-handler (lambda (e) (note 'handler) 5) (lambda () (note (raise-continuable 'go))))) (lambda () (note 'out))))) (reverse log)) => (in handler 5 out)
(let ((log '())) (define (note x) (set! log (cons x log))) (guard (e (#t (note e))) (guard (e2 ((number? e2) 'no)) (dynamic-wind (lambda () (note 'in)) (lambda () (raise 'oops)) (lambda () (note 'out))))) (reverse log)) => (in out in out oops)

;; generators through re-entry
(define (tree->generator tree) (define caller #f) (define (loop tree) (cond ((null? tree) 'skip) ((pair? tree) (loop (car tree)) (loop (cdr tree))) (else (call/cc (lambda (rest) (set! resume (lambda () (rest 'go))) (caller tree)))))) (define resume (lambda () (loop tree) (caller '*done*))) (lambda () (call/cc (lambda (k) (set! caller k) (resume)))))
(define (same-fringe? a b) (let ((g (tree->generator a)) (h (tree->generator b))) (let loop () (let* ((x (g)) (y (h))) (cond ((not (eqv? x y)) #f) ((eq? x '*done*) #t) (else (loop)))))))
(same-fringe? '((1 2) (3 (4))) '(1 (2 (3) 4))) => #t
(same-fringe? '((1 2) (3 (4))) '(1 (2 (4) 3))) => #f

;; tail positions: ten million steps in one frame
(define big 10000000)
(define (down n) (if (= n 0) 'done (down (- n 1))))
(down big) => done
(define (ev? n) (if (= n 0) #t (od? (- n 1))))
(define (od? n) (if (= n 0) #f (ev? (- n 1))))
(ev? big) => #t
(define (t-apply n) (if (= n 0) 'done (apply t-apply (list (- n 1)))))
(t-apply big) => done
(define (t-cond-arrow n) (cond ((= n 0) 'done) ((- n 1) => t-cond-arrow)))
(t-cond-arrow big) => done
(define (t-cond n) (cond ((= n 0) 'done) (else (t-cond (- n 1)))))
(t-cond big) => done
(define (t-case n) (case n ((0) 'done) (else (t-case (- n 1)))))
(t-case big) => done
(define (t-case-arrow n) (case (- n 1) ((-1) 'done) (else => t-case-arrow)))
(t-case-arrow big) => done
(define (t-and n) (and #t (if (= n 0) 'done (t-and (- n 1)))))
(t-and big) => done
(define (t-or n) (or #f (if (= n 0) 'done (t-or (- n 1)))))
(t-or big) => done
(define (t-when n) (when #t (if (= n 0) 'done (t-when (- n 1)))))
(t-when big) => done
(define (t-unless n) (unless #f (if (= n 0) 'done (t-unless (- n 1)))))
(t-unless big) => done
(define (t-let n) (let* ((m (- n 1))) (letrec ((x m)) (if (= n 0) 'done (t-let x)))))
(t-let big) => done
(define (t-let-values n) (let-values (((m) (- n 1))) (let*-values (((m x) (values m 1))) (if (= n 0) 'done (t-let-values m)))))
(t-let-values big) => done
(define (t-begin n) (begin 1 (if (= n 0) 'done (t-begin (- n 1)))))
(t-begin big) => done
(define (t-do n) (do () (#t (if (= n 0) 'done (t-do (- n 1))))))
(t-do big) => done
(define (t-cc n) (if (= n 0) 'done (call/cc (lambda (k) (t-cc (- n 1))))))
(t-cc big) => done
(define (t-cc-through n) (if (= n 0) 'done (t-cc-through (call/cc (lambda (k) (k (- n 1)))))))
(t-cc-through big) => done
(define (t-cwv n) (if (= n 0) 'done (call-with-values (lambda () (values (- n 1) 0)) (lambda (m x) (t-cwv m)))))
(t-cwv big) => done
(define t-case-lambda (case-lambda ((n) (t-case-lambda n 0)) ((n x) (if (= n 0) 'done (t-case-lambda (- n 1))))))
(t-case-lambda big) => done
(define (t-cond-expand n) (cond-expand (r7rs (if (= n 0) 'done (t-cond-expand (- n 1))))))
(t-cond-expand big) => done
(define (t-guard-clause n) (if (= n 0) 'done (guard (e (#t (t-guard-clause (- n 1)))) (raise 'x))))
(t-guard-clause 1000000) => done
(define (t-guard-arrow n) (if (= n 0) 'done (guard (e ((- n 1) => t-guard-arrow)) (raise 'x))))
(t-guard-arrow 1000000) => done
(let loop ((n 0)) (if (= n 300000) 'done (begin (guard (e (#t e)) (guard (e (#f 'no)) (raise 'x))) (loop (+ n 1))))) => done
(define-syntax my-if (syntax-rules () ((_ a b c) (cond (a b) (else c)))))
(define (t-macro n) (my-if (= n 0) 'done (t-macro (- n 1))))
(t-macro big) => done
(define (t-string-port n) (if (= n 0) 'done (parameterize () (t-string-port (- n 1)))))
(t-string-port 1000) => done

;; depth is memory, not a fault
(define (deep n) (if (= n 0) 0 (+ 1 (deep (- n 1)))))
(deep 100000) => 100000
(length (let build ((n 0)) (if (= n 200000) '() (cons n (build (+ n 1)))))) => 200000
(equal? (let loop ((n 0) (l '())) (if (= n 100000) l (loop (+ n 1) (list l)))) (let loop ((n 0) (l '())) (if (= n 100000) l (loop (+ n 1) (list l))))) => #t

;; hygiene
(let ((x 1)) (define-syntax foo (syntax-rules () ((_) 2))) (define x (foo)) x) => 2
(let ((else #f)) (cond (#f 'a) (else 'b) (#t 'c))) => c
(let ((else #f)) (case 1 ((2) 'a) (else 'b))) =rejects> ""
(let ((=> #f)) (cond (1 => 'kept))) => kept
(let ((unquote list) (x 1)) `(a ,x)) => (a (unquote x))
(define-syntax m1 (syntax-rules () ((_ x) (let ((tmp 1)) (+ tmp x)))))
(let ((tmp 10)) (m1 tmp)) => 11
(let-syntax ((foo (syntax-rules () ((_ expr) (+ expr 1))))) (let ((+ *)) (foo 3))) => 4
(let-syntax ((foo (syntax-rules () ((_ var) (define var 1))))) (let ((x 2)) (begin (define foo +)) (cond (else (foo x))))) =prints> "2"
(let ((x 1)) (let-syntax ((foo (syntax-rules () ((_ y) (let-syntax ((bar (syntax-rules () ((_) (let ((x 2)) y))))) (bar)))))) (foo x))) => 1
(define-syntax my-begin (syntax-rules () ((_ e ...) ((lambda () e ...)))))
(let ((lambda list)) (my-begin 1 2)) => 2
(define-syntax count-args (syntax-rules () ((_) 0) ((_ x . r) (+ 1 (count-args . r)))))
(count-args a b c d) => 4
(define-syntax while2 (syntax-rules () ((_ c b ...) (let lp () (when c b ... (lp))))))
(let ((lp 0)) (while2 (< lp 3) (set! lp (+ lp 1))) lp) => 3
(define-syntax ck (syntax-rules () ((_ (a b) ...) (list (cons a b) ...))))
(ck (1 2) (3 4)) => ((1 . 2) (3 . 4))
(let () (define-record-type point (mk x y) pt? (x px) (y py)) (define-syntax with (syntax-rules () ((_ p (a b) body) (let ((a (px p)) (b (py p))) body)))) (with (mk 1 2) (px2 y) (list px2 y))) => (1 2)
(define-syntax gen (syntax-rules () ((_ (n v) ...) (begin (define n v) ...))))
(gen (ga 1) (gb 2))
(+ ga gb) => 3
(define-syntax rec-let (syntax-rules () ((_ x) (let ((y x)) (let-syntax ((z (syntax-rules () ((_) y)))) (let ((y 'wrong)) (z)))))))
(rec-let 'right) => right
(let ((quote -)) 'x) =raises> ""
(let ((list vector)) `(1 ,(+ 1 1))) => (1 2)
(define-syntax with-it (syntax-rules () ((_ e) (let ((it 1)) e))))
(let ((it 2)) (with-it it)) => 2
(define-syntax lit (syntax-rules (in) ((_ x in y) '(x y)) ((_ x other y) 'no)))
(lit 1 in 2) => (1 2)
(let ((in 3)) (lit 1 in 2)) => no

;; arguments, evaluation, numbers
(let ((log '())) (let loop ((i 0)) (if (< i 3) (begin (set! log (cons i log)) (loop (+ i 1))))) log) => (2 1 0)
(let ((ls (list 1 2 3 4))) (append ls ls '(5))) => (1 2 3 4 1 2 3 4 5)
(string->symbol "Foo Bar") => |Foo Bar|
(string-append (string #\a) (symbol->string 'b)) => "ab"
(eq? '() '()) => #t
(let loop ((i 0) (acc '())) (if (= i 5) (reverse acc) (loop (+ i 1) (cons i acc)))) => (0 1 2 3 4)
(exact->inexact-is-not-base 1) =raises> ""
