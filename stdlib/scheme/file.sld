;; A file is read whole when its port is opened and written once when its port is closed, each through the license.
(define-library (scheme file)
  (import (caper standard) (%primitive))
  (export call-with-input-file call-with-output-file delete-file file-exists? open-binary-input-file
          open-binary-output-file open-input-file open-output-file with-input-from-file with-output-to-file)
  (begin
    (define (open-input-file path) (open-input-string (%read-file path)))
    (define (open-binary-input-file path) (open-input-bytevector (%read-file path '#:bytes #t)))
    (define (open-output-file path . options) (%open-output-file path #f))
    (define (open-binary-output-file path . options) (%open-output-file path #t))

    (define (call-with-input-file path f) (call-with-port (open-input-file path) f))
    (define (call-with-output-file path f . options) (call-with-port (open-output-file path) f))

    (define (with-input-from-file path thunk)
      (let ((port (open-input-file path)))
        (parameterize ((current-input-port port)) (thunk))))

    (define (with-output-to-file path thunk . options)
      (call-with-port (open-output-file path)
        (lambda (port)
          (parameterize ((current-output-port port)) (thunk)))))

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
