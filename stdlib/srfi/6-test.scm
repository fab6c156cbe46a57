(import (only (scheme base) let define quote) (only (scheme read) read) (scheme write) (srfi 6))

(define p (open-input-string "(a . (b . (c . ()))) 34"))
(read p) => (a b c)
(read p) => 34
(let ((q (open-output-string))) (write 'a q) (write '(b c) q) (get-output-string q)) => "a(b c)"
(open-input-string 'a) =raises> "open-input-string: argument 1 must be a string"
(get-output-string (open-input-string "")) =raises> "get-output-string: argument 1"
(open-output-string 1 2) =raises> "argument"
