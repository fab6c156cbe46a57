;; A condition is a list of parts, (type . alist of fields); a compound one has several. The engine's own errors are
;; conditions with a &message and an &error.

(define-record-type condition-type
  (%type name parent own) condition-type? (name %name) (parent %parent) (own %own))
(define-record-type <condition> (%condition parts) %condition? (parts %parts))

(define &condition (%type '&condition #f '()))
(define (make-condition-type name parent fields)
  (if (not (symbol? name)) (%wrong-type "make-condition-type" 1 "a symbol" name))
  (if (not (condition-type? parent)) (%wrong-type "make-condition-type" 2 "a condition type" parent))
  (for-each
    (lambda (f)
      (if (memq f (%fields parent))
          (%raise 'error "make-condition-type: the parent has a field of this name" f)))
    fields)
  (%type name parent fields))
(define (%fields type)
  (if type (append (%own type) (%fields (%parent type))) '()))
(define (%is? type ancestor)
  (and type (or (eq? type ancestor) (%is? (%parent type) ancestor))))

(define &message (make-condition-type '&message &condition '(message)))
(define &serious (make-condition-type '&serious &condition '()))
(define &error (make-condition-type '&error &serious '()))

(define (condition? x) (or (%condition? x) (error-object? x)))
(define (%parts-of who c)
  (cond ((%condition? c) (%parts c))
        ((error-object? c) (list (list &message (cons 'message (error-object-message c))) (list &error)))
        (else (%wrong-type who 1 "a condition" c))))

(define (make-condition type . plist)
  (let loop ((t plist) (given '()))
    (cond
      ((and (pair? t) (pair? (cdr t))) (loop (cddr t) (cons (cons (car t) (cadr t)) given)))
      ((null? t) (%make (list (cons type given))))
      (else (%raise 'error "make-condition: a field has no value" t)))))

;; bindings are parts with the fields as they were given. One part may take a field from another that has it too.
(define (%make bindings)
  (%condition
    (map (lambda (b)
           (if (not (condition-type? (car b))) (%wrong-type "make-condition" 1 "a condition type" (car b)))
           (let ((fields (%fields (car b))))
             (for-each
               (lambda (e)
                 (if (not (memq (car e) fields)) (%raise 'error "make-condition: the type has no such field" (car e))))
               (cdr b))
             (cons (car b)
                   (map (lambda (f)
                          (or (assq f (cdr b))
                              (any (lambda (o) (assq f (cdr o))) bindings)
                              (%raise 'error "make-condition: a field has no value" f)))
                        fields))))
         bindings)))

(define (%part who c type)
  (find (lambda (p) (%is? (car p) type)) (%parts-of who c)))
(define (condition-has-type? c type)
  (if (not (condition-type? type)) (%wrong-type "condition-has-type?" 2 "a condition type" type))
  (and (%part "condition-has-type?" c type) #t))
(define (condition-ref c field)
  (let ((e (any (lambda (p) (assq field (cdr p))) (%parts-of "condition-ref" c))))
    (if e (cdr e) (%raise 'error "condition-ref: the condition has no such field" field))))
(define (make-compound-condition c . more)
  (%condition (append-map (lambda (c) (%parts-of "make-compound-condition" c)) (cons c more))))
(define (extract-condition c type)
  (let ((p (%part "extract-condition" c type)))
    (if p
        (%condition (list (cons type (filter (lambda (e) (memq (car e) (%fields type))) (cdr p)))))
        (%raise 'error "extract-condition: the condition is not of this type" (%name type)))))

(define-syntax condition
  (syntax-rules ()
    ((_ (type (field value) ...) ...)
     (%make (list (cons type (list (cons 'field value) ...)) ...)))))

(define-syntax define-condition-type
  (syntax-rules ()
    ((_ name parent predicate (field accessor) ...)
     (begin
       (define name (make-condition-type 'name parent '(field ...)))
       (define (predicate x) (and (condition? x) (condition-has-type? x name)))
       (define (accessor c) (condition-ref (extract-condition c name) 'field))
       ...))))

(define (%of type) (lambda (x) (and (condition? x) (condition-has-type? x type))))
(define message-condition? (%of &message))
(define serious-condition? (%of &serious))
(define error? (%of &error))
(define (condition-message c) (condition-ref (extract-condition c &message) 'message))
