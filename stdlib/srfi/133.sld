(define-library (srfi 133)
  (import (scheme base) (scheme case-lambda) (only (caper standard) %wrong-type %raise)
          (only (caper prelude) vector-swap! vector-reverse! vector-concatenate reverse-vector->list reverse-list->vector))
  (export
    make-vector vector vector-unfold vector-unfold-right vector-copy vector-reverse-copy vector-append
    vector-concatenate vector-append-subvectors
    vector? vector-empty? vector=
    vector-ref vector-length
    vector-fold vector-fold-right vector-map vector-map! vector-for-each vector-count vector-cumulate
    vector-index vector-index-right vector-skip vector-skip-right vector-binary-search vector-any vector-every
    vector-partition
    vector-set! vector-swap! vector-fill! vector-reverse! vector-copy! vector-reverse-copy! vector-unfold!
    vector-unfold-right!
    vector->list reverse-vector->list list->vector reverse-list->vector vector->string string->vector)
  (include "check.scm" "133.scm"))
