;; Lists. What may reuse its argument does not: the names with ! are the same procedures.
(define-library (srfi 1)
  (import (except (caper prelude) lset-adjoin lset-union lset-intersection lset-difference lset-xor lset<= lset=)
          (only (caper standard) %heads %tails))
  (export
    cons list xcons cons* make-list list-tabulate list-copy circular-list iota pair? null? proper-list? circular-list?
    dotted-list? not-pair? null-list? list= car cdr caar cadr cdar cddr caaar caadr cadar caddr cdaar cdadr cddar
    cdddr caaaar caaadr caadar caaddr cadaar cadadr caddar cadddr cdaaar cdaadr cdadar cdaddr cddaar cddadr cdddar
    cddddr list-ref first second third fourth fifth sixth seventh eighth ninth tenth car+cdr take drop take-right
    drop-right take! drop-right! split-at (rename split-at split-at!) last last-pair length length+ append concatenate
    reverse append! (rename concatenate concatenate!) reverse! append-reverse append-reverse! zip unzip1 unzip2 unzip3
    unzip4 unzip5 count map for-each fold unfold pair-fold reduce fold-right unfold-right pair-fold-right reduce-right
    append-map append-map! (rename map map!) (rename map map-in-order) pair-for-each filter-map filter partition
    remove filter! partition! remove! memq memv member find find-tail any every list-index take-while drop-while
    (rename take-while take-while!) span break (rename span span!) (rename break break!) delete delete-duplicates
    delete! delete-duplicates! assq assv assoc alist-cons alist-copy alist-delete (rename alist-delete alist-delete!)
    lset<= lset= lset-adjoin lset-union (rename lset-union lset-union!) lset-intersection
    (rename lset-intersection lset-intersection!) lset-difference (rename lset-difference lset-difference!) lset-xor
    (rename lset-xor lset-xor!) lset-diff+intersection (rename lset-diff+intersection lset-diff+intersection!)
    set-car! set-cdr!)
  (include "1.scm"))
