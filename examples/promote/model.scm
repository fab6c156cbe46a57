;; A model that needs no network. Asked for the words of a text, it uses the tool that counts them; while there is none, it
;; writes a program, as a model does for what takes many steps.

(define (field name alist) (cdr (assq name alist)))
(define (results message)
  (filter (lambda (block) (eq? 'tool-result (field 'kind block))) (field 'blocks message)))
(define (there? name tools) (find (lambda (tool) (string=? name (field 'name tool))) tools))

(define program "; Counts the words of a text.
(define (words text) (length (string-tokenize text)))
(words (read-file \"~a\"))")

(define-model 'counter
  (lambda (messages tools)
    (let ((now (last messages)))
      (if (pair? (results now))
          (field 'text (car (results now)))
          (let ((file (last (string-tokenize (field 'text now)))))
            (if (there? "count-words" tools)
                `((call count-words (path . ,file)))
                `((call scheme (program . ,(format program file))))))))))
