(define-library (srfi 151)
  (import (caper prelude))
  (export
    bitwise-and bitwise-or bitwise-ior bitwise-xor bitwise-not arithmetic-shift bit-count integer-length bit-set?))
