;; Walks go along the ranges of a set, from, up to, from, up to, …, and never make a list of its characters.

(define (%ranges who set)
  (if (char-set? set) (%char-set-ranges set) (%wrong-type who 1 "a character set" set)))

(define (char-set= . sets)
  (or (null? sets)
      (let ((ranges (map (lambda (s) (%ranges "char-set=" s)) sets)))
        (every (lambda (r) (equal? r (car ranges))) (cdr ranges)))))

(define (char-set<= . sets)
  (for-each (lambda (s) (%ranges "char-set<=" s)) sets)
  (or (null? sets)
      (let loop ((a (car sets)) (more (cdr sets)))
        (or (null? more)
            (and (equal? (%char-set-ranges (car more)) (%char-set-ranges (char-set-union a (car more))))
                 (loop (car more) (cdr more)))))))

(define (char-set-hash set . bound)
  (let ((h (equal-hash (%ranges "char-set-hash" set))))
    (if (and (pair? bound) (> (car bound) 0)) (modulo h (car bound)) h)))

;; ---- cursors: a code with the ranges from where it is; at the end there are none ----

(define (%cursor ranges) (cons (and (pair? ranges) (car ranges)) ranges))
(define (char-set-cursor set) (%cursor (%ranges "char-set-cursor" set)))
(define (end-of-char-set? cursor) (not (car cursor)))
(define (char-set-ref set cursor)
  (if (end-of-char-set? cursor)
      (%raise 'range-error "char-set-ref: the cursor is at the end" cursor)
      (integer->char (car cursor))))
(define (char-set-cursor-next set cursor)
  (if (end-of-char-set? cursor)
      (%raise 'range-error "char-set-cursor-next: the cursor is at the end" cursor)
      (let ((next (+ (car cursor) 1)) (ranges (cdr cursor)))
        (if (< next (cadr ranges)) (cons next ranges) (%cursor (cddr ranges))))))

(define (char-set-fold f acc set)
  (let range ((ranges (%ranges "char-set-fold" set)) (acc acc))
    (if (null? ranges)
        acc
        (let ((end (cadr ranges)))
          (let loop ((c (car ranges)) (acc acc))
            (if (< c end)
                (loop (+ c 1) (f (integer->char c) acc))
                (range (cddr ranges) acc)))))))

(define (char-set-unfold f stop? next seed . base)
  (let loop ((seed seed) (chars '()))
    (if (stop? seed)
        (apply list->char-set chars base)
        (loop (next seed) (cons (f seed) chars)))))

(define (char-set-for-each f set) (char-set-fold (lambda (c acc) (f c) acc) (if #f #f) set))
(define (char-set-map f set)
  (%list->char-set (char-set-fold (lambda (c acc) (cons (f c) acc)) '() set)))

;; ---- making sets: the last argument is a set to begin with ----

(define (%onto set base) (if (pair? base) (char-set-union (car base) set) set))
(define (char-set-copy set) (char-set-union set))
(define (list->char-set chars . base) (%onto (%list->char-set chars) base))
(define (string->char-set s . base) (%onto (%string->char-set s) base))
(define (char-set-filter keep? set . base)
  (%onto (%list->char-set (char-set-fold (lambda (c acc) (if (keep? c) (cons c acc) acc)) '() set)) base))
;; error? may be missing: what lies beyond the last character is left out unless it is true.
(define ucs-range->char-set
  (case-lambda
    ((from to) (ucs-range->char-set from to #f char-set:empty))
    ((from to error?) (ucs-range->char-set from to error? char-set:empty))
    ((from to error? base)
     (let ((most #x110000))
       (char-set-union base
         (if error? (%ucs-range->char-set from to) (%ucs-range->char-set (min from most) (min to most))))))))
(define (->char-set x)
  (cond ((char-set? x) x)
        ((string? x) (%string->char-set x))
        ((char? x) (char-set x))
        (else (%wrong-type "->char-set" 1 "a character set, a string or a character" x))))

;; ---- asking ----

(define (char-set->string set) (list->string (char-set->list set)))
(define (char-set-count ok? set) (char-set-fold (lambda (c n) (if (ok? c) (+ n 1) n)) 0 set))
(define (char-set-any ok? set)
  (let loop ((at (char-set-cursor set)))
    (and (not (end-of-char-set? at))
         (or (ok? (char-set-ref set at)) (loop (char-set-cursor-next set at))))))
(define (char-set-every ok? set)
  (let loop ((at (char-set-cursor set)) (last #t))
    (if (end-of-char-set? at)
        last
        (let ((r (ok? (char-set-ref set at))))
          (and r (loop (char-set-cursor-next set at) r))))))

;; ---- algebra ----

(define (char-set-delete set . chars) (char-set-difference set (%list->char-set chars)))
(define (char-set-xor . sets)
  (fold (lambda (set acc) (char-set-difference (char-set-union acc set) (char-set-intersection acc set)))
        char-set:empty sets))
(define (char-set-diff+intersection set . sets)
  (let ((others (apply char-set-union sets)))
    (values (char-set-difference set others) (char-set-intersection set others))))

(define char-set:title-case (%char-set 'title-case))
(define char-set:iso-control (char-set-union (%ucs-range->char-set 0 #x20) (%ucs-range->char-set #x7f #xa0)))
(define char-set:graphic (char-set-union char-set:letter+digit char-set:punctuation char-set:symbol))
(define char-set:printing (char-set-union char-set:graphic char-set:whitespace))
