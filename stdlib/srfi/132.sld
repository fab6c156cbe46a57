(define-library (srfi 132)
  (import (caper prelude))
  (export
    list-sort list-stable-sort vector-sort vector-sort! sort! delete-duplicates))
