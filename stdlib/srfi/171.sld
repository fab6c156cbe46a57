(define-library (srfi 171)
  (import (scheme base) (scheme case-lambda) (scheme write) (only (caper standard) %wrong-type %raise)
          (only (srfi 125) hash-table? hash-table-ref/default make-hash-table hash-table-contains? hash-table-set!))
  (export
    rcons reverse-rcons rany revery rcount
    list-transduce vector-transduce string-transduce bytevector-u8-transduce port-transduce generator-transduce
    tmap tfilter tremove tfilter-map treplace tdrop tdrop-while ttake ttake-while tconcatenate tappend-map tflatten
    tdelete-neighbor-duplicates tdelete-duplicates tsegment tpartition tadd-between tenumerate tlog
    ;; (srfi 171 meta)
    reduced reduced? unreduce ensure-reduced preserving-reduced list-reduce vector-reduce string-reduce
    bytevector-u8-reduce port-reduce generator-reduce)
  (include "check.scm" "171.scm"))
