(define-library (srfi 14)
  (import (caper prelude))
  (export
    char-set? char-set list->char-set string->char-set ucs-range->char-set char-set-contains? char-set-size
    char-set->list char-set-complement char-set-union char-set-intersection char-set-difference char-set-adjoin
    char-set:letter char-set:digit char-set:letter+digit char-set:upper-case char-set:lower-case char-set:whitespace
    char-set:blank char-set:punctuation char-set:symbol char-set:hex-digit char-set:ascii char-set:empty
    char-set:full))
