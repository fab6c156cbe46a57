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

;; Guile
(guard (e ((exception? e) (list (exception-message e) (exception-irritants e) (exception-kind e)))) (error "m" 1)) => ("m" (1) error)
(list (guard (e (#t (list 'raised e))) (raise-exception 5)) (with-exception-handler (lambda (e) 10) (lambda () (+ 1 (raise-exception 5 #:continuable? #t))))) => ((raised 5) 11)
(begin (define-public (twice x) (* 2 x)) (setlocale LC_ALL "") (twice 4)) => 8
(list (and=> 4 1+) (and=> #f 1+) (simple-format #f "~a" 1)) => (5 #f "1")
(let ((n 0)) (let ((f (cute + (begin (set! n (+ n 1)) n) <>))) (f 1) (list (f 1) n))) => (2 1)
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
(assoc-ref (vector-ref (json-string->scm "[{\"k\": {\"l\": 1}}]") 0) "k") => (("l" . 1))
(list (json->scm (open-input-string "[1]")) (scm->json-string '((a . 1))) (call-with-output-string (lambda (p) (scm->json #(1) p)))) => (#(1) "{\"a\":1}" "[1]")

;; Racket
(call-with-values (lambda () (for/lists (a b) ((x '(1 2)) (y '(3 4))) (values x y))) list) => ((1 2) (3 4))
(list (for*/first ((x '(1 2)) (y '(3 4)) #:when (> (+ x y) 4)) (list x y)) (for*/or ((x '(1 2)) (y '(2 3))) (and (= x y) x)) (for*/and ((x '(1)) (y '(2 3))) y)) => ((1 4) 2 3)
(list (index-where '(1 2 4) even?) (indexes-where '(1 2 4) even?) (indexes-of '(a b a) 'a) (remf even? '(1 2 4)) (remf* even? '(1 2 4))) => (1 (1 2) (0 2) (1 4) (1))
(list (combinations '(1 2 3) 2) (length (combinations '(1 2 3))) (length (permutations '(1 2 3))) (check-duplicates '((1 a) (2 b) (1 c)) #:key car) (check-duplicates '(1 2))) => (((1 2) (1 3) (2 3)) 8 6 (1 c) #f)
(list ((conjoin number? positive?) 5) ((disjoin string? symbol?) 5) ((curryr - 1) 5) ((compose1 car cdr) '(1 2))) => (#t #f 4 2)
(call-with-values (lambda () (split-at-right '(1 2 3) 1)) list) => ((1 2) (3))
(list (vector-take #(1 2 3) 2) (vector-drop #(1 2 3) 2)) => (#(1 2) #(3))
(vector-take #(1) 2) =raises> "subvector"
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

;; MIT, Chicken, Gauche
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
