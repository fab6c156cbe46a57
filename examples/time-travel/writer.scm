;; A model that needs no network: it does what the prompt says, one call a turn.
(define (text m) (cdr (assq 'text m)))
(define (said-by-user messages)
  (filter (lambda (m) (and (eq? (cdr (assq 'role m)) 'user) (not (string=? (text m) "")))) messages))

(define-model 'writer
  (lambda (messages tools)
    (let* ((said (said-by-user messages))
           (words (string-split (text (last said)) " ")))
      (cond ((not (eq? (last messages) (last said))) "done") ; its call was answered
            ((string=? (car words) "write")
             `((call write-file (path . ,(cadr words)) (data . ,(string-append (string-join (cddr words) " ") "\n")))))
            ((string=? (car words) "recall") (string-join (map text said) ", "))
            (else "I write FILE TEXT, and recall what was said.")))))
