(define-library (srfi 115)
  (import (scheme base) (scheme case-lambda) (only (caper standard) %wrong-type %raise)
          (only (%primitive) %regexp-search %regexp-search* %regexp-whole)
          (only (caper prelude) match:substring match:start match:end match:count char-set->list char-set?)
          (prefix (only (caper prelude) regexp regexp?) plain:))
  (export
    regexp regexp? valid-sre? rx regexp->sre char-set->sre
    regexp-matches regexp-matches? regexp-search regexp-fold regexp-extract regexp-split regexp-partition regexp-replace
    regexp-replace-all
    regexp-match? regexp-match-count regexp-match-submatch regexp-match-submatch-start regexp-match-submatch-end
    regexp-match->list)
  (include "check.scm" "115.scm"))
