;; Fields: the bits from start up to end.

(define (bitwise-if mask a b)
  (bitwise-ior (bitwise-and mask a) (bitwise-and (bitwise-not mask) b)))
(define (any-bits-set? a b) (not (zero? (bitwise-and a b))))

(define (first-set-bit n)
  (if (zero? n) -1 (- (integer-length (bitwise-xor n (- n 1))) 1)))

(define (copy-bit k n on?)
  (let ((bit (arithmetic-shift 1 k)))
    (if on? (bitwise-ior n bit) (bitwise-and n (bitwise-not bit)))))

(define (%mask width) (- (arithmetic-shift 1 width) 1))
(define (%width who start end)
  (if (and (exact-integer? start) (exact-integer? end) (<= 0 start end))
      (- end start)
      (%raise 'range-error (string-append who ": these are not the ends of a field") start end)))

(define (bit-field n start end)
  (bitwise-and (arithmetic-shift n (- start)) (%mask (%width "bit-field" start end))))
(define (copy-bit-field to from start end)
  (bitwise-if (arithmetic-shift (%mask (%width "copy-bit-field" start end)) start)
              (arithmetic-shift from start)
              to))

(define (rotate-bit-field n count start end)
  (let ((width (%width "rotate-bit-field" start end)))
    (if (zero? width)
        n
        (let ((field (bit-field n start end)) (count (modulo count width)))
          (copy-bit-field n
            (bitwise-ior (arithmetic-shift field count) (arithmetic-shift field (- count width)))
            start end)))))

(define (reverse-bit-field n start end)
  (let ((field (bit-field n start end)))
    (copy-bit-field n (list->integer (reverse (integer->list field (- end start)))) start end)))

(define integer->list
  (case-lambda
    ((n) (integer->list n (integer-length n)))
    ((n len)
     (let loop ((i 0) (acc '()))
       (if (< i len) (loop (+ i 1) (cons (bit-set? i n) acc)) acc)))))

;; Sixty bits at a time, so that a long list takes linear time but for the joining.
(define (list->integer bits)
  (let loop ((t bits) (k 0) (word 0) (n 0))
    (cond ((pair? t)
           (if (= k 60)
               (loop t 0 0 (bitwise-ior (arithmetic-shift n 60) word))
               (loop (cdr t) (+ k 1) (+ word word (if (car t) 1 0)) n)))
          (else
           (%ends "list->integer" 1 t)
           (bitwise-ior (arithmetic-shift n k) word)))))
(define (booleans->integer . bits) (list->integer bits))
