;; The directives are read one by one; (format #f …) and (format "…" …) answer the text.

(define (format to . args)
  (cond
    ((string? to) (apply format #f to args))
    ((null? args) (%raise 'error "format: the template is missing"))
    ((not (string? (car args))) (%wrong-type "format" 2 "a string" (car args)))
    (else
      (let ((text (open-output-string)))
        (let ((left (%format-to text (car args) (cdr args))))
          (if (pair? left) (%raise 'error "format: the template does not use all arguments" left))
          (let ((text (get-output-string text)))
            (cond ((not to) text)
                  ((eq? to #t) (display text))
                  (else (display text to)))))))))

(define (%next args)
  (if (pair? args) (car args) (%raise 'error "format: there are too few arguments")))

(define (%in-radix x radix)
  (if (number? x) (number->string x radix) (%wrong-type "format" 3 "a number" x)))

;; Writes the template and answers the arguments that it left.
(define (%format-to out s args)
  (let ((end (string-length s)))
    (let loop ((i 0) (args args))
      (if (>= i end)
          args
          (let ((tilde (string-index s #\~ i)))
            (display (substring s i (or tilde end)) out)
            (cond
              ((not tilde) args)
              ((= (+ tilde 1) end) (%raise 'error "format: the template ends in a tilde" s))
              (else
                (let ((next (+ tilde 2)))
                  (define (put x) (display x out) (loop next (cdr args)))
                  (define (plain x) (display x out) (loop next args))
                  (case (char-downcase (string-ref s (+ tilde 1)))
                    ((#\a) (put (%next args)))
                    ((#\s) (write (%next args) out) (loop next (cdr args)))
                    ((#\w) (write-shared (%next args) out) (loop next (cdr args)))
                    ((#\y) (put (call-with-output-string (lambda (p) (pretty-print (%next args) p)))))
                    ((#\d) (put (%in-radix (%next args) 10)))
                    ((#\x) (put (%in-radix (%next args) 16)))
                    ((#\o) (put (%in-radix (%next args) 8)))
                    ((#\b) (put (%in-radix (%next args) 2)))
                    ((#\c)
                     (let ((c (%next args)))
                       (if (char? c) (put c) (%wrong-type "format" 3 "a character" c))))
                    ((#\? #\k)
                     (let ((left (%format-to out (%next args) (%next (cdr args)))))
                       (if (pair? left) (%raise 'error "format: the template does not use all arguments" left))
                       (loop next (cddr args))))
                    ((#\~) (plain #\~))
                    ((#\%) (plain #\newline))
                    ((#\&) (fresh-line out) (loop next args))
                    ((#\t) (plain #\tab))
                    ((#\_) (plain #\space))
                    ((#\h #\q) (plain %help))
                    (else
                      (let* ((f (string-skip s %field (+ tilde 1)))
                             (numbers (and f (char-ci=? (string-ref s f) #\f)
                                           (map string->number (%string-split (substring s (+ tilde 1) f) #\,)))))
                        (if (not (and numbers (pair? numbers) (every exact-integer? numbers) (<= (length numbers) 2)))
                            (%raise 'error "format: there is no such directive" (substring s tilde next)))
                        (display (%fixed (%next args) (car numbers) (and (pair? (cdr numbers)) (cadr numbers))) out)
                        (loop (+ f 1) (cdr args)))))))))))))

(define %field (string->char-set "0123456789,"))

;; A number with so many digits behind the point, or a string, at the right of a field.
(define (%fixed x width digits)
  (let ((text (cond ((string? x) x)
                    ((not (number? x)) (%wrong-type "format" 3 "a number or a string" x))
                    (digits (real->decimal-string x digits))
                    (else (number->string (if (integer? x) x (inexact x)))))))
    (if (< (string-length text) width) (string-pad text width) text)))

(define %help
  "(format [port] template argument …): ~a display, ~s write, ~w write with labels, ~y pretty, ~d ~x ~o ~b radix, ~c character, ~wF ~w,dF fixed, ~? template and list, ~% newline, ~& fresh line, ~t tab, ~_ space, ~~ tilde\n")
