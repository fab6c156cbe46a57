(import (scheme base) (scheme write) (srfi 239))

(define (type-of obj) (list-case obj ((_ . _) 'pair) (() 'null) (_ 'atom)))
(map type-of '((1 . 2) () 5)) => (pair null atom)
(define (fold proc seed ls)
  (let f ((acc seed) (ls ls))
    (list-case ls
      (() acc)
      ((h . t) (f (proc h acc) t))
      (x (error "not a list" x)))))
(fold cons '() '(1 2 3)) => (3 2 1)
(fold cons '() '(1 . 2)) =raises> "not a list: 2"
(list-case '(1 . 2) ((a . _) (define b a) (+ a b))) => 2
(list-case '() ((a . b) a)) =raises> "list-case: there is no clause for this: ()"
