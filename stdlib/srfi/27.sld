;; Sources of random bits.
(define-library (srfi 27)
  (import (except (caper prelude) random-integer random-real)
          (only (%primitive) %make-random-state %random %host) (only (caper standard) %wrong-type))
  (export
    random-integer random-real default-random-source make-random-source random-source? random-source-state-ref
    random-source-state-set! random-source-randomize! random-source-pseudo-randomize! random-source-make-integers
    random-source-make-reals)
  (include "27.scm"))
