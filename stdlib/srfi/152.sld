(define-library (srfi 152)
  (import (caper prelude))
  (export
    string-null? string-every string-any string-tabulate string-join string-split string-take string-take-right
    string-drop string-drop-right string-pad string-pad-right string-trim string-trim-right string-trim-both
    string-prefix? string-suffix? string-index string-index-right string-skip string-skip-right string-count
    string-contains string-contains-right string-reverse string-concatenate string-fold string-fold-right
    string-replace string-filter string-prefix-length))
