(import (scheme base) (scheme write) (srfi 197))

(define (exclamation s) (string-append s "!"))
(define (two) (values 1 2))
(chain "hello") => "hello"
(chain "hello" (string-append _ ", " "world") (exclamation _)) => "hello, world!"
(chain 5 (- _ 2) (list 'a _ 'b)) => (a 3 b)
(chain (two) (list _ _)) => (1 2)
(chain (values 1 2 3) (list _ 'x _ ...)) => (1 x 2 3)
(chain (values 1 2 3) (values _ ...) (+ _ ...)) => 6
(chain 1 (two) (list _ _)) => (1 2)
(chain 1 (list)) => ()
(chain 3 <> (list <> '_)) => (3 _)
(chain (values 1 2 3) <> <...> (list <> <> <...>)) => (1 2 3)
(chain 3 <>) => 3
(chain (two) (list _)) =raises> "takes 1 argument"
(chain-and 1) => 1
(chain-and 1 (+ _ 1) (* _ 10)) => 20
(chain-and 1 (memv _ '(2 3)) (car _)) => #f
(chain-and 3 <> (memv <> '(2 3)) (car <>)) => 3
(chain-and 1 (car _)) =raises> "car"
(chain-when 1) => 1
(chain-when 1 ((+ _ 1)) (#f (error "not run" _)) ((= 1 1) (* _ 10))) => 20
(chain-when 1 <> ((list <>)) (#t (cons 0 <>))) => (0 1)
(chain-when 1 (#t (car _))) =raises> "car"
((chain-lambda (+ _ 1) (* _ 10)) 1) => 20
((chain-lambda (list _ _) (cons 0 _)) 1 2) => (0 1 2)
((chain-lambda (list _ ...)) 1 2 3) => (1 2 3)
((chain-lambda <> (list <> 'x)) 1) => (1 x)
((chain-lambda <> <...> (list 'a <> <...>)) 1 2) => (a 1 2)
((chain-lambda (list _ _)) 1) =raises> "takes 2 arguments"
(nest '()) => ()
(nest (list 1 _) (list 2 _) 3) => (1 (2 3))
(nest (let ((x 1)) _) (let ((y 2)) _) (+ x y)) => 3
(nest <> (list 1 <>) (list <> 2) 3) => (1 (3 2))
(nest (list 1 _) (car _) 5) =raises> "car"
(nest-reverse 3) => 3
(nest-reverse 3 (list 2 _) (list 1 _)) => (1 (2 3))
(nest-reverse 3 <> (list 2 <>)) => (2 3)
(nest-reverse 3 (car _)) =raises> "car"
(nest '_ _) => _
