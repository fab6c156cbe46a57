(import (scheme base) (scheme write) (scheme read) (scheme char))

;; 6.13.1 ports
(input-port? (open-input-string "")) => #t
(input-port? (open-output-string)) => #f
(output-port? (open-output-string)) => #t
(output-port? (open-input-string "")) => #f
(textual-port? (open-input-string "")) => #t
(textual-port? (open-input-bytevector #u8())) => #f
(binary-port? (open-input-bytevector #u8())) => #t
(binary-port? (open-output-bytevector)) => #t
(binary-port? (open-input-string "")) => #f
(port? (open-input-string "")) => #t
(port? (open-output-bytevector)) => #t
(port? 5) => #f
(input-port? 5) => #f
(textual-port? "x") => #f
(input-port? (current-input-port)) => #t
(output-port? (current-output-port)) => #t
(output-port? (current-error-port)) => #t
(textual-port? (current-output-port)) => #t
(input-port-open? (open-input-string "")) => #t
(let ((p (open-input-string ""))) (close-port p) (input-port-open? p)) => #f
(let ((p (open-input-string ""))) (close-input-port p) (close-input-port p) (input-port-open? p)) => #f
(let ((p (open-output-string))) (close-output-port p) (output-port-open? p)) => #f
(output-port-open? (open-output-string)) => #t
(input-port-open? (open-output-string)) =raises> ""
(output-port-open? (open-input-string "")) =raises> ""
(close-input-port (open-output-string)) =raises> ""
(close-output-port (open-input-string "")) =raises> ""
(let ((p (open-input-string "a"))) (close-port p) (read-char p)) =raises> ""
(let ((p (open-output-string))) (close-port p) (write-char #\a p)) =raises> ""
(call-with-port (open-input-string "abc") read-char) => #\a
(let ((p (open-input-string "abc"))) (call-with-port p read-char) (input-port-open? p)) => #f
(call-with-values (lambda () (call-with-port (open-input-string "abc") (lambda (p) (values 1 2)))) list) => (1 2)
(open-input-string 5) =raises> ""
(open-input-bytevector "a") =raises> ""
(parameterize ((current-output-port (open-output-string))) (display "x") (newline) (write-char #\y) (get-output-string (current-output-port))) => "x\ny"
(parameterize ((current-error-port (open-output-string))) (display "x" (current-error-port)) (get-output-string (current-error-port))) => "x"
(parameterize ((current-input-port (open-input-string "abc def"))) (list (read) (read-char) (peek-char) (read-line))) => (abc #\space #\d "def")
(parameterize ((current-output-port (open-output-string))) (display "piece") (display " by piece ") (display "by piece.") (newline) (get-output-string (current-output-port))) => "piece by piece by piece.\n"
(get-output-string (open-output-string)) => ""
(get-output-string (open-input-string "")) =raises> ""
(let ((p (open-output-bytevector))) (write-u8 1 p) (write-u8 2 p) (write-bytevector #u8(3 4 5) p) (get-output-bytevector p)) => #u8(1 2 3 4 5)
(get-output-bytevector (open-output-string)) =raises> ""

;; 6.13.2 input
(let ((p (open-input-string "(a b) c"))) (let* ((a (read p)) (b (read p)) (c (read p))) (list a b (eof-object? c)))) => ((a b) c #t)
(eof-object? (eof-object)) => #t
(eof-object? 'eof) => #f
(eq? (eof-object) (eof-object)) => #t
(let ((p (open-input-string "ab"))) (let* ((a (read-char p)) (b (peek-char p)) (c (read-char p)) (d (read-char p)) (e (peek-char p))) (list a b c (eof-object? d) (eof-object? e)))) => (#\a #\b #\b #t #t)
(let ((p (open-input-string "one\ntwo\n\nfour"))) (let* ((a (read-line p)) (b (read-line p)) (c (read-line p)) (d (read-line p)) (e (read-line p))) (list a b c d (eof-object? e)))) => ("one" "two" "" "four" #t)
(let ((p (open-input-string "a\r\nb"))) (let* ((a (read-line p)) (b (read-line p))) (list (string-length a) b))) => (1 "b")
(char-ready? (open-input-string "a")) => #t
(char-ready? (open-input-string "")) => #t
(let ((p (open-input-string "abcdef"))) (let* ((a (read-string 3 p)) (b (read-string 10 p)) (c (read-string 1 p))) (list a b (eof-object? c)))) => ("abc" "def" #t)
(read-string 0 (open-input-string "abc")) => ""
(read-string -1 (open-input-string "abc")) =raises> ""
(let ((p (open-input-string "λόγος"))) (read-char p) (read-string 2 p)) => "όγ"
(let ((p (open-input-bytevector #u8(1 2 3)))) (let* ((a (read-u8 p)) (b (peek-u8 p)) (c (read-u8 p)) (d (read-u8 p)) (e (read-u8 p))) (list a b c d (eof-object? e)))) => (1 2 2 3 #t)
(eof-object? (peek-u8 (open-input-bytevector #u8()))) => #t
(u8-ready? (open-input-bytevector #u8(1))) => #t
(u8-ready? (open-input-bytevector #u8())) => #t
(let ((p (open-input-bytevector #u8(1 2 3 4 5)))) (let* ((a (read-bytevector 2 p)) (b (read-bytevector 9 p)) (c (read-bytevector 1 p))) (list a b (eof-object? c)))) => (#u8(1 2) #u8(3 4 5) #t)
(read-bytevector 0 (open-input-bytevector #u8(1))) => #u8()
(let ((v (make-bytevector 5 0)) (p (open-input-bytevector #u8(1 2 3)))) (let* ((n (read-bytevector! v p)) (m (read-bytevector! v p))) (list n v (eof-object? m)))) => (3 #u8(1 2 3 0 0) #t)
(let ((v (make-bytevector 5 0))) (list (read-bytevector! v (open-input-bytevector #u8(1 2 3)) 2) v)) => (3 #u8(0 0 1 2 3))
(let ((v (make-bytevector 5 0))) (list (read-bytevector! v (open-input-bytevector #u8(1 2 3)) 1 3) v)) => (2 #u8(0 1 2 0 0))
(read-char (open-input-bytevector #u8(1))) =raises> ""
(read-u8 (open-input-string "a")) =raises> ""
(read-char (open-output-string)) =raises> ""
(read-line 5) =raises> ""

;; 6.13.3 output
(define-syntax text (syntax-rules () ((_ p body ...) (let ((p (open-output-string))) body ... (get-output-string p)))))
(text p (write 'a p)) => "a"
(text p (write "a\"b\\c\n" p)) => "\"a\\\"b\\\\c\\n\""
(text p (display "a\"b" p)) => "a\"b"
(text p (write #\a p)) => "#\\a"
(text p (display #\a p)) => "a"
(text p (display '("a" #\b |c d|) p)) => "(a b c d)"
(text p (write '("a" #\b |c d|) p)) => "(\"a\" #\\b |c d|)"
(text p (write '(1 . 2) p)) => "(1 . 2)"
(text p (write '(1 (2 3) . 4) p)) => "(1 (2 3) . 4)"
(text p (write #t p) (write #f p)) => "#t#f"
(text p (write '() p)) => "()"
(text p (write #(1 "2" #\3) p)) => "#(1 \"2\" #\\3)"
(text p (write #u8(1 2) p)) => "#u8(1 2)"
(text p (newline p)) => "\n"
(text p (write-char #\λ p)) => "λ"
(text p (write-string "abc" p)) => "abc"
(text p (write-string "abcde" p 1)) => "bcde"
(text p (write-string "abcde" p 1 3)) => "bc"
(text p (write-string "abc" p 4)) =raises> ""
(text p (write-shared '#0=(a . #0#) p)) => "#0=(a . #0#)"
(text p (let ((x (list 1))) (write (list x x) p))) => "((1) (1))"
(text p (let ((x (list 1))) (write-shared (list x x) p))) => "(#0=(1) #0#)"
(text p (let ((x (string #\a))) (write-shared (vector x x) p))) => "#(\"a\" \"a\")"
(text p (let ((x (vector 1))) (write-shared (cons x x) p))) => "(#0=#(1) . #0#)"
(text p (let ((x (list 1 2))) (set-car! (cdr x) x) (write x p))) => "#0=(1 #0#)"
(text p (flush-output-port p)) => ""
(write-char "a" (open-output-string)) =raises> ""
(write-string #\a (open-output-string)) =raises> ""
(write-u8 256 (open-output-bytevector)) =raises> ""
(write-u8 1 (open-output-string)) =raises> ""
(write-char #\a (open-output-bytevector)) =raises> ""
(write-char #\a (open-input-string "")) =raises> ""
(let ((p (open-output-bytevector))) (write-bytevector #u8(1 2 3 4) p 1 3) (get-output-bytevector p)) => #u8(2 3)
(let ((p (open-output-bytevector))) (write-bytevector #u8(1 2 3 4) p 2) (get-output-bytevector p)) => #u8(3 4)
(write-bytevector #u8(1) (open-output-bytevector) 2) =raises> ""
