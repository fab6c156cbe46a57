;; A tour of Caper. Every call below that touches the world is a job: it asks the policy first, it is on record before
;; it acts, and if this process is killed, `caper resume` goes on where it was.

;; A tool call looks like a procedure call and returns a value. Reading in the workspace needs no question.
(define readme (read-file "README.md"))
(define (line-count text)
  (length (filter (lambda (c) (char=? c #\newline)) (string->list text))))
(display "README.md has ") (display (line-count readme)) (display " lines.") (newline)

;; What the policy denies raises a condition, and guard catches it like any other. Nothing has run.
(guard (e ((denied? e) (display "Denied, as it should be: ") (display (error-object-message e)) (newline)))
  (bash "rm -rf /"))

;; Fork and join: par-map runs one call an item side by side and answers in order.
(define sources (glob "examples/*/*.scm"))
(define sizes (par-map (lambda (path) (cons path (string-length (read-file path)))) sources))

;; A bag is a program as a value. Running it nests a job of its own, with its own budget, under this one.
(define summarise
  (program "(apply + (map cdr sizes))" #:args (list (cons 'sizes sizes))))
(define total (run-program summarise))

;; A write asks: y once, s for this session, p for this project, n no, d shows the diff.
(define report
  (apply string-append
         (append (map (lambda (s) (string-append (number->string (cdr s)) "  " (car s) "\n")) sizes)
                 (list (number->string total) "  in all\n"))))
(guard (e ((denied? e) (display "Not written: ") (display (error-object-message e)) (newline)))
  (write-file "notes/tour.txt" report)
  (display "Wrote notes/tour.txt") (newline))
total
