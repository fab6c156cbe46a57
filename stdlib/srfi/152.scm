;; Strings: what is tested is always a predicate, spans are optional indices at the end.

;; (let-text who k s n (start end) span body …): s is argument k, span what follows from argument n on.
(define-syntax let-text
  (syntax-rules ()
    ((_ who k s n (start end) span body ...)
     (begin
       (must who k string? "a string" s)
       (let-span who n (start end) (span (string-length s)) body ...)))))
;; The spans of two strings s and t, which are arguments n - 2 and n - 1.
(define-syntax let-texts
  (syntax-rules ()
    ((_ who n s (start end) t (start2 end2) span body ...)
     (begin
       (must who (- n 2) string? "a string" s)
       (let-text who (- n 1) t (+ n 2) (start2 end2) (rest-of span)
         (let-span who n (start end) (span (string-length s)) body ...))))))
(define (rest-of span) (if (and (pair? span) (pair? (cdr span))) (cddr span) '()))

;; ---- predicates; a character or a set of them says what it means, as in SRFI 13 ----

(define (as-test who n x)
  (cond ((procedure? x) x)
        ((char? x) (lambda (c) (char=? c x)))
        ((char-set? x) (lambda (c) (char-set-contains? x c)))
        (else (%wrong-type who n "a predicate, a character or a set of them" x))))

(define (heads who ss)
  (let loop ((i 2) (ss ss) (n #f))
    (if (null? ss) n
        (begin
          (must who i string? "a string" (car ss))
          (loop (+ i 1) (cdr ss) (if n (min n (string-length (car ss))) (string-length (car ss))))))))
(define (chars ss i) (map (lambda (s) (string-ref s i)) ss))

(define string-every
  (case-lambda
    ((what s)
     (must "string-every" 2 string? "a string" s)
     (let loop ((ok? (as-test "string-every" 1 what)) (l (string->list s)) (last #t))
       (if (null? l) last (let ((r (ok? (car l)))) (and r (loop ok? (cdr l) r))))))
    ((ok? . ss)
     (let ((n (heads "string-every" ss)))
       (let loop ((i 0) (last #t))
         (if (= i n) last (let ((r (apply ok? (chars ss i)))) (and r (loop (+ i 1) r)))))))))
(define string-any
  (case-lambda
    ((what s)
     (must "string-any" 2 string? "a string" s)
     (let loop ((ok? (as-test "string-any" 1 what)) (l (string->list s)))
       (and (pair? l) (or (ok? (car l)) (loop ok? (cdr l))))))
    ((ok? . ss)
     (let ((n (heads "string-any" ss)))
       (let loop ((i 0)) (and (< i n) (or (apply ok? (chars ss i)) (loop (+ i 1)))))))))

;; ---- construction ----

(define (string-tabulate f n)
  (must "string-tabulate" 2 exact-integer? "an exact integer" n)
  (let loop ((i 0) (acc '()))
    (if (< i n) (loop (+ i 1) (cons (f i) acc)) (reverse-list->string acc))))

;; mapper answers characters or strings.
(define (unfold stop? mapper next seed finish)
  (let loop ((seed seed) (acc '()))
    (if (stop? seed)
        (finish seed acc)
        (let ((x (mapper seed)))
          (loop (next seed) (cons (if (char? x) (string x) x) acc))))))
(define (option args n default) (if (> (length args) n) (list-ref args n) default))
(define (none seed) "")
(define (string-unfold stop? mapper next seed . options)
  (let ((base (option options 0 "")) (final (option options 1 none)))
    (unfold stop? mapper next seed
      (lambda (seed acc) (string-append base (string-concatenate (reverse acc)) (final seed))))))
(define (string-unfold-right stop? mapper next seed . options)
  (let ((base (option options 0 "")) (final (option options 1 none)))
    (unfold stop? mapper next seed
      (lambda (seed acc) (string-append (final seed) (string-concatenate acc) base)))))

;; ---- searching ----

;; The first index from i on, or the last down to i, whose character satisfies ok? (or does not), else the bound.
(define (forward ok? want s i end)
  (cond ((>= i end) end)
        ((eq? want (if (ok? (string-ref s i)) #t #f)) i)
        (else (forward ok? want s (+ i 1) end))))
(define (backward ok? want s start i)
  (cond ((< i start) (- start 1))
        ((eq? want (if (ok? (string-ref s i)) #t #f)) i)
        (else (backward ok? want s start (- i 1)))))

(define-syntax define-search
  (syntax-rules ()
    ((_ name who want)
     (define (name s what . span)
       (let-text who 1 s 3 (start end) span
         (let* ((ok? (as-test who 2 what)) (i (forward ok? want s start end))) (and (< i end) i)))))))
(define-syntax define-search-right
  (syntax-rules ()
    ((_ name who want)
     (define (name s what . span)
       (let-text who 1 s 3 (start end) span
         (let* ((ok? (as-test who 2 what)) (i (backward ok? want s start (- end 1)))) (and (>= i start) i)))))))
(define-search string-index "string-index" #t)
(define-search string-skip "string-skip" #f)
(define-search-right string-index-right "string-index-right" #t)
(define-search-right string-skip-right "string-skip-right" #f)

(define-syntax define-contains
  (syntax-rules ()
    ((_ name who plain)
     (define name
       (case-lambda
         ((s t)
          (must who 1 string? "a string" s)
          (must who 2 string? "a string" t)
          (plain s t))
         ((s t . span)
          (let-texts who 3 s (a b) t (c d) span
            (plain s (substring t c d) a b))))))))
(define-contains string-contains "string-contains" plain:string-contains)
(define-contains string-contains-right "string-contains-right" plain:string-contains-right)

(define (string-prefix-length s t . span)
  (let-texts "string-prefix-length" 3 s (a b) t (c d) span
    (let loop ((i a) (j c))
      (if (and (< i b) (< j d) (char=? (string-ref s i) (string-ref t j))) (loop (+ i 1) (+ j 1)) (- i a)))))
(define (string-suffix-length s t . span)
  (let-texts "string-suffix-length" 3 s (a b) t (c d) span
    (let loop ((i b) (j d))
      (if (and (< a i) (< c j) (char=? (string-ref s (- i 1)) (string-ref t (- j 1)))) (loop (- i 1) (- j 1)) (- b i)))))
(define (string-prefix? s t . span)
  (let-texts "string-prefix?" 3 s (a b) t (c d) span
    (and (<= (- b a) (- d c)) (string=? (substring s a b) (substring t c (+ c (- b a)))))))
(define (string-suffix? s t . span)
  (let-texts "string-suffix?" 3 s (a b) t (c d) span
    (and (<= (- b a) (- d c)) (string=? (substring s a b) (substring t (- d (- b a)) d)))))

;; ---- selection ----

;; (trim who left? right?): the characters at the ends that satisfy the predicate go.
(define (trimmer who left? right?)
  (lambda (s . options)
    (must who 1 string? "a string" s)
    (let ((ok? (as-test who 2 (option options 0 char-whitespace?))))
      (let-span who 3 (start end) ((if (pair? options) (cdr options) '()) (string-length s))
        (let* ((from (if left? (forward ok? #f s start end) start))
               (to (if right? (+ 1 (backward ok? #f s from (- end 1))) end)))
          (substring s from to))))))
(define string-trim (trimmer "string-trim" #t #f))
(define string-trim-right (trimmer "string-trim-right" #f #t))
(define string-trim-both (trimmer "string-trim-both" #t #t))

(define-syntax define-part
  (syntax-rules ()
    ((_ name who (s ok? start end) body)
     (define (name s what . span)
       (let-text who 1 s 3 (start end) span (let ((ok? (as-test who 2 what))) body))))))
(define-part string-take-while "string-take-while" (s ok? start end)
  (substring s start (forward ok? #f s start end)))
(define-part string-drop-while "string-drop-while" (s ok? start end)
  (substring s (forward ok? #f s start end) end))
(define-part string-take-while-right "string-take-while-right" (s ok? start end)
  (substring s (+ 1 (backward ok? #f s start (- end 1))) end))
(define-part string-drop-while-right "string-drop-while-right" (s ok? start end)
  (substring s start (+ 1 (backward ok? #f s start (- end 1)))))
(define-part string-span "string-span" (s ok? start end)
  (let ((i (forward ok? #f s start end))) (values (substring s start i) (substring s i end))))
(define-part string-break "string-break" (s ok? start end)
  (let ((i (forward ok? #t s start end))) (values (substring s start i) (substring s i end))))
(define-part string-count "string-count" (s ok? start end)
  (let loop ((i start) (n 0)) (if (< i end) (loop (+ i 1) (if (ok? (string-ref s i)) (+ n 1) n)) n)))

(define (pick who want)
  (lambda (what s . span)
    (let-text who 2 s 3 (start end) span
      (let ((ok? (as-test who 1 what)))
        (reverse-list->string
          (fold (lambda (c acc) (if (eq? want (if (ok? c) #t #f)) (cons c acc) acc)) '() (string->list s start end)))))))
(define string-filter (pick "string-filter" #t))
(define string-remove (pick "string-remove" #f))

;; ---- the whole ----

(define (string-replace s t start end . span)
  (must "string-replace" 2 string? "a string" t)
  (let-text "string-replace" 1 s 3 (a b) (list start end)
    (let-span "string-replace" 5 (c d) (span (string-length t))
      (string-append (substring s 0 a) (substring t c d) (substring s b (string-length s))))))

(define (string-concatenate-reverse ss . options)
  (must "string-concatenate-reverse" 1 list? "a list" ss)
  (let ((last (option options 0 "")))
    (must "string-concatenate-reverse" 2 string? "a string" last)
    (let ((end (option options 1 (string-length last))))
      (within "string-concatenate-reverse" 3 0 (string-length last) end)
      (string-append (string-concatenate (reverse ss)) (substring last 0 end)))))

(define (string-fold f acc s . span)
  (let-text "string-fold" 3 s 4 (start end) span
    (fold f acc (string->list s start end))))
(define (string-fold-right f acc s . span)
  (let-text "string-fold-right" 3 s 4 (start end) span
    (fold f acc (reverse (string->list s start end)))))

;; The text repeats for ever to both sides; what lies from there to there is taken.
(define (string-replicate s from to . span)
  (must "string-replicate" 1 string? "a string" s)
  (must "string-replicate" 2 exact-integer? "an exact integer" from)
  (must "string-replicate" 3 exact-integer? "an exact integer" to)
  (let-span "string-replicate" 4 (start end) (span (string-length s))
    (let ((size (- end start)))
      (within "string-replicate" 3 from (if (= size 0) from to) to)
      (let loop ((i (- to 1)) (acc '()))
        (if (< i from)
            (list->string acc)
            (loop (- i 1) (cons (string-ref s (+ start (floor-remainder i size))) acc)))))))

(define (string-segment s k)
  (must "string-segment" 1 string? "a string" s)
  (within "string-segment" 2 1 (max 1 (string-length s) (if (exact-integer? k) k 1)) k)
  (string-chop s k))

;; (string-split s delimiter [grammar limit start end])
(define (string-split s delimiter . options)
  (must "string-split" 1 string? "a string" s)
  (must "string-split" 2 string? "a string" delimiter)
  (let ((grammar (option options 0 'infix)) (limit (option options 1 #f)))
    (if (not (memq grammar '(infix strict-infix prefix suffix)))
        (%wrong-type "string-split" 3 "infix, strict-infix, prefix or suffix" grammar))
    (let-span "string-split" 5 (start end) ((rest-of options) (string-length s))
      (if (= start end)
          (if (eq? grammar 'strict-infix)
              (%raise 'range-error "string-split: the string is empty, which the grammar strict-infix does not allow" s)
              '())
          (let* ((parts (pieces s delimiter limit start end)))
            (cond ((and (eq? grammar 'prefix) (string-null? (car parts))) (cdr parts))
                  ((and (eq? grammar 'suffix) (string-null? (car (reverse parts)))) (reverse (cdr (reverse parts))))
                  (else parts)))))))
(define (pieces s delimiter limit start end)
  (let ((k (string-length delimiter)))
    (let loop ((i start) (n 0) (acc '()))
      (let ((j (and (not (and limit (>= n limit)))
                    (if (= k 0)
                        (and (< (+ i 1) end) (+ i 1))
                        (plain:string-contains s delimiter i end)))))
        (if j
            (loop (+ j k) (+ n 1) (cons (substring s i j) acc))
            (reverse (cons (substring s i end) acc)))))))
