(import (scheme base) (scheme write) (srfi 1))

;; ---- constructors ----
(cons 'a '(b)) => (a b)
(list 1 2) => (1 2)
(xcons '(b c) 'a) => (a b c)
(cons* 1 2 3 '(4 5)) => (1 2 3 4 5)
(cons* 1) => 1
(make-list 4 'c) => (c c c c)
(list-tabulate 4 values) => (0 1 2 3)
(list-copy '(1 2 . 3)) => (1 2 . 3)
(take (circular-list 'z 'q) 6) => (z q z q z q)
(iota 5) => (0 1 2 3 4)
(iota 3 1 1/2) => (1 3/2 2)
(cons 1) =raises> "argument"
(xcons 1) =raises> "argument"
(cons*) =raises> "argument"
(make-list 'a) =raises> "make-list: argument 1"
(list-tabulate 3 car) =raises> "must be a pair"
(circular-list) =raises> "argument"
(iota 'a) =raises> "iota: argument 1"

;; ---- predicates ----
(map pair? (list '(1) '() 1)) => (#t #f #f)
(map null? (list '(1) '() 1)) => (#f #t #f)
(map proper-list? (list '(1) '() '(1 . 2) (circular-list 1))) => (#t #t #f #f)
(map circular-list? (list '(1) '() '(1 . 2) (circular-list 1))) => (#f #f #f #t)
(map dotted-list? (list '(1) '() '(1 . 2) (circular-list 1) 5)) => (#f #f #t #f #t)
(map not-pair? (list '(1) '() 1)) => (#f #t #t)
(map null-list? (list '(1) '())) => (#f #t)
(list= eq?) => #t
(list= eq? '(a)) => #t
(list= = '(1 2) '(1 2) '(1 2)) => #t
(list= = '(1 2) '(1 3)) => #f
(list= = '(1 2) '(1 2 3)) => #f
(list= car '(1) '(2)) =raises> "argument"

;; ---- selectors ----
(define tree '((((1 . 2) . (3 . 4)) . ((5 . 6) . (7 . 8))) . (((9 . 10) . (11 . 12)) . ((13 . 14) . (15 . 16)))))
(list (caaaar tree) (cdaaar tree) (cadaar tree) (cddaar tree) (caadar tree) (cdadar tree) (caddar tree) (cdddar tree)
  (caaadr tree) (cdaadr tree) (cadadr tree) (cddadr tree) (caaddr tree) (cdaddr tree) (cadddr tree) (cddddr tree))
  => (1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
(list (caaar tree) (cdaar tree) (cadar tree) (cddar tree) (caadr tree) (cdadr tree) (caddr tree) (cdddr tree))
  => ((1 . 2) (3 . 4) (5 . 6) (7 . 8) (9 . 10) (11 . 12) (13 . 14) (15 . 16))
(list (caar '((1 . 2) 3)) (cdar '((1 . 2) 3)) (cadr '(1 2 3)) (cddr '(1 2 3))) => (1 2 2 (3))
(list (car '(1 . 2)) (cdr '(1 . 2))) => (1 2)
(cdr 1) =raises> "cdr"
(caar '(1)) =raises> "argument 1 must be"
(cddddr '(1 2)) =raises> "pair"
(list-ref '(a b c d) 2) => c
(list-ref '(a) 1) =raises> "list-ref"
(let ((l '(1 2 3 4 5 6 7 8 9 10)))
  (list (first l) (second l) (third l) (fourth l) (fifth l) (sixth l) (seventh l) (eighth l) (ninth l) (tenth l)))
  => (1 2 3 4 5 6 7 8 9 10)
(tenth '(1 2)) =raises> "tenth"
(first '()) =raises> "first"
(call-with-values (lambda () (car+cdr '(1 2))) list) => (1 (2))
(car+cdr '()) =raises> "pair"
(take '(a b c d e) 2) => (a b)
(drop '(a b c d e) 2) => (c d e)
(take '(1 2 3 . d) 2) => (1 2)
(take '(1 2 3 . d) 3) => (1 2 3)
(drop '(1 2 3 . d) 3) => d
(take-right '(a b c d e) 2) => (d e)
(take-right '(1 2 3 . d) 2) => (2 3 . d)
(take-right '(1 2 3 . d) 0) => d
(drop-right '(a b c d e) 2) => (a b c)
(drop-right '(1 2 3 . d) 2) => (1)
(take! (list 1 3 5) 2) => (1 3)
(drop-right! (list 1 3 5) 2) => (1)
(take '(1) 2) =raises> "take"
(drop '(1) 2) =raises> "drop"
(take-right '(1) 2) =raises> "take-right"
(drop-right '(1) 2) =raises> "drop-right"
(take! '(1) 2) =raises> "take!"
(drop-right! '(1) 2) =raises> "drop-right!"
(call-with-values (lambda () (split-at '(a b c d) 3)) list) => ((a b c) (d))
(call-with-values (lambda () (split-at! (list 'a 'b) 0)) list) => (() (a b))
(split-at '(a) 3) =raises> "split-at"
(split-at! '(a) 3) =raises> "split-at"
(list (last '(a b c)) (last-pair '(a b . c))) => (c (b . c))
(last '()) =raises> "last"
(last-pair '()) =raises> "last-pair"

;; ---- miscellaneous ----
(length '(a b)) => 2
(length '(a . b)) =raises> "length"
(list (length+ '(a b)) (length+ (circular-list 1 2))) => (2 #f)
(length+) =raises> "argument"
(append '(1) '(2 . 3)) => (1 2 . 3)
(append) => ()
(append 1 '(2)) =raises> "append"
(append! (list 1) (list 2) 3) => (1 2 . 3)
(append! 1 '(2)) =raises> "append!"
(concatenate '((1) () (2 3))) => (1 2 3)
(concatenate! (list (list 1) (list 2))) => (1 2)
(concatenate 5) =raises> "concatenate"
(concatenate! 5) =raises> "concatenate"
(reverse '(a (b c) d)) => (d (b c) a)
(reverse! (list 1 2 3)) => (3 2 1)
(reverse 'a) =raises> "reverse"
(reverse! 'a) =raises> "reverse!"
(append-reverse '(3 2 1) '(4 5)) => (1 2 3 4 5)
(append-reverse! (list 3 2 1) '(4 5)) => (1 2 3 4 5)
(append-reverse 1 '()) =raises> "append-reverse"
(append-reverse! 1 '()) =raises> "append-reverse!"
(zip '(one two three) '(1 2 3) '(odd even odd)) => ((one 1 odd) (two 2 even) (three 3 odd))
(zip '(3 1 4 1) (circular-list #f #t)) => ((3 #f) (1 #t) (4 #f) (1 #t))
(zip 5) =raises> "list"
(unzip1 '((1 a) (2 b))) => (1 2)
(call-with-values (lambda () (unzip2 '((1 one) (2 two) (3 three)))) list) => ((1 2 3) (one two three))
(call-with-values (lambda () (unzip3 '((1 2 3) (4 5 6)))) list) => ((1 4) (2 5) (3 6))
(call-with-values (lambda () (unzip4 '((1 2 3 4)))) list) => ((1) (2) (3) (4))
(call-with-values (lambda () (unzip5 '((1 2 3 4 5)))) list) => ((1) (2) (3) (4) (5))
(unzip1 '(1)) =raises> "first"
(unzip2 (quote ((1)))) =raises> "cadr"
(unzip3 '((1 2))) =raises> "third"
(unzip4 '((1 2 3))) =raises> "fourth"
(unzip5 '((1 2 3 4))) =raises> "fifth"
(count even? '(3 1 4 1 5 9 2 5 6)) => 3
(count < '(1 2 4 8) '(2 4 6 8 10 12 14 16)) => 3
(count < '(3 1 4 1) (circular-list 1 10)) => 2
(count even? 5) =raises> "list"

;; ---- folds and maps ----
(map + '(3 1 4 1) (circular-list 1 0)) => (4 1 5 1)
(map cadr '((a b) (d e) (g h))) => (b e h)
(map car 5) =raises> "map: argument 2 must be a proper list"
(let ((v '())) (for-each (lambda (x y) (set! v (cons (+ x y) v))) '(1 2 3) '(10 20)) v) => (22 11)
(for-each car 5) =raises> "for-each: argument 2 must be a proper list"
(fold cons* '() '(a b c) '(1 2 3 4 5)) => (c 3 b 2 a 1)
(fold cons '() '(1 2 3)) => (3 2 1)
(fold cons '() 5) =raises> "fold: argument 3 must be a proper list"
(fold-right cons '() '(1 2 3)) => (1 2 3)
(fold-right cons* '() '(a b c) '(1 2 3 4 5)) => (a 1 b 2 c 3)
(fold-right cons '() 5) =raises> "list"
(pair-fold (lambda (pair tail) (set-cdr! pair tail) pair) '() (list 1 2 3)) => (3 2 1)
(pair-fold (lambda (a b acc) (cons (list a b) acc)) '() '(1 2) '(3 4)) => (((2) (4)) ((1 2) (3 4)))
(pair-fold car 0 '(1)) =raises> "argument"
(pair-fold-right cons '() '(a b c)) => ((a b c) (b c) (c))
(pair-fold-right (lambda (a b acc) (cons (list a b) acc)) '() '(1 2) '(3 4)) => (((1 2) (3 4)) ((2) (4)))
(pair-fold-right car 0 '(1)) =raises> "argument"
(list (reduce + 0 '()) (reduce max 0 '(3 9 2)) (reduce - 0 '(1 2 3 4))) => (0 9 2)
(reduce + 0 5) =raises> "pair"
(list (reduce-right + 0 '(1 2 3)) (reduce-right append '() '((1) (2) (3)))) => (6 (1 2 3))
(reduce-right + 0 5) =raises> "list"
(unfold (lambda (x) (> x 10)) (lambda (x) (* x x)) (lambda (x) (+ x 1)) 1) => (1 4 9 16 25 36 49 64 81 100)
(unfold null? car cdr '(1 2) (lambda (x) '(end))) => (1 2 end)
(unfold null? car car '(1)) =raises> "pair"
(unfold-right zero? (lambda (x) (* x x)) (lambda (x) (- x 1)) 10) => (1 4 9 16 25 36 49 64 81 100)
(unfold-right null? car cdr '(1 2 3) '(4)) => (3 2 1 4)
(unfold-right null? car car '(1)) =raises> "pair"
(append-map (lambda (x) (list x (- x))) '(1 3 8)) => (1 -1 3 -3 8 -8)
(append-map! list '(1 2) '(a b)) => (1 a 2 b)
(append-map list 5) =raises> "list"
(append-map! list 5) =raises> "list"
(map! + (list 1 2) '(3 4)) => (4 6)
(map! car 5) =raises> "list"
(let ((n 0)) (map-in-order (lambda (x) (set! n (+ n x)) n) '(1 2 3))) => (1 3 6)
(map-in-order car 5) =raises> "list"
(let ((v '())) (pair-for-each (lambda (p) (set! v (cons p v))) '(a b c)) v) => ((c) (b c) (a b c))
(let ((v '())) (pair-for-each (lambda (p q) (set! v (cons (list p q) v))) '(a b) '(c)) v) => (((a b) (c)))
(pair-for-each car '(1) '(2)) =raises> "argument"
(filter-map (lambda (x) (and (number? x) (* x x))) '(a 1 b 3 c 7)) => (1 9 49)
(filter-map (lambda (x y) (and (< x y) (list x y))) '(1 5) '(2 3)) => ((1 2))
(filter-map car 5) =raises> "filter-map: argument 2 must be a proper list"

;; ---- filtering and searching ----
(filter even? '(0 7 8 8 43 -4)) => (0 8 8 -4)
(remove even? '(0 7 8 8 43 -4)) => (7 43)
(filter! even? (list 1 2)) => (2)
(remove! even? (list 1 2)) => (1)
(call-with-values (lambda () (partition symbol? '(one 2 3 four five 6))) list) => ((one four five) (2 3 6))
(call-with-values (lambda () (partition! symbol? (list 'one 2))) list) => ((one) (2))
(filter even? 5) =raises> "filter: argument 2 must be a proper list"
(filter! even? 5) =raises> "filter: argument 2 must be a proper list"
(remove even? 5) =raises> "list"
(remove! even? 5) =raises> "list"
(partition car '(1)) =raises> "pair"
(partition! car '(1)) =raises> "pair"
(find even? '(3 1 4 1 5 9)) => 4
(find even? '(1 3)) => #f
(find-tail even? '(3 1 37 -8 -5 0 0)) => (-8 -5 0 0)
(find-tail even? '(3 1 37 -5)) => #f
(find even? 5) =raises> "find: argument 2 must be a proper list"
(find-tail even? 5) =raises> "proper list"
(any integer? '(a 3 b 2.7)) => #t
(any < '(3 1 4 1 5) '(2 7 1 8 2)) => #t
(any memq '(a b) '((c) (b d))) => (b d)
(any even? '()) => #f
(any even? 5) =raises> "any: argument 2 must be a proper list"
(list (every + '(1 2)) (every < '(1 2) '(3 4)) (every even? '())) => (2 #t #t)
(every even? 5) =raises> "every: argument 2 must be a proper list"
(list (list-index even? '(3 1 4 1 5 9)) (list-index < '(3 1 4 1 5 9 2 5 6) '(2 7 1 8 2)) (list-index = '(3 1) '(2 7))) => (2 1 #f)
(list-index car '(1)) =raises> "pair"
(take-while even? '(2 18 3 10 22 9)) => (2 18)
(take-while! even? (list 2 3)) => (2)
(drop-while even? '(2 18 3 10 22 9)) => (3 10 22 9)
(take-while car '(1)) =raises> "pair"
(take-while! car '(1)) =raises> "pair"
(drop-while car '(1)) =raises> "pair"
(call-with-values (lambda () (span even? '(2 18 3 10 22 9))) list) => ((2 18) (3 10 22 9))
(call-with-values (lambda () (break even? '(3 1 4 1 5 9))) list) => ((3 1) (4 1 5 9))
(call-with-values (lambda () (span! even? (list 2 3))) list) => ((2) (3))
(call-with-values (lambda () (break! even? (list 3 2))) list) => ((3) (2))
(span car '(1)) =raises> "pair"
(break car '(1)) =raises> "pair"
(span! car '(1)) =raises> "pair"
(break! car '(1)) =raises> "pair"
(list (memq 'b '(a b c)) (memv 101 '(100 101 102)) (member '(a) '(b (a) c)) (member 2.0 '(1 2 3) =)) => ((b c) (101 102) ((a) c) (2 3))
(member 1 '(2 3 1) <) => (2 3 1)
(memq 'a 5) =raises> "memq"
(memv 'a 5) =raises> "memv"
(member 'a 5) =raises> "member"

;; ---- deletion, alists ----
(delete 1 '(1 2 1 3)) => (2 3)
(delete 5 '(1 7 9) <) => (1)
(delete! 1 (list 1 2)) => (2)
(delete-duplicates '(a b a c a b c z)) => (a b c z)
(delete-duplicates '((a . 3) (b . 7) (c . 1) (a . 9) (b . 11)) (lambda (x y) (eq? (car x) (car y)))) => ((a . 3) (b . 7) (c . 1))
(delete-duplicates! (list 1 1)) => (1)
(delete 1 5) =raises> "list"
(delete! 1 5) =raises> "list"
(delete-duplicates 5) =raises> "list"
(delete-duplicates! 5) =raises> "list"
(list (assq 'b '((a 1) (b 2))) (assv 5 '((2 3) (5 7))) (assoc '(a) '(((a)) (b))) (assoc 2.0 '((1 1) (2 4)) =)) => ((b 2) (5 7) ((a)) (2 4))
(assq 'a 5) =raises> "assq"
(assv 'a 5) =raises> "assv"
(assoc 'a 5) =raises> "assoc"
(alist-cons 1 2 '((3 . 4))) => ((1 . 2) (3 . 4))
(alist-cons 1 2) =raises> "argument"
(let* ((l (list (cons 1 2))) (m (alist-copy l))) (set-cdr! (car m) 3) (list l m)) => (((1 . 2)) ((1 . 3)))
(alist-copy 5) =raises> "alist-copy"
(alist-delete 'a '((a . 1) (b . 2) (a . 3))) => ((b . 2))
(alist-delete 2 '((1 . a) (3 . b)) <) => ((1 . a))
(alist-delete! 'a (list (cons 'a 1))) => ()
(alist-delete 'a '(1)) =raises> "pair"
(alist-delete! 'a '(1)) =raises> "pair"

;; ---- sets ----
(list (lset<= eq? '(a) '(a b a) '(a b c c)) (lset<= eq?) (lset<= eq? '(a)) (lset<= eq? '(a d) '(a))) => (#t #t #t #f)
(list (lset= eq? '(b e a) '(a e b) '(e e b a)) (lset= eq?) (lset= eq? '(a)) (lset= eq? '(a) '(a b))) => (#t #t #t #f)
(lset-adjoin eq? '(a b c d c e) 'd 'e 'i 'o 'u) => (u o i a b c d c e)
(lset-union eq? '(a b c d e) '(a e i o u)) => (u o i a b c d e)
(lset-union eq? '(a a c) '(x a x)) => (x a a c)
(list (lset-union eq?) (lset-union eq? '(a b c))) => (() (a b c))
(lset-union! eq? (list 'a) (list 'b)) => (b a)
(lset-intersection eq? '(a b c d e) '(a e i o u)) => (a e)
(lset-intersection eq? '(a x y a) '(x a x z)) => (a x a)
(lset-intersection eq? '(a b c)) => (a b c)
(lset-intersection! eq? (list 'a 'b) '(b)) => (b)
(lset-difference eq? '(a b c d e) '(a e i o u)) => (b c d)
(lset-difference eq? '(a b c)) => (a b c)
(lset-difference! eq? (list 'a 'b) '(b)) => (a)
(lset-xor eq? '(a b c d e) '(a e i o u)) => (u o i b c d)
(list (lset-xor eq?) (lset-xor eq? '(a b c d e)) (lset-xor! eq? (list 'a) (list 'b))) => (() (a b c d e) (b a))
(call-with-values (lambda () (lset-diff+intersection eq? '(a b c d e) '(a e) '(c))) list) => ((b d) (a c e))
(call-with-values (lambda () (lset-diff+intersection! eq? (list 'a 'b) '(a))) list) => ((b) (a))
(lset<= car '(1) '(2)) =raises> "argument"
(lset= car '(1) '(2)) =raises> "argument"
(lset-adjoin car '(1) 2) =raises> "argument"
(lset-union car '(1) '(2)) =raises> "argument"
(lset-union! car '(1) '(2)) =raises> "argument"
(lset-intersection car '(1) '(2)) =raises> "argument"
(lset-intersection! car '(1) '(2)) =raises> "argument"
(lset-difference car '(1) '(2)) =raises> "argument"
(lset-difference! car '(1) '(2)) =raises> "argument"
(lset-xor car '(1) '(2)) =raises> "argument"
(lset-xor! car '(1) '(2)) =raises> "argument"
(lset-diff+intersection car '(1) '(2)) =raises> "argument"
(lset-diff+intersection! car '(1) '(2)) =raises> "argument"
(let ((p (list 1))) (set-car! p 2) (set-cdr! p 3) p) => (2 . 3)
(set-car! 1 2) =raises> "set-car!"
(set-cdr! 1 2) =raises> "set-cdr!"

;; ---- what has no such part ----
(list-copy 1 2) =raises> "argument"
(list (cdar '((1 . 2)))) => (2)
(cdar '(1)) =raises> "argument 1 must be"
(cddr '(1)) =raises> "argument 1 must be"
(caaar '(1)) =raises> "argument 1 must be"
(caadr '(1)) =raises> "argument 1 must be"
(cadar '(1)) =raises> "argument 1 must be"
(caddr '(1)) =raises> "argument 1 must be"
(cdaar '(1)) =raises> "argument 1 must be"
(cdadr '(1)) =raises> "argument 1 must be"
(cddar '(1)) =raises> "argument 1 must be"
(cdddr '(1)) =raises> "argument 1 must be"
(caaaar '(1)) =raises> "argument 1 must be"
(caaadr '(1)) =raises> "argument 1 must be"
(caadar '(1)) =raises> "argument 1 must be"
(caaddr '(1)) =raises> "argument 1 must be"
(cadaar '(1)) =raises> "argument 1 must be"
(cadadr '(1)) =raises> "argument 1 must be"
(caddar '(1)) =raises> "argument 1 must be"
(cadddr '(1)) =raises> "argument 1 must be"
(cdaaar '(1)) =raises> "argument 1 must be"
(cdaadr '(1)) =raises> "argument 1 must be"
(cdadar '(1)) =raises> "argument 1 must be"
(cdaddr '(1)) =raises> "argument 1 must be"
(cddaar '(1)) =raises> "argument 1 must be"
(cddadr '(1)) =raises> "argument 1 must be"
(cdddar '(1)) =raises> "argument 1 must be"
(second '(1)) =raises> "second"
(sixth '(1)) =raises> "sixth"
(seventh '(1)) =raises> "seventh"
(eighth '(1)) =raises> "eighth"
(ninth '(1)) =raises> "ninth"
(cadr '(1)) =raises> "argument 1 must be"
(third '(1)) =raises> "third"
(fourth '(1)) =raises> "fourth"
(fifth '(1)) =raises> "fifth"
