;; Cursors. A string here is indexed as fast as it is walked, so a cursor is an index.

(define (string-cursor? x) (and (exact-integer? x) (>= x 0)))
(define (string-cursor-start s)
  (must "string-cursor-start" 1 string? "a string" s)
  0)
(define (string-cursor-end s)
  (must "string-cursor-end" 1 string? "a string" s)
  (string-length s))

(define (moved who s cursor n)
  (must who 1 string? "a string" s)
  (within who 2 0 (string-length s) cursor)
  (within who 2 0 (string-length s) (+ cursor n))
  (+ cursor n))
(define (string-cursor-next s cursor) (moved "string-cursor-next" s cursor 1))
(define (string-cursor-prev s cursor) (moved "string-cursor-prev" s cursor -1))
(define (string-cursor-forward s cursor n)
  (must "string-cursor-forward" 3 exact-integer? "an exact integer" n)
  (moved "string-cursor-forward" s cursor n))
(define (string-cursor-back s cursor n)
  (must "string-cursor-back" 3 exact-integer? "an exact integer" n)
  (moved "string-cursor-back" s cursor (- n)))

(define-syntax define-order
  (syntax-rules ()
    ((_ name who holds?)
     (define (name a b)
       (must who 1 exact-integer? "a cursor" a)
       (must who 2 exact-integer? "a cursor" b)
       (holds? a b)))))
(define-order string-cursor=? "string-cursor=?" =)
(define-order string-cursor<? "string-cursor<?" <)
(define-order string-cursor>? "string-cursor>?" >)
(define-order string-cursor<=? "string-cursor<=?" <=)
(define-order string-cursor>=? "string-cursor>=?" >=)

(define (string-cursor-diff s start end)
  (must "string-cursor-diff" 1 string? "a string" s)
  (within "string-cursor-diff" 2 0 (string-length s) start)
  (within "string-cursor-diff" 3 0 (string-length s) end)
  (- end start))
(define (string-cursor->index s cursor) (moved "string-cursor->index" s cursor 0))
(define (string-index->cursor s index) (moved "string-index->cursor" s index 0))

;; ---- predicates ----

(define-syntax define-test
  (syntax-rules ()
    ((_ name who plain)
     (define (name what s . span)
       (must who 2 string? "a string" s)
       (let-span who 3 (start end) (span (string-length s)) (plain what (substring s start end)))))))
(define-test string-every "string-every" plain:string-every)
(define-test string-any "string-any" plain:string-any)

;; ---- the same as with indices ----

(define string->list/cursors string->list)
(define string->vector/cursors string->vector)
(define string-ref/cursor string-ref)
(define substring/cursors substring)
(define string-copy/cursors string-copy)

;; ---- searching: a cursor always; to the right of what was found when the search comes from the right ----

(define-syntax define-search
  (syntax-rules ()
    ((_ name who plain (s start end i) found absent)
     (define (name s ok? . span)
       (must who 1 string? "a string" s)
       (let-span who 3 (start end) (span (string-length s))
         (let ((i (plain s ok? start end))) (if i found absent)))))))
(define-search string-index "string-index" plain:string-index (s start end i) i end)
(define-search string-skip "string-skip" plain:string-skip (s start end i) i end)
(define-search string-index-right "string-index-right" plain:string-index-right (s start end i) (+ i 1) start)
(define-search string-skip-right "string-skip-right" plain:string-skip-right (s start end i) (+ i 1) start)

(define (string-for-each-cursor f s . span)
  (must "string-for-each-cursor" 2 string? "a string" s)
  (let-span "string-for-each-cursor" 3 (start end) (span (string-length s))
    (let loop ((i start))
      (if (< i end) (begin (f i) (loop (+ i 1)))))))
