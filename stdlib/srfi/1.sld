(define-library (srfi 1)
  (import (caper prelude))
  (export
    xcons cons* make-list list-tabulate list-copy iota proper-list? circular-list? dotted-list? null-list? not-pair?
    first second third fourth fifth sixth seventh eighth ninth tenth car+cdr take drop take-right drop-right take!
    drop-right! split-at last last-pair length+ concatenate append-reverse append-reverse! zip unzip2 count fold
    unfold fold-right unfold-right reduce reduce-right append-map append-map! filter-map partition remove filter
    filter! remove! partition! find find-tail any every list-index take-while drop-while span break delete
    delete-duplicates delete! delete-duplicates! alist-cons alist-copy alist-delete lset<= lset= lset-adjoin
    lset-union lset-intersection lset-difference lset-xor append! reverse! map for-each member assoc cons list car
    cdr append reverse length))
