(define-library (srfi 13)
  (import (caper prelude))
  (export
    string-null? string-every string-any string-tabulate string-join string-copy string-take string-take-right
    string-drop string-drop-right string-pad string-pad-right string-trim string-trim-right string-trim-both
    string<? string=? string-prefix-length string-prefix? string-suffix? string-prefix-ci? string-suffix-ci?
    string-index string-index-right string-skip string-skip-right string-count string-contains string-contains-ci
    string-titlecase string-upcase string-downcase string-reverse string-concatenate string-fold string-fold-right
    string-replace string-tokenize string-filter string-delete string-append string-length string-ref substring
    string-for-each string-map reverse-list->string))
