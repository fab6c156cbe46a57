(define-library (srfi 69)
  (import (caper prelude))
  (export
    make-hash-table hash-table? hash-table-ref hash-table-ref/default hash-table-set! hash-table-delete!
    hash-table-contains? hash-table-exists? hash-table-update! hash-table-update!/default hash-table-size
    hash-table-keys hash-table-values hash-table-walk hash-table-fold hash-table->alist hash-table-copy
    hash-table-clear! alist->hash-table string-hash string-ci-hash))
