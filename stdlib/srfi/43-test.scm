(import (except (scheme base) vector-map vector-for-each vector-copy) (scheme write) (srfi 43))

(make-vector 3 'a) => #(a a a)
(vector 1 2) => #(1 2)
(vector-unfold (lambda (i x) (values x (- x 1))) 5 0) => #(0 -1 -2 -3 -4)
(vector-unfold values 3) => #(0 1 2)
(vector-unfold (lambda (i a b) (values (+ a b) b (+ a b))) 5 0 1) => #(1 2 3 5 8)
(vector-unfold-right (lambda (i x) (values (cons i x) (+ x 1))) 3 0) => #((0 . 2) (1 . 1) (2 . 0))
(vector-unfold-right values 3) => #(0 1 2)
(vector-copy '#(a b c d e f g h i)) => #(a b c d e f g h i)
(vector-copy '#(a b c d e f g h i) 6) => #(g h i)
(vector-copy '#(a b c d e f g h i) 3 6) => #(d e f)
(vector-copy '#(a b c d e f g h i) 6 12 'x) => #(g h i x x x)
(vector-reverse-copy '#(5 4 3 2 1 0) 1 5) => #(1 2 3 4)
(vector-reverse-copy '#(1 2)) => #(2 1)
(vector-append '#(x) '#(y z)) => #(x y z)
(vector-concatenate '(#(a b) #(c d))) => #(a b c d)
(list (vector? '#(a)) (vector? '(a))) => (#t #f)
(list (vector-empty? '#()) (vector-empty? '#(a))) => (#t #f)
(list (vector= eq? '#(a b c d) '#(a b c d)) (vector= eq? '#(a b c d) '#(a b d c)) (vector= = '#(1 2 3) '#(1 2)) (vector= eq?) (vector= eq? '#(a))) => (#t #f #f #t #t)
(vector= = '#(1) '#(1) '#(1 2)) => #f
(vector-ref '#(a b c) 1) => b
(vector-length '#(a b)) => 2
(vector-fold (lambda (i len s) (max (string-length s) len)) 0 '#("a" "abc" "ab")) => 3
(vector-fold (lambda (i acc x y) (cons (list i x y) acc)) '() '#(1 2 3) '#(a b)) => ((1 2 b) (0 1 a))
(vector-fold-right (lambda (i tail x) (cons x tail)) '() '#(1 2 3)) => (1 2 3)
(vector-fold-right (lambda (i acc x y) (cons (list i x y) acc)) '() '#(1 2 3) '#(a b)) => ((0 1 a) (1 2 b))
(vector-map (lambda (i x) (* i x)) '#(3 4 5)) => #(0 4 10)
(vector-map (lambda (i x y) (list i x y)) '#(1 2) '#(a b c)) => #((0 1 a) (1 2 b))
(let ((v (vector 1 2 3))) (vector-map! (lambda (i x) (* x x)) v) v) => #(1 4 9)
(let ((v (vector 1 2 3))) (vector-map! (lambda (i x y) (+ i x y)) v '#(10 20)) v) => #(11 23 3)
(let ((l '())) (vector-for-each (lambda (i x) (set! l (cons (cons i x) l))) '#(a b)) l) => ((1 . b) (0 . a))
(let ((l '())) (vector-for-each (lambda (i x y) (set! l (cons (list i x y) l))) '#(a b) '#(c)) l) => ((0 a c))
(vector-count (lambda (i x) (even? x)) '#(3 1 4 1 5 9 2 5 6)) => 3
(vector-count (lambda (i x y) (< x y)) '#(1 3 6 9) '#(2 4 6 8 10 12)) => 2
(list (vector-index even? '#(3 1 4 1 5 9)) (vector-index < '#(3 1 4 1 5 9 2 5 6) '#(2 7 1 8 2)) (vector-index = '#(3 1) '#(2 7))) => (2 1 #f)
(list (vector-index-right even? '#(2 1 4 1)) (vector-index-right < '#(3 1 4) '#(4 2 1))) => (2 1)
(list (vector-skip number? '#(1 2 a b 3 4 c d)) (vector-skip-right number? '#(a 1)) (vector-skip = '#(1 2) '#(1 3))) => (2 0 1)
(vector-binary-search '#(1 3 5 7) 5 -) => 2
(vector-binary-search '#(1 3 5 7) 4 -) => #f
(list (vector-any (lambda (x) (and (even? x) (* x 2))) '#(1 2)) (vector-any < '#(1 2) '#(0 3)) (vector-any even? '#())) => (4 #t #f)
(list (vector-every (lambda (x) (and (even? x) (* x 2))) '#(2 4)) (vector-every < '#(1 2) '#(0 3)) (vector-every even? '#())) => (8 #f #t)
(let ((v (vector 1 2))) (vector-set! v 0 'a) v) => #(a 2)
(let ((v (vector 1 2 3))) (vector-swap! v 0 2) v) => #(3 2 1)
(let ((v (vector 1 2 3))) (vector-fill! v 'x 1) v) => #(1 x x)
(let ((v (vector 1 2 3 4))) (vector-reverse! v 1 3) v) => #(1 3 2 4)
(let ((v (vector 1 2 3))) (vector-copy! v 1 '#(a b c) 1) v) => #(1 b c)
(let ((v (vector 1 2 3))) (vector-reverse-copy! v 1 '#(a b c) 1 3) v) => #(1 c b)
(let ((v (vector 1 2 3))) (vector-reverse-copy! v 0 v) v) => #(3 2 1)
(vector->list '#(a b c) 1) => (b c)
(reverse-vector->list '#(a b c) 1 3) => (c b)
(list->vector '(a b)) => #(a b)
(reverse-list->vector '(a b)) => #(b a)

(make-vector -1) =raises> "make-vector"
(vector-unfold 5 1) =raises> "vector-unfold: argument 1 must be a procedure: 5"
(vector-unfold-right 5 1) =raises> "vector-unfold-right: argument 1 must be a procedure: 5"
(vector-copy '#(1) 2) =raises> "vector"
(vector-reverse-copy '#(1) 2) =raises> "vector"
(vector-append 1) =raises> "vector-append"
(vector-concatenate 1) =raises> "vector-concatenate"
(vector-empty? 1) =raises> "vector"
(vector= 1) =raises> "vector=: argument 1 must be a procedure: 1"
(vector-ref '#(1) 1) =raises> "vector-ref"
(vector-length 1) =raises> "vector-length"
(vector-fold list 0 1) =raises> "vector"
(vector-fold-right list 0 1) =raises> "vector"
(vector-map list 1) =raises> "vector"
(vector-map! list 1) =raises> "vector"
(vector-for-each list 1) =raises> "vector"
(vector-count list 1) =raises> "vector"
(vector-index list 1) =raises> "vector"
(vector-index-right list 1) =raises> "vector"
(vector-skip list 1) =raises> "vector"
(vector-skip-right list 1) =raises> "vector"
(vector-binary-search 1 1 -) =raises> "vector"
(vector-any list 1) =raises> "vector"
(vector-every list 1) =raises> "vector"
(vector-set! (vector) 0 1) =raises> "vector-set!"
(vector-swap! (vector 1) 0 1) =raises> "vector-swap!"
(vector-fill! 1 1) =raises> "vector-fill!"
(vector-reverse! 1) =raises> "vector-reverse!"
(vector-copy! (vector) 0 '#(1)) =raises> "vector-copy!"
(vector-reverse-copy! (vector) 0 '#(1)) =raises> "vector-copy!"
(vector->list 1) =raises> "vector->list"
(reverse-vector->list 1) =raises> "vector->list"
(list->vector 1) =raises> "list->vector"
(reverse-list->vector 1) =raises> "reverse-list->vector"
