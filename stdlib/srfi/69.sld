;; Basic hash tables.
(define-library (srfi 69)
  (import (scheme base) (only (caper standard) %wrong-type %raise) (only (srfi 128) comparator?)
          (except (srfi 125) make-hash-table alist->hash-table hash-table-walk hash-table-fold hash-table-copy string-hash
                  string-ci-hash hash-table-merge!)
          (prefix (only (srfi 125) make-hash-table hash-table-walk hash-table-fold hash-table-copy) t:)
          (only (caper prelude) string-hash string-ci-hash))
  (export
    make-hash-table hash-table? alist->hash-table hash-table-equivalence-function hash-table-hash-function
    hash-table-ref hash-table-ref/default hash-table-set! hash-table-delete! hash-table-exists? hash-table-update!
    hash-table-update!/default hash-table-size hash-table-keys hash-table-values hash-table-walk hash-table-fold
    hash-table->alist hash-table-copy hash-table-merge! hash string-hash string-ci-hash hash-by-identity)
  (include "check.scm" "69.scm"))
