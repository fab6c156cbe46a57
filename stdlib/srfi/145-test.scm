(import (scheme base) (scheme write) (srfi 145))

(assume (memq 'b '(a b c))) => (b c)
(assume (= 1 1) "one is one") => #t
(assume (= 1 2) "one is two" 1) =raises> "an assumption does not hold: (= 1 2) \"one is two\" 1"
(assume #f) =raises> "an assumption does not hold: #f"
