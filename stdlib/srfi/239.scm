;; The clauses are sorted into one for pairs, one for the empty list and one for the rest; one that is missing fails.
(define-syntax list-case
  (syntax-rules ()
    ((_ e clause ...) (let ((x e)) (sort-clauses x #f #f #f clause ...)))))

(define-syntax sort-clauses
  (syntax-rules (_)
    ((sort-clauses x pair null atom)
     (cond ((pair? x) (run-clause x pair))
           ((null? x) (run-clause x null))
           (else (run-clause x atom))))
    ((sort-clauses x #f null atom ((head . tail) . body) . more)
     (sort-clauses x ((head car) (tail cdr) . body) null atom . more))
    ((sort-clauses x pair #f atom (() . body) . more)
     (sort-clauses x pair (() . body) atom . more))
    ((sort-clauses x pair null atom ((head . tail) . body) . more)
     (syntax-error "list-case: there are two clauses for pairs"))
    ((sort-clauses x pair null atom (() . body) . more)
     (syntax-error "list-case: there are two clauses for the empty list"))
    ((sort-clauses x pair null #f (var . body) . more)
     (sort-clauses x pair null ((var values) . body) . more))
    ((sort-clauses x pair null atom (var . body) . more)
     (syntax-error "list-case: there are two clauses for other values"))))

(define-syntax run-clause
  (syntax-rules (car cdr values)
    ((run-clause x #f) (%raise 'assertion "list-case: there is no clause for this" x))
    ((run-clause x (() . body)) (let () . body))
    ((run-clause x ((a car) (b cdr) . body)) (bind-part a (car x) (bind-part b (cdr x) (let () . body))))
    ((run-clause x ((a values) . body)) (bind-part a x (let () . body)))))
(define-syntax bind-part
  (syntax-rules (_)
    ((bind-part _ value body) body)
    ((bind-part a value body) (let ((a value)) body))))
