(import (scheme base) (scheme write) (srfi 35))

;; The document's own.
(define-condition-type &c &condition c? (x c-x))
(define-condition-type &c1 &c c1? (a c1-a))
(define-condition-type &c2 &c c2? (b c2-b))
(define v1 (make-condition &c1 'x "V1" 'a "a1"))
(list (c? v1) (c1? v1) (c2? v1)) => (#t #t #f)
(list (c-x v1) (c1-a v1)) => ("V1" "a1")
(define v2 (condition (&c2 (x "V2") (b "b2"))))
(list (c? v2) (c1? v2) (c2? v2) (c-x v2) (c2-b v2)) => (#t #f #t "V2" "b2")
(define v3 (condition (&c1 (x "V3/1") (a "a3")) (&c2 (b "b3"))))
(list (c? v3) (c1? v3) (c2? v3) (c-x v3) (c1-a v3) (c2-b v3)) => (#t #t #t "V3/1" "a3" "b3")
(define v4 (make-compound-condition v1 v2))
(list (c? v4) (c1? v4) (c2? v4) (c-x v4) (c1-a v4) (c2-b v4)) => (#t #t #t "V1" "a1" "b2")
(define v5 (make-compound-condition v2 v3))
(list (c-x v5) (c1-a v5) (c2-b v5)) => ("V2" "a3" "b2")

(list (condition-type? &c) (condition-type? 5) (condition? v1) (condition? 5)) => (#t #f #t #f)
(condition-type? (make-condition-type 'mine &message '(more))) => #t
(list (condition-has-type? v4 &c2) (condition-has-type? v1 &c2) (condition-has-type? v1 &condition)) => (#t #f #t)
(list (condition-ref v4 'b) (condition-ref v1 'x)) => ("b2" "V1")
(condition-ref (extract-condition v4 &c) 'x) => "V1"
(define m (condition (&message (message "no luck")) (&error)))
(list (message-condition? m) (serious-condition? m) (error? m) (condition-message m)) => (#t #t #t "no luck")
(map serious-condition? (list (make-condition &serious) v1 5)) => (#t #f #f)
(guard (e ((error? e) (list (message-condition? e) (condition-message e)))) (error "the engine's own" 1)) => (#t "the engine's own")
(guard (e ((error? e) (condition-message e))) (raise m)) => "no luck"

(make-condition-type 5 &c '()) =raises> "make-condition-type: argument 1 must be a symbol: 5"
(make-condition-type 'd &c '(x)) =raises> "the parent has a field of this name: x"
(make-condition &c) =raises> "make-condition: a field has no value: x"
(make-condition 5) =raises> "make-condition: argument 1 must be a condition type: 5"
(make-condition &c 'y 1) =raises> "make-condition: the type has no such field: y"
(condition (&c (y 1))) =raises> "the type has no such field: y"
(condition-has-type? 5 &c) =raises> "condition-has-type?: argument 1 must be a condition: 5"
(condition-ref v1 'b) =raises> "condition-ref: the condition has no such field: b"
(make-compound-condition 5) =raises> "make-compound-condition: argument 1 must be a condition: 5"
(extract-condition v1 &c2) =raises> "extract-condition: the condition is not of this type: &c2"
(condition-message v1) =raises> "the condition is not of this type: &message"
(c2-b v1) =raises> "the condition is not of this type: &c2"
(let () (define-condition-type &d 5 d?) 1) =raises> "make-condition-type: argument 2 must be a condition type: 5"
(extract-condition v1 &error) =raises> "the condition is not of this type: &error"
(extract-condition v1 &serious) =raises> "the condition is not of this type: &serious"
(make-condition &condition 'x 1) =raises> "make-condition: the type has no such field: x"
(extract-condition v1 &message) =raises> "the condition is not of this type: &message"
