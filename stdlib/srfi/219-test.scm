(import (except (scheme base) define) (scheme write) (srfi 219))

(define one 1)
(define (id x) x)
(define ((greet greeting) name . more) (list greeting name more))
(define (((add a) b) c) (define sum (+ a b)) (+ sum c))
(id one) => 1
((greet 'hello) 'ann 'bob) => (hello ann (bob))
(((add 1) 2) 3) => 6
(greet) =raises> "greet takes 1 argument"
((greet 'hello)) =raises> "takes at least 1 argument"
(let () (define ((f a) b) (* a b)) ((f 2) 3)) => 6
(let () (define ((f a) b) a) ((f 1))) =raises> "takes 1 argument"
