;; ---- the runner ----

(define-record-type <test-runner>
  (%runner groups result aux pass fail xpass xfail skip number skips fails
           on-test-begin on-test-end on-group-begin on-group-end on-bad-count on-bad-end-name on-final)
  test-runner?
  (groups %groups %groups!)   ; those that are open, the innermost first
  (result test-result-alist test-result-alist!)
  (aux test-runner-aux-value test-runner-aux-value!)
  (pass test-runner-pass-count %pass!)
  (fail test-runner-fail-count %fail!)
  (xpass test-runner-xpass-count %xpass!)
  (xfail test-runner-xfail-count %xfail!)
  (skip test-runner-skip-count %skip!)
  (number %number %number!)   ; of tests so far
  (skips %skips %skips!)      ; specifiers that hold now
  (fails %fails %fails!)
  (on-test-begin test-runner-on-test-begin test-runner-on-test-begin!)
  (on-test-end test-runner-on-test-end test-runner-on-test-end!)
  (on-group-begin test-runner-on-group-begin test-runner-on-group-begin!)
  (on-group-end test-runner-on-group-end test-runner-on-group-end!)
  (on-bad-count test-runner-on-bad-count test-runner-on-bad-count!)
  (on-bad-end-name test-runner-on-bad-end-name test-runner-on-bad-end-name!)
  (on-final test-runner-on-final test-runner-on-final!))

(define-record-type <group>
  (%group name count began skips fails) %group?
  (name %group-name) (count %group-count) (began %group-began) (skips %group-skips) (fails %group-fails))

(define (%silent . args) #f)
(define (test-runner-null)
  (%runner '() '() #f 0 0 0 0 0 0 '() '() %silent %silent %silent %silent %silent %silent %silent))
(define (test-runner-simple)
  (%runner '() '() #f 0 0 0 0 0 0 '() '()
           test-on-test-begin-simple test-on-test-end-simple test-on-group-begin-simple test-on-group-end-simple
           test-on-bad-count-simple test-on-bad-end-name-simple test-on-final-simple))

(define %current (make-parameter #f))
(define test-runner-factory (make-parameter test-runner-simple))
(define (test-runner-create) ((test-runner-factory)))
(define %installed #f)
(define test-runner-current
  (case-lambda
    (() (or (%current) %installed))
    ((runner) (set! %installed runner))))
(define (test-runner-get)
  (or (test-runner-current) (error "test-runner-get: there is no test runner; (test-begin name) makes one")))
(define (%runner-now)
  (or (test-runner-current)
      (let ((r (test-runner-create))) (test-runner-current r) r)))

(define (test-runner-group-stack r) (map %group-name (%groups r)))
(define (test-runner-group-path r) (reverse (test-runner-group-stack r)))
(define (test-runner-test-name r) (test-result-ref r 'test-name ""))
(define (test-runner-reset r)
  (%groups! r '()) (test-result-alist! r '())
  (%pass! r 0) (%fail! r 0) (%xpass! r 0) (%xfail! r 0) (%skip! r 0) (%number! r 0)
  (%skips! r '()) (%fails! r '()))

(define test-result-ref
  (case-lambda
    ((r key) (test-result-ref r key #f))
    ((r key default) (let ((p (assq key (test-result-alist r)))) (if p (cdr p) default)))))
(define (test-result-set! r key value)
  (test-result-alist! r (cons (cons key value) (%without key (test-result-alist r)))))
(define (test-result-remove r key) (test-result-alist! r (%without key (test-result-alist r))))
(define (%without key l) (remove (lambda (p) (eq? (car p) key)) l))
(define (test-result-clear r) (test-result-alist! r '()))
(define test-result-kind
  (case-lambda
    (() (test-result-kind (test-runner-current)))
    ((r) (and r (test-result-ref r 'result-kind #f)))))
(define test-passed?
  (case-lambda
    (() (test-passed? (test-runner-get)))
    ((r) (and (memq (test-result-kind r) '(pass xpass)) #t))))

;; ---- groups ----

(define test-begin
  (case-lambda
    ((name) (test-begin name #f))
    ((name count)
     (let ((r (%runner-now)))
       ((test-runner-on-group-begin r) r name count)
       (%groups! r (cons (%group name count (%number r) (%skips r) (%fails r)) (%groups r)))))))

(define test-end
  (case-lambda
    (() (test-end #f))
    ((name)
     (let* ((r (test-runner-get)) (groups (%groups r)))
       (if (null? groups) (error "test-end: no group is open; found:" name))
       (let* ((g (car groups)) (ran (- (%number r) (%group-began g))))
         (if (and name (not (equal? name (%group-name g))))
             (begin ((test-runner-on-bad-end-name r) r (%group-name g) name)
                    (error "test-end: the group that is open is another" name (%group-name g))))
         (if (and (%group-count g) (not (= ran (%group-count g))))
             ((test-runner-on-bad-count r) r ran (%group-count g)))
         ((test-runner-on-group-end r) r)
         (%groups! r (cdr groups))
         (%skips! r (%group-skips g))
         (%fails! r (%group-fails g))
         (if (null? (cdr groups))
             (begin ((test-runner-on-final r) r)
                    (if (eq? r %installed) (set! %installed #f)))))))))

(define-syntax test-group
  (syntax-rules ()
    ((_ name body ...)
     (let ((n name) (r (%runner-now)))
       (test-result-clear r)
       (test-result-set! r 'test-name n)
       (if (not (%skipped? r))
           (dynamic-wind
             (lambda () (test-begin n))
             (lambda () (let () body ... #t))
             (lambda () (test-end n))))))))
(define-syntax test-group-with-cleanup
  (syntax-rules ()
    ((_ name body ... cleanup)
     (test-group name (dynamic-wind (lambda () #f) (lambda () body ...) (lambda () cleanup))))))

(define-syntax test-with-runner
  (syntax-rules () ((_ runner body ...) (parameterize ((%current runner)) body ...))))
(define (test-apply first . rest)
  (if (test-runner? first)
      (test-with-runner first (apply %test-apply first rest))
      (let ((r (test-runner-current)))
        (if r (apply %test-apply r first rest)
            (let ((r (test-runner-create)))
              (test-with-runner r (apply %test-apply r first rest) ((test-runner-on-final r) r)))))))
;; Runs only the tests that one of the specifiers takes.
(define (%test-apply r . specs)
  (let ((before (%skips r)) (only (map %specifier (%but-last specs))))
    (%skips! r (if (null? only) before (cons (lambda (r) (not (%any-holds? only r))) before)))
    ((car (last-pair specs)))
    (%skips! r before)))
(define (%but-last l) (take l (- (length l) 1)))

;; ---- which tests ----

(define (%specifier x)
  (cond ((procedure? x) x)
        ((string? x) (test-match-name x))
        ((exact-integer? x) (test-match-nth 1 x))
        (else (error "test: a specifier is a name, a number or a procedure:" x))))
;; Each is asked, since those that count must count.
(define (%any-holds? specs r) (fold (lambda (s found) (or (s r) found)) #f specs))
(define (%all-hold? specs r) (fold (lambda (s held) (and (s r) held)) #t specs))
(define (test-match-name name) (lambda (r) (equal? name (test-runner-test-name r))))
(define test-match-nth
  (case-lambda
    ((n) (test-match-nth n 1))
    ((n count)
     (let ((i 0)) (lambda (r) (set! i (+ i 1)) (and (>= i n) (< i (+ n count))))))))
(define (test-match-any . specs) (let ((specs (map %specifier specs))) (lambda (r) (%any-holds? specs r))))
(define (test-match-all . specs) (let ((specs (map %specifier specs))) (lambda (r) (%all-hold? specs r))))
(define (test-skip . specs)
  (let ((r (%runner-now))) (%skips! r (cons (apply test-match-all specs) (%skips r)))))
(define (test-expect-fail . specs)
  (let ((r (%runner-now))) (%fails! r (cons (apply test-match-all specs) (%fails r)))))
(define (%skipped? r) (%any-holds? (%skips r) r))

;; ---- one test ----

;; holds? says of the expected value and the found one whether the test passes; wanted is a thunk, or #f.
(define (%test name where form wanted found holds?)
  (let ((r (%runner-now)))
    (test-result-alist! r
      (append (list (cons 'test-name name) (cons 'source-form form))
              (if where (list (cons 'source-file (car where)) (cons 'source-line (cdr where))) '())))
    (%number! r (+ 1 (%number r)))
    (let* ((skipped (%skipped? r)) (doomed (%any-holds? (%fails r) r)))
      (test-result-set! r 'result-kind (cond (skipped 'skip) (doomed 'xfail) (else #f)))
      ((test-runner-on-test-begin r) r)
      (if (not skipped)
          (let ((ok (guard (e (#t (test-result-set! r 'actual-error e) #f))
                      (let ((w (if wanted (wanted) #t)))
                        (if wanted (test-result-set! r 'expected-value w))
                        (let ((f (found)))
                          (test-result-set! r 'actual-value f)
                          (holds? w f))))))
            (test-result-set! r 'result-kind (if ok (if doomed 'xpass 'pass) (if doomed 'xfail 'fail)))))
      (case (test-result-kind r)
        ((pass) (%pass! r (+ 1 (test-runner-pass-count r))))
        ((fail) (%fail! r (+ 1 (test-runner-fail-count r))))
        ((xpass) (%xpass! r (+ 1 (test-runner-xpass-count r))))
        ((xfail) (%xfail! r (+ 1 (test-runner-xfail-count r))))
        (else (%skip! r (+ 1 (test-runner-skip-count r)))))
      ((test-runner-on-test-end r) r))))

(define-syntax test-assert
  (syntax-rules ()
    ((_ e) (test-assert "" e))
    ((_ name e) (%test name (%where e) '(test-assert e) #f (lambda () e) (lambda (w f) f)))))
(define-syntax %define-comparing
  (syntax-rules ()
    ((_ name same?)
     (define-syntax name
       (syntax-rules ()
         ((_ expected e) (name "" expected e))
         ((_ label expected e)
          (%test label (%where e) '(name expected e) (lambda () expected) (lambda () e) same?)))))))
(%define-comparing test-equal equal?)
(%define-comparing test-eqv eqv?)
(%define-comparing test-eq eq?)
(define-syntax test-approximate
  (syntax-rules ()
    ((_ expected e bound) (test-approximate "" expected e bound))
    ((_ name expected e bound)
     (%test name (%where e) '(test-approximate expected e bound) (lambda () expected) (lambda () e)
            (lambda (w f) (<= (abs (- w f)) bound))))))

(define-syntax test-error
  (syntax-rules ()
    ((_ e) (%test-error "" #t (%where e) '(test-error e) (lambda () e)))
    ((_ kind e) (let ((k kind))
                  (%test-error (if (string? k) k "") (if (string? k) #t k) (%where e) '(test-error kind e) (lambda () e))))
    ((_ name kind e) (%test-error name kind (%where e) '(test-error name kind e) (lambda () e)))))
(define (%test-error name kind where form thunk)
  (%test name where form #f
    (lambda ()
      (guard (e (#t (test-result-set! (test-runner-get) 'actual-error e) (cons %raised e)))
        (thunk)))
    (lambda (w f)
      (test-result-set! (test-runner-get) 'expected-error kind)
      (and (pair? f) (eq? (car f) %raised)
           (cond ((procedure? kind) (kind (cdr f)))
                 ((boolean? kind) kind)
                 ((symbol? kind) (and (error-object? (cdr f)) (eq? kind (condition-kind (cdr f)))))
                 (else #t))))))
(define %raised (list 'raised))

(define (test-read-eval-string s)
  (let* ((port (open-input-string s)) (form (read port)))
    (if (not (eof-object? (read port))) (error "test-read-eval-string: the text has more than one form:" s))
    (eval form (interaction-environment))))

;; ---- what the simple runner shows ----

(define (test-on-test-begin-simple r) #f)
(define (test-on-group-begin-simple r name count)
  (if (pair? (%groups r)) (%say "# " name)))
(define (test-on-group-end-simple r) #f)
(define (test-on-bad-count-simple r actual expected)
  (%say "not ok " (%next! r) " - " expected " tests were to run, " actual " did")
  (%fail! r (+ 1 (test-runner-fail-count r))))
(define (test-on-bad-end-name-simple r began ended)
  (%say "# the group " began " is ended as " ended))
(define (%next! r) (%number! r (+ 1 (%number r))) (%number r))

(define (test-on-test-end-simple r)
  (let ((kind (test-result-kind r)))
    (%say (if (memq kind '(fail xfail)) "not ok " "ok ") (%number r) (%label r)
          (case kind ((skip) " # SKIP") ((xfail) " # TODO expected to fail") ((xpass) " # TODO expected to fail, passed") (else "")))
    (if (eq? kind 'fail) (%explain r))))
(define (%label r)
  (let* ((name (test-runner-test-name r))
         (path (map ~a (append (if (pair? (%groups r)) (cdr (test-runner-group-path r)) '())
                               (if (equal? name "") '() (list name))))))
    (if (null? path) "" (string-append " - " (string-replace-all (%line (string-join path ": ")) "#" "\\#")))))
(define (%line text) (string-replace-all text "\n" " "))
(define (%explain r)
  (let ((line (test-result-ref r 'source-line))
        (raised (assq 'actual-error (test-result-alist r)))
        (show (lambda (key) (let ((p (assq key (test-result-alist r)))) (if p (%written (cdr p)) #f)))))
    (%say "  ---")
    (if line (%say "  at: " (test-result-ref r 'source-file) ":" line))
    (%say "  form: " (%written (test-result-ref r 'source-form)))
    (if (show 'expected-value) (%say "  expected: " (show 'expected-value)))
    (cond (raised (%say "  raised: " (%line (if (error-object? (cdr raised)) (condition/report-string (cdr raised)) (%written (cdr raised))))))
          ((show 'actual-value) (%say "  got: " (show 'actual-value))))
    (%say "  ...")))
(define (%written x)
  (let ((s (with-output-to-string (lambda () (write x)))))
    (%line (if (> (string-length s) 1000) (string-append (substring s 0 1000) " ...") s))))
(define (test-on-final-simple r) (%say "1.." (%number r)))
(define (%say . parts) (fresh-line) (for-each display parts) (newline))
