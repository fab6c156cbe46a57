(import (scheme base) (scheme write) (srfi 64))

;; What a runner says of tests: its counts, and the kind of each test in order.
(define (kinds thunk)
  (let ((r (test-runner-null)) (seen '()))
    (test-runner-on-test-end! r (lambda (r) (set! seen (cons (test-result-kind r) seen))))
    (test-with-runner r (test-begin "all") (thunk) (test-end "all"))
    (list (reverse seen)
          (test-runner-pass-count r) (test-runner-fail-count r) (test-runner-xpass-count r)
          (test-runner-xfail-count r) (test-runner-skip-count r))))
(define (passes? thunk) (equal? (kinds thunk) '((pass) 1 0 0 0 0)))
(define (fails? thunk) (equal? (kinds thunk) '((fail) 0 1 0 0 0)))

;; ---- tests, with a name and without ----
(passes? (lambda () (test-assert (= 1 1)))) => #t
(passes? (lambda () (test-assert "name" 'true))) => #t
(fails? (lambda () (test-assert #f))) => #t
(fails? (lambda () (test-assert "raises" (car '())))) => #t
(passes? (lambda () (test-equal '(1 2) (list 1 2)))) => #t
(passes? (lambda () (test-equal "name" "ab" (string #\a #\b)))) => #t
(fails? (lambda () (test-equal 1 1.0))) => #t
(fails? (lambda () (test-equal 1 (car '())))) => #t
(fails? (lambda () (test-equal (car '()) 1))) => #t
(passes? (lambda () (test-eqv 1.5 (+ 1 0.5)))) => #t
(fails? (lambda () (test-eqv "name" "a" (string #\a)))) => #t
(passes? (lambda () (test-eq 'a (car '(a))))) => #t
(fails? (lambda () (test-eq "name" '(1) (list 1)))) => #t
(passes? (lambda () (test-approximate 1.0 1.05 0.1))) => #t
(fails? (lambda () (test-approximate "name" 1.0 1.2 0.1))) => #t
(passes? (lambda () (test-error (car '())))) => #t
(fails? (lambda () (test-error (car '(1))))) => #t
(passes? (lambda () (test-error #t (raise 'any)))) => #t
(passes? (lambda () (test-error "name" error-object? (error "no")))) => #t
(fails? (lambda () (test-error "name" error-object? (raise 5)))) => #t
(passes? (lambda () (test-error 'type-error (car 5)))) => #t
(fails? (lambda () (test-error 'range-error (car 5)))) => #t
(test-read-eval-string "5") => 5
(test-read-eval-string "(+ 1 2)") => 3
(test-read-eval-string "(car 1)") =raises> "pair"
(test-read-eval-string "1 2") =raises> "more than one"

;; ---- groups ----
(define (path-inside)
  (let ((r (test-runner-null)) (paths '()))
    (test-with-runner r
      (test-begin "a")
      (test-group "b"
        (test-group "c" (set! paths (list (test-runner-group-path r) (test-runner-group-stack r))))
        (test-assert #t))
      (test-end "a"))
    (list paths (test-runner-pass-count r) (test-runner-group-path r))))
(path-inside) => ((("a" "b" "c") ("c" "b" "a")) 1 ())
(let ((cleaned '()))
  (kinds (lambda () (test-group-with-cleanup "g" (test-assert #t) (set! cleaned (cons 'in cleaned)) (set! cleaned (cons 'out cleaned)))))
  cleaned) => (out in)
(kinds (lambda () (test-skip "g") (test-group "g" (test-assert #f)) (test-assert #t))) => ((pass) 1 0 0 0 0)
(let ((r (test-runner-null)) (told #f))
  (test-runner-on-bad-end-name! r (lambda (r began ended) (set! told (list began ended))))
  (list (guard (e (#t 'raised)) (test-with-runner r (test-begin "a") (test-end "b"))) told)) => (raised ("a" "b"))
(let ((r (test-runner-null)) (told #f))
  (test-runner-on-bad-count! r (lambda (r actual expected) (set! told (list actual expected))))
  (test-with-runner r (test-begin "a" 2) (test-assert #t) (test-end))
  told) => (1 2)
(test-with-runner (test-runner-null) (test-end "a")) =raises> "no group is open"

;; ---- which tests ----
(kinds (lambda () (test-skip "b") (test-assert "a" #t) (test-assert "b" (car '())) (test-assert "c" #t))) => ((pass skip pass) 2 0 0 0 1)
(kinds (lambda () (test-skip 2) (test-assert #f) (test-assert #f) (test-assert #t))) => ((skip skip pass) 1 0 0 0 2)
(kinds (lambda () (test-skip (test-match-nth 2)) (test-assert #t) (test-assert #f) (test-assert #t))) => ((pass skip pass) 2 0 0 0 1)
(kinds (lambda () (test-skip (test-match-nth 2 2)) (test-assert #t) (test-assert #f) (test-assert #f))) => ((pass skip skip) 1 0 0 0 2)
(kinds (lambda () (test-skip (test-match-name "b")) (test-assert "b" #f) (test-assert "c" #t))) => ((skip pass) 1 0 0 0 1)
(kinds (lambda () (test-skip (test-match-any "a" "b")) (test-assert "a" #f) (test-assert "b" #f) (test-assert "c" #t))) => ((skip skip pass) 1 0 0 0 2)
(kinds (lambda () (test-skip (test-match-all "a" (test-match-nth 2))) (test-assert "a" #t) (test-assert "a" #f) (test-assert "b" #t)))
  => ((pass skip pass) 2 0 0 0 1)
(kinds (lambda () (test-expect-fail "a") (test-assert "a" #f) (test-assert "b" #t))) => ((xfail pass) 1 0 0 1 0)
(kinds (lambda () (test-expect-fail 1) (test-assert "a" #t) (test-assert "b" #t))) => ((xpass pass) 1 0 1 0 0)
(kinds (lambda () (test-group "g" (test-skip 5) (test-assert #f)) (test-assert #t))) => ((skip pass) 1 0 0 0 1)
(test-with-runner (test-runner-null) (test-skip 1.5)) =raises> "specifier"
(kinds (lambda () (test-apply "b" (lambda () (test-assert "a" #t) (test-assert "b" #t))) (test-assert "c" #t))) => ((skip pass pass) 2 0 0 0 1)
(let ((r (test-runner-null))) (test-apply r (lambda () (test-assert #t))) (test-runner-pass-count r)) => 1

;; ---- runners ----
(test-runner? (test-runner-null)) => #t
(test-runner? (test-runner-simple)) => #t
(test-runner? 5) => #f
(test-runner-current) => #f
(test-runner-get) =raises> "no test runner"
(let ((r (test-runner-null))) (test-with-runner r (list (eq? r (test-runner-current)) (eq? r (test-runner-get))))) => (#t #t)
(let ((r (test-runner-null))) (test-runner-current r) (test-begin "a") (test-assert #t) (test-end) (list (test-runner-pass-count r) (test-runner-current))) => (1 #f)
(parameterize ((test-runner-factory test-runner-null)) (test-runner? (test-runner-create))) => #t
(let ((r (test-runner-null))) (test-runner-aux-value! r 7) (test-runner-aux-value r)) => 7
(let ((r (test-runner-null))) (test-with-runner r (test-begin "a") (test-assert #t)) (test-runner-reset r)
  (list (test-runner-pass-count r) (test-runner-group-stack r) (test-result-alist r))) => (0 () ())
(let ((r (test-runner-null)) (log '()))
  (define (note what) (lambda (r . rest) (set! log (cons (cons what rest) log))))
  (test-runner-on-test-begin! r (note 'test-begin))
  (test-runner-on-test-end! r (note 'test-end))
  (test-runner-on-group-begin! r (note 'group-begin))
  (test-runner-on-group-end! r (note 'group-end))
  (test-runner-on-final! r (note 'final))
  (test-with-runner r (test-begin "a" 1) (test-assert "t" #t) (test-end "a"))
  (reverse log)) => ((group-begin "a" 1) (test-begin) (test-end) (group-end) (final))
(let ((r (test-runner-simple)))
  (list (eq? test-on-test-begin-simple (test-runner-on-test-begin r)) (eq? test-on-test-end-simple (test-runner-on-test-end r))
        (eq? test-on-group-begin-simple (test-runner-on-group-begin r)) (eq? test-on-group-end-simple (test-runner-on-group-end r))
        (eq? test-on-bad-count-simple (test-runner-on-bad-count r)) (eq? test-on-bad-end-name-simple (test-runner-on-bad-end-name r))
        (eq? test-on-final-simple (test-runner-on-final r)))) => (#t #t #t #t #t #t #t)

;; ---- results ----
(define (results thunk)
  (let ((r (test-runner-null)) (seen #f))
    (test-runner-on-test-end! r (lambda (r) (set! seen (map (lambda (k) (test-result-ref r k 'none))
      '(test-name source-form expected-value actual-value result-kind source-line)))))
    (test-with-runner r (thunk))
    seen))
(results (lambda () (test-equal "n" 4 (+ 2 3)))) => ("n" (test-equal 4 (+ 2 3)) 4 5 fail 1)
(results (lambda () (test-assert (car '(7))))) => ("" (test-assert (car '(7))) none 7 pass 1)
(let ((r (test-runner-null)))
  (test-result-set! r 'a 1) (test-result-set! r 'b 2) (test-result-set! r 'a 3)
  (let ((both (list (test-result-ref r 'a) (test-result-ref r 'b) (test-result-ref r 'c) (test-result-ref r 'c 'none))))
    (test-result-remove r 'b)
    (let ((one (test-result-alist r)))
      (test-result-clear r)
      (list both one (test-result-alist r))))) => ((3 2 #f none) ((a . 3)) ())
(let ((r (test-runner-null))) (test-with-runner r (test-assert "t" #t) (list (test-passed?) (test-passed? r) (test-result-kind) (test-runner-test-name r))))
  => (#t #t pass "t")
(let ((r (test-runner-null))) (test-with-runner r (test-assert "t" #f) (list (test-passed?) (test-result-kind r)))) => (#f fail)

;; ---- what the simple runner prints ----
(define (shown thunk)
  (let ((port (open-output-string)))
    (parameterize ((current-output-port port)) (test-with-runner (test-runner-simple) (thunk)))
    (get-output-string port)))
(shown (lambda () (test-begin "all") (test-assert #t) (test-assert "#1" #t) (test-end))) => "ok 1\nok 2 - \\#1\n1..2\n"
(shown (lambda () (test-begin "all") (display "x") (test-group "g" (test-assert "a" #t)) (test-skip 1) (test-assert #t) (test-end)))
  => "x\n# g\nok 1 - g: a\nok 2 # SKIP\n1..2\n"
(shown (lambda () (test-begin "all") (test-expect-fail 2) (test-assert #f) (test-assert #t) (test-end)))
  => "not ok 1 # TODO expected to fail\nok 2 # TODO expected to fail, passed\n1..2\n"
(shown (lambda () (test-begin "all" 1) (test-end))) => "not ok 1 - 1 tests were to run, 0 did\n1..1\n"
(shown (lambda () (test-equal "a" '("x\ny") 5)))
  => "not ok 1 - a\n  ---\n  at: form:1\n  form: (test-equal '(\"x\\ny\") 5)\n  expected: (\"x\\ny\")\n  got: 5\n  ...\n"
(shown (lambda () (test-assert (raise 'no)))) => "not ok 1\n  ---\n  at: form:1\n  form: (test-assert (raise 'no))\n  raised: no\n  ...\n"
