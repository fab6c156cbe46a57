(import (scheme base) (scheme write) (only (srfi 158) generator->list string->generator) (srfi 180))

(define (events text) (generator->list (json-generator (open-input-string text))))
(define (in text) (json-read (open-input-string text)))
(define (out x) (let ((p (open-output-string))) (json-write x p) (get-output-string p)))

(events "42 101 1337") => (42)
(events "[42] 101 1337") => (array-start 42 array-end)
(events "") => ()
(events "{\"a\": [1, true], \"b\": {}, \"c\":null}") => (object-start "a" array-start 1 #t array-end "b" object-start object-end "c" null object-end)
(generator->list (json-generator (string->generator " [1,\"x\"] "))) => (array-start 1 "x" array-end)
(json-generator 5) =raises> "json-generator: argument 1 must be an input port or a generator of characters"
(map in '("1" "-0.5" "1e3" "true" "false" "null" "\"a\"" "[]" "{}" " [ 1 , [ ] ] ")) => (1 -0.5 1000.0 #t #f null "a" #() () #(1 #()))
(in "{\"b\": 1, \"a\": [{\"c\": \"d\"}], \"b\": 2}") => ((b . 1) (a . #(((c . "d")))) (b . 2))
(in "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\ud83d\\ude00é\"") => "\"\\/\b\f\n\r\tA😀é"
(let* ((p (open-input-string "1 [2] ")) (a (json-read p)) (b (json-read p)) (c (json-read p))) (list a b (eof-object? c))) => (1 #(2) #t)
(json-read (string->generator "[1]")) => #(1)
(define (reason text) (guard (e ((json-error? e) (json-error-reason e))) (in text)))
(map reason '("[" "{" "[1" "{\"a\"" "{\"a\":" "\"a" "tru" "-" "1." "1e"))
=> ("the text ends too early" "the text ends too early" "the text ends too early" "the text ends too early" "the text ends too early"
    "the text ends too early" "the text ends too early" "the text ends too early" "the text ends too early" "the text ends too early")
(map reason '("[1,]" "[,1]" "{,}" "{1:2}" "[1}" "{\"a\":1]" "[1 2]" "{\"a\" 1}" "nul1" "+1" "[1.a]" "\"\\x\"" "\"\\u00g0\"" "'a'" "]" "{\"a\":1,}" "[01]"))
=> ("this character is not expected" "this character is not expected" "this character is not expected" "this character is not expected"
    "this character is not expected" "this character is not expected" "this character is not expected" "this character is not expected"
    "this character is not expected" "this character is not expected" "this character is not expected" "this character is not expected"
    "this character is not expected" "this character is not expected" "this character is not expected" "this character is not expected"
    "this character is not expected")
(map reason '("\"\\ud800\"" "\"\\ude00\"" "\"\\ud83d\\u0041\"" "\"a\nb\"" "1e999"))
=> ("this character is not expected" "a surrogate has no partner" "a surrogate has no partner" "a control character stands in a string" "this number is too large")
(in "[1,]") =raises> "this character is not expected: #\\]"
(json-read 5) =raises> "json-read: argument 1"
(json-error? 'x) => #f
(json-error-reason 5) =raises> "json-error-reason: argument 1 must be a JSON error"
(map json-null? '(null () #f "null")) => (#t #f #f #f)
(list (json-nesting-depth-limit) (json-number-of-character-limit)) => (+inf.0 +inf.0)
(parameterize ((json-nesting-depth-limit 3)) (list (in "[[1]]") (reason "[[[1]]]"))) => (#(#(1)) "the limit of nesting is reached")
(parameterize ((json-number-of-character-limit 5)) (list (in "[12]") (reason "[12345]"))) => (#(12) "the limit of characters is reached")
;; As deep as one likes.
(in (string-append (make-string 100000 #\[) "]")) =raises> "the text ends too early"
(out (in (string-append (make-string 10 #\[) (make-string 10 #\])))) => "[[[[[[[[[[]]]]]]]]]]"

(define (count-strings text)
  (json-fold (lambda (x n) (if (string? x) (+ n 1) (if (number? x) n (car x)))) (lambda (n) n) list (lambda (n) n) list 0 (open-input-string text)))
(map count-strings '("\"a\"" "[\"a\", [\"b\"], 1]" "{\"a\": \"b\"}" "")) => (1 2 2 0)
(json-fold + + + + + 0 5) =raises> "json-fold: argument 1"
(generator->list (json-lines-read (open-input-string "{\"a\":1}\n[2]\n3\n\n"))) => (((a . 1)) #(2) 3)
(generator->list (json-lines-read (string->generator "1 2[3]"))) => (1 2 #(3))
((json-lines-read (open-input-string "}"))) =raises> "this character is not expected"
(generator->list (json-sequence-read (open-input-string "\x1e;{\"a\":1}\n\x1e;\x1e;[2]\n"))) => (((a . 1)) #(2))
(let ((g (json-sequence-read (open-input-string "\x1e;1\n\x1e;{\"a\n\x1e;3\n"))))
  (let* ((a (g)) (b (guard (e ((json-error? e) 'broken)) (g))) (c (g))) (list a b c))) => (1 broken 3)
((json-sequence-read (open-input-string "\x1e;1 2"))) =raises> "this character is not expected"

(define (collect . xs)
  (let* ((l '()) (acc (json-accumulator (lambda (text) (set! l (cons text l)))))) (for-each acc xs) (apply string-append (reverse l))))
(collect 'object-start "a" 'array-start 1 "x" 'array-end "b" 'null 'object-end) => "{\"a\":[1,\"x\"],\"b\":null}"
(apply collect (events "[{}, [], {\"a\": false}, 1.5]")) => "[{},[],{\"a\":false},1.5]"
(let ((p (open-output-string))) ((json-accumulator p) "a") (get-output-string p)) => "\"a\""
(collect 'object-start 1) =raises> "a key must be a string"
(collect 'object-start "a" 'object-end) =raises> "nothing of the kind is open"
(collect 'array-end) =raises> "nothing of the kind is open"
(collect 1 2) =raises> "there is one value already"
(collect 'array-start 'other) =raises> "this cannot be written as JSON"
(collect 'array-start (eof-object)) =raises> "something is still open"
(json-accumulator 5) =raises> "json-accumulator: argument 1 must be an output port or an accumulator"
(map out '(null #t #f 1 -2.5 "a\"\n" #() () #(1 #(2)) ((a . 1) (b . #(((c . null)))))))
=> ("null" "true" "false" "1" "-2.5" "\"a\\\"\\n\"" "[]" "{}" "[1,[2]]" "{\"a\":1,\"b\":[{\"c\":null}]}")
(let ((l '())) (json-write '((a . 1)) (lambda (text) (set! l (cons text l)))) (apply string-append (reverse l))) => "{\"a\":1}"
(out 'other) =raises> "this cannot be written as JSON: other"
(out 1/2) =raises> "this cannot be written as JSON: 1/2"
(out +inf.0) =raises> "this cannot be written as JSON: +inf.0"
(out '(1 2)) =raises> "this is no entry of an object: 1"
(out '((a . 1) . 2)) =raises> "this cannot be written as JSON"
(let ((p (open-output-string))) (guard (e (#t (get-output-string p))) (json-write (vector 1 'other) p))) => ""
(json-write 1 5) =raises> "json-write: argument 1 must be an output port"
(parameterize ((json-nesting-depth-limit 1)) (in "[]")) =raises> "the limit of nesting is reached"
(parameterize ((json-number-of-character-limit 1)) (in "[]")) =raises> "the limit of characters is reached"
