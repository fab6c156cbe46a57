(import (scheme base) (scheme write) (srfi 62))

(+ 1 #;(* 2 3) 4) => 5
(list 'x #;#;'y 'z 'w) => (x w)
(list 'a #; #|n|# b 'c) => (a c)
