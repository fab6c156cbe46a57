;; Datum labels: R7RS has them, under other names.
(define-library (srfi 38)
  (import (caper prelude))
  (export write-with-shared-structure (rename write-with-shared-structure write/ss)
          (rename read read-with-shared-structure) (rename read read/ss))
  (begin
    ;; The last argument is for what writers keep between calls, of which this one has nothing.
    (define write-with-shared-structure
      (case-lambda
        ((x) (write-shared x))
        ((x port) (write-shared x port))
        ((x port state) (write-shared x port))))))
