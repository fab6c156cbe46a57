(import (scheme base) (scheme write) (scheme char) (srfi 130))

(map string-cursor? '(0 -1 "a")) => (#t #f #f)
(string-cursor-start "abc") => 0
(string-cursor-start 5) =raises> "string-cursor-start: argument 1 must be a string"
(string-cursor->index "abc" (string-cursor-end "abc")) => 3
(string-cursor-end 5) =raises> "string-cursor-end: argument 1 must be a string"
(define s "abcd")
(define two (string-cursor-next s (string-cursor-next s (string-cursor-start s))))
(string-ref/cursor s two) => #\c
(string-cursor-next s 4) =raises> "string-cursor-next: argument 2 must be from 0 to 4"
(string-ref/cursor s (string-cursor-prev s two)) => #\b
(string-cursor-prev s 0) =raises> "string-cursor-prev: argument 2 must be from 0 to 4"
(string-ref/cursor s 9) =raises> "string-ref: argument 2"
(string-cursor=? two (string-cursor-forward s 0 2)) => #t
(string-cursor-forward s 0 9) =raises> "string-cursor-forward: argument 2 must be from 0 to 4"
(string-cursor=? two (string-cursor-back s 4 2)) => #t
(string-cursor-back s 0 1) =raises> "string-cursor-back: argument 2 must be from 0 to 4"
(list (string-cursor=? 1 1) (string-cursor<? 1 2) (string-cursor>? 1 2) (string-cursor<=? 1 1) (string-cursor>=? 1 2)) => (#t #t #f #t #f)
(string-cursor=? 1 'a) =raises> "string-cursor=?: argument 2 must be a cursor"
(string-cursor<? 1 'a) =raises> "string-cursor<?: argument 2 must be a cursor"
(string-cursor>? 1 'a) =raises> "string-cursor>?: argument 2 must be a cursor"
(string-cursor<=? 1 'a) =raises> "string-cursor<=?: argument 2 must be a cursor"
(string-cursor>=? 'a 1) =raises> "string-cursor>=?: argument 1 must be a cursor"
(string-cursor-diff s 1 two) => 1
(string-cursor-diff s 1 9) =raises> "string-cursor-diff: argument 3 must be from 0 to 4"
(string-cursor->index s two) => 2
(string-cursor->index s 9) =raises> "string-cursor->index: argument 2"
(string-cursor=? (string-index->cursor s 2) two) => #t
(string-index->cursor s 9) =raises> "string-index->cursor: argument 2"
(list (string-every char-alphabetic? "ab1" 0 2) (string-every digit-value "12") (string-every char-alphabetic? "")) => (#t 2 #t)
(string-every char-alphabetic? 5) =raises> "string-every: argument 2 must be a string"
(list (string-any char-numeric? "1ab" 1) (string-any digit-value "a1")) => (#f 1)
(string-any char-alphabetic? 5) =raises> "string-any: argument 2 must be a string"
(string->list/cursors s 1 two) => (#\b)
(string->list/cursors 5) =raises> "string->list: argument 1"
(string->vector/cursors s two) => #(#\c #\d)
(string->vector/cursors 5) =raises> "string->vector: argument 1"
(substring/cursors s 1 two) => "b"
(substring/cursors s 1 9) =raises> "substring: argument 3"
(string-copy/cursors s two) => "cd"
(string-copy/cursors s 9) =raises> "string-copy: argument 2"
;; Nothing found is the end, or from the right the start; from the right the answer is behind what was found.
(list (string-index "ab1d2" char-numeric?) (string-index "abc" char-numeric?) (string-index "ab1d2" char-numeric? 0 2)) => (2 3 2)
(string-index 5 char-numeric?) =raises> "string-index: argument 1 must be a string"
(list (string-index-right "1b2d" char-numeric?) (string-index-right "abc" char-numeric? 1)) => (3 1)
(string-index-right 5 char-numeric?) =raises> "string-index-right: argument 1"
(list (string-skip "  ab" char-whitespace?) (string-skip "   " char-whitespace?)) => (2 3)
(string-skip 5 char-numeric?) =raises> "string-skip: argument 1"
(list (string-skip-right "ab  " char-whitespace?) (string-skip-right "   " char-whitespace?)) => (2 0)
(string-skip-right 5 char-numeric?) =raises> "string-skip-right: argument 1"
(list (string-reverse "abc") (string-reverse "abcd" 1 3)) => ("cba" "cb")
(string-reverse 5) =raises> "string-reverse: argument 1"
(let ((l '())) (string-for-each-cursor (lambda (c) (set! l (cons (string-ref/cursor s c) l))) s 1 3) l) => (#\c #\b)
(string-for-each-cursor list 5) =raises> "string-for-each-cursor: argument 2 must be a string"

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
