(import (scheme base) (scheme write) (srfi 8))

(receive (a b . rest) (values 1 2 3 4) (list a b rest)) => (1 2 (3 4))
(receive all (values 1 2) all) => (1 2)
(receive (a) 5 (define b 6) (+ a b)) => 11
(receive (a b) (values 1) a) =raises> "receive: it takes 2 values"
