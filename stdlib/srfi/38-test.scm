(import (scheme base) (srfi 38) (only (scheme write) write))

(define (text writer x)
  (let ((p (open-output-string))) (writer x p) (get-output-string p)))
(define ring (let ((l (list 'a 'b 'c))) (set-cdr! (cddr l) l) l))
(text write-with-shared-structure ring) => "#0=(a b c . #0#)"
(text write/ss (let ((x (list 1))) (list x x))) => "(#0=(1) #0#)"
(text (lambda (x p) (write/ss x p #f)) '(1 2)) => "(1 2)"
(let ((x (read-with-shared-structure (open-input-string "#0=(a . #0#)")))) (eq? x (cdr x))) => #t
(let ((x (read/ss (open-input-string "(#1=(1) #1#)")))) (eq? (car x) (cadr x))) => #t
(read/ss (open-input-string "#0=(a #1#)")) =raises> "label"
(read-with-shared-structure 5) =raises> "port"
(write/ss 1 2) =raises> "port"
(write-with-shared-structure 1 2) =raises> "port"
