;; Rename a symbol across a tree: every file is edited by one call of its own, so that each edit is shown and asked for.
;;   caper run rename.scm -- OLD NEW [GLOB]
;; Answer s once and the rest of the edits in that folder are not asked again in this session.
(define args (command-line-arguments))
(define usage "rename takes two names: caper run rename.scm -- OLD NEW [GLOB]")
(if (< (length args) 2) (error usage))
(define old (car args))
(define new (cadr args))
(define files (if (pair? (cddr args)) (caddr args) "**/*"))

(define hits (grep (string-append "\\b" old "\\b") #:glob files))
(define paths (delete-duplicates (map (lambda (h) (cdr (assq 'path h))) hits)))

(if (null? paths)
    (begin (display "nothing matches: no file of ") (display files) (display " holds the word ") (display old) (newline)))

(define (rename-in path)
  (guard (e ((denied? e) (list path 'kept)))
    (let ((text (read-file path)))
      (write-file path (regexp-replace* (pregexp (string-append "\\b" old "\\b")) text new))
      (list path 'renamed))))

(define results (map rename-in paths))
(for-each (lambda (r) (display (cadr r)) (display "  ") (display (car r)) (newline)) results)
results
