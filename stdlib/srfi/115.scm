;; Regular expressions as S-expressions. A string is what it says; the machine's own expressions are taken too.

(define-record-type <regexp> (make-rx code sre names) rx? (code rx-code) (sre rx-sre) (names rx-names))
(define (regexp? x) (or (rx? x) (plain:regexp? x)))

;; What the machine compiles: sets of characters spelt out, no groups inside w/nocapture.
(define (plain sre keep?)
  (define (all l) (map (lambda (x) (plain x keep?)) l))
  (cond
    ((char-set? sre) (char-set->sre sre))
    ((not (and (pair? sre) (list? sre))) sre)
    (else
      (case (car sre)
        (($ submatch) (cons (if keep? '$ ':) (all (cdr sre))))
        ((-> submatch-named)
         (if (and keep? (pair? (cdr sre)))
             (cons* '-> (cadr sre) (all (cddr sre)))
             (cons ': (all (if (pair? (cdr sre)) (cddr sre) '())))))
        ((w/nocapture) (cons ': (map (lambda (x) (plain x #f)) (cdr sre))))
        ((w/case w/unicode w/ascii) (cons ': (all (cdr sre))))
        (else (cons (car sre) (all (cdr sre))))))))
(define (cons* a b rest) (cons a (cons b rest)))

;; The names of the groups with their numbers, in order.
(define (names sre)
  (let ((n 0) (found '()))
    (let walk ((sre sre))
      (if (pair? sre)
          (case (car sre)
            (($) (set! n (+ n 1)) (for-each walk (cdr sre)))
            ((->)
             (set! n (+ n 1))
             (set! found (cons (cons (cadr sre) n) found))
             (for-each walk (cddr sre)))
            (else (for-each walk (cdr sre))))))
    (reverse found)))

;; A name may stand more than once; the machine gets groups without names.
(define (nameless sre)
  (cond ((not (pair? sre)) sre)
        ((eq? (car sre) '->) (cons '$ (map nameless (cddr sre))))
        (else (cons (car sre) (map nameless (cdr sre))))))

(define (regexp x)
  (if (regexp? x) x
      (let ((sre (plain x #t)))
        (make-rx (plain:regexp (list ': (nameless sre))) x (names sre)))))
(define-syntax rx (syntax-rules () ((_ sre ...) (regexp (quasiquote (: sre ...))))))
(define (valid-sre? x) (guard (e ((error-object? e) #f)) (regexp x) #t))
(define (regexp->sre x)
  (must "regexp->sre" 1 rx? "a regular expression of this library" x)
  (rx-sre x))
(define (char-set->sre set)
  (must "char-set->sre" 1 char-set? "a character set" set)
  (list (list->string (char-set->list set))))

(define (code x) (let ((x (regexp x))) (if (rx? x) (rx-code x) x)))
(define (names-of x) (let ((x (regexp x))) (if (rx? x) (rx-names x) '())))

;; ---- matching ----

(define-record-type <match> (make-match parts names) regexp-match? (parts parts) (names group-names))

;; (bounded who n s span): start and end, the end #f for that of the string.
(define-syntax let-bounds
  (syntax-rules ()
    ((_ who s (start end) span body ...)
     (begin
       (must who 2 string? "a string" s)
       (let* ((all span)
              (all (if (and (pair? all) (pair? (cdr all)) (not (cadr all))) (list (car all)) all)))
         (let-span who 3 (start end) (all (string-length s)) body ...))))))

(define (searcher who search)
  (lambda (re s . span)
    (let-bounds who s (start end) span
      (let* ((re (regexp re)) (m (search (code re) s start end)))
        (and m (make-match m (names-of re)))))))
(define regexp-matches (searcher "regexp-matches" %regexp-whole))
(define regexp-search (searcher "regexp-search" %regexp-search))
(define (regexp-matches? re s . span) (if (apply regexp-matches re s span) #t #f))

(define (regexp-match-count m)
  (must "regexp-match-count" 1 regexp-match? "a match" m)
  (- (match:count (parts m)) 1))
;; A group by its number or its name: of several with the name, the first that took part.
(define (part who get m field)
  (must who 1 regexp-match? "a match" m)
  (let ((field (if (pair? field) (car field) 0)))
    (if (symbol? field)
        (let loop ((l (group-names m)) (known? #f))
          (cond ((null? l) (if known? #f (%raise 'range-error (string-append who ": there is no group of this name") field)))
                ((not (eq? (caar l) field)) (loop (cdr l) known?))
                (else (or (get (parts m) (cdar l)) (loop (cdr l) #t)))))
        (begin
          (within who 2 0 (- (match:count (parts m)) 1) field)
          (get (parts m) field)))))
(define (regexp-match-submatch m . field) (part "regexp-match-submatch" match:substring m field))
(define (regexp-match-submatch-start m . field) (part "regexp-match-submatch-start" match:start m field))
(define (regexp-match-submatch-end m . field) (part "regexp-match-submatch-end" match:end m field))
(define (regexp-match->list m)
  (must "regexp-match->list" 1 regexp-match? "a match" m)
  (let loop ((i (- (match:count (parts m)) 1)) (acc '()))
    (if (< i 0) acc (loop (- i 1) (cons (match:substring (parts m) i) acc)))))

;; f takes the end of the match before, the match, the string and the result so far.
(define (fold-matches who re f acc s finish span)
  (let-bounds who s (start end) span
    (let* ((re (regexp re)) (names (names-of re)))
      (let loop ((ms (%regexp-search* (code re) s start end)) (i start) (acc acc))
        (if (null? ms)
            (finish i #f s acc)
            (let ((m (make-match (car ms) names)))
              (loop (cdr ms) (match:end (car ms)) (f i m s acc))))))))
(define (regexp-fold re f acc s . options)
  (fold-matches "regexp-fold" re f acc s
    (if (pair? options) (car options) (lambda (i m s acc) acc))
    (if (pair? options) (cdr options) '())))

(define (end-of s span) (or (and (pair? span) (pair? (cdr span)) (cadr span)) (string-length s)))
(define (start-of m) (match:start (parts m)))
(define (empty? m) (= (match:start (parts m)) (match:end (parts m))))
(define (text-of m) (match:substring (parts m) 0))
(define (ignore i m s acc) (reverse acc))

(define (regexp-extract re s . span)
  (fold-matches "regexp-extract" re (lambda (i m s acc) (if (empty? m) acc (cons (text-of m) acc))) '() s ignore span))
(define (regexp-split re s . span)
  (fold-matches "regexp-split" re
    (lambda (i m s acc)
      (if (empty? m)
          (if (< i (start-of m)) (cons (substring s i (start-of m)) acc) acc)
          (cons (substring s i (start-of m)) acc)))
    '() s
    (lambda (i m s acc) (reverse (cons (substring s i (end-of s span)) acc)))
    span))
;; The texts between matches and the matches in turn.
(define (regexp-partition re s . span)
  (fold-matches "regexp-partition" re
    (lambda (i m s acc) (if (empty? m) acc (cons (text-of m) (cons (substring s i (start-of m)) acc))))
    '() s
    (lambda (i m s acc)
      (if (and (pair? acc) (= i (end-of s span)))
          (reverse acc)
          (reverse (cons (substring s i (end-of s span)) acc))))
    span))

(define (substitution x m s start end)
  (cond ((string? x) x)
        ((eq? x 'pre) (substring s start (start-of m)))
        ((eq? x 'post) (substring s (match:end (parts m)) end))
        ((or (symbol? x) (exact-integer? x)) (or (regexp-match-submatch m x) ""))
        ((procedure? x) (x m))
        ((list? x) (apply string-append (map (lambda (x) (substitution x m s start end)) x)))
        (else (%wrong-type "regexp-replace" 3 "a string, a group, pre, post, a procedure or a list of these" x))))
;; Replaces the matches that chosen? says, by their number.
(define (replace who re s x chosen? span)
  (let ((start (if (pair? span) (car span) 0)) (n -1))
    (fold-matches who re
      (lambda (i m s acc)
        (set! n (+ n 1))
        (cons (if (chosen? n) (substitution x m s start (end-of s span)) (text-of m))
              (cons (substring s i (start-of m)) acc)))
      '() s
      (lambda (i m s acc) (apply string-append (reverse (cons (substring s i (end-of s span)) acc))))
      span)))
;; (regexp-replace re s x [start [end [which]]])
(define (regexp-replace re s x . options)
  (let* ((span (if (and (pair? options) (pair? (cdr options))) (list (car options) (cadr options)) options))
         (which (if (and (pair? options) (pair? (cdr options)) (pair? (cddr options))) (car (cddr options)) 0)))
    (replace "regexp-replace" re s x (lambda (n) (= n which)) span)))
(define (regexp-replace-all re s x . span) (replace "regexp-replace-all" re s x (lambda (n) #t) span))
