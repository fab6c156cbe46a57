(import (scheme base) (scheme write) (srfi 39))

(define radix (make-parameter 10 (lambda (x) (if (and (exact-integer? x) (<= 2 x 16)) x (error "invalid radix" x)))))
(define (f n) (number->string n (radix)))
(f 10) => "10"
(parameterize ((radix 2)) (f 10)) => "1010"
(parameterize ((radix 8) (radix 16)) (radix)) => 16
((make-parameter 5)) => 5
(parameterize ((radix 0)) (f 10)) =raises> "invalid radix"
(parameterize ((car 1)) 1) =raises> "this is not a parameter"
(radix) => 10
(make-parameter 1 car) =raises> "pair"
