(define-library (srfi 115)
  (import (caper prelude))
  (export
    regexp regexp? regexp-search regexp-matches regexp-matches? regexp-match-submatch regexp-match-submatch-start
    regexp-match-submatch-end regexp-replace regexp-replace-all regexp-split regexp-extract))
