(import (scheme base) (scheme write) (srfi 30))

(list 1 #| a #| nested |# comment |# 2) => (1 2)
#|||# (+ 1 #|;|# 2) => 3
