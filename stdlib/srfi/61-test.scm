(import (except (scheme base) cond) (scheme write) (srfi 61))

(cond ((values 1 2) (lambda (a b) (< a b)) => +) (else 'no)) => 3
(cond ((values 2 1) (lambda (a b) (< a b)) => +) (else 'no)) => no
(cond ((assv 'b '((a 1) (b 2))) => cadr) (else #f)) => 2
(cond (#f 1) (2)) => 2
(cond (#f 1) ((> 3 2) 'a 'b)) => b
(cond ((read-char (open-input-string "")) char? => list) (else 'eof)) => eof
(cond (1 car => list)) =raises> "must be a pair"
