;; What a library checks at its border. Every SRFI that needs it includes it.

(define-syntax must
  (syntax-rules ()
    ((_ who n ok? want x) (if (not (ok? x)) (%wrong-type who n want x)))))

(define (within who n lo hi x)
  (if (not (and (exact-integer? x) (<= lo x hi)))
      (%raise 'range-error
              (string-append who ": argument " (number->string n) " must be from " (number->string lo)
                             " to " (number->string hi))
              x)))

;; The optional arguments [start [end]] of a sequence of size elements; start is argument n.
(define-syntax let-span
  (syntax-rules ()
    ((_ who n (start end) (span size) body ...)
     (let* ((all size)
            (more (and (pair? span) (cdr span)))
            (start (if (pair? span) (car span) 0))
            (end (if (pair? more) (car more) all)))
       (within who (+ n 1) 0 all end)
       (within who n 0 end start)
       body ...))))
