;; A file is read whole when its port is opened, and written when its port is flushed or closed, each through the license.
;; What is to happen to a file that exists already may be said as in other dialects: see %option.
(define-library (scheme file)
  (import (caper standard) (%primitive))
  (export call-with-input-file call-with-output-file delete-file file-exists? open-binary-input-file
          open-binary-output-file open-input-file open-output-file with-input-from-file with-output-to-file)
  (begin
    (define (open-input-file path) (open-input-string (%read-file path)))
    (define (open-binary-input-file path) (open-input-bytevector (%read-file path '#:bytes #t)))
    (define (open-output-file path . options) (%open-output 'open-output-file path options #f))
    (define (open-binary-output-file path . options) (%open-output 'open-binary-output-file path options #t))

    (define (call-with-input-file path f) (call-with-port (open-input-file path) f))
    (define (call-with-output-file path . more)
      (let ((f (%called 'call-with-output-file more)))
        (call-with-port (%open-output 'call-with-output-file path (%options more) #f) f)))

    (define (with-input-from-file path thunk)
      (let ((port (open-input-file path)))
        (parameterize ((current-input-port port)) (thunk))))

    (define (with-output-to-file path . more)
      (let ((thunk (%called 'with-output-to-file more)))
        (call-with-port (%open-output 'with-output-to-file path (%options more) #f)
          (lambda (port)
            (parameterize ((current-output-port port)) (thunk))))))

    ;; The procedure stands before the options or after them.
    (define (%called who more)
      (cond ((null? more)
             (%raise 'arity-error (string-append (symbol->string who) ": a procedure is wanted after the path")))
            ((procedure? (car more)) (car more))
            (else (%called who (cdr more)))))
    (define (%options more)
      (cond ((null? more) '())
            ((procedure? (car more)) (%options (cdr more)))
            (else (cons (car more) (%options (cdr more))))))

    (define (%open-output who path options binary?)
      (let loop ((l options) (how 'replace) (binary? binary?))
        (if (pair? l)
            (let ((name (%option-name (car l))) (next (if (pair? (cdr l)) (cadr l) 'none)))
              (case name
                ((exists if-exists)
                 (loop (%after-value who l) (%when-exists who next) binary?))
                ((append) (loop (if (boolean? next) (cddr l) (cdr l)) (if (eq? next #f) how 'append) binary?))
                ((binary) (loop (if (boolean? next) (cddr l) (cdr l)) how (not (eq? next #f))))
                ((text) (loop (if (boolean? next) (cddr l) (cdr l)) how #f))
                ((mode if-does-not-exist)
                 (if (not (memq (%option-name next) '(text binary create))) (%unknown-option who next))
                 (loop (%after-value who l) how binary?))
                ((encoding)
                 (if (not (member next '("utf-8" "UTF-8" utf-8 "utf8" "UTF8"))) (%unknown-option who next))
                 (loop (%after-value who l) how binary?))
                (else (loop (cdr l) (%when-exists who (car l)) binary?))))
            (begin
              (cond ((not (string? path)) (%wrong-type (symbol->string who) 1 "a string" path))
                    ((not (memq how '(error must-truncate))))
                    ((eq? (file-exists? path) (eq? how 'error))
                     (%raise 'file-error
                       (string-append (symbol->string who) (if (eq? how 'error) ": the file exists already" ": there is no such file"))
                       path)))
              (%file-port path binary? (eq? how 'append))))))
    (define (%after-value who l)
      (if (null? (cdr l)) (%unknown-option who (car l)) (cddr l)))
    ;; 'append, #:append and :append are one name.
    (define (%option-name x)
      (cond ((keyword? x) (string->symbol (keyword->string x)))
            ((symbol? x)
             (let ((text (symbol->string x)))
               (if (and (> (string-length text) 1) (char=? (string-ref text 0) #\:)) (string->symbol (substring text 1)) x)))
            (else x)))
    ;; What to do with a file that exists: a word of Racket, Chez or Gauche, Guile's mode, MIT's append?, a list of one of these.
    (define (%when-exists who x)
      (let ((name (%option-name x)))
        (cond ((memq name '(append error must-truncate)) name)
              ((memq name '(replace truncate truncate/replace supersede #f)) 'replace)
              ((eq? name #t) 'append)
              ((member name '("w" "wb" "wt")) 'replace)
              ((member name '("a" "ab" "at")) 'append)
              ((and (pair? name) (null? (cdr name))) (%when-exists who (car name)))
              (else (%unknown-option who x)))))
    (define (%unknown-option who x)
      (%raise 'error
        (string-append (symbol->string who) ": this is not known; to a file that exists already 'replace happens, or what is"
          " said instead, alone or after #:exists: 'append, 'truncate or 'error; \"w\" and \"a\" serve too. Found")
        x))

    (define (delete-file path) (%delete-file path))

    ;; The entry of the path in the folder above it.
    (define (file-exists? path)
      (let* ((slash (%string-index-right path #\/))
             (dir (cond ((not slash) ".") ((= slash 0) "/") (else (substring path 0 slash))))
             (name (if slash (substring path (+ slash 1)) path)))
        (guard (e ((and (error-object? e) (not (eq? (%condition-kind e) 'denied))) #f))
          (let loop ((entries (%list-dir dir)))
            (cond ((null? entries) #f)
                  ((equal? (assq-ref (car entries) 'name) name) #t)
                  (else (loop (cdr entries))))))))))
