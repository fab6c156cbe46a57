(import (scheme base) (scheme write) (srfi 95))

(list (sorted? '(1 2 2) <) (sorted? #(2 1) <) (sorted? '() <) (sorted? '((2 . 1) (1 . 2)) < cdr)) => (#t #f #t #t)
(sorted? 5 <) =raises> "sorted?: argument 1 must be a list or a vector"
(merge '(1 3) '(2 4) <) => (1 2 3 4)
(merge '((1 . a) (2 . a)) '((1 . b)) < car) => ((1 . a) (1 . b) (2 . a))
(merge 5 '() <) =raises> "merge: argument 1 must be a list"
(merge! (list 1 3) (list 2) <) => (1 2 3)
(merge! '() 5 <) =raises> "must be a list"
(list (sort '(3 1 2) <) (sort #(3 1 2) >)) => ((1 2 3) #(3 2 1))
(sort '((3 . a) (1 . b) (3 . c)) < car) => ((1 . b) (3 . a) (3 . c))
(sort #("ccc" "a" "bb") < string-length) => #("a" "bb" "ccc")
(sort 5 <) =raises> "sort: argument 1 must be a list or a vector"
(let ((v (vector 3 1 2))) (sort! v <) v) => #(1 2 3)
(sort! (list 3 1 2) < -) => (3 2 1)
(sort! 5 <) =raises> "must be a list or a vector"
