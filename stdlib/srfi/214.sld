(define-library (srfi 214)
  (import (scheme base) (scheme case-lambda) (only (caper standard) %wrong-type %raise) (srfi 133))
  (export
    make-flexvector flexvector flexvector-unfold flexvector-unfold-right flexvector-copy flexvector-reverse-copy
    flexvector-append flexvector-concatenate flexvector-append-subvectors
    flexvector? flexvector-empty? flexvector=?
    flexvector-ref flexvector-front flexvector-back flexvector-length
    flexvector-add! flexvector-add-front! flexvector-add-back! flexvector-remove! flexvector-remove-front!
    flexvector-remove-back! flexvector-add-all! flexvector-remove-range! flexvector-clear! flexvector-set!
    flexvector-swap! flexvector-fill! flexvector-reverse! flexvector-copy! flexvector-reverse-copy! flexvector-append!
    flexvector-fold flexvector-fold-right flexvector-map flexvector-map! flexvector-map/index flexvector-map/index!
    flexvector-append-map flexvector-append-map/index flexvector-filter flexvector-filter! flexvector-filter/index
    flexvector-filter/index! flexvector-for-each flexvector-for-each/index flexvector-count flexvector-cumulate
    flexvector-index flexvector-index-right flexvector-skip flexvector-skip-right flexvector-binary-search
    flexvector-any flexvector-every flexvector-partition
    flexvector->vector flexvector->list flexvector->string vector->flexvector list->flexvector string->flexvector
    reverse-flexvector->list reverse-list->flexvector generator->flexvector flexvector->generator)
  (include "check.scm" "214.scm"))
