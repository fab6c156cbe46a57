;; Integers as bits.
(define-library (srfi 60)
  (import (scheme base) (scheme case-lambda) (only (caper standard) %wrong-type %raise) (srfi 151)
          (only (caper prelude) logand logior logxor lognot logcount logbit? ash))
  (export
    bitwise-and logand bitwise-ior logior bitwise-xor logxor bitwise-not lognot bitwise-if
    (rename bitwise-if bitwise-merge) (rename any-bit-set? any-bits-set?) (rename any-bit-set? logtest) bit-count logcount
    integer-length (rename first-set-bit log2-binary-factors) first-set-bit bit-set? logbit? copy-bit bit-field
    (rename bit-field-replace copy-bit-field) arithmetic-shift ash (rename bit-field-rotate rotate-bit-field)
    (rename bit-field-reverse reverse-bit-field) integer->list list->integer booleans->integer)
  (include "check.scm" "60.scm"))
