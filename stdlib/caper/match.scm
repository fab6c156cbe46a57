;; match: patterns headed by list, cons, list*, cons*, vector, quote, quasiquote, or, and, not, ?, =, app are constructor
;; patterns as in Racket; any other list is the list of its parts, as in Guile. p ... matches any number.

(define (%match-failed value) (%raise 'match-error "match: no clause matches" value))

(define-syntax match
  (syntax-rules () ((_ e clause ...) (let ((v e)) (%match-clauses v clause ...)))))
(define-syntax match-lambda
  (syntax-rules () ((_ clause ...) (lambda (x) (match x clause ...)))))
(define-syntax match-lambda*
  (syntax-rules () ((_ clause ...) (lambda x (match x clause ...)))))
;; Several values at once, a pattern for each.
(define-syntax match*
  (syntax-rules () ((_ (e ...) ((p ...) . body) ...) (match (list e ...) ((list p ...) . body) ...))))
(define-syntax match-lambda**
  (syntax-rules () ((_ ((p ...) . body) ...) (lambda x (match x ((list p ...) . body) ...)))))
(define-syntax match-let
  (syntax-rules ()
    ((_ () body ...) (let () body ...))
    ((_ ((p e) . more) body ...) (match e (p (match-let more body ...))))))
(define-syntax match-let*
  (syntax-rules () ((_ . rest) (match-let . rest))))

;; (point x y) matches a record of that name too, as in Racket; point is then what makes such a record, as around it.
(define (%plain-name x) (string-trim-both (symbol->string x) (char-set #\< #\>)))
(define (%fields v name)
  (and (record? v) (string=? (%plain-name (record-type-name (record-type v))) (%plain-name name)) (record->list v)))
(define (%as-list v name)
  (let ((l (%fields v name))) (if l (cons (lambda fields (apply %record (record-type v) fields)) l) v)))
(define-syntax match-define
  (syntax-rules () ((_ p e) (%match-vars p () (%match-define p e)))))
(define-syntax %match-define
  (syntax-rules () ((_ ((x t) ...) p e) (define-values (x ...) (match e (p (values x ...)))))))

(define-syntax %match-hash
  (syntax-rules ::: (_ ...)
    ((%match-hash v () s f) s)
    ((%match-hash v (_ ...) s f) s)
    ((%match-hash v ((k p) . more) s f)
     (let ((x (hash-table-ref/default v k %no-entry)))
       (if (eq? x %no-entry) f (%match x p (%match-hash v more s f) f))))))
(define %no-entry (list 'no-entry))
(define-syntax %match-hash-vars
  (syntax-rules ::: (_ ...)
    ((%match-hash-vars () vs k) (%match-go vs k))
    ((%match-hash-vars (_ ...) vs k) (%match-go vs k))
    ((%match-hash-vars ((key p) . more) vs k) (%match-vars p vs (%match-hash-more more k)))))
(define-syntax %match-hash-more
  (syntax-rules () ((_ vs es k) (%match-hash-vars es vs k))))

(define-syntax %match-clauses
  (syntax-rules (=>)
    ((_ v) (%match-failed v))
    ((_ v (p (=> next) body ...) . more)
     (let ((next (lambda () (%match-clauses v . more)))) (%match v p (let () body ...) (next))))
    ((_ v (p #:when test body ...) . more)
     (let ((next (lambda () (%match-clauses v . more))))
       (%match v p (if test (let () body ...) (next)) (next))))
    ((_ v (p #:unless test body ...) . more) (%match-clauses v (p #:when (not test) body ...) . more))
    ((_ v (p (where test) body ...) . more) (%match-where v (p (where test) body ...) where . more))
    ((_ v (p body ...) . more)
     (let ((next (lambda () (%match-clauses v . more)))) (%match v p (let () body ...) (next))))))
(define-syntax %match-where
  (syntax-rules (guard)
    ((_ v (p (w test) body ...) guard . more) (%match-clauses v (p #:when test body ...) . more))
    ((_ v (p body ...) other . more)
     (let ((next (lambda () (%match-clauses v . more)))) (%match v p (let () body ...) (next))))))

;; (%match v pattern success failure): v is a variable.
(define-syntax %match
  (syntax-rules ::: (_ ... quote quasiquote list cons list* cons* list-rest vector or and not ? = app $ hash-table hash regexp pregexp)
    ((%match v _ s f) s)
    ((%match v () s f) (if (null? v) s f))
    ((%match v (quote d) s f) (if (equal? v 'd) s f))
    ((%match v (quasiquote q) s f) (%match-quasi v q s f))
    ((%match v (list . ps) s f) (%match-list v ps s f))
    ((%match v (cons a d) s f)
     (if (pair? v) (let ((x (car v)) (y (cdr v))) (%match x a (%match y d s f) f)) f))
    ((%match v (list* p) s f) (%match v p s f))
    ((%match v (list* p . ps) s f) (%match v (cons p (list* . ps)) s f))
    ((%match v (cons* . ps) s f) (%match v (list* . ps) s f))
    ((%match v (list-rest . ps) s f) (%match v (list* . ps) s f))
    ((%match v ($ name . ps) s f) (let ((l (%fields v 'name))) (if l (%match-list l ps s f) f)))
    ((%match v (hash-table . es) s f) (if (hash-table? v) (%match-hash v es s f) f))
    ((%match v (hash . es) s f) (if (hash-table? v) (%match-hash v es s f) f))
    ((%match v (regexp rx) s f) (if (and (string? v) (regexp-match rx v)) s f))
    ((%match v (regexp rx p) s f) (let ((x (and (string? v) (regexp-match rx v)))) (if x (%match x p s f) f)))
    ((%match v (pregexp . r) s f) (%match v (regexp . r) s f))
    ((%match v (vector . ps) s f)
     (if (vector? v) (let ((l (vector->list v))) (%match-list l ps s f)) f))
    ((%match v (or) s f) f)
    ((%match v (or p) s f) (%match v p s f))
    ((%match v (or p . ps) s f) (%match v p s (%match v (or . ps) s f)))
    ((%match v (and) s f) s)
    ((%match v (and p . ps) s f) (%match v p (%match v (and . ps) s f) f))
    ((%match v (not p) s f) (%match v p f s))
    ((%match v (? ok?) s f) (if (ok? v) s f))
    ((%match v (? ok? . ps) s f) (if (ok? v) (%match v (and . ps) s f) f))
    ((%match v (= g p) s f) (let ((x (g v))) (%match x p s f)))
    ((%match v (app g p) s f) (let ((x (g v))) (%match x p s f)))
    ((%match v (p . ps) s f)
     (let ((l (if (pair? v) v (%if-name p (%as-list v 'p) v)))) (%match-list l (p . ps) s f)))
    ((%match v #(p :::) s f)
     (if (vector? v) (let ((l (vector->list v))) (%match-list l (p :::) s f)) f))
    ((%match v x s f)
     (%if-name x (let ((x v)) s) (if (equal? v x) s f)))))

(define-syntax %match-list
  (syntax-rules ::: (...)
    ((%match-list v () s f) (if (null? v) s f))
    ((%match-list v (p ...) s f) (%match-vars p () (%match-each v p () s f)))
    ((%match-list v (p ... . tail) s f) (%match-vars p () (%match-each v p tail s f)))
    ((%match-list v (p . ps) s f)
     (if (pair? v) (let ((x (car v)) (y (cdr v))) (%match x p (%match-list y ps s f) f)) f))
    ((%match-list v p s f) (%match v p s f))))

;; Matches every element but for those that the patterns of tail need, and binds each variable to a list.
(define-syntax %match-each
  (syntax-rules ::: ()
    ((%match-each ((x t) :::) v p tail s f)
     (if (list? v)
         (let ((n (- (length v) (%count-patterns tail))))
           (let loop ((i 0) (l v) (t '()) :::)
             (if (< i n)
                 (let ((e (car l)))
                   (%match e p (loop (+ i 1) (cdr l) (cons x t) :::) f))
                 (if (< n 0)
                     f
                     (let ((x (reverse t)) :::) (%match-list l tail s f))))))
         f))))
(define-syntax %count-patterns
  (syntax-rules () ((_ ()) 0) ((_ (p . ps)) (+ 1 (%count-patterns ps))) ((_ other) 0)))

;; (%match-vars pattern ((x t) ...) (k arg ...)) goes on with (k ((x t) ...) arg ...).
(define-syntax %match-vars
  (syntax-rules ::: (_ ... quote quasiquote list cons list* cons* list-rest vector or and not ? = app $ hash-table hash regexp pregexp)
    ((%match-vars _ vs k) (%match-go vs k))
    ((%match-vars ... vs k) (%match-go vs k))
    ((%match-vars () vs k) (%match-go vs k))
    ((%match-vars (quote d) vs k) (%match-go vs k))
    ((%match-vars (quasiquote q) vs k) (%match-quasi-vars q vs k))
    ((%match-vars (list . ps) vs k) (%match-vars-of ps vs k))
    ((%match-vars (cons . ps) vs k) (%match-vars-of ps vs k))
    ((%match-vars (list* . ps) vs k) (%match-vars-of ps vs k))
    ((%match-vars (cons* . ps) vs k) (%match-vars-of ps vs k))
    ((%match-vars (list-rest . ps) vs k) (%match-vars-of ps vs k))
    ((%match-vars ($ name . ps) vs k) (%match-vars-of ps vs k))
    ((%match-vars (hash-table . es) vs k) (%match-hash-vars es vs k))
    ((%match-vars (hash . es) vs k) (%match-hash-vars es vs k))
    ((%match-vars (regexp rx . ps) vs k) (%match-vars-of ps vs k))
    ((%match-vars (pregexp rx . ps) vs k) (%match-vars-of ps vs k))
    ((%match-vars (vector . ps) vs k) (%match-vars-of ps vs k))
    ((%match-vars (or p . ps) vs k) (%match-vars p vs k))
    ((%match-vars (and . ps) vs k) (%match-vars-of ps vs k))
    ((%match-vars (not p) vs k) (%match-go vs k))
    ((%match-vars (? ok? . ps) vs k) (%match-vars-of ps vs k))
    ((%match-vars (= g p) vs k) (%match-vars p vs k))
    ((%match-vars (app g p) vs k) (%match-vars p vs k))
    ((%match-vars (p . ps) vs k) (%match-vars-of (p . ps) vs k))
    ((%match-vars #(p :::) vs k) (%match-vars-of (p :::) vs k))
    ((%match-vars x (v :::) k)
     (%if-name x (%match-go (v ::: (x t)) k) (%match-go (v :::) k)))))
(define-syntax %match-vars-of
  (syntax-rules ()
    ((_ () vs k) (%match-go vs k))
    ((_ (p . ps) vs k) (%match-vars p vs (%match-more ps k)))
    ((_ p vs k) (%match-vars p vs k))))
(define-syntax %match-more
  (syntax-rules () ((_ vs ps k) (%match-vars-of ps vs k))))
(define-syntax %match-go
  (syntax-rules () ((_ vs (k . args)) (k vs . args))))

(define-syntax %match-quasi
  (syntax-rules ::: (unquote unquote-splicing ...)
    ((%match-quasi v (unquote p) s f) (%match v p s f))
    ((%match-quasi v ((unquote-splicing p)) s f) (%match v p s f))
    ((%match-quasi v ((unquote p) ...) s f) (%match-list v (p ...) s f))
    ((%match-quasi v (a . d) s f)
     (if (pair? v) (let ((x (car v)) (y (cdr v))) (%match-quasi x a (%match-quasi y d s f) f)) f))
    ((%match-quasi v d s f) (if (equal? v 'd) s f))))
(define-syntax %match-quasi-vars
  (syntax-rules ::: (unquote unquote-splicing ...)
    ((%match-quasi-vars (unquote p) vs k) (%match-vars p vs k))
    ((%match-quasi-vars ((unquote-splicing p)) vs k) (%match-vars p vs k))
    ((%match-quasi-vars (a . d) vs k) (%match-quasi-vars a vs (%match-quasi-more d k)))
    ((%match-quasi-vars d vs k) (%match-go vs k))))
(define-syntax %match-quasi-more
  (syntax-rules () ((_ vs d k) (%match-quasi-vars d vs k))))
