;; What other dialects write, each in its smallest form.

;; ---- keyword arguments ----
(define (f a #:k k #:d [d 10] [o 20] . more) (list a k d o more))
(f 1 #:k 2) => (1 2 10 20 ())
(f #:k 2 1 3 4 #:d 5 6) => (1 2 5 3 (4 6))
(apply f 1 '(#:k 2)) => (1 2 10 20 ())
(f #:k 2) =raises> "f: 0 arguments given, 1 or more taken"
(f 1) =raises> "f: #:k is missing"
(f 1 #:k) =raises> "f: #:k is missing"
(define* (g a #:optional b (c (list a b)) #:key d (e d)) (list a b c d e))
(g 1) => (1 #f (1 #f) #f #f)
(g 1 2 3 #:d 4) => (1 2 3 4 4)
(g 1 2 3 4) =raises> "g: 4 arguments given, at most 3 taken by position"
(g 1 #:no 4) =raises> "g: there is no #:no; it takes #:d #:e"
(g 1 #:d) =raises> "g: #:d has no value"
((lambda* (#:key (a 1) #:allow-other-keys #:rest r) (list a r)) #:a 2 #:b 3 4) => (2 (4 #:b 3))
((lambda (a #!optional b) (list a (default-object? b))) 1) => (1 #t)
((lambda* (a #:key k #:rest r) (list a k r)) 1 #:k 2 3) => (1 2 (3))
(let loop ([i 0] [acc '()]) (if (= i 2) acc (loop (+ i 1) (cons i acc)))) => (1 0)

;; ---- for ----
(for/list ([x (in-naturals)] #:break (> x 2)) x) => (0 1 2)
(for*/list ([x '(1 2 3)] [y '(a b)] #:break (= x 2)) (list x y)) => ((1 a) (1 b))
(for/list ([x '(1 2 3 4)] #:final (= x 2)) x) => (1 2)
(for/fold ([a 0] [b '()] #:result (list a b)) ([x '(1 2)]) (values (+ a x) (cons x b))) => (3 (2 1))
(for/vector #:length 2 ([x '(1 2)]) x) => #(1 2)
(for/list ([x (in-sequences '(1) #(2))]) x) => (1 2)
(for/list ([(a b) (in-parallel '(1 2) '(x y))]) (list a b)) => ((1 x) (2 y))
(for/list ([x '(1 2 3)] [y (in-cycle '(a b))]) y) => (a b a)
(sequence->list (in-naturals)) =raises> "a sequence that ends"

;; ---- format ----
(format #f "~{~a~^, ~}." '(1 2 3)) => "1, 2, 3."
(format #f "~{~a=~s ~}" '(a "x" b "y")) => "a=\"x\" b=\"y\" "
(format #f "~{[~{~a~}]~}" '((1 2) (3))) => "[12][3]"
(format #f "~a~@{-~a~}" 1 2 3) => "1-2-3"
(format #f "~{~a~:}" '(1)) => "1"
(format #f "~d item~:p ~d compan~:@p" 1 2) => "1 item 2 companies"
(format #f "~{~a" '(1)) =raises> "closed by ~}"
(format #f "~{~a~}" 5) =raises> "proper list"
(format #f "~{~}" '(1)) => ""
(format #f "~{~a~}" (let ((l (list 1))) (set-cdr! l l) l)) =raises> "proper list"

;; ---- match ----
(struct point (x y))
(define-record-type <pair-of> (pair-of a b) pair-of? (a pair-a) (b pair-b))
(match (point 1 2) [(point x y) (+ x y)]) => 3
(match (point 1 2) [(point x y) (point-x (point (+ x 1) y))]) => 2
(match '(1 2 3) [(point x y) (list point x y)]) => (1 2 3)
(match (pair-of 1 2) [($ <pair-of> a b) (list a b)]) => (1 2)
(match 5 [($ <pair-of> a b) 1] [_ 2]) => 2
(match (hash 'a 1 'b 2) [(hash-table ('a x) _ ...) x]) => 1
(match (hash 'a 1) [(hash-table ('z x)) x] [_ 'none]) => none
(match "v12" [(regexp "v([0-9]+)" (list _ n)) n]) => "12"
(match '(1 2 3) [(list-rest a b) b]) => (2 3)
(let () (match-define (list a (cons b c)) '(1 (2 . 3))) (list a b c)) => (1 2 3)

;; ---- names of others ----
(->> '(1 2 3) (map 1+) (apply +)) => 9
(-> 5 (- 2) number->string) => "3"
(let-optionals '(1) ((a 5) (b 6)) (list a b)) => (1 6)
(handle-exceptions e 'no (error "x")) => no
(condition-case (error "x") (e () 'caught)) => caught
(string-translate* "aXbX" '(("X" . "--") ("a" . ""))) => "--b--"
(string-chop "abcde" 2) => ("ab" "cd" "e")
(list (string-chop "abcd" 2) (string-chop "" 3)) => (("ab" "cd") ())
(string-chop "abc" 0) =raises> "string-chop: argument 2"
((string-splitter 'delimiter #\,) "a,,b") => ("a" "b")
((string-joiner* 'infix "/") '("a" "b")) => "a/b"
(partition-by odd? '(1 3 2 5)) => ((1 3) (2) (5))
(hash-table-ref (frequencies '(a b a)) 'a 0) => 2
(let ((sum 0)) (dolist (x '(1 2)) (set! sum (+ sum x))) sum) => 3
(string-join ", " '("a" "b")) => "a, b"
(hash-count (lambda (k v) (> v 1)) (hash 'a 1 'b 2)) => 1
(define-record person name age)
(let ((p (make-person "Ann" 3))) (person-age-set! p 4) (list (person-name p) (person-age p) (person? p))) => ("Ann" 4 #t)
