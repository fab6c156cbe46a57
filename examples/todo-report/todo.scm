;; Count the TODO, FIXME and XXX notes of a source tree, by file.
;;   caper run todo.scm -- DIR [GLOB]
(define args (command-line-arguments))
(define dir (if (pair? args) (car args) "."))
(define pattern (if (and (pair? args) (pair? (cdr args))) (cadr args) "*"))

(define marks '("TODO" "FIXME" "XXX"))
(define (note-lines mark) (grep mark #:path dir #:glob pattern #:all #t))

(define found (par-map note-lines marks))
(for-each
  (lambda (mark lines) (display mark) (display " ") (display (length lines)) (newline))
  marks found)

(define (tally lines)
  (let ((table (make-equal-hash-table)))
    (for-each (lambda (l) (hash-table-update!/default table (cdr (assq 'path l)) (lambda (n) (+ n 1)) 0)) lines)
    (sort (hash-table->alist table) (lambda (a b) (or (> (cdr a) (cdr b)) (and (= (cdr a) (cdr b)) (string<? (car a) (car b))))))))
(define worst (tally (apply append found)))
(for-each (lambda (p) (display (cdr p)) (display "  ") (display (car p)) (newline))
          (if (> (length worst) 10) (list-head worst 10) worst))
(map length found)
