;; Count the words of the Markdown files of this folder and below.
;;   caper run NAME/NAME.scm
;; A tool call looks like a procedure call. Reading in the workspace is allowed; what writes is asked first: add
;;   (write-file "counts.txt" (report counts))
(import (scheme base) (scheme write) (caper tools) (caper jobs) (NAME))

(define files (glob "**/*.md"))
(define counts
  (par-map (lambda (file) (cons file (count-words (read-file file)))) files))
(display (report counts))
