;; Intermediate format strings.
(define-library (srfi 48)
  (import (except (caper prelude) format) (only (%primitive) %string-split) (only (caper standard) %raise %wrong-type))
  (export
    format)
  (include "48.scm"))
