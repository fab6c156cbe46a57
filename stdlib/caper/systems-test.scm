;; R6RS
(define h (make-hashtable string-hash string=?))
(begin (hashtable-set! h "a" 1) (hashtable-update! h "a" list 0) (hashtable-update! h "b" list 0) (list (hashtable-ref h "a" #f) (hashtable-ref h "b" #f) (hashtable-ref h "z" 'none))) => ((1) (0) none)
(call-with-values (lambda () (hashtable-entries h)) list) => (#("a" "b") #((1) (0)))
(let ((c (hashtable-copy h #t))) (hashtable-clear! c) (list (hashtable-size c) (hashtable-size h) (hashtable? c))) => (0 2 #t)
(begin (hashtable-delete! h "a") (list (hashtable-contains? h "a") (hashtable-keys h) (hashtable-values h))) => (#f #("b") #((0)))
(hashtable-set! 5 1 1) =raises> "must be a hash table"
(list (div 7 2) (div -7 2) (div 7 -2) (div -7 -2) (mod 7 2) (mod -7 2) (mod 7 -2) (mod -7 -2)) => (3 -4 -3 4 1 1 1 1)
(div 1 0) =raises> "zero"
(mod 'a 2) =raises> "must be an integer"
(list (for-all even? '(2 4)) (exists odd? '(2 3)) (memp even? '(1 2 3)) (assp even? '((1 . a) (2 . b))) (remp even? '(1 2)) (remq 'a '(a b)) (remv 1 '(1 2))) => (#t #t (2 3) (2 . b) (1) (b) (2))
(call-with-string-output-port (lambda (p) (put-string p "x"))) => "x"
(list (get-line (open-string-input-port "a\nb")) (get-string-all (open-string-input-port "a\nb"))) => ("a" "a\nb")
(guard (e ((message-condition? e) (list (condition-message e) (condition-irritants e)))) (error "m" 1 2)) => ("m" (1 2))
(define (violation? thunk) (guard (e (#t (assertion-violation? e))) (thunk)))
(map violation? (list (lambda () (assert (= 1 2))) (lambda () (assertion-violation 'f "m" 1)) (lambda () (car 1)) (lambda () (vector-ref #(1) 1)) (lambda () ((lambda (x) x))) (lambda () (error "m")) (lambda () (raise 5)))) => (#t #t #t #t #t #f #f)
(assertion-violation 'f "must be even" 3) =raises> "f: must be even: 3"

;; Guile
(guard (e ((exception? e) (list (exception-message e) (exception-irritants e) (exception-kind e)))) (error "m" 1)) => ("m" (1) error)
(list (guard (e (#t (list 'raised e))) (raise-exception 5)) (with-exception-handler (lambda (e) 10) (lambda () (+ 1 (raise-exception 5 #:continuable? #t))))) => ((raised 5) 11)
(begin (define-public (twice x) (* 2 x)) (setlocale LC_ALL "") (twice 4)) => 8
(list (and=> 4 1+) (and=> #f 1+) (simple-format #f "~a" 1)) => (5 #f "1")
(let ((n 0)) (let ((f (cute + (begin (set! n (+ n 1)) n) <>))) (f 1) (list (f 1) n))) => (2 1)
(let ((a (make-array 0 2 3))) (array-set! a 'x 1 2) (list a (array-ref a 1 2) (array-ref a 0 0) (make-array 1 2))) => (#(#(0 0 0) #(0 0 x)) x 0 #(1 1))
(array-ref (make-array 0 2 3) 0 3) =raises> "vector-ref"
(define-module (a b) #:use-module (srfi srfi-1) #:use-module ((srfi srfi-13) #:select ((string-join . sj)) #:prefix s:) #:export (f))
(s:sj '("a" "b")) => "a b"
(use-modules ((srfi srfi-1) #:prefix l:) (ice-9 match) ((ice-9 regex) #:prefix re:))
(list (l:first '(1 2)) (re:match:substring (re:string-match "a+" "caat"))) => (1 "aa")
(let () (use-modules (srfi srfi-1)) 1) =rejects> "use-modules belongs at top level"
(eval-when (expand load eval) (define at-all-times 1))
at-all-times => 1
(declare (uses extras))
(export f g)

;; JSON as others read it
(let ((j (string->jsexpr "{\"a\": [1, {\"b\": null}], \"c\": {}}"))) (list (hash-ref (second (hash-ref j 'a)) 'b) (hash? (hash-ref j 'c)) (hash-keys j))) => (null #t (a c))
(hash-set! (string->jsexpr "{}") 'a 1) =raises> "immutable"
(string->jsexpr "{") =raises> "json->scheme: 1:2"
(list (read-json (open-input-string "[1]")) (eof-object? (read-json (open-input-string " "))) (read-json "[2]")) => ((1) #t (2))
(with-output-to-string (lambda () (write-json (hash 'a '(1 2))))) => "{\"a\":[1,2]}"
(let ((text "{\"a\":[],\"b\":{},\"c\":[[],{},[\"x\"]]}")) (equal? text (jsexpr->string (string->jsexpr text)))) => #t
(list (with-output-to-string (lambda () (write-json '()))) (jsexpr->string '((a . ()) (b . 1)))) => ("[]" "{\"a\":{},\"b\":1}")
(assoc-ref (vector-ref (json-string->scm "[{\"k\": {\"l\": 1}}]") 0) "k") => (("l" . 1))
(let ((h (make-hasheq))) (hash-set! h 'a (json-null)) (with-output-to-string (lambda () (write-json h)))) => "{\"a\":null}"
(list (json->scm (open-input-string "[1]")) (scm->json-string '((a . 1))) (call-with-output-string (lambda (p) (scm->json #(1) p)))) => (#(1) "{\"a\":1}" "[1]")
(let ((h (make-hash))) (hash-set! h 'a h) (jsexpr->string h)) =raises> "circular or nested deeper than 10000"
(let ((l (list 1))) (set-car! l l) (guard (e ((error-object? e) (condition-kind e))) (jsexpr->string l))) => json-error

;; Racket
(call-with-values (lambda () (for/lists (a b) ((x '(1 2)) (y '(3 4))) (values x y))) list) => ((1 2) (3 4))
(list (for*/first ((x '(1 2)) (y '(3 4)) #:when (> (+ x y) 4)) (list x y)) (for*/or ((x '(1 2)) (y '(2 3))) (and (= x y) x)) (for*/and ((x '(1)) (y '(2 3))) y)) => ((1 4) 2 3)
(list (index-where '(1 2 4) even?) (indexes-where '(1 2 4) even?) (indexes-of '(a b a) 'a) (remf even? '(1 2 4)) (remf* even? '(1 2 4))) => (1 (1 2) (0 2) (1 4) (1))
(list (combinations '(1 2 3) 2) (length (combinations '(1 2 3))) (length (permutations '(1 2 3))) (check-duplicates '((1 a) (2 b) (1 c)) #:key car) (check-duplicates '(1 2))) => (((1 2) (1 3) (2 3)) 8 6 (1 c) #f)
(list ((conjoin number? positive?) 5) ((disjoin string? symbol?) 5) ((curryr - 1) 5) ((compose1 car cdr) '(1 2))) => (#t #f 4 2)
(call-with-values (lambda () (split-at-right '(1 2 3) 1)) list) => ((1 2) (3))
(list (vector-take #(1 2 3) 2) (vector-drop #(1 2 3) 2)) => (#(1 2) #(3))
(vector-take #(1) 2) =raises> "subvector"
(list (vector-argmin abs #(-3 1 2)) (vector-argmax abs #(-3 1 2))) => (1 -3)
(let ((l '((a . 1) (b . 2)))) (list (dict-set l 'a 5) (dict-set l 'c 3) (dict-update l 'b 1+) (dict-update l 'z list 0) (dict-remove l 'a) l)) => (((a . 5) (b . 2)) ((a . 1) (b . 2) (c . 3)) ((a . 1) (b . 3)) ((a . 1) (b . 2) (z 0)) ((b . 2)) ((a . 1) (b . 2)))
(map hash->list (list (dict-set (hash 'a 1) 'a 2) (dict-update (hash 'a 1) 'a 1+) (dict-update (hash) 'a 1+ (lambda () 5)) (dict-remove (hash 'a 1) 'a))) => (((a . 2)) ((a . 2)) ((a . 6)) ())
(define (count-down n) (generator () (let loop ((i n)) (if (> i 0) (begin (yield i) (loop (- i 1))))) 'end))
(let* ((g (count-down 2)) (h (count-down 1)) (a (g)) (b (h)) (c (g)) (d (h)) (e (g))) (list a b c d e (g))) => (2 1 1 end end end)
(let* ((g (generator (x) (let ((y (yield (* 2 x)))) (+ x y)))) (a (g 1))) (list a (g 10))) => (2 11)
(let* ((inner (count-down 2)) (g (generator () (yield (inner)) (yield (inner)) (inner))) (a (g)) (b (g))) (list a b (g))) => (2 1 end)
(let ((g (generator () (yield 1) (error "bad") (yield 2)))) (g) (list (guard (e (#t (error-object-message e))) (g)) (eq? (g) (void)) (eq? (g) (void)))) => ("bad" #t #t)
(let ((g (generator () (yield 1) (yield (guard (e ((number? e) e)) (raise 5))) (raise-continuable 'more) (raise 'out))) (tries 0)) (define (try) (set! tries (+ tries 1)) (guard (e (#t (list 'caught e))) (g))) (let* ((a (try)) (b (try)) (c (try))) (list a b c tries))) => (1 5 (caught more) 3)
(let* ((g (generator () (yield 1) (yield (with-exception-handler list (lambda () (raise-continuable 'q)))) (yield 2))) (a (g)) (b (g))) (list a b (g))) => (1 (q) 2)
(let* ((inner (generator () (yield 1) (error "deep"))) (g (generator () (yield (inner)) (yield (inner)))) (a (g))) (list a (guard (e (#t (error-object-message e))) (g)))) => (1 "deep")
(let* ((told 0) (g (generator () (yield 1) (error "bad"))) (a (g))) (guard (e (#t (list told (error-object-message e)))) (with-exception-handler (lambda (e) (set! told (+ told 1))) g))) => (1 "the handler of an exception that is not continuable returned")
(let* ((g (generator () (yield 1) (values 2 3))) (a (g))) (list a (call-with-values g list) (call-with-values g list))) => (1 (2 3) (2 3))
(letrec ((g (generator () (yield (g)) 'end))) (let ((a (g))) (list (eq? a (void)) (g) (g)))) => (#t end end)
(for/list ((x (in-generator (for ((i 3)) (yield (* i i)))))) x) => (0 1 4)
(yield 1) =raises> "no generator runs here"
(list (dict-ref '((a . 1)) 'a) (dict-ref (hash 'a 1) 'b 2) (dict-has-key? '((a . 1)) 'b) (dict-keys (hash 'a 1)) (dict-values '((a . 1))) (dict-count (hash 'a 1)) (dict->list (hash 'a 1))) => (1 2 #f (a) (1) 1 ((a . 1)))
(hash->list (hash-union (hash 'a 1 'b 2) (hash 'a 10) #:combine +)) => ((a . 11) (b . 2))
(struct point (x y))
(let ((p (point 1 2))) (list (point-y (struct-copy point p [y 5])) (point-y p))) => (5 2)
(struct-copy point (point 1 2) [z 5]) =raises> "struct-copy: there is no such field: z"
(list (~r 3.14159 #:precision 2) (~r 2.50 #:precision 2) (~r 2 #:precision 2) (~r 1/3) (~r 2 #:precision '(= 1)) (~r 255 #:base 16)) => ("3.14" "2.5" "2" "0.333333" "2.0" "ff")
(module m racket (provide in-module) (define in-module 5) (module+ main (set! in-module 6)) (module+ test (set! in-module 7)))
in-module => 6
(require racket/list (only-in racket/string [string-trim trim]) (prefix-in l: srfi/1) (for-syntax racket/base))
(list (trim " a ") (l:second '(1 2))) => ("a" 2)
(list (sqr 3) (hash->list (hash-set* (hash 'a 1) 'a 2 'b 3))) => (9 ((a . 2) (b . 3)))
(list (regexp-match-exact? #px"a+" "aa") (regexp-match-exact? #px"a+" "aab") (bytes->string/utf-8 (string->bytes/utf-8 "é"))) => (#t #f "é")
(list (string->bytes/utf-8 "añb" #f 1) (string->bytes/utf-8 "añb" #f 1 2) (bytes->string/utf-8 #u8(97 98 99) #f 1 2) (bytes->string/utf-8 #u8(97 255 98) #\?)) => (#u8(195 177 98) #u8(195 177) "b" "a?b")
(bytes->string/utf-8 #u8(255)) =raises> "not UTF-8"
(string->bytes/utf-8 "a" #f 2) =raises> "string->utf8"

;; MIT, Chicken, Gauche
((pa$ + 1 2) 3) => 6
(list ((flip cons) 1 2) (bit-and 6 3) (bit-or 4 1) (bit-xor 6 3) (map (^[x] (* x x)) '(1 2)) ((^ args args) 1)) => ((2 . 1) 2 5 5 (1 4) (1))
(list (del-assq 'a '((a . 1) (b . 2))) (del-assv 1 '((1 . 1))) (del-assoc "a" '(("a" . 1)))) => (((b . 2)) () ())
(list (with-values (lambda () (values 1 2)) list) (cube 3) (list-search-positive '(1 2) even?) (hash-table-ref! (make-equal-hash-table) 'k (lambda () 5))) => ((1 2) 27 2 5)
(define (from n) (cons-stream n (from (+ n 1))))
(list (stream-ref (from 1) 3) (stream->list (stream-filter even? (from 1)) 3) (stream->list (stream-map + (from 1) (from 2)) 2) (stream->list (stream-head (from 1) 2))) => (4 (2 4 6) (3 5) (1 2))
(let ((l '())) (stream-for-each (lambda (x) (set! l (cons x l))) (cons-stream 1 (cons-stream 2 '()))) l) => (2 1)
(list (string-translate "a-b_c" "-_" "+ ") (string-translate "a-b" #\- #\+) (string-translate "a-b" "-")) => ("a+b c" "a+b" "ab")
(list (map-with-index list '(a b)) (read-lines (open-input-string "a\nb"))) => (((0 a) (1 b)) ("a" "b"))
(begin (define-constant five 5) five) => 5

;; paths
(map basename '("a/b.txt" "b" "a/b/" "/" "")) => ("b.txt" "b" "b" "/" "")
(list (basename "a/b.txt" ".txt") (basename ".txt" ".txt")) => ("b" ".txt")
(map dirname '("a/b/c" "a" "/a" "a/b/" "/" "a//b")) => ("a/b" "." "/" "a" "/" "a")
(map path-extension '("a.txt" "a.b/c" ".profile" "a/.x" "a.tar.gz")) => ("txt" #f #f #f "gz")
(list (path-sans-extension "a/b.c") (path-replace-extension "a.x" ".y") (build-path "a" "b/" "c") (make-pathname "a" "b" "c") (make-pathname #f "b") (pathname-file "x/y.z")) => ("a/b" "a.y" "a/b/c" "a/b.c" "b" "y")
(list (path-only "a/b/c.x") (path-only "c.x") (path-only "/c") (build-path (path-only "a/b") "c")) => ("a/b/" #f "/" "a/c")
(basename 5) =raises> "must be a string"

;; format's directives that choose and nest
(format #f "~[a~;b~:;z~] ~[a~;b~] ~:[no~;yes~] ~@[x=~a~]~@[y=~a~]." 1 5 #t 5 #f) => "b  yes x=5."
(format #f "~(ABC~) ~:(hello world-wide~) ~@(hello World~) ~:@(abc~)" ) => "abc Hello World-Wide Hello world ABC"
(format #f "~a~*~a ~a~:*~a ~?|~8t|~+d ~@d" 1 2 3 4 "~a-~a" '(1 2) 5 6) => "13 44 1-2||+5 +6"
(format #f "~{~[zero~;one~]~^,~}" '(0 1)) => "zero,one"
(format #f "~[a" 0) =raises> "~[ is closed by ~]"
(format #f "~(a") =raises> "~( is closed by ~)"
(format #f "~?" 5 '()) =raises> "~? needs a template and a list"
(format #f "~[a~]") =raises> "needs more"
