;; One agent writes, another reviews, and a person approves what is written. The writer goes on in its own session until the
;; reviewer is content, three times at most.
;;   caper run --park two-agents.scm -- claude_code codex
(define clients (map string->symbol (cdr (command-line))))
(define writer (car clients))
(define reviewer (cadr clients))

(define (field name answer) (cdr (assq name answer)))

(define (content? review) (string-prefix? "Approved" review))

(let loop ((round 1) (wish "Write a poem of two lines about jumping to poem.txt.") (session #f))
  (let* ((draft (if session
                    (drive-agent writer wish #:session session #:whole #t)
                    (drive-agent writer wish #:whole #t)))
         (review (drive-agent reviewer "Review poem.txt. Begin with Approved, or say what is to be better.")))
    (display review)
    (newline)
    (cond ((content? review) (display (read-file "poem.txt")))
          ((< round 3) (loop (+ round 1) (string-append "A reviewer says: " review) (field 'session draft)))
          (else (display "No poem that both like.\n")))))
