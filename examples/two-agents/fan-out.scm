;; Twenty agents side by side, each in a folder of its own.
;;   caper run fan-out.scm -- claude_code
(define client (string->symbol (cadr (command-line))))
(define folders (map (lambda (i) (string-append "part-" (number->string i))) (iota 20 1)))

(for-each make-dir folders)
(define answers (par-map (lambda (folder) (drive-agent client "Say where you are." #:work-folder folder)) folders))
(define right (filter (lambda (pair) (string-suffix? (car pair) (cadr pair))) (map list folders answers)))
(display (string-append (number->string (length right)) " of 20 agents said where they were.\n"))
