(import (scheme base) (scheme write) (srfi 133))

(make-vector 3 'a) => #(a a a)
(make-vector -1) =raises> "make-vector: argument 1"
(vector 1 2 3) => #(1 2 3)
(vector-unfold (lambda (i x) (values x (- x 1))) 10 0) => #(0 -1 -2 -3 -4 -5 -6 -7 -8 -9)
(vector-unfold values 7) => #(0 1 2 3 4 5 6)
(vector-unfold (lambda (i a b) (values (+ a b) b (+ a b))) 5 0 1) => #(1 2 3 5 8)
(vector-unfold values 'x) =raises> "vector-unfold: argument 2 must be an exact integer"
(vector-unfold-right (lambda (i x) (values (cons i x) (+ x 1))) 5 0) => #((0 . 4) (1 . 3) (2 . 2) (3 . 1) (4 . 0))
(vector-unfold-right values 3) => #(0 1 2)
(vector-unfold-right values 'x) =raises> "vector-unfold-right: argument 2"
(vector-copy #(a b c d e f g h i) 6) => #(g h i)
(vector-copy #(a b c d e f g h i) 3 6) => #(d e f)
(vector-copy #(a) 2) =raises> "vector-copy: argument 2"
(vector-reverse-copy #(5 4 3 2 1 0) 1 5) => #(1 2 3 4)
(vector-reverse-copy #(1 2 3)) => #(3 2 1)
(vector-reverse-copy 'x) =raises> "vector"
(vector-append #(x) #(y z)) => #(x y z)
(vector-append #(1) 2) =raises> "vector-append: argument 2"
(vector-concatenate '(#(a b) #(c d))) => #(a b c d)
(vector-concatenate '(#(a b) 5)) =raises> "vector-concatenate"
(vector-append-subvectors #(a b c d e) 0 2 #(f g h i j) 2 4) => #(a b h i)
(vector-append-subvectors #(a) 0) =raises> "vector-append-subvectors: takes a vector, a start and an end"

(list (vector? #(a b c)) (vector? '(a b c)) (vector? #()) (vector? #u8(1))) => (#t #f #t #f)
(list (vector-empty? #(a)) (vector-empty? #(())) (vector-empty? #())) => (#f #f #t)
(vector-empty? '()) =raises> "vector-empty?: argument 1 must be a vector"
(vector= eq? #(a b c d) #(a b c d)) => #t
(vector= eq? #(a b c d) #(a b d c)) => #f
(vector= = #(1 2 3 4 5) #(1 2 3 4)) => #f
(vector= eq?) => #t
(vector= eq? #(a)) => #t
(vector= equal? #((a)) #((a)) #((a))) => #t
(vector= eq? #(1) 2) =raises> "vector=: argument 3 must be a vector"

(vector-ref #(a b c d) 2) => c
(vector-ref #(a) 1) =raises> "vector-ref: argument 2"
(vector-length #(a b c)) => 3
(vector-length '()) =raises> "vector-length: argument 1 must be a vector"

(vector-fold (lambda (len s) (max (string-length s) len)) 0 #("a" "abc" "ab")) => 3
(vector-fold (lambda (tail e) (cons e tail)) '() #(1 2 3)) => (3 2 1)
(vector-fold (lambda (n a b) (+ n (* a b))) 0 #(1 2 3) #(4 5)) => 14
(vector-fold + 0 '(1)) =raises> "vector-fold: argument 3 must be a vector"
(vector-fold-right (lambda (tail e) (cons e tail)) '() #(1 2 3)) => (1 2 3)
(vector-fold-right (lambda (n a b) (cons (+ a b) n)) '() #(1 2 3) #(4 5)) => (5 7)
(vector-fold-right + 0 5) =raises> "vector-fold-right: argument 3 must be a vector"
(vector-map (lambda (x) (* x x)) #(1 2 3 4)) => #(1 4 9 16)
(vector-map * #(1 2 3) #(5 6)) => #(5 12)
(vector-map + 5) =raises> "must be a vector"
(let ((v (vector 1 2 3))) (vector-map! (lambda (x) (* x x)) v) v) => #(1 4 9)
(let ((v (vector 1 2 3))) (vector-map! + v #(10 20)) v) => #(11 22 3)
(vector-map! + 5) =raises> "vector-map!: argument 2 must be a vector"
(let ((l '())) (vector-for-each (lambda (x) (set! l (cons x l))) #(1 2 3)) l) => (3 2 1)
(vector-for-each + 5) =raises> "must be a vector"
(vector-count even? #(3 1 4 1 5 9 2 5 6)) => 3
(vector-count < #(1 3 6 9) #(2 4 6 8 10 12)) => 2
(vector-count even? 5) =raises> "must be a vector"
(vector-cumulate + 0 #(3 1 4 1 5 9 2 5 6)) => #(3 4 8 9 14 23 25 30 36)
(vector-cumulate + 0 5) =raises> "vector-cumulate: argument 3 must be a vector"

(vector-index even? #(3 1 4 1 5 9)) => 2
(vector-index < #(3 1 4 1 5 9 2 5 6) #(2 7 1 8 2)) => 1
(vector-index = #(3 1 4 1 5 9 2 5 6) #(2 7 1 8 2)) => #f
(vector-index even? 5) =raises> "vector-index: argument 2 must be a vector"
(vector-index-right even? #(1 2 4 5)) => 2
(vector-index-right < #(3 1 4 1 5) #(2 7 1 8 2)) => 3
(vector-index-right < #(3 1) #(2)) =raises> "vector-index-right: the vectors must be equally long"
(vector-skip number? #(1 2 a b 3 4 c d)) => 2
(vector-skip = #(1 2 3) #(1 2 4)) => 2
(vector-skip number? 5) =raises> "vector-skip: argument 2 must be a vector"
(vector-skip-right number? #(1 2 a b 3 4)) => 3
(vector-skip-right = #(1 2) #(1)) =raises> "vector-skip-right: the vectors must be equally long"
(vector-binary-search #(1 3 5 7 9) 7 -) => 3
(vector-binary-search #(1 3 5 7 9) 4 -) => #f
(vector-binary-search '(1) 1 -) =raises> "vector-binary-search: argument 1 must be a vector"
(vector-any (lambda (x) (and (even? x) (* x 10))) #(1 2 3)) => 20
(vector-any < #(5 1) #(2 4 9)) => #t
(vector-any even? #()) => #f
(vector-any even? 5) =raises> "vector-any: argument 2 must be a vector"
(vector-every (lambda (x) (and (odd? x) x)) #(1 3)) => 3
(vector-every < #(1 5) #(2 4 9)) => #f
(vector-every even? #()) => #t
(vector-every even? 5) =raises> "vector-every: argument 2 must be a vector"
(call-with-values (lambda () (vector-partition odd? #(1 2 3 4 5))) list) => (#(1 3 5 2 4) 3)
(vector-partition odd? 5) =raises> "vector-partition: argument 2 must be a vector"

(let ((v (vector 1 2 3))) (vector-set! v 0 'a) v) => #(a 2 3)
(vector-set! (vector 1) 1 1) =raises> "vector-set!: argument 2"
(let ((v (vector 1 2 3))) (vector-swap! v 0 2) v) => #(3 2 1)
(vector-swap! (vector 1) 0 1) =raises> "vector-swap!: argument 3"
(let ((v (vector 1 2 3 4))) (vector-fill! v 0 1 3) v) => #(1 0 0 4)
(vector-fill! 5 0) =raises> "vector-fill!: argument 1"
(let ((v (vector 1 2 3 4))) (vector-reverse! v) (vector-reverse! v 1 3) v) => #(4 2 3 1)
(vector-reverse! (vector 1) 0 2) =raises> "vector-reverse!: argument 3"
(let ((v (vector 1 2 3 4))) (vector-copy! v 1 #(a b c) 1) v) => #(1 b c 4)
(vector-copy! (vector 1) 0 #(1 2)) =raises> "vector-copy!"
(let ((v (vector 1 2 3 4))) (vector-reverse-copy! v 1 #(a b c)) v) => #(1 c b a)
(let ((v (vector 1 2 3 4))) (vector-reverse-copy! v 0 #(a b c) 1) v) => #(c b 3 4)
(vector-reverse-copy! 5 0 #(1)) =raises> "vector-reverse-copy!: argument 1 must be a vector"
(let ((v (vector 1 2 3 4))) (vector-unfold! (lambda (i x) (values x (* x 2))) v 1 3 5) v) => #(1 5 10 4)
(vector-unfold! values (vector 1) 0 2) =raises> "vector-unfold!: argument 4 must be from 0 to 1"
(let ((v (vector 1 2 3 4))) (vector-unfold-right! (lambda (i x) (values x (* x 2))) v 1 3 5) v) => #(1 10 5 4)
(vector-unfold-right! values 5 0 2) =raises> "vector-unfold-right!: argument 2 must be a vector"

(vector->list #(1 2 3) 1) => (2 3)
(vector->list 5) =raises> "vector->list: argument 1 must be a vector"
(reverse-vector->list #(1 2 3) 1 3) => (3 2)
(reverse-vector->list 5) =raises> "reverse-vector->list: argument 1"
(list->vector '(1 2)) => #(1 2)
(list->vector 5) =raises> "list->vector: argument 1"
(reverse-list->vector '(1 2 3)) => #(3 2 1)
(reverse-list->vector 5) =raises> "reverse-list->vector: argument 1"
(vector->string #(#\a #\b #\c) 1) => "bc"
(vector->string #(1)) =raises> "vector->string"
(string->vector "abc" 0 2) => #(#\a #\b)
(string->vector 5) =raises> "string->vector: argument 1"
