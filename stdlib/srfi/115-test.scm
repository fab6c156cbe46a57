(import (scheme base) (scheme write) (only (srfi 14) string->char-set) (srfi 115))

(define (all m) (and m (regexp-match->list m)))
(map regexp? (list (regexp '(+ digit)) (rx (+ digit)) "a" '(+ digit))) => (#t #t #f #f)
(eq? (let ((r (regexp "a"))) (regexp r)) #f) => #f
(regexp '(unknown "a")) =raises> "unknown operator unknown"
(map valid-sre? '((+ digit) "a" any (: "a" ($ (* "b"))) (unknown) 5 (= x "a"))) => (#t #t #t #t #f #f #f)
(let ((word "ab")) (map (lambda (s) (regexp-matches? (rx (+ ,word) digit) s)) '("abab1" "ab1" "a1" "abab"))) => (#t #t #f #f)
(regexp->sre (regexp '(: "a" (* digit)))) => (: "a" (* digit))
(regexp->sre 5) =raises> "regexp->sre: argument 1 must be a regular expression"
(char-set->sre (string->char-set "ab")) => ("ab")
(char-set->sre 5) =raises> "char-set->sre: argument 1 must be a character set"
(regexp-matches? (list '+ (string->char-set "ab")) "abba") => #t

(all (regexp-matches '(: ($ (+ "a")) ($ (? "b")) ($ (* "c"))) "aac")) => ("aac" "aa" "" "c")
(regexp-matches '(+ "a") "aab") => #f
(all (regexp-matches '(+ "a") "xaab" 1 3)) => ("aa")
(regexp-matches "a" 5) =raises> "regexp-matches: argument 2 must be a string"
(list (regexp-matches? "a.c" "abc") (regexp-matches? "a.c" "a.c") (regexp-matches? '(w/nocase "ABC") "abc")) => (#f #t #t)
(regexp-matches? "a" "a" 2) =raises> "regexp-matches: argument 3 must be from 0 to 1"
(all (regexp-search '(: ($ (+ digit)) (? ".") ($ (* digit))) "v 12.5")) => ("12.5" "12" "5")
(regexp-search "x" "abc") => #f
(regexp-search "x" 5) =raises> "regexp-search: argument 2 must be a string"
(regexp-fold '(+ digit) (lambda (i m s acc) (cons (list i (regexp-match-submatch m)) acc)) '() "a12b3" (lambda (i m s acc) (list i (reverse acc)))) => (5 ((0 "12") (3 "3")))
(regexp-fold '(+ digit) (lambda (i m s n) (+ n 1)) 0 "1 2 3" (lambda (i m s n) n) 1) => 2
(regexp-fold "a" list 0 5) =raises> "regexp-fold: argument 2 must be a string"
(list (regexp-extract '(+ numeric) "192.168.0.1") (regexp-extract '(+ numeric) "192.168.0.1" 2 6) (regexp-extract "x" "")) => (("192" "168" "0" "1") ("2" "16") ())
(regexp-extract "a" 5) =raises> "regexp-extract: argument 2 must be a string"
(list (regexp-split '(+ space) " fee fi fo fum\n") (regexp-split '(",;") "a,,b,") (regexp-split "x" "")) => (("" "fee" "fi" "fo" "fum" "") ("a" "" "b" "") (""))
(regexp-split "a" 5) =raises> "regexp-split: argument 2 must be a string"
(list (regexp-partition '(+ (or space punct)) "") (regexp-partition '(+ (or space punct)) "Hello, world!\n") (regexp-partition '(+ (or space punct)) "¿Dónde Estás?"))
=> (("") ("Hello" ", " "world" "!\n") ("" "¿" "Dónde" " " "Estás" "?"))
(regexp-partition "a" 5) =raises> "regexp-partition: argument 2 must be a string"
(list (regexp-replace '(+ space) "one two three" "_") (regexp-replace '(+ space) "one two three" "_" 1 10)
      (map (lambda (k) (regexp-replace '(+ space) "one two three" "_" 0 #f k)) '(0 1 2)))
=> ("one_two three" "ne_two th" ("one_two three" "one two_three" "one two three"))
(list (regexp-replace '(: ($ (+ alpha)) " " (-> b (+ alpha))) "say hello world" '(b "-" 1)) (regexp-replace "b" "abc" '("<" pre 0 post ">")) (regexp-replace "b" "abc" (lambda (m) "!")))
=> ("hello-say world" "a<abc>c" "a!c")
(regexp-replace "a" "a" 1.5) =raises> "regexp-replace: argument 3"
(list (regexp-replace-all '(+ space) "one two three" "_") (regexp-replace-all "b" "abcb" '(0 0) 1) (regexp-replace-all '(* "x") "ab" "-")) => ("one_two_three" "bbcbb" "-a-b-")
(regexp-replace-all "a" 5 "") =raises> "regexp-replace-all: argument 2 must be a string"

(define m (regexp-search '(: (-> year (= 4 digit)) "-" (-> month (= 2 digit)) (? "-" (-> day (= 2 digit)))) "on 2026-11"))
(map regexp-match? (list m #f "a")) => (#t #f #f)
(regexp-match-count m) => 3
(regexp-match-count 5) =raises> "regexp-match-count: argument 1 must be a match"
(list (regexp-match-submatch m) (regexp-match-submatch m 2) (regexp-match-submatch m 'year) (regexp-match-submatch m 'day)) => ("2026-11" "11" "2026" #f)
(regexp-match-submatch m 9) =raises> "regexp-match-submatch: argument 2 must be from 0 to 3"
(regexp-match-submatch m 'hour) =raises> "regexp-match-submatch: there is no group of this name"
(list (regexp-match-submatch-start m) (regexp-match-submatch-start m 'month) (regexp-match-submatch-start m 3)) => (3 8 #f)
(regexp-match-submatch-start 5) =raises> "regexp-match-submatch-start: argument 1 must be a match"
(list (regexp-match-submatch-end m) (regexp-match-submatch-end m 'year)) => (10 7)
(regexp-match-submatch-end 5) =raises> "regexp-match-submatch-end: argument 1 must be a match"
(regexp-match->list m) => ("2026-11" "2026" "11" #f)
(regexp-match->list 5) =raises> "regexp-match->list: argument 1 must be a match"
(all (regexp-search '(or (: "a" (-> x digit)) (: "b" (-> x digit))) "b7")) => ("b7" #f "7")
(regexp-match-submatch (regexp-search '(or (: "a" (-> x digit)) (: "b" (-> x digit))) "b7") 'x) => "7"
(regexp-match-count (regexp-search '(w/nocapture ($ "a") (-> x "b")) "ab")) => 0

;; Repetition and classes.
(define (matching sre . l) (let loop ((l l) (acc '())) (if (null? l) (reverse acc) (loop (cdr l) (if (regexp-matches? sre (car l)) (cons (car l) acc) acc)))))
(matching '(: bos (** 2 3 "a") eos) "a" "aa" "aaa" "aaaa") => ("aa" "aaa")
(matching '(>= 2 "a") "a" "aa" "aaa") => ("aa" "aaa")
(matching '(= 2 ("ab")) "ab" "a" "abc") => ("ab")
(matching '(/ "az09") "m" "5" "M") => ("m" "5")
(matching '(~ ("ab")) "a" "c") => ("c")
(matching '(* (or "a" upper)) "aAaB" "ab") => ("aAaB")
(matching '(~ ("ab") digit) "a" "c" "1" "-") => ("c" "-")
(matching '(- alnum (/ "af09") #\x) "a" "g" "x" "5" "G") => ("g" "G")
(matching '(& alpha (~ ("aeiou"))) "a" "b" "1") => ("b")
(matching '(+ (or (& (/ "az") (- any ("m"))) "MM")) "am" "bMMc" "bMc") => ("bMMc")
(matching '(~ any) "a") => ()
(matching '(: (**? 1 2 "a") (* "a")) "aaa") => ("aaa")
(matching '(w/ascii (w/case (+ lower))) "ab" "AB") => ("ab")
(regexp '(~ "ab")) =raises> "(~ …) takes sets of characters"
(regexp '(/ "a")) =raises> "(/ …) takes characters in pairs"
(regexp '(- digit (+ digit))) =raises> "(- …) takes sets of characters"
(rx (unknown "a")) =raises> "unknown operator unknown"
(regexp '(: "a" (look-ahead "b"))) =raises> "(look-ahead …) is not supported"
(regexp '(: ($ "a") (backref 1))) =raises> "(backref …) is not supported"
(matching '(+ (|\|| graphic (non-greedy-repeated 1 2 " "))) "a b" "\n") => ("a b")
