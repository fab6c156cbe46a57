;; Reviews each file of a pattern with an agent of its own, side by side, and puts what they found together.
;;   caper run --policy auto review.scm -- PATTERN [MODEL]
(define args (cdr (command-line)))
(define pattern (if (pair? args) (car args) "**/*.go"))

;; Without a model of the command line a procedure answers: it reads the file that it is asked about, and finds errors that
;; are thrown away.
(define (part name x) (cdr (assq name x)))
(define (findings path text)
  (let loop ((lines (string-split text "\n")) (n 1) (found '()))
    (cond ((null? lines) (reverse found))
          ((string-contains (car lines) "_ = ") (loop (cdr lines) (+ n 1) (cons (format "~a:~a: an error is thrown away" path n) found)))
          (else (loop (cdr lines) (+ n 1) found)))))
(define-model 'offline
  (lambda (messages tools)
    (let* ((last (car (reverse messages)))
           (block (car (part 'blocks last)))
           (path (part 'text (cadr messages))))
      (if (eq? (part 'kind block) 'tool-result)
          (string-join (findings path (part 'text block)) "\n")
          `((call read-file (path . ,path)))))))

(define-agent 'reviewer
  #:description "finds errors that are thrown away"
  #:constitution "You get the path of a Go file. Read it. Answer one line for each error that is thrown away, PATH:LINE: and why; nothing when all is well."
  #:model (if (and (pair? args) (pair? (cdr args))) (cadr args) "offline")
  #:tools '(read-file)
  #:void-legal #t)

(define files (glob pattern))
(define reviews (par-map (lambda (file) (spawn-agent 'reviewer file)) files))
(for-each (lambda (file review)
            (unless (string=? review "") (display review) (newline)))
          files reviews)
(display (format "~a files, ~a of them with findings, ~a tokens\n" (length files)
                 (count (lambda (r) (not (string=? r ""))) reviews)
                 (let ((usage (job-usage (current-job)))) (+ (part 'input usage) (part 'output usage)))))
