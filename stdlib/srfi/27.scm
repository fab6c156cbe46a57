;; A source holds the state of a generator: bytes. The default one is seeded by the host when it is first used, so that a
;; replay sees the same numbers; one that is made begins where every other does, as the document wants it.

(define-record-type random-source
  (%source state) random-source? (state %state %set-state!))

(define (make-random-source) (%source (%make-random-state 0)))
(define default-random-source (%source #f))

(define (%state-of s)
  (if (not (%state s)) (random-source-randomize! s))
  (%state s))

(define (random-source-state-ref s) (bytevector-copy (%state-of s)))
(define (random-source-state-set! s state)
  (if (not (and (bytevector? state) (= (bytevector-length state) (bytevector-length (%make-random-state 0)))))
      (%wrong-type "random-source-state-set!" 2 "a state that random-source-state-ref answered" state))
  (%set-state! s (bytevector-copy state)))
(define (random-source-randomize! s) (%set-state! s (%make-random-state (%host 'seed))))
;; Every pair of i and j has its own sequence.
(define (random-source-pseudo-randomize! s i j)
  (%set-state! s (%make-random-state (equal-hash (list i j)))))

(define (%integer state n)
  (if (and (exact-integer? n) (positive? n))
      (%random state n)
      (%wrong-type "random-integer" 1 "an exact integer above 0" n)))
(define (%real state) ; neither 0 nor 1
  (let ((x (%random state 1.0))) (if (< 0 x 1) x (%real state))))

(define (random-integer n) (%integer (%state-of default-random-source) n))
(define (random-real) (%real (%state-of default-random-source)))
(define (random-source-make-integers s)
  (%state-of s)
  (lambda (n) (%integer (%state s) n)))
;; With a unit: numbers of its kind, no further apart.
(define random-source-make-reals
  (case-lambda
    ((s)
     (%state-of s)
     (lambda () (%real (%state s))))
    ((s unit)
     (if (not (and (real? unit) (< 0 unit 1)))
         (%wrong-type "random-source-make-reals" 2 "a number between 0 and 1" unit))
     (%state-of s)
     (let ((steps (+ 1 (exact (ceiling (/ 1 unit))))))
       (lambda ()
         (let ((x (/ (+ 1 (%random (%state s) (- steps 1))) steps)))
           (if (exact? unit) x (inexact x))))))))
