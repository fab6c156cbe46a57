;; Run a test command; while it fails, do what the fix command does, and try again: at most five times.
;;   caper run fix-loop.scm -- 'TEST COMMAND' 'FIX COMMAND'
(define args (command-line-arguments))
(if (not (= (length args) 2)) (error "fix-loop takes two commands: caper run fix-loop.scm -- 'TEST COMMAND' 'FIX COMMAND'"))
(define test (car args))
(define fix (cadr args))

(define (passes? result) (= 0 (cdr (assq 'exit-code result))))
(define (last-lines text n)
  (let ((lines (string-split text "\n")))
    (if (> (length lines) n) (list-tail lines (- (length lines) n)) lines)))

(let loop ((round 1))
  (define result (bash test #:timeout 600))
  (cond ((passes? result)
         (display "passes in round ") (display round) (newline)
         round)
        ((= round 5)
         (error "still failing after five rounds" (last-lines (cdr (assq 'stderr result)) 5)))
        (else
         (display "round ") (display round) (display " fails, fixing") (newline)
         (bash fix)
         (loop (+ round 1)))))
