;; A policy that is a procedure: it gets a call as data and answers allow, ask or deny. It runs alone, in a machine of its
;; own under a small budget, and reaches no tool; what it lets through, the policy of the user still judges.
(define (part name call) (cdr (assq name call)))

(define (below? folder call)
  (let ((root (string-append (part 'workspace call) "/" folder "/")))
    (every (lambda (path) (string-prefix? root path)) (part 'paths call))))

(define (careful call)
  (case (part 'tool call)
    ((read-file list-dir glob grep) 'allow)
    ((write-file append-file make-dir) (if (below? "out" call) 'allow 'deny))
    ((bash) (if (string-prefix? "date" (part 'command (part 'args call))) 'allow 'ask))
    (else 'deny)))

(define (try what thunk)
  (display (format "~a: ~a\n" what
                   (guard (e ((denied? e) "denied") ((tool-error? e) (tool-error-code e)))
                     (thunk) "done"))))

(with-policy careful
  (lambda ()
    (try "write out/report.txt" (lambda () (write-file "out/report.txt" "all is well\n")))
    (try "write notes.txt" (lambda () (write-file "notes.txt" "x")))
    (try "write out/../notes.txt" (lambda () (write-file "out/../notes.txt" "x")))
    (try "delete out/report.txt" (lambda () (delete-file "out/report.txt")))
    (try "run date" (lambda () (bash "date +%Y")))
    (try "run rm" (lambda () (bash "rm -r out")))
    (display (format "rm would be: ~a\n" (part 'verdict (decide 'bash "rm -r out"))))))

;; A policy that never answers, or is not one, means ask.
(display (format "a loop: ~a\n" (part 'verdict (with-policy (lambda (call) (let loop () (loop))) (lambda () (decide 'bash "date"))))))
(display (format "a policy that calls a tool: ~a\n" (part 'verdict (with-policy (lambda (call) (bash "date") 'allow) (lambda () (decide 'bash "date"))))))
