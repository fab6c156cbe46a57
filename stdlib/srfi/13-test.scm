(import (except (scheme base) string-map string-for-each) (scheme char) (scheme write)
        (only (srfi 14) char-set char-set:digit char-set:whitespace) (srfi 13))

;; ---- predicates, constructors ----
(list (string? "a") (string? #\a)) => (#t #f)
(list (string-null? "") (string-null? "a")) => (#t #f)
(list (string-every char-alphabetic? "abc") (string-every #\a "ab") (string-every char-set:digit "a12" 1) (string-every char-upcase "ab") (string-every car "")) => (#t #f #t #\B #t)
(list (string-any char-numeric? "ab1") (string-any #\a "xyz") (string-any char-set:digit "1ab" 1 3) (string-any char-upcase "ab")) => (#t #f #f #\A)
(make-string 2 #\x) => "xx"
(string #\a #\b) => "ab"
(string-tabulate (lambda (i) (integer->char (+ i 97))) 4) => "abcd"
(string->list "abc" 1 2) => (#\b)
(list->string '(#\a #\b)) => "ab"
(reverse-list->string '(#\a #\B #\c)) => "cBa"
(list (string-join '("foo" "bar" "baz") ":") (string-join '("foo" "bar") ":" 'suffix) (string-join '() ":") (string-join '("a") ":" 'prefix)) => ("foo:bar:baz" "foo:bar:" "" ":a")
(string-join '("a" "b")) => "a b"
(string-join '() ":" 'strict-infix) =raises> "string-join"

;; ---- selection ----
(list (string-length "abc") (string-ref "abc" 1) (string-copy "abc" 1 2) (substring/shared "abc" 1)) => (3 #\b "b" "bc")
(let ((s (make-string 4 #\-))) (string-copy! s 1 "abc" 1 3) s) => "-bc-"
(list (string-take "Pete Szilagyi" 6) (string-drop "Pete Szilagyi" 6) (string-take-right "Beta rules" 5) (string-drop-right "Beta rules" 5)) => ("Pete S" "zilagyi" "rules" "Beta ")
(list (string-pad "325" 5) (string-pad "71325" 5) (string-pad "8871325" 5) (string-pad "x" 3 #\*) (string-pad "abcd" 2 #\- 1 3)) => ("  325" "71325" "71325" "**x" "bc")
(list (string-pad-right "325" 5) (string-pad-right "8871325" 5)) => ("325  " "88713")
(string-trim "  a b  ") => "a b  "
(string-trim-right "  a b  ") => "  a b"
(string-trim-both "  a b  ") => "a b"
(list (string-trim "xxaxx" #\x) (string-trim-right "xxaxx" #\x) (string-trim-both "12a34" char-set:digit) (string-trim-both "xxax" #\x 1) (string-trim-both "xx" #\x) (string-trim "  a  " char-whitespace? 0 4)) => ("axx" "xxa" "a" "a" "" "a ")
(let ((s (make-string 3 #\a))) (string-set! s 1 #\b) (string-fill! s #\c 2) s) => "abc"

;; ---- comparison ----
(string-compare "abcd" "abdd" (lambda (i) (list 'less i)) (lambda (i) 'same) (lambda (i) (list 'more i))) => (less 2)
(string-compare "The cat in the hat" "abcdefgh" values values values 4 6 2 4) => 5
(string-compare-ci "ABC" "abc" (lambda (i) 'less) (lambda (i) (list 'same i)) (lambda (i) 'more)) => (same 3)
(list (string= "abc" "abc") (string= "xabc" "abc" 1) (string<> "a" "b") (string< "a" "b") (string> "a" "b") (string<= "a" "a") (string>= "a" "b")) => (#t #t #t #t #f #t #f)
(list (string-ci= "aB" "Ab") (string-ci<> "a" "A") (string-ci< "A" "b") (string-ci> "A" "b") (string-ci<= "A" "a") (string-ci>= "a" "B")) => (#t #f #t #f #t #f)
(string= "abcd" "xbcy" 1 3 1 3) => #t
(list (= (string-hash "abc") (string-hash "xabc" 0 1)) (< -1 (string-hash "abc" 10) 10) (= (string-hash-ci "ABC") (string-hash-ci "abc"))) => (#t #t #t)
(list (string-prefix-length "abcx" "abcy") (string-suffix-length "xabc" "yabc") (string-prefix-length-ci "ABx" "aby") (string-suffix-length-ci "xAB" "yab") (string-prefix-length "xab" "ab" 1)) => (3 3 2 2 2)
(list (string-prefix? "ab" "abc") (string-suffix? "bc" "abc") (string-prefix-ci? "AB" "abc") (string-suffix-ci? "BC" "abc") (string-prefix? "xab" "abc" 1) (string-suffix? "c" "abcd" 0 1 0 3)) => (#t #t #t #t #t #t)
(map (lambda (affix?) (list (affix? (string-copy "") "abc") (affix? (string-copy "abcdef") "abc") (affix? (string-copy "defabc") "abc") (affix? "abcabc" "abc"))) (list string-prefix? string-suffix? string-prefix-ci? string-suffix-ci?)) => ((#t #f #f #f) (#t #f #f #f) (#t #f #f #f) (#t #f #f #f))

;; ---- searching ----
(list (string-index "abcabc" #\b) (string-index "abcabc" #\b 2) (string-index "ab1" char-set:digit) (string-index "abc" char-upper-case?)) => (1 4 2 #f)
(list (string-index-right "abcabc" #\b) (string-index-right "abcabc" #\b 0 4)) => (4 1)
(list (string-skip "aab" #\a) (string-skip-right "abb" #\b) (string-skip "12" char-set:digit)) => (2 0 #f)
(list (string-count "banana" #\a) (string-count "banana" (char-set #\a #\n)) (string-count "banana" char-alphabetic? 2 4)) => (3 5 2)
(list (string-contains "eek -- what a geek." "ee" 12 18) (string-contains "abc" "x") (string-contains "abcabc" "xbcx" 2 6 1 3) (string-contains "abc" "") (string-contains-ci "ABC" "bc")) => (15 #f 4 0 1)

;; ---- case, reverse, append ----
(list (string-titlecase "--capitalize tHIS sentence.") (string-upcase "abc" 1) (string-downcase "ABC" 0 2)) => ("--Capitalize This Sentence." "BC" "ab")
(let ((s (string-copy "abc def"))) (string-upcase! s 1 3) s) => "aBC def"
(let ((s (string-copy "ABC"))) (string-downcase! s) s) => "abc"
(let ((s (string-copy "abc def"))) (string-titlecase! s) s) => "Abc Def"
(list (string-reverse "Able was I") (string-reverse "abcd" 1 3)) => ("I saw elbA" "cb")
(let ((s (string-copy "abcd"))) (string-reverse! s 1) s) => "adcb"
(list (string-append "a" "b") (string-append/shared "a" "b") (string-concatenate '("a" "b")) (string-concatenate/shared '("a" "b"))) => ("ab" "ab" "ab" "ab")
(list (string-concatenate-reverse '(" must be" "Hello, I") " going.XXXX" 7) (string-concatenate-reverse '("b" "a")) (string-concatenate-reverse/shared '("b" "a") "c")) => ("Hello, I must be going." "ab" "abc")

;; ---- map, fold ----
(list (string-map char-upcase "abc") (string-map char-upcase "abc" 1)) => ("ABC" "BC")
(let ((s (string-copy "abc"))) (string-map! char-upcase s 1) s) => "aBC"
(string-fold cons '() "abc" 1) => (#\c #\b)
(string-fold-right cons '() "abc") => (#\a #\b #\c)
(string-unfold null? car cdr '(#\a #\b)) => "ab"
(string-unfold null? car cdr '(#\a #\b) "<" (lambda (x) ">")) => "<ab>"
(string-unfold-right null? car cdr '(#\a #\b) ">" (lambda (x) "<")) => "<ba>"
(let ((l '())) (string-for-each (lambda (c) (set! l (cons c l))) "abc" 1) l) => (#\c #\b)
(let ((l '())) (string-for-each-index (lambda (i) (set! l (cons i l))) "abc" 1) l) => (2 1)
(list (xsubstring "abcdef" 2) (xsubstring "abcdef" -2) (xsubstring "abc" 0 7) (xsubstring "abc" 4 5) (xsubstring "xabcx" 0 7 1 4) (xsubstring "" 0)) => ("cdefab" "efabcd" "abcabca" "b" "abcabca" "")
(let ((s (make-string 5 #\-))) (string-xcopy! s 1 "ab" 0 3) s) => "-aba-"

;; ---- replacing, filtering ----
(list (string-replace "The TCL programmer endured daily ridicule." "another miserable perl drone" 4 7)
  (string-replace "abcd" "xyz" 1 2 1 2)) => ("The another miserable perl drone programmer endured daily ridicule." "aycd")
(string-tokenize "Help make programs run, run, RUN!") => ("Help" "make" "programs" "run," "run," "RUN!")
(string-tokenize "a1b22c" char-set:digit 1) => ("1" "22")
(list (string-filter char-numeric? "a1b2") (string-filter #\a "banana" 2) (string-delete char-numeric? "a1b2") (string-delete (char-set #\n) "banana")) => ("12" "aa" "ab" "baaa")

;; ---- parsing of arguments, Knuth-Morris-Pratt ----
(call-with-values (lambda () (string-parse-start+end 'f "abc" '(1 2 x))) list) => ((x) 1 2)
(call-with-values (lambda () (string-parse-start+end 'f "abc" '())) list) => (() 0 3)
(call-with-values (lambda () (string-parse-final-start+end 'f "abc" '(1))) list) => (1 3)
(let-string-start+end (start end) 'f "abc" '(1) (list start end)) => (1 3)
(let-string-start+end (start end rest) 'f "abc" '(1 2 3) (list start end rest)) => (1 2 (3))
(list (substring-spec-ok? "abc" 1 2) (substring-spec-ok? "abc" 2 1) (substring-spec-ok? 5 0 0)) => (#t #f #f)
(begin (check-substring-spec 'f "abc" 1 2) 'fine) => fine
(make-kmp-restart-vector "abdabx") => #(-1 0 0 -1 1 2)
(let ((rv (make-kmp-restart-vector "ab"))) (list (kmp-step "ab" rv #\a 0 char=? 0) (kmp-step "ab" rv #\b 1 char=? 0) (kmp-step "ab" rv #\x 1 char=? 0))) => (1 2 0)
(let ((rv (make-kmp-restart-vector "abc"))) (list (string-kmp-partial-search "abc" rv "xxabcx" 0) (string-kmp-partial-search "abc" rv "xxab" 0) (string-kmp-partial-search "abc" rv "cx" 2))) => (-5 2 -1)

;; ---- errors ----
(string-null? 5) =raises> "string-null?: argument 1 must be a string"
(string-every car "abc") =raises> "pair"
(string-any car "abc") =raises> "pair"
(make-string -1) =raises> "make-string"
(string 5 . (6)) =raises> "string"
(string-tabulate car 1) =raises> "pair"
(string->list "abc" 4) =raises> "string->list"
(list->string '(1)) =raises> "list->string"
(reverse-list->string '(1)) =raises> "reverse-list->string"
(string-length 5) =raises> "string-length"
(string-ref "a" 1) =raises> "string-ref"
(string-copy "a" 2) =raises> "string-copy"
(substring/shared "a" 2) =raises> "substring"
(string-copy! (make-string 1) 0 "abc") =raises> "string-copy!"
(string-take "a" 2) =raises> "string-take"
(string-take-right "a" 2) =raises> "string-take-right"
(string-drop "a" 2) =raises> "string-drop"
(string-drop-right "a" 2) =raises> "string-drop-right"
(string-pad "a" -1) =raises> "string-pad"
(string-pad-right "a" -1) =raises> "string-pad-right"
(string-trim "a" #\a 2) =raises> "substring"
(string-trim-right 5) =raises> "argument 1 must be a string: 5"
(string-trim-both "a" #\a 0 3) =raises> "substring"
(string-set! (make-string 1) 1 #\a) =raises> "string-set!"
(string-fill! 5 #\a) =raises> "string-fill!"
(string-compare 5 "a" list list list) =raises> "must be a string"
(string-compare-ci 5 "a" list list list) =raises> "string"
(string<> "a" 5) =raises> "string=?"
(string= "a" 5) =raises> "string=?"
(string< "a" 5) =raises> "string<?"
(string> "a" 5) =raises> "string>?"
(string<= "a" 5) =raises> "string<=?"
(string>= "a" 5) =raises> "string>=?"
(string-ci<> "a" 5) =raises> "string-ci=?"
(string-ci= "a" 5) =raises> "string-ci=?"
(string-ci< "a" 5) =raises> "string-ci<?"
(string-ci> "a" 5) =raises> "string-ci>?"
(string-ci<= "a" 5) =raises> "string-ci<=?"
(string-ci>= "a" 5) =raises> "string-ci>=?"
(string-hash 5) =raises> "string-hash"
(string-hash-ci 5) =raises> "string-ci-hash"
(string-prefix-length 5 "a") =raises> "string-prefix-length"
(string-suffix-length 5 "a") =raises> "string-reverse"
(string-prefix-length-ci 5 "a") =raises> "string"
(string-suffix-length-ci 5 "a") =raises> "string"
(string-prefix? 5 "a") =raises> "string-prefix?"
(string-suffix? 5 "a") =raises> "string-suffix?"
(string-prefix-ci? 5 "a") =raises> "string-prefix-ci?"
(string-suffix-ci? 5 "a") =raises> "string-suffix-ci?"
(string-index "abc" 5) =raises> "string-index"
(string-index-right "abc" 5) =raises> "string-index-right"
(string-skip "abc" 5) =raises> "string-skip"
(string-skip-right "abc" 5) =raises> "string-skip-right"
(string-count "abc" 5) =raises> "string-count"
(string-contains "abc" 5) =raises> "string-contains"
(string-contains-ci "abc" 5) =raises> "string-contains-ci"
(string-titlecase 5) =raises> "string-titlecase"
(string-upcase 5) =raises> "string-upcase"
(string-downcase 5) =raises> "string-downcase"
(string-titlecase! 5) =raises> "argument 1 must be a string: 5"
(string-upcase! (make-string 1) 2) =raises> "this is no part"
(string-downcase! 5) =raises> "argument 1 must be a string: 5"
(string-reverse 5) =raises> "string-reverse"
(string-reverse! 5) =raises> "argument 1 must be a string: 5"
(string-append 5) =raises> "string-append"
(string-append/shared 5) =raises> "string-append"
(string-concatenate 5) =raises> "string-concatenate"
(string-concatenate/shared 5) =raises> "string-concatenate"
(string-concatenate-reverse '(5)) =raises> "string-concatenate"
(string-concatenate-reverse/shared '(5)) =raises> "string-concatenate"
(string-map char->integer "a") =raises> "string"
(string-map! char->integer (make-string 1)) =raises> "string"
(string-fold cons '() 5) =raises> "string->list"
(string-fold-right cons '() 5) =raises> "string->list"
(string-unfold null? car cdr '(5)) =raises> "string"
(string-unfold-right null? car cdr '(5)) =raises> "string"
(string-for-each car "a") =raises> "pair"
(string-for-each-index car "a") =raises> "pair"
(xsubstring "" 0 1) =raises> "xsubstring: the string is empty"
(xsubstring "abc" 2 1) =raises> "xsubstring: the end lies before the start"
(string-xcopy! (make-string 1) 0 "ab" 0) =raises> "string-copy!"
(string-replace "abc" "x" 2 5) =raises> "substring"
(string-tokenize 5) =raises> "argument 1 must be a string: 5"
(string-filter 5 "abc") =raises> "string-filter"
(string-delete 5 "abc") =raises> "string-delete"
(string-parse-start+end 'f "abc" '(2 1)) =raises> "this is no part of the string: f \"abc\" 2 1"
(string-parse-final-start+end 'f "abc" '(1 2 3)) =raises> "too many arguments"
(let-string-start+end (a b) 'f "abc" '(5) a) =raises> "this is no part"
(check-substring-spec 'f "abc" 2 1) =raises> "this is no part"
(substring-spec-ok? 5) =raises> "argument"
(make-kmp-restart-vector 5) =raises> "string"
(kmp-step "ab" '#(-1) #\a 5 char=? 0) =raises> "string-ref"
(string-kmp-partial-search "ab" '#(-1 0) 5 0) =raises> "string"
(string-map (lambda (a b) (if (char<? a b) b a)) "adc" "bbbb") => "bdc"
