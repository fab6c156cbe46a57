;; lists
(map + '(1 2) '(10 20)) => (11 22)
(map car '((a 1) (b 2))) => (a b)
(map (lambda (x) (* x x)) '()) => ()
(map + '(1 2 3) '(1 2) '(1 1 1)) => (3 5)
(map car 5) =raises> "argument 2 must be a proper list"
(let ((acc '())) (for-each (lambda (x y) (set! acc (cons (+ x y) acc))) '(1 2) '(3 4)) acc) => (6 4)
(member 2.0 '(1 2 3) =) => (2 3)
(member "b" '("a" "b")) => ("b")
(assoc 2.0 '((1 one) (2 two)) =) => (2 two)
(append '(1) '(2) '(3 . 4)) => (1 2 3 . 4)
(append) => ()
(append '() 5) => 5
(list-copy '(1 2 . 3)) => (1 2 . 3)
(list-tail '(1 2 3) 1) => (2 3)
(list-tail '(1 2) 3) =raises> "list-tail: the list has only 2 elements, 3 are needed"
(let ((l (list 1 2 3))) (list-set! l 1 'x) l) => (1 x 3)
(set-car! (quote (1 2)) 3) =raises> "no literal"
(let ((x (list 1 2))) (set-cdr! (cdr x) x) (list? x)) => #f
(let ((x (list 1 2)) (y (list 1 2))) (set-cdr! (cdr x) x) (set-cdr! (cdr y) y) (equal? x y)) => #t
(equal? '#(1 (2 "x")) (vector 1 (list 2 (string #\x)))) => #t
(eqv? 1.0 1) => #f
(eqv? 100000000000000000000 100000000000000000000) => #t
(eqv? 0.0 -0.0) => #f
(cadr '(1 2 3)) => 2
(car '()) =raises> "car"
(length '(1 2 . 3)) =raises> "proper list"

;; numbers
(+ 1/2 1/3) => 5/6
(* 99999999999 99999999999) => 9999999999800000000001
(- 5) => -5
(/ 1 3.0) => 0.3333333333333333
(/ 6 3) => 2
(/ 1 0) =raises> "division by zero"
(exact->inexact 1/3) => 0.3333333333333333
(exact (floor 2.5)) => 2
(round 7/2) => 4
(round -2.5) => -2.0
(call-with-values (lambda () (floor/ -5 2)) list) => (-3 1)
(call-with-values (lambda () (truncate/ -5 2)) list) => (-2 -1)
(call-with-values (lambda () (exact-integer-sqrt 17)) list) => (4 1)
(exact-integer? 5) => #t
(expt 2 100) => 1267650600228229401496703205376
(expt 2.0 3) => 8.0
(expt 7 100000000000) =raises> "memory limit"
(arithmetic-shift 1 1000000000000) =raises> "too large"
(number->string 255 16) => "ff"
(string->number "#xff") => 255
(string->number "1e3") => 1000.0
(string->number "") => #f
(string->number "n/a") => #f
(string->number "007") => 7
(max 1 2.0) => 2.0
(min 1 2 3) => 1
(gcd 12 18) => 6
(lcm 4 6) => 12
(exact 2.5) => 5/2
(sqrt 16) => 4
(sqrt -1) => +i
(+ 'a 1) =raises> "+"
(< 1 2 3) => #t
(< 1 3 2) => #f
(even? 0) => #t
(odd? 1.5) =raises> "integer"
(number->string 1.0) => "1.0"
(string->number "abc" 16) => 2748
(modulo -7 2) => 1
(remainder -7 2) => -1
(quotient -7 2) => -3
(exact-rational? 1/2) => #t
(rationalize 3/10 1/10) => 1/3
(boolean=? #t #t #t) => #t
(bitwise-and 12 10) => 8

;; strings and characters
(string-upcase "straße") => "STRASSE"
(string-downcase "ΧΑΟΣ") => "χαος"
(string-foldcase "Straße") => "strasse"
(string-ci=? "Straße" "STRASSE") => #t
(char-upcase #\ß) => #\ß
(string<? "a" "b" "c") => #t
(substring "hello" 1 3) => "el"
(substring "hello" 2) => "llo"
(string-append "a" "ü" "c") => "aüc"
(string-length "aüc") => 3
(string-ref "aüc" 1) => #\ü
(string-ref "abc" 3) =raises> "from 0 to 2"
(let ((s (make-string 3 #\a))) (string-set! s 1 #\λ) s) => "aλa"
(let ((s (string-copy "hello"))) (string-copy! s 1 "XYZ" 1) s) => "hYZlo"
(let ((s (string-copy "hello"))) (string-fill! s #\é 1 3) s) => "héélo"
(string-set! "abc" 0 #\x) =raises> "literal constant"
(string->list "abc" 1) => (#\b #\c)
(list->string '(#\a #\b)) => "ab"
(string->vector "abc") => #(#\a #\b #\c)
(vector->string #(#\a #\b)) => "ab"
(string->utf8 "aü") => #u8(97 195 188)
(utf8->string #u8(97 195 188)) => "aü"
(utf8->string #u8(97 255 98)) =raises> "0xff at byte 1"
(string-map char-upcase "abc") => "ABC"
(string-map (lambda (a b) (if (char<? a b) b a)) "adc" "bbbb") => "bdc"
(let ((n 0)) (string-for-each (lambda (c) (set! n (+ n (char->integer c)))) "ab") n) => 195
(digit-value #\٣) => 3
(char-numeric? #\५) => #t
(symbol->string 'abc) => "abc"
(string->symbol "Hello World") => |Hello World|
(symbol=? 'a 'a 'a) => #t

;; vectors and bytevectors
(vector-map + #(1 2) #(10 20)) => #(11 22)
(let ((v (vector 1 2 3 4))) (vector-fill! v 0 1 3) v) => #(1 0 0 4)
(let ((v (vector 1 2 3 4 5))) (vector-copy! v 1 v 0 3) v) => #(1 1 2 3 5)
(vector-append #(1) #(2 3)) => #(1 2 3)
(vector->list #(1 2 3) 1) => (2 3)
(vector-ref #(1 2) 2) =raises> "vector-ref"
(make-vector 1000000000000) =raises> "memory limit"
(make-string 900000000000) =raises> "memory limit"
(make-list 900000000000) =raises> "memory limit"
(bytevector-append #u8(1) #u8(2 3)) => #u8(1 2 3)
(bytevector-u8-ref #u8(1 2 3) 1) => 2
(bytevector 1 256) =raises> "byte"
(let ((b (bytevector 1 2 3))) (bytevector-copy! b 0 #u8(9 8) 1) b) => #u8(8 2 3)

;; control
(call-with-current-continuation (lambda (k) (dynamic-wind (lambda () #f) (lambda () (k 'out)) (lambda () #f)))) => out
(guard (e (#t (error-object-message e))) (error "bad thing" 1 2)) => "bad thing"
(guard (e (#t (error-object-irritants e))) (error "bad thing" 1 2)) => (1 2)
(guard (e ((symbol? e) (list 'sym e))) (raise 'boom)) => (sym boom)
(with-exception-handler (lambda (e) 10) (lambda () (+ 1 (raise-continuable 'c)))) => 11
(let-values (((a b) (values 1 2)) ((c) (values 3))) (list a b c)) => (1 2 3)
(let ((p (make-parameter 10 (lambda (x) (* x 2))))) (list (p) (parameterize ((p 3)) (p)))) => (20 6)
(force (delay (+ 1 2))) => 3
(let loop ((i 0)) (if (< i 100000) (loop (+ i 1)) i)) => 100000
(define-record-type <point> (make-point x y) point? (x point-x set-point-x!) (y point-y))
(let ((p (make-point 1 2))) (set-point-x! p 5) (list (point-x p) (point? p) (point? 5))) => (5 #t #f)
(point-x 5) =raises> "point-x: argument must be a point"
(make-point 1 2) =prints> "#<point x: 1 y: 2>"
(read-error? (guard (e (#t e)) (read (open-input-string "(1 . "))))  => #t
(do ((i 0 (+ i 1)) (acc '() (cons i acc))) ((= i 3) acc)) => (2 1 0)
(case-lambda ((x) x)) =prints> "#<procedure>"
car =prints> "#<procedure car>"
(let ((k #f) (n 0)) (let ((r (map (lambda (x) (call/cc (lambda (c) (if (= x 2) (set! k c)) x))) '(1 2 3)))) (set! n (+ n 1)) (if (= n 1) (k 20) r))) => (1 20 3)

;; ports
(read-line (open-input-string "a\nb")) => "a"
(let ((p (open-input-string "a\n\nb"))) (let* ((a (read-line p)) (b (read-line p)) (c (read-line p))) (list a b c (eof-object? (read-line p))))) => ("a" "" "b" #t)
(let ((p (open-input-string "héllo"))) (let* ((a (peek-char p)) (b (read-char p)) (c (read-string 2 p))) (list a b c))) => (#\h #\h "él")
(let ((p (open-output-string))) (write 'a p) (display " " p) (write "x\ny" p) (get-output-string p)) => "a \"x\\ny\""
(let ((p (open-output-bytevector))) (write-u8 1 p) (write-bytevector #u8(2 3 4) p 1) (get-output-bytevector p)) => #u8(1 3 4)
(let ((p (open-input-bytevector #u8(1 2 3)))) (let* ((a (read-u8 p)) (b (peek-u8 p)) (c (read-bytevector 10 p))) (list a b c))) => (1 2 #u8(2 3))
(let ((p (open-input-string "(1 . 2) foo #(a \"b\") ; c\n #\\x 12"))) (let* ((a (read p)) (b (read p)) (c (read p)) (d (read p)) (e (read p))) (list a b c d e (eof-object? (read p))))) => ((1 . 2) foo #(a "b") #\x 12 #t)
(let ((x (list 1 2))) (set-cdr! (cdr x) x) x) =prints> "#0=(1 2 . #0#)"
(read (open-input-string "#0=(a #0#)")) =prints> "#0=(a #0#)"
(let ((x '(1))) (list x x)) =prints> "((1) (1))"
(let ((p (open-output-string)) (x '(1))) (write-shared (list x x) p) (get-output-string p)) => "(#0=(1) #0#)"
(let ((p (open-output-string))) (close-port p) (write-char #\a p)) =raises> "port is closed"
(call-with-port (open-input-string "abc") read-char) => #\a
(read (open-input-string ")")) =raises> "read"
(input-port? (current-input-port)) => #t
''a =prints> "'a"
(string->symbol "") =prints> "||"
(list 'a "b" #\c 1.5 #t '()) =prints> "(a \"b\" #\\c 1.5 #t ())"
(let loop ((i 0) (x '())) (if (< i 100000) (loop (+ i 1) (list x)) (pair? x))) => #t

;; large numbers: no operation takes seconds
(number? (expt 3 100000)) => #t
(expt 1/3 10000000) =raises> "memory limit"
(string-length (number->string (expt 7 10000))) => 8451
(let fact ((n 100)) (if (= n 0) 1 (* n (fact (- n 1))))) => 93326215443944152681699238856266700490715968264381621468592963895217599993229915608941463976156518286253697920827223758251185210916864000000000000000000000000
