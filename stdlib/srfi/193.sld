;; A program is a job: it has no command and no script of its own beside the arguments that it was given.
(define-library (srfi 193)
  (import (scheme base) (rename (scheme process-context) (command-line whole-line)))
  (export command-line command-name command-args script-file script-directory)
  (include "193.scm"))
