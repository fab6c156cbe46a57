(import (scheme base) (scheme write) (srfi 0))

(cond-expand (r7rs 1) (else 2)) => 1
(cond-expand (srfi-0 1)) => 1
(cond-expand ((and srfi-1 (not srfi-9999)) 1) (else 2)) => 1
(cond-expand ((or srfi-9999 srfi-1) 1) (else 2)) => 1
(cond-expand ((library (srfi srfi-1)) 1) (else 2)) => 1
(cond-expand (srfi-9999 (define x 1)) (else (define x 2)))
x => 2
