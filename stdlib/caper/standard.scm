;; The procedures of R7RS that call their arguments or use the current ports.

;; ---- failures ----

(define (%raise kind message . irritants) (%raise-with kind message irritants '()))

(define (%raise-with kind message irritants data)
  (let ((c (%make-condition kind message irritants data)))
    (%set-condition-trace! c (%backtrace))
    (raise c)))

(define (%wrong-type who n want obj)
  (%raise-with 'type-error
               (string-append who ": argument " (number->string n) " must be " want)
               (list obj)
               (%hints want obj)))

;; A walk along a list has ended at obj: an error unless it is the end.
(define (%ends who n obj)
  (if (not (null? obj)) (%wrong-type who n "a proper list" obj)))

;; The cars of all lists, or #f when one has ended.
(define (%heads lists)
  (let loop ((ls lists) (acc '()))
    (cond ((null? ls) (reverse acc))
          ((pair? (car ls)) (loop (cdr ls) (cons (caar ls) acc)))
          (else #f))))

(define (%tails lists)
  (let loop ((ls lists) (acc '()))
    (if (null? ls) (reverse acc) (loop (cdr ls) (cons (cdar ls) acc)))))

;; ---- lists ----

(define map
  (case-lambda
    ((f l)
     (let loop ((l1 l) (acc '()))
       (if (pair? l1)
           (loop (cdr l1) (cons (f (car l1)) acc))
           (begin (%ends "map" 2 l1) (reverse acc)))))
    ((f l m)
     (let loop ((l l) (m m) (acc '()))
       (if (and (pair? l) (pair? m))
           (loop (cdr l) (cdr m) (cons (f (car l) (car m)) acc))
           (reverse acc))))
    ((f . lists)
     (let loop ((ls lists) (acc '()))
       (let ((heads (%heads ls)))
         (if heads
             (loop (%tails ls) (cons (apply f heads) acc))
             (reverse acc)))))))

(define for-each
  (case-lambda
    ((f l)
     (let loop ((l1 l))
       (if (pair? l1)
           (begin (f (car l1)) (loop (cdr l1)))
           (%ends "for-each" 2 l1))))
    ((f l m)
     (let loop ((l l) (m m))
       (if (and (pair? l) (pair? m))
           (begin (f (car l) (car m)) (loop (cdr l) (cdr m))))))
    ((f . lists)
     (let loop ((ls lists))
       (let ((heads (%heads ls)))
         (if heads
             (begin (apply f heads) (loop (%tails ls)))))))))

(define member
  (case-lambda
    ((x l) (%member x l))
    ((x l same?)
     (let loop ((t l))
       (cond ((pair? t) (if (same? x (car t)) t (loop (cdr t))))
             (else (%ends "member" 2 t) #f))))))

(define assoc
  (case-lambda
    ((x l) (%assoc x l))
    ((x l same?)
     (let loop ((t l))
       (cond ((pair? t) (if (same? x (caar t)) (car t) (loop (cdr t))))
             (else (%ends "assoc" 2 t) #f))))))

;; ---- vectors and strings ----

(define (%shortest-length size seqs)
  (let loop ((n (size (car seqs))) (rest (cdr seqs)))
    (if (null? rest) n (loop (min n (size (car rest))) (cdr rest)))))

(define (%refs ref seqs i)
  (let loop ((s seqs) (acc '()))
    (if (null? s) (reverse acc) (loop (cdr s) (cons (ref (car s) i) acc)))))

;; The results go through a list, so that a continuation captured in f finds them as they were.
(define vector-map
  (case-lambda
    ((f v)
     (let ((n (vector-length v)))
       (let loop ((i 0) (acc '()))
         (if (< i n)
             (loop (+ i 1) (cons (f (vector-ref v i)) acc))
             (reverse-list->vector acc)))))
    ((f . vs)
     (let ((n (%shortest-length vector-length vs)))
       (let loop ((i 0) (acc '()))
         (if (< i n)
             (loop (+ i 1) (cons (apply f (%refs vector-ref vs i)) acc))
             (reverse-list->vector acc)))))))

(define vector-for-each
  (case-lambda
    ((f v)
     (let ((n (vector-length v)))
       (let loop ((i 0))
         (if (< i n)
             (begin (f (vector-ref v i)) (loop (+ i 1)))))))
    ((f . vs)
     (let ((n (%shortest-length vector-length vs)))
       (let loop ((i 0))
         (if (< i n)
             (begin (apply f (%refs vector-ref vs i)) (loop (+ i 1)))))))))

(define string-map
  (case-lambda
    ((f s)
     (let loop ((l (string->list s)) (acc '()))
       (if (pair? l)
           (loop (cdr l) (cons (f (car l)) acc))
           (reverse-list->string acc))))
    ((f . ss)
     (let ((n (%shortest-length string-length ss)))
       (let loop ((i 0) (acc '()))
         (if (< i n)
             (loop (+ i 1) (cons (apply f (%refs string-ref ss i)) acc))
             (reverse-list->string acc)))))))

(define string-for-each
  (case-lambda
    ((f s)
     (let loop ((l (string->list s)))
       (if (pair? l)
           (begin (f (car l)) (loop (cdr l))))))
    ((f . ss)
     (let ((n (%shortest-length string-length ss)))
       (let loop ((i 0))
         (if (< i n)
             (begin (apply f (%refs string-ref ss i)) (loop (+ i 1)))))))))

;; ---- ports ----

(define current-output-port (make-parameter (%console-port 1)))
(define current-error-port (make-parameter (%console-port 2)))
(define current-input-port (make-parameter (%console-port 0)))

;; The console's input has a buffer, so each machine makes its own; the library's port stands for it.
(define %console-input #f)

(define (%source port)
  (if (and (%port-console? port) (input-port? port))
      (begin
        (if (not %console-input) (set! %console-input (%console-port 0)))
        %console-input)
      port))

(define-syntax %define-reader
  (syntax-rules ()
    ((_ name reader) ; the port that stands for the console's has nothing to read
     (define name
       (case-lambda
         (() (name (current-input-port)))
         ((port)
          (let ((r (reader port)))
            (if (default-object? r) (%define-reader #f name reader port) r))))))
    ((_ #f name reader port)
     (let* ((p (%source port)) (r (reader p)))
       (if (default-object? r)
           (begin
             (%port-feed! p (%host 'read-input))
             (name port))
           r)))
    ((_ name reader arg ...)
     (define name
       (case-lambda
         ((arg ...) (name arg ... (current-input-port)))
         ((arg ... port)
          (let* ((p (%source port)) (r (reader p arg ...)))
            (if (default-object? r)
                (begin
                  (%port-feed! p (%host 'read-input))
                  (name arg ... port))
                r))))))))

(%define-reader read-char %read-char)
(%define-reader peek-char %peek-char)
(%define-reader read-line %read-line)
(%define-reader %read-string-from %read-string k)
(%define-reader %read-all %read-rest)
(%define-reader read-u8 %read-u8)
(%define-reader peek-u8 %peek-u8)
(%define-reader read-bytevector %read-bytevector k)
(%define-reader read %read)

;; R7RS has (read-string k [port]); the older order is understood too.
(define read-string
  (case-lambda
    ((k) (%read-string-from k))
    ((k port) (if (port? k) (%read-string-from port k) (%read-string-from k port)))))

(define char-ready?
  (case-lambda
    (() (char-ready? (current-input-port)))
    ((port) (%char-ready? (%source port)))))

(define u8-ready?
  (case-lambda
    (() (u8-ready? (current-input-port)))
    ((port) (%u8-ready? (%source port)))))

(define (read-bytevector! bv . rest)
  (if (pair? rest)
      (apply %read-bytevector! (car rest) bv (cdr rest))
      (%read-bytevector! (current-input-port) bv)))

(define-syntax %define-writer
  (syntax-rules ()
    ((_ name writer)
     (define name
       (case-lambda
         ((x) (writer x (current-output-port)))
         ((x port) (writer x port)))))
    ((_ name writer more)
     (define name
       (case-lambda
         ((x) (writer x (current-output-port)))
         ((x port . rest) (apply writer x port rest))))))) 

(%define-writer display %display)
(%define-writer write %write)
(%define-writer write-shared %write-shared)
(%define-writer write-simple %write-simple)
(%define-writer write-char %write-char)
(%define-writer write-u8 %write-u8)
(%define-writer write-string %write-string more)
(%define-writer write-bytevector %write-bytevector more)

(define newline
  (case-lambda
    (() (%newline (current-output-port)))
    ((port) (%newline port))))

(define (flush-output-port . port)
  (%save-port (if (pair? port) (car port) (current-output-port)))
  (if #f #f))

;; The port of a file, which is written as the policy allows that holds here, whenever it is.
(define (%file-port path binary? append?)
  (let ((overlay (%policy-overlay)))
    (%add-file!
      (%open-output-file path binary? append?
        (lambda (append? data)
          (let ((now (%policy-overlay)))
            (parameterize ((%policy-overlay (if (eq? now overlay) now (append overlay now))))
              (if append? (%append-file path data) (%write-file path data)))))))))

(define (close-input-port port)
  (input-port-open? port) ; which only an input port answers
  (close-port port))

(define (close-output-port port)
  (output-port-open? port)
  (close-port port))

(define (call-with-port port f)
  (call-with-values
    (lambda () (f port))
    (lambda results
      (close-port port)
      (apply values results))))

;; ---- the system ----

(define (features)
  '(r7rs caper exact-closed exact-complex full-unicode ieee-float ratios))


;; The machine's expander numbers environments; 0 is the program's top level. It answers what to call in order.
(define-record-type environment-specifier
  (%make-environment number)
  %environment?
  (number %environment-number))

(define (%run procedures)
  (cond ((null? procedures) (if #f #f))
        ((null? (cdr procedures)) ((car procedures)))
        (else
         ((car procedures))
         (%run (cdr procedures)))))

(define (eval datum . environment)
  (%run (%host '%eval datum (if (null? environment) 0 (%environment-number (car environment))))))

(define (environment . sets)
  (let ((answer (%host '%environment sets)))
    (%run (cdr answer))
    (%make-environment (car answer))))

(define %top-level (%make-environment 0))
(define (interaction-environment) %top-level)

(define (scheme-report-environment version)
  (case version
    ((5) (environment '(scheme r5rs)))
    ((7) (environment '(scheme base)))
    (else (error "scheme-report-environment: 5 and 7 are known, not" version))))

(define (null-environment version)
  (if (eqv? version 5)
      (environment
       '(only (scheme r5rs) ... => _ and begin case cond define define-syntax delay do else if lambda let let* let-syntax
              letrec letrec-syntax or quasiquote quote set! syntax-rules unquote unquote-splicing))
      (error "null-environment: 5 is known, not" version)))

(define (load path . environment)
  (let ((port (open-input-string (%read-file path))))
    (let loop ((form (read port)))
      (unless (eof-object? form)
        (apply eval form environment)
        (loop (read port))))))

;; The host's clock counts nanoseconds since 1970.
(define (current-second) (/ (%host 'clock) 1e9))
(define (jiffies-per-second) 1000000)
(define (current-jiffy) (quotient (%host 'clock) 1000))
