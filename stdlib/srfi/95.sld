(define-library (srfi 95)
  (import (scheme base) (only (caper standard) %wrong-type %raise) (rename (only (caper prelude) sort) (sort sort-by)))
  (export sorted? merge merge! sort sort!)
  (include "check.scm" "95.scm"))
