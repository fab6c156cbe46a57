;; Syntax of other dialects: comprehensions, handlers, threading.

;; ---- sequences: what for walks over ----
;; A sequence in progress is a list, or an exact integer that counts up for ever.

(define-record-type <naturals> (%naturals start) %naturals? (start %naturals-start))
(define (in-naturals . start) (%naturals (if (pair? start) (car start) 0)))
(define in-range range)
(define (in-list l) l)
(define (in-vector v . span) (apply vector->list v span))
(define (in-string s . span) (apply string->list s span))
(define (in-value x) (list x))
(define (in-hash t) (hash-table->alist t))
(define in-hash-pairs in-hash)
(define in-hash-keys hash-table-keys)
(define in-hash-values hash-table-values)
(define (in-set s) (hash-table-keys s))
(define (in-lines . port) (apply port->lines port))
;; These are made whole: what they take must end.
(define (in-sequences . seqs) (append-map %listed seqs))
(define (in-parallel a b) (map cons (%listed a) (%listed b)))
(define (in-cycle . seqs)
  (let ((l (append-map (lambda (s) (list-copy (%listed s))) seqs)))
    (if (pair? l) (set-cdr! (last-pair l) l))
    l))
(define (in-producer make stop . args)
  (let ((over? (if (procedure? stop) stop (lambda (x) (equal? x stop)))))
    (let loop ((acc '()))
      (let ((x (apply make args))) (if (over? x) (reverse acc) (loop (cons x acc)))))))
(define (sequence->list s) (list-copy (%listed s)))
(define (%listed s)
  (let ((l (%steps s)))
    (if (number? l) (%wrong-type "for" 1 "a sequence that ends" s) l)))
(define (in-indexed s) (let ((l (%steps s))) (map cons l (iota (length l)))))

(define (%steps x)
  (cond ((or (pair? x) (null? x)) x)
        ((vector? x) (vector->list x))
        ((string? x) (string->list x))
        ((and (exact-integer? x) (>= x 0)) (iota x))
        ((%naturals? x) (%naturals-start x))
        ((hash-table? x) (hash-table->alist x))
        ((bytevector? x) (bytevector->list x))
        (else (%wrong-type "for" 1 "a list, vector, string, hash table or number to walk over" x))))

(define-syntax %step-value (syntax-rules () ((_ t) (if (pair? t) (car t) t))))
(define-syntax %step-next (syntax-rules () ((_ t) (if (pair? t) (cdr t) (+ t 1)))))
(define-syntax %step?
  (syntax-rules () ((_) #t) ((_ t) (if (pair? t) #t (number? t))) ((_ t u ...) (and (%step? t) (%step? u ...)))))

;; (for/fold ((acc init) ...) (clause ...) body ...): clauses up to a #:when step together, those after it nest.
(define-syntax for/fold
  (syntax-rules ()
    ((_ ((acc init) ... #:result result) clauses body ...)
     (call-with-values (lambda () (for/fold ((acc init) ...) clauses body ...)) (lambda (acc ...) result)))
    ((_ accs clauses body ...) (%for-scan clauses %for-whole accs clauses (let () body ...)))))
(define-syntax for*/fold
  (syntax-rules ()
    ((_ ((acc init) ... #:result result) clauses body ...)
     (call-with-values (lambda () (for*/fold ((acc init) ...) clauses body ...)) (lambda (acc ...) result)))
    ((_ accs clauses body ...) (%for-scan clauses %for*-whole accs clauses (let () body ...)))))
(define-syntax %for-whole
  (syntax-rules ()
    ((_ leave ((acc init) ...) clauses body) (let ((acc init) ...) (%for leave (acc ...) () clauses body)))))
(define-syntax %for*-whole
  (syntax-rules ()
    ((_ leave ((acc init) ...) clauses body) (let ((acc init) ...) (%for* leave (acc ...) clauses body)))))
;; Where a clause may end all loops there is a way out of them.
(define-syntax %for-scan
  (syntax-rules ()
    ((_ () whole . rest) (whole #f . rest))
    ((_ (#:break . more) whole . rest) (call/ec (lambda (leave) (whole leave . rest))))
    ((_ (#:final . more) whole . rest) (call/ec (lambda (leave) (whole leave . rest))))
    ((_ (x . more) whole . rest) (%for-scan more whole . rest))))

(define-syntax %for
  (syntax-rules ()
    ((_ leave accs () () body) body)
    ((_ leave accs () (#:when test . more) body) (if test (%for leave accs () more body) (%kept accs)))
    ((_ leave accs () (#:unless test . more) body) (if test (%kept accs) (%for leave accs () more body)))
    ((_ leave (acc ...) () (#:break test . more) body) (if test (leave acc ...) (%for leave (acc ...) () more body)))
    ((_ leave accs () (#:final test . more) body)
     (if test (call-with-values (lambda () (%for leave accs () more body)) leave) (%for leave accs () more body)))
    ((_ leave accs group ((x s) . more) body) (%for leave accs ((x t s) . group) more body))
    ((_ leave accs () (x . more) body) (syntax-error "for: each clause is (name list), found" x))
    ((_ leave accs group more body) (%for-loop accs group (%for leave accs () more body)))))

(define-syntax %for*
  (syntax-rules ()
    ((_ leave accs () body) body)
    ((_ leave accs ((x s) . more) body) (%for-loop accs ((x t s)) (%for* leave accs more body)))
    ((_ leave accs (k test . more) body) (%for leave accs () (k test) (%for* leave accs more body)))))

(define-syntax %kept
  (syntax-rules () ((_ ()) (if #f #f)) ((_ (acc)) acc) ((_ (acc ...)) (values acc ...))))

(define-syntax %for-loop
  (syntax-rules ()
    ((_ (acc ...) ((x t s) ...) inner)
     (let loop ((t (%steps s)) ... (acc acc) ...)
       (if (%step? t ...)
           (%for-bind ((x (%step-value t)) ...)
             (%for-next (acc ...) inner (loop (%step-next t) ... acc ...)))
           (%kept (acc ...)))))))

(define-syntax %for-next
  (syntax-rules ()
    ((_ () inner next) (begin inner next))
    ((_ (acc) inner next) (let ((acc inner)) next))
    ((_ (acc ...) inner next) (call-with-values (lambda () inner) (lambda (acc ...) next)))))

;; A clause ((k v) seq) takes the pairs of a hash table apart.
(define-syntax %for-bind
  (syntax-rules ()
    ((_ () body) body)
    ((_ (((k) e) . more) body) (let ((k e)) (%for-bind more body)))
    ((_ (((k v) e) . more) body) (let* ((p e) (k (car p)) (v (cdr p))) (%for-bind more body)))
    ((_ ((x e) . more) body) (let ((x e)) (%for-bind more body)))))

(define-syntax %define-for
  (syntax-rules ()
    ((_ name folder (acc init step result) more ...)
     (define-syntax name
       (syntax-rules ::: ()
         ((_ #:length n clauses body :::) (name clauses body :::))
         ((_ clauses body :::)
          (let ((finish result)) (finish (folder ((acc init)) clauses (step (let () body :::) acc more ...))))))))))

(define-syntax for
  (syntax-rules () ((_ clauses body ...) (for/fold () clauses body ... (if #f #f)))))
(define-syntax for*
  (syntax-rules () ((_ clauses body ...) (for*/fold () clauses body ... (if #f #f)))))
(%define-for for/list for/fold (acc '() cons reverse))
(%define-for for*/list for*/fold (acc '() cons reverse))
(%define-for for/vector for/fold (acc '() cons reverse-list->vector))
(%define-for for*/vector for*/fold (acc '() cons reverse-list->vector))
(%define-for for/sum for/fold (acc 0 + identity))
(%define-for for*/sum for*/fold (acc 0 + identity))
(%define-for for/product for/fold (acc 1 * identity))
(%define-for for/last for/fold (acc #f %newest identity))
(%define-for for/set for/fold (acc '() cons list->set))
(%define-for for/append for/fold (acc '() append-reverse reverse))
(%define-for for/string for/fold (acc '() cons %strings))
(define (%newest x acc) x)
(define (%strings l) (string-concatenate (reverse (map ~a l))))
(define-syntax for/hash
  (syntax-rules () ((_ clauses body ...) (%for-hash for/fold clauses body ...))))
(define-syntax for*/hash
  (syntax-rules () ((_ clauses body ...) (%for-hash for*/fold clauses body ...))))
(define-syntax %for-hash
  (syntax-rules ()
    ((_ folder clauses body ...)
     (folder ((table (%make-table 'equal))) clauses
       (call-with-values (lambda () body ...)
         (lambda (k v) (hash-table-set! table k v) table))))))
(define-syntax for/first
  (syntax-rules ()
    ((_ clauses body ...) (call/ec (lambda (leave) (for clauses (leave (let () body ...))) #f)))))
(define-syntax for/or
  (syntax-rules ()
    ((_ clauses body ...)
     (call/ec (lambda (leave) (for clauses (let ((r (let () body ...))) (if r (leave r)))) #f)))))
(define-syntax for/and
  (syntax-rules ()
    ((_ clauses body ...)
     (call/ec
       (lambda (leave)
         (for/fold ((last #t)) clauses (let ((r (let () body ...))) (if r r (leave #f)))))))))

;; ---- handlers ----

(define-syntax with-handlers
  (syntax-rules ()
    ((_ ((test handler) ...) body ...)
     (let ((handlers (list (cons test handler) ...)))
       (guard (e ((%handler-for handlers e) => (lambda (h) (h e))))
         body ...)))))
(define (%handler-for handlers e)
  (let ((h (find (lambda (h) ((car h) e)) handlers))) (and h (cdr h))))
(define-syntax with-handlers*
  (syntax-rules () ((_ . rest) (with-handlers . rest))))

(define (exn? x) (error-object? x))
(define (exn:fail? x) (error-object? x))
(define (exn:break? x) #f)
(define (exn:fail:filesystem? x) (file-error? x))
(define (exn:fail:contract:divide-by-zero? x) (and (error-object? x) (eq? (condition-kind x) 'divide-by-zero)))
(define (exn:fail:contract:arity? x) (and (error-object? x) (eq? (condition-kind x) 'arity-error)))
(define (exn:fail:user? x) (and (error-object? x) (eq? (condition-kind x) 'error)))
(define (exn:fail:contract? x)
  (and (error-object? x) (memq (condition-kind x) '(type-error range-error arity-error divide-by-zero)) #t))
;; Errors made with nothing raised yet. There are no marks.
(define (exn:fail message . marks) (%make-condition 'error message '()))
(define exn:fail:user exn:fail)
(define make-exn:fail exn:fail)
(define make-exn:fail:user exn:fail)
(define (current-continuation-marks . of) #f)
(define (exn-message x) (condition/report-string x))
(define condition-report-string exn-message)
(define access-condition
  (lambda (c field)
    (case field
      ((message) (error-object-message c))
      ((irritants) (error-object-irritants c))
      (else (let ((e (assq field (condition-data c)))) (and e (cdr e)))))))
(define (error-message-string c) (condition/report-string c))
(define (raise-user-error . args) (apply error args))
(define (raise-argument-error who want value . rest)
  (%raise 'type-error (string-append (~a who) ": contract violation: expected " want) value))
(define (assertion-violation who message . irritants)
  (apply %raise 'assertion (if who (string-append (~a who) ": " message) message) irritants))

;; Guile: (catch key thunk (lambda (key . args) …)); a condition arrives as its kind, who, message and irritants.
(define (throw key . args) (raise (cons %thrown (cons key args))))
(define %thrown (list 'thrown))
(define (%thrown? e) (and (pair? e) (eq? (car e) %thrown)))
(define (catch key thunk handler . pre)
  (guard (e ((or (eq? key #t) (eq? key (%key-of e))
                 (and (memq key '(misc-error wrong-type-arg)) (error-object? e)))
             (cond ((%thrown? e) (apply handler (cdr e)))
                   ((error-object? e)
                    (handler (%key-of e) #f (error-object-message e) (error-object-irritants e) #f))
                   (else (handler (%key-of e) e)))))
    (thunk)))
(define (%key-of e)
  (cond ((%thrown? e) (cadr e))
        ((error-object? e) (condition-kind e))
        (else 'raised)))
(define-syntax false-if-exception
  (syntax-rules () ((_ e) (guard (x (#t #f)) e))))
(define-syntax ignore-errors
  (syntax-rules () ((_ e ...) (guard (x ((error-object? x) #f)) e ...))))

;; R7RS, and Guile's #:unwind? #t.
(define with-exception-handler
  (case-lambda
    ((handler thunk) (%install-handler handler thunk))
    ((handler thunk . options)
     (if (%keyword options '#:unwind? #f)
         (guard (e (#t (handler e))) (thunk))
         (%install-handler handler thunk)))))

;; (error 'who "~a is bad" x), as in Racket, besides R7RS.
(define (error first . rest)
  (if (and (symbol? first) (pair? rest) (string? (car rest)) (%string-index (car rest) #\~))
      (%raise-error first (guard (e (#t (string-join (map ~a rest) " "))) (apply %format rest)))
      (apply %raise-error first rest)))

;; ---- small forms ----

(define-syntax and-let*
  (syntax-rules ()
    ((_ ()) #t)
    ((_ () body ...) (let () body ...))
    ((_ ((name value))) value)
    ((_ ((test))) test)
    ((_ (name)) name)
    ((_ ((name value) . rest) . body) (let ((name value)) (if name (and-let* rest . body) #f)))
    ((_ ((test) . rest) . body) (if test (and-let* rest . body) #f))
    ((_ (name . rest) . body) (if name (and-let* rest . body) #f))))

(define-syntax cut
  (syntax-rules () ((_ . slots) (%cut () () . slots))))
(define-syntax %cut
  (syntax-rules (<> <...>)
    ((_ (p ...) (e ...)) (lambda (p ...) (e ...)))
    ((_ (p ...) (e ...) <...>) (lambda (p ... . more) (apply e ... more)))
    ((_ (p ...) (e ...) <> . slots) (%cut (p ... x) (e ... x) . slots))
    ((_ ps (e ...) s . slots) (%cut ps (e ... s) . slots))))
(define-syntax <> (syntax-rules ()))
(define-syntax <...> (syntax-rules ()))

(define-syntax ~>
  (syntax-rules ()
    ((_ x) x)
    ((_ x (f . args) . more) (~> (%thread x () (f . args) (f x . args)) . more))
    ((_ x f . more) (~> (f x) . more))))
(define-syntax ~>>
  (syntax-rules ()
    ((_ x) x)
    ((_ x (f arg ...) . more) (~>> (f arg ... x) . more))
    ((_ x f . more) (~>> (f x) . more))))
;; (f a _ b) takes the value at the hole, without one in front.
(define-syntax %thread
  (syntax-rules (_)
    ((%thread x (done ...) () first) first)
    ((%thread x (done ...) (_ . rest) first) (done ... x . rest))
    ((%thread x (done ...) (a . rest) first) (%thread x (done ... a) rest first))))

;; The names of Clojure and of other Schemes.
(define-syntax -> (syntax-rules () ((_ . steps) (~> . steps))))
(define-syntax ->> (syntax-rules () ((_ . steps) (~>> . steps))))
(define-syntax if-not (syntax-rules () ((_ test a) (if test #f a)) ((_ test a b) (if test b a))))
(define-syntax dolist
  (syntax-rules ()
    ((_ (x l) body ...) (for-each (lambda (x) body ...) l))
    ((_ (x l result) body ...) (begin (for-each (lambda (x) body ...) l) (let ((x '())) result)))))
(define-syntax let1 (syntax-rules () ((_ x e body ...) (let ((x e)) body ...))))
(define-syntax rlet1 (syntax-rules () ((_ x e body ...) (let ((x e)) body ... x))))
(define-syntax define-integrable (syntax-rules () ((_ . rest) (define . rest))))
(define-syntax define-inline (syntax-rules () ((_ . rest) (define . rest))))
;; Contracts are not checked.
(define-syntax define/contract (syntax-rules () ((_ head contract body ...) (define head body ...))))
(define-syntax let-optionals
  (syntax-rules ()
    ((_ l () body ...) (let () body ...))
    ((_ l ((x default) . more) body ...)
     (let* ((given l) (x (if (pair? given) (car given) default)))
       (let-optionals (if (pair? given) (cdr given) '()) more body ...)))
    ((_ l rest body ...) (let ((rest l)) body ...))))
(define-syntax let-optionals* (syntax-rules () ((_ . rest) (let-optionals . rest))))
(define-syntax handle-exceptions
  (syntax-rules () ((_ e handler body ...) (guard (e (#t handler)) body ...))))
(define-syntax condition-case
  (syntax-rules () ((_ e clause ...) (guard (c (#t (%condition-clause c clause ...))) e))))
(define-syntax %condition-clause
  (syntax-rules ()
    ((_ c ((kind ...) body ...) . more) (let () body ...))
    ((_ c (x (kind ...) body ...) . more) (let ((x c)) body ...))))
(define (guarantee ok? x . who)
  (if (ok? x) x (%raise 'type-error (string-append (if (pair? who) (~a (car who)) "guarantee") ": not what is wanted") x)))

(define-syntax when-let
  (syntax-rules () ((_ ((x e)) body ...) (let ((x e)) (if x (let () body ...) #f)))))
(define-syntax if-let
  (syntax-rules () ((_ ((x e)) a b) (let ((x e)) (if x a b)))))
(define-syntax thunk (syntax-rules () ((_ body ...) (lambda () body ...))))
(define-syntax time (syntax-rules () ((_ e ...) (let () e ...))))

;; ---- random numbers: one seed from the host, so that a replay sees the same ----

(define %random-state #f)
(define (%random-now)
  (if (not %random-state)
      (set! %random-state (%make-random-state (%host 'seed))))
  %random-state)
(define (make-random-state seed) (%make-random-state seed))
(define random
  (case-lambda
    (() (%random (%random-now) 1.0))
    ((n) (%random (%random-now) n))
    ((a b)
     (if (bytevector? b) (%random b a) (+ a (%random (%random-now) (- b a)))))))
(define (random-seed! n) (set! %random-state (%make-random-state n)))
(define random-integer random)
(define (random-real) (random))
(define (shuffle l)
  (if (vector? l)
      (list->vector (shuffle (vector->list l)))
      (map cdr (sort (map (lambda (x) (cons (random) x)) l) (lambda (a b) (< (car a) (car b)))))))
(define (random-choice l) (if (vector? l) (vector-ref l (random (vector-length l))) (list-ref l (random (length l)))))

;; ---- streams, and what is left ----

(define the-empty-stream '())
(define stream-nil '())
(define (stream-pair? s) (and (pair? s) (promise? (cdr s))))
(define stream-null? null?)
(define empty-stream? null?)
(define (stream-car s) (car s))
(define (stream-cdr s) (force (cdr s)))
(define stream-first stream-car)
(define stream-rest stream-cdr)
(define (stream-head s n) (if (= n 0) '() (cons (stream-car s) (stream-head (stream-cdr s) (- n 1)))))
(define (stream-tail s n) (if (= n 0) s (stream-tail (stream-cdr s) (- n 1))))
(define (call-with-truncated-output-string f n) (let ((s (call-with-output-string f))) (substring s 0 (min n (string-length s)))))
(define (runtime) (current-second))
(define (real-time) (* 1000 (current-second)))
(define (current-time) (current-second))
(define (current-seconds) (exact (floor (current-second))))
(define (current-milliseconds) (exact (floor (* 1000 (current-second)))))
(define (current-inexact-milliseconds) (* 1000.0 (current-second)))
(define true #t)
(define false #f)
(define pi 3.141592653589793)

;; A background job cannot be joined: say what can.
(define-syntax %define-joins
  (syntax-rules ()
    ((_ name ...)
     (begin
       (define (name . args)
         (%raise 'error (string-append (symbol->string 'name)
                          ": a background job cannot be waited for; use (parallel thunk ...) or (par-map f list), which answer the results")))
       ...))))
(%define-joins job-result job-wait wait await touch join)
