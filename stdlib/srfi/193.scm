(define command-line (make-parameter (whole-line)))

(define (after-last c s)
  (let loop ((i (- (string-length s) 1)))
    (cond ((< i 0) #f)
          ((char=? (string-ref s i) c) (+ i 1))
          (else (loop (- i 1))))))

;; The command without its folders and without an extension of Scheme's.
(define (command-name)
  (let ((command (if (pair? (command-line)) (car (command-line)) "")))
    (and (not (string=? command ""))
         (let* ((name (string-copy command (or (after-last #\/ command) 0)))
                (dot (after-last #\. name)))
           (if (and dot (member (string-copy name dot) '("scm" "sld" "ss")))
               (string-copy name 0 (- dot 1))
               name)))))
(define (command-args) (if (pair? (command-line)) (cdr (command-line)) '()))

(define (script-file) #f)
(define (script-directory) #f)
