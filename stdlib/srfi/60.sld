;; Integers as bits.
(define-library (srfi 60)
  (import (caper prelude) (only (caper standard) %raise %ends))
  (export
    bitwise-and logand bitwise-ior logior bitwise-xor logxor bitwise-not lognot bitwise-if
    (rename bitwise-if bitwise-merge) any-bits-set? (rename any-bits-set? logtest) bit-count logcount integer-length
    (rename first-set-bit log2-binary-factors) first-set-bit bit-set? logbit? copy-bit bit-field copy-bit-field
    arithmetic-shift ash rotate-bit-field reverse-bit-field integer->list list->integer booleans->integer)
  (include "60.scm"))
