;; What a program without import sees: R7RS-small and the habits of other dialects. exports.scm is written by the test of
;; this folder (go test ./stdlib -run Exports -update).
(define-library (caper prelude)
  (import (%syntax) (%primitive) (except (%support) error with-exception-handler)
          (rename (only (%support) error with-exception-handler)
                  (error %raise-error) (with-exception-handler %install-handler))
          (except (caper standard) error with-exception-handler)
          (scheme file) (scheme process-context))
  (include-library-declarations "exports.scm")
  (include "list.scm" "string.scm" "hash.scm" "forms.scm" "match.scm" "date.scm" "systems.scm"))
