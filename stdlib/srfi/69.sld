;; Basic hash tables.
(define-library (srfi 69)
  (import (rename (except (caper prelude) make-hash-table alist->hash-table hash-table-ref hash-table-ref/default hash-table-exists?
                          hash-table-update! hash-table-update!/default hash-table-values hash-table->alist hash)
                  (hash-table? p:hash-table?) (hash-table-set! p:hash-table-set!)
                  (hash-table-delete! p:hash-table-delete!) (hash-table-contains? p:hash-table-contains?)
                  (hash-table-size p:hash-table-size) (hash-table-keys p:hash-table-keys)
                  (hash-table-walk p:hash-table-walk) (hash-table-fold p:hash-table-fold)
                  (hash-table-copy p:hash-table-copy))
          (rename (only (caper prelude) hash-table-values equal-hash eq-hash)
                  (hash-table-values p:hash-table-values) (equal-hash hash) (eq-hash hash-by-identity))
          (only (%primitive) %make-table %table-ref %table-kind %table->alist)
          (only (caper standard) %raise %wrong-type))
  (export
    make-hash-table hash-table? alist->hash-table hash-table-equivalence-function hash-table-hash-function
    hash-table-ref hash-table-ref/default hash-table-set! hash-table-delete! hash-table-exists? hash-table-update!
    hash-table-update!/default hash-table-size hash-table-keys hash-table-values hash-table-walk hash-table-fold
    hash-table->alist hash-table-copy hash-table-merge! hash string-hash string-ci-hash hash-by-identity)
  (include "69.scm"))
