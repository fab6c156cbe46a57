(import (scheme base) (scheme write) (scheme char) (srfi 152))

(map string-null? '("" "a")) => (#t #f)
(string-null? 5) =raises> "string-null?: argument 1"
(string-tabulate (lambda (i) (integer->char (+ i 97))) 4) => "abcd"
(string-tabulate list 'a) =raises> "string-tabulate: argument 2 must be an exact integer"
(string-unfold null? car cdr '(#\a "bc" #\d)) => "abcd"
(string-unfold null? car cdr '(#\a) "<" (lambda (x) ">")) => "<a>"
(string-unfold null? car cdr 5) =raises> "must be a pair"
(string-unfold-right null? car cdr '(#\a "bc" #\d)) => "dbca"
(string-unfold-right null? car cdr '(#\a) ">" (lambda (x) "<")) => "<a>"
(string-unfold-right null? car cdr 5) =raises> "must be a pair"
(reverse-list->string '(#\a #\B #\c)) => "cBa"
(reverse-list->string 5) =raises> "reverse-list->string: argument 1"
(list (string-take "Pete Szilagyi" 6) (string-drop "Pete Szilagyi" 6) (string-take-right "Beta rules" 5) (string-drop-right "Beta rules" 5))
=> ("Pete S" "zilagyi" "rules" "Beta ")
(string-take "foo" 37) =raises> "string-take: argument 2"
(string-drop "foo" 37) =raises> "string-drop: argument 2"
(string-take-right "foo" 37) =raises> "string-take-right: argument 2"
(string-drop-right "foo" 37) =raises> "string-drop-right: argument 2"
(list (string-pad "325" 5) (string-pad "71325" 5) (string-pad "8871325" 5) (string-pad "325" 5 #\0) (string-pad "abcdef" 3 #\x 1 3))
=> ("  325" "71325" "71325" "00325" "xbc")
(string-pad "a" 'x) =raises> "string-pad: argument 2"
(list (string-pad-right "325" 5) (string-pad-right "8871325" 5) (string-pad-right "abcdef" 3 #\x 1 3)) => ("325  " "88713" "bcx")
(string-pad-right 5 5) =raises> "string-pad-right: argument 1"
(list (string-trim "  ab ") (string-trim "xxabx" (lambda (c) (char=? c #\x))) (string-trim "  ab " char-whitespace? 1 4)) => ("ab " "abx" "ab")
(string-trim 5) =raises> "string-trim: argument 1 must be a string"
(list (string-trim-right "  ab ") (string-trim-right "   ")) => ("  ab" "")
(string-trim-right 5) =raises> "string-trim-right: argument 1 must be a string"
(list (string-trim-both "  The outlook wasn't brilliant,  \n\r") (string-trim-both "   ")) => ("The outlook wasn't brilliant," "")
(string-trim-both "a" char-whitespace? 2) =raises> "string-trim-both: argument 3 must be from 0 to 1"
(list (string-prefix-length "abcd" "abxd") (string-prefix-length "xab" "abc" 1) (string-prefix-length "" "a")) => (2 2 0)
(string-prefix-length "a" 5) =raises> "string-prefix-length: argument 2 must be a string"
(list (string-suffix-length "xbcd" "ybcd") (string-suffix-length "abx" "ab" 0 2)) => (3 2)
(string-suffix-length 5 "a") =raises> "string-suffix-length: argument 1 must be a string"
(list (string-prefix? "ab" "abc") (string-prefix? "abc" "ab") (string-prefix? "" "") (string-prefix? "xab" "yyabz" 1 3 2)) => (#t #f #t #t)
(string-prefix? 5 "a") =raises> "string-prefix?: argument 1 must be a string"
(list (string-suffix? "bc" "abc") (string-suffix? "abc" "bc") (string-suffix? "bcx" "abcz" 0 2 0 3)) => (#t #f #t)
(string-suffix? "a" 5) =raises> "string-suffix?: argument 2 must be a string"
(list (string-contains "eek -- what a geek." "ee") (string-contains "eek -- what a geek." "ee" 12 18) (string-contains "abc" "x")
      (string-contains "abc" "") (string-contains "abcbc" "xbcx" 0 5 1 3))
=> (0 15 #f 0 1)
(string-contains "a" 5) =raises> "string-contains: argument 2 must be a string"
(list (string-contains-right "eek -- what a geek." "ee") (string-contains-right "abc" "x") (string-contains-right "ababab" "ab" 0 5)) => (15 #f 2)
(string-contains-right 5 "a") =raises> "string-contains-right: argument 1 must be a string"
(string-concatenate '("a" "bc")) => "abc"
(string-concatenate '(5)) =raises> "string-concatenate"
(list (string-concatenate-reverse '(" must be" "Hello, I") " going.XXXX" 7) (string-concatenate-reverse '("b" "a"))) => ("Hello, I must be going." "ab")
(string-concatenate-reverse 5) =raises> "string-concatenate-reverse: argument 1 must be a list"
(list (string-join '("foo" "bar" "baz")) (string-join '("foo" "bar" "baz") ":") (string-join '("foo" "bar") ":" 'suffix)
      (string-join '("foo" "bar") ":" 'prefix) (string-join '() ":") (string-join '("") ":" 'suffix))
=> ("foo bar baz" "foo:bar:baz" "foo:bar:" ":foo:bar" "" ":")
(string-join '() ":" 'strict-infix) =raises> "string-join: the list is empty"
(list (string-fold cons '() "abc") (string-fold cons '() "abc" 1)) => ((#\c #\b #\a) (#\c #\b))
(string-fold cons '() 5) =raises> "string-fold: argument 3 must be a string"
(list (string-fold-right cons '() "abc") (string-fold-right cons '() "abc" 0 2)) => ((#\a #\b #\c) (#\a #\b))
(string-fold-right cons '() 5) =raises> "string-fold-right: argument 3 must be a string"
(list (string-count "a b c" char-alphabetic?) (string-count "abc" char-alphabetic? 1)) => (3 2)
(string-count 5 char-alphabetic?) =raises> "string-count: argument 1 must be a string"
(list (string-filter char-alphabetic? "a1b2") (string-filter char-alphabetic? "a1b2" 1)) => ("ab" "b")
(string-filter char-alphabetic? 5) =raises> "string-filter: argument 2 must be a string"
(string-remove char-alphabetic? "a1b2") => "12"
(string-remove char-alphabetic? 5) =raises> "string-remove: argument 2 must be a string"
(list (string-replicate "abcdef" 2 8) (string-replicate "abcdef" -2 4) (string-replicate "abc" 0 7) (string-replicate "abcdef" 0 5 1 3) (string-replicate "" 0 0))
=> ("cdefab" "efabcd" "abcabca" "bcbcb" "")
(string-replicate "abc" 4 0) =raises> "string-replicate: argument 3"
(string-replicate "" 0 3) =raises> "string-replicate"
(list (string-replace "The TCL programmer endured daily ridicule." "another miserable perl drone" 4 7)
      (string-replace "abc" "xyz" 1 2 1) (string-replace "abc" "x" 1 1))
=> ("The another miserable perl drone programmer endured daily ridicule." "ayzc" "axbc")
(string-replace "abc" "x" 2 9) =raises> "string-replace: argument 4 must be from 0 to 3"
(list (string-split "a,b,,c" ",") (string-split "" ",") (string-split "abc" "") (string-split "a,b,c" "," 'infix 1) (string-split ",a,b" "," 'prefix)
      (string-split "a,b," "," 'suffix) (string-split "a--b" "--") (string-split "xa,bx" "," 'infix #f 1 4))
=> (("a" "b" "" "c") () ("a" "b" "c") ("a" "b,c") ("a" "b") ("a" "b") ("a" "b") ("a" "b"))
(string-split "" "," 'strict-infix) =raises> "string-split: the string is empty"
(string-split "a" "," 'other) =raises> "string-split: argument 3 must be infix"

(map string? '("a" #\a)) => (#t #f)
(list (string-every char-alphabetic? "abc") (string-every char-alphabetic? "a1") (string-every digit-value "12") (string-every char<? "ab" "bcd")) => (#t #f 2 #t)
(string-every list 5) =raises> "string-every: argument 2 must be a string"
(list (string-any char-numeric? "abc") (string-any digit-value "a1") (string-any char=? "abc" "xbz")) => (#f 1 #t)
(string-any list "a" 5) =raises> "string-any: argument 3 must be a string"
(make-string 3 #\x) => "xxx"
(make-string -1) =raises> "make-string: argument 1"
(string #\a #\b) => "ab"
(string->vector "abc" 1) => #(#\b #\c)
(string->vector 5) =raises> "string->vector: argument 1"
(string->list "abc" 1 2) => (#\b)
(string->list 5) =raises> "string->list: argument 1"
(vector->string #(#\a #\b)) => "ab"
(vector->string 5) =raises> "vector->string: argument 1"
(list->string '(#\a #\b)) => "ab"
(list->string 5) =raises> "list->string: argument 1"
(string-length "abc") => 3
(string-length 5) =raises> "string-length: argument 1"
(string-ref "abc" 1) => #\b
(string-ref "abc" 3) =raises> "string-ref: argument 2"
(substring "abc" 1 2) => "b"
(substring "abc" 2 1) =raises> "substring"
(string-copy "abc" 1) => "bc"
(string-copy 5) =raises> "string-copy: argument 1"
(list (string=? "a" "a" "a") (string<? "a" "b" "c") (string>? "b" "a") (string<=? "a" "a") (string>=? "b" "a")) => (#t #t #t #t #t)
(list (string-ci=? "a" "A") (string-ci<? "a" "B") (string-ci>? "B" "a") (string-ci<=? "a" "A") (string-ci>=? "B" "a")) => (#t #t #t #t #t)
(string=? "a" 5) =raises> "string=?: argument 2"
(string<? "a" 5) =raises> "string<?: argument 2"
(string>? "a" 5) =raises> "string>?: argument 2"
(string<=? "a" 5) =raises> "string<=?: argument 2"
(string>=? "a" 5) =raises> "string>=?: argument 2"
(string-ci=? "a" 5) =raises> "string-ci=?: argument 2"
(string-ci<? "a" 5) =raises> "string-ci<?: argument 2"
(string-ci>? "a" 5) =raises> "string-ci>?: argument 2"
(string-ci<=? "a" 5) =raises> "string-ci<=?: argument 2"
(string-ci>=? "a" 5) =raises> "string-ci>=?: argument 2"
(list (string-index "abcd" char-numeric?) (string-index "ab1d2" char-numeric?) (string-index "ab1d2" char-numeric? 3)) => (#f 2 4)
(string-index 5 char-numeric?) =raises> "string-index: argument 1 must be a string"
(list (string-index-right "1b2d" char-numeric?) (string-index-right "abcd" char-numeric?)) => (2 #f)
(string-index-right "a" char-numeric? 2) =raises> "string-index-right: argument 3 must be from 0 to 1"
(list (string-skip "  a b" char-whitespace?) (string-skip "   " char-whitespace?)) => (2 #f)
(string-skip 5 char-numeric?) =raises> "string-skip: argument 1"
(string-skip-right "a b  " char-whitespace?) => 2
(string-skip-right 5 char-numeric?) =raises> "string-skip-right: argument 1"
(string-take-while "ab12cd" char-alphabetic?) => "ab"
(string-take-while 5 char-numeric?) =raises> "string-take-while: argument 1"
(string-take-while-right "ab12cd" char-alphabetic?) => "cd"
(string-take-while-right 5 char-numeric?) =raises> "string-take-while-right: argument 1"
(string-drop-while "ab12cd" char-alphabetic?) => "12cd"
(string-drop-while 5 char-numeric?) =raises> "string-drop-while: argument 1"
(string-drop-while-right "ab12cd" char-alphabetic?) => "ab12"
(string-drop-while-right 5 char-numeric?) =raises> "string-drop-while-right: argument 1"
(call-with-values (lambda () (string-span "ab12" char-alphabetic?)) list) => ("ab" "12")
(string-span 5 char-numeric?) =raises> "string-span: argument 1"
(call-with-values (lambda () (string-break "ab12" char-numeric?)) list) => ("ab" "12")
(string-break 5 char-numeric?) =raises> "string-break: argument 1"
(string-append "a" "bc" "") => "abc"
(string-append "a" 5) =raises> "string-append: argument 2"
(string-map char-upcase "abc") => "ABC"
(string-map char-upcase 5) =raises> "argument 1"
(let ((l '())) (string-for-each (lambda (a b) (set! l (cons (list a b) l))) "abc" "xy") l) => ((#\b #\y) (#\a #\x))
(string-for-each list 5) =raises> "argument 1"
(list (string-segment "abcdefgh" 3) (string-segment "" 2)) => (("abc" "def" "gh") ())
(string-segment "abc" 0) =raises> "string-segment: argument 2"
(let ((p (open-input-string "abcdef"))) (let* ((a (read-string 2 p)) (b (read-string 9 p))) (list a b (eof-object? (read-string 1 p))))) => ("ab" "cdef" #t)
(read-string -1 (open-input-string "")) =raises> "read-string"
(let ((p (open-output-string))) (write-string "abc" p 1) (get-output-string p)) => "bc"
(write-string 5 (open-output-string)) =raises> "write-string: argument 1"
(let ((s (make-string 2 #\a))) (string-set! s 0 #\b) s) => "ba"
(string-set! (make-string 1) 1 #\b) =raises> "string-set!: argument 2"
(let ((s (make-string 3 #\a))) (string-fill! s #\b 1 2) s) => "aba"
(string-fill! 5 #\b) =raises> "string-fill!: argument 1"
(let ((s (make-string 3 #\a))) (string-copy! s 1 "xyz" 1) s) => "ayz"
(string-copy! (make-string 1) 0 "ab") =raises> "string-copy!"
(string 5) =raises> "string: argument 1"

;; A character or a set of them is a predicate.
(list (string-index "a,b" #\,) (string-trim-both "--a--" #\-) (string-count "banana" #\a) (string-filter #\a "banana") (string-any #\x "abc")) => (1 "a" 3 "aaa" #f)
(string-index "abc" 5) =raises> "string-index: argument 2 must be a predicate, a character or a set of them"
