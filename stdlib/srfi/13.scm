;; What (srfi 13) has of its own. span is a list of what follows the other arguments: start and end, or nothing.

(define (%part s span) (if (null? span) s (apply substring s span)))

;; The two strings of a comparison, cut to start1 end1 start2 end2.
(define (%both a b span f)
  (if (null? span)
      (f a b)
      (let ((n (length span)))
        (f (%part a (if (< n 2) span (list-head span 2)))
           (%part b (if (< n 2) '() (list-tail span 2)))))))

;; ---- ends of a span ----

(define (string-parse-start+end proc s args)
  (let ((args-left (lambda (k) (if (> (length args) k) (list-tail args k) '())))
        (end (if (and (pair? args) (pair? (cdr args))) (cadr args) (string-length s)))
        (start (if (pair? args) (car args) 0)))
    (check-substring-spec proc s start end)
    (values (args-left 2) start end)))
(define (string-parse-final-start+end proc s args)
  (let-values (((rest start end) (string-parse-start+end proc s args)))
    (if (pair? rest)
        (%raise 'arity-error "string-parse-final-start+end: there are too many arguments" proc rest))
    (values start end)))
(define (substring-spec-ok? s start end)
  (and (string? s) (exact-integer? start) (exact-integer? end) (<= 0 start end (string-length s))))
(define (check-substring-spec proc s start end)
  (if (not (substring-spec-ok? s start end))
      (%raise 'range-error "check-substring-spec: this is no part of the string" proc s start end)))
(define-syntax let-string-start+end
  (syntax-rules ()
    ((_ (start end) proc s args body ...)
     (call-with-values (lambda () (string-parse-final-start+end proc s args)) (lambda (start end) body ...)))
    ((_ (start end rest) proc s args body ...)
     (call-with-values (lambda () (string-parse-start+end proc s args)) (lambda (rest start end) body ...)))))

;; ---- selecting: string-trim takes from the left only ----

(define-syntax %define-trim
  (syntax-rules ()
    ((_ name trim)
     (define name
       (case-lambda
         ((s) (trim s))
         ((s what) (trim s what))
         ((s what . span) (trim (%part s span) what)))))))
(%define-trim string-trim string-trim-left)
(%define-trim string-trim-right %string-trim-right)
(%define-trim string-trim-both %string-trim-both)

;; ---- comparing ----

;; Where two strings differ first; folded text is as long as its string here.
(define (%fold-char s) (%string-map char-foldcase s))
(define-syntax %define-compare
  (syntax-rules ()
    ((_ name view)
     (define (name a b less same more . span)
       (let ((start (if (pair? span) (car span) 0)))
         (%both a b span
           (lambda (a b)
             (let* ((a (view a)) (b (view b)) (k (%string-prefix-length a b)) (at (+ start k)))
               (cond
                 ((= k (string-length a)) (if (= k (string-length b)) (same at) (less at)))
                 ((= k (string-length b)) (more at))
                 ((char<? (string-ref a k) (string-ref b k)) (less at))
                 (else (more at)))))))))))
(%define-compare string-compare (lambda (s) s))
(%define-compare string-compare-ci %fold-char)

;; With a literal behind, the prelude's take the affix second too; here that is no literal.
(define (%strict affix?) (lambda (a b) (affix? a (if (string? b) (string-copy b) b))))
(define-syntax %define-order
  (syntax-rules () ((_ (name test) ...) (begin (define (name a b . span) (%both a b span test)) ...))))
(%define-order
  (string= string=?) (string< string<?) (string> string>?) (string<= string<=?) (string>= string>=?)
  (string-ci= string-ci=?) (string-ci< string-ci<?) (string-ci> string-ci>?) (string-ci<= string-ci<=?)
  (string-ci>= string-ci>=?)
  (string<> (lambda (a b) (not (string=? a b)))) (string-ci<> (lambda (a b) (not (string-ci=? a b))))
  (string-prefix? (%strict %string-prefix?)) (string-suffix? (%strict %string-suffix?))
  (string-prefix-ci? (%strict %string-prefix-ci?)) (string-suffix-ci? (%strict %string-suffix-ci?))
  (string-prefix-length %string-prefix-length)
  (string-suffix-length (lambda (a b) (%string-prefix-length (string-reverse a) (string-reverse b))))
  (string-prefix-length-ci (lambda (a b) (%string-prefix-length (%fold-char a) (%fold-char b))))
  (string-suffix-length-ci (lambda (a b) (string-suffix-length (%fold-char a) (%fold-char b)))))

(define-syntax %define-hash
  (syntax-rules ()
    ((_ name hash)
     (define name
       (case-lambda
         ((s) (hash s))
         ((s bound . span)
          (let ((s (%part s span))) (if (eqv? bound 0) (hash s) (hash s bound)))))))))
(%define-hash string-hash %string-hash)
(%define-hash string-hash-ci %string-ci-hash)

;; ---- searching: the second string may be cut too ----

(define-syntax %define-contains
  (syntax-rules ()
    ((_ name find)
     (define name
       (case-lambda
         ((s p) (find s p))
         ((s p start) (find s p start))
         ((s p start end) (find s p start end))
         ((s p start end . span) (find s (%part p span) start end)))))))
(%define-contains string-contains %string-contains)
(%define-contains string-contains-ci %string-contains-ci)

;; ---- Knuth, Morris and Pratt: for a search that goes from string to string ----

(define (make-kmp-restart-vector p . options)
  (let ((same? (if (pair? options) (car options) char=?)))
    (let-string-start+end (start end) 'make-kmp-restart-vector p (if (pair? options) (cdr options) '())
      (let* ((n (- end start)) (rv (make-vector n -1)))
        (define (at i) (string-ref p (+ start i)))
        (let loop ((i 0) (j -1)) ; the first j characters are the last before i
          (if (< i (- n 1))
              (cond
                ((= j -1)
                 (if (not (same? (at (+ i 1)) (at 0))) (vector-set! rv (+ i 1) 0))
                 (loop (+ i 1) 0))
                ((same? (at i) (at j))
                 (vector-set! rv (+ i 1) (+ j 1))
                 (loop (+ i 1) (+ j 1)))
                (else (loop i (vector-ref rv j))))))
        rv))))

(define (kmp-step p rv c i same? start)
  (let loop ((i i))
    (if (same? c (string-ref p (+ i start)))
        (+ i 1)
        (let ((i (vector-ref rv i)))
          (if (= i -1) 0 (loop i))))))

(define (string-kmp-partial-search p rv s i . options)
  (let* ((same? (if (pair? options) (car options) char=?))
         (options (if (pair? options) (cdr options) '()))
         (p-start (if (pair? options) (car options) 0)))
    (let-string-start+end (start end) 'string-kmp-partial-search s (if (pair? options) (cdr options) '())
      (let loop ((si start) (vi i))
        (cond ((= vi (vector-length rv)) (- si))
              ((= si end) vi)
              (else (loop (+ si 1) (kmp-step p rv (string-ref s si) vi same? p-start))))))))

;; ---- mapping, folding ----

;; More strings instead of a span are those of (scheme base).
(define (string-map f s . span)
  (if (and (pair? span) (string? (car span))) (apply %string-map f s span) (%string-map f (%part s span))))
(define (string-for-each f s . span)
  (if (and (pair? span) (string? (car span))) (apply %string-for-each f s span) (%string-for-each f (%part s span))))
(define (string-for-each-index f s . span)
  (let-string-start+end (start end) 'string-for-each-index s span
    (let loop ((i start)) (if (< i end) (begin (f i) (loop (+ i 1)))))))

(define-syntax %define-in-place
  (syntax-rules ()
    ((_ (name of) ...)
     (begin
       (define (name s . span)
         (let-string-start+end (start end) 'name s span
           (string-copy! s start (of (substring s start end)))))
       ...))))
(%define-in-place
  (string-titlecase! string-titlecase) (string-upcase! string-upcase) (string-downcase! string-downcase)
  (string-reverse! string-reverse))
(define (string-map! f s . span)
  (let-string-start+end (start end) 'string-map! s span
    (string-copy! s start (%string-map f (substring s start end)))))

(define (string-unfold stop? f next seed . options)
  (let ((base (if (pair? options) (car options) ""))
        (final (if (and (pair? options) (pair? (cdr options))) (cadr options) (lambda (x) ""))))
    (let loop ((seed seed) (chars '()))
      (if (stop? seed)
          (string-append base (reverse-list->string chars) (final seed))
          (loop (next seed) (cons (f seed) chars))))))
(define (string-unfold-right stop? f next seed . options)
  (let ((base (if (pair? options) (car options) ""))
        (final (if (and (pair? options) (pair? (cdr options))) (cadr options) (lambda (x) ""))))
    (let loop ((seed seed) (chars '()))
      (if (stop? seed)
          (string-append (final seed) (list->string chars) base)
          (loop (next seed) (cons (f seed) chars))))))

;; ---- joining, replacing ----

(define string-concatenate-reverse
  (case-lambda
    ((l) (string-concatenate (reverse l)))
    ((l final) (string-concatenate (reverse (cons final l))))
    ((l final end) (string-concatenate-reverse l (substring final 0 end)))))

(define (string-replace s t start end . span)
  (string-append (substring s 0 start) (%part t span) (substring s end)))

(define (string-tokenize s . options)
  (let ((set (if (pair? options) (car options) char-set:graphic)))
    (let-string-start+end (start end) 'string-tokenize s (if (pair? options) (cdr options) '())
      (let loop ((at start) (tokens '()))
        (let ((from (string-index s set at end)))
          (if from
              (let ((to (or (string-skip s set from end) end)))
                (loop to (cons (substring s from to) tokens)))
              (reverse tokens)))))))

;; The characters from from up to to of s repeated without end in both directions.
(define (xsubstring s from . options)
  (let ((to (and (pair? options) (car options))))
    (let-string-start+end (start end) 'xsubstring s (if (pair? options) (cdr options) '())
      (let* ((s (substring s start end)) (n (string-length s)) (to (or to (+ from n))))
        (cond
          ((>= from to)
           (if (= from to) "" (%raise 'range-error "xsubstring: the end lies before the start" from to)))
          ((zero? n) (%raise 'range-error "xsubstring: the string is empty" s))
          (else
            (let* ((skip (floor-remainder from n)) (want (- to from)))
              (substring (string-repeat s (quotient (+ skip want n -1) n)) skip (+ skip want)))))))))
(define (string-xcopy! target at s from . options)
  (string-copy! target at (apply xsubstring s from options)))
