(define-library (srfi 133)
  (import (caper prelude))
  (export
    vector-map vector-map! vector-for-each vector-fold vector-count vector-index vector-any vector-every
    vector-binary-search vector-append vector-copy vector-copy! vector-fill! vector-swap! vector-reverse!
    vector-concatenate vector->list reverse-vector->list list->vector reverse-list->vector))
