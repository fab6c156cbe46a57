;; A model written in Scheme: it is asked with what was said and the tools that there are, and answers with text and calls.
;; Each answer is made from the messages alone, so it needs no network, no key and no luck.

(define (of-kind kind message)
  (filter (lambda (block) (eq? kind (cdr (assq 'kind block)))) (cdr (assq 'blocks message))))
(define (field name block) (cdr (assq name block)))
(define (items found) (if (vector? found) (vector->list found) '())) ; JSON has no empty list of its own
(define (words text) (length (string-tokenize text)))

(define (longest counts)
  (fold-left (lambda (best next) (if (> (cdr next) (cdr best)) next best)) (car counts) (cdr counts)))

(define-model 'librarian
  (lambda (messages tools)
    (let* ((said (reverse messages))
           (results (of-kind 'tool-result (car said)))
           (asked (if (null? results) '() (of-kind 'tool-use (cadr said)))))
      (cond
        ;; Nothing was looked at yet.
        ((null? results)
         '((text "I look for the texts that are here.") (call glob (pattern . "**/*.txt"))))
        ;; The files are known: read them all at once.
        ((string=? "glob" (field 'name (car results)))
         (let ((files (items (json->scheme (field 'text (car results))))))
           (if (null? files)
               "There are no texts here."
               (map (lambda (file) `(call read-file (path . ,file))) files))))
        ;; They were read: the calls say which is which.
        (else
         (let ((counts (filter-map (lambda (call result)
                                     (and (not (assq 'failed result)) ; its text says why it could not be read
                                          (cons (field 'path (field 'input call)) (words (field 'text result)))))
                                   asked results)))
           (if (null? counts)
               "I could read none of the texts."
               (let ((best (longest counts)))
                 (format "I read ~a texts. The longest is ~a, with ~a words." (length counts) (car best) (cdr best))))))))))
