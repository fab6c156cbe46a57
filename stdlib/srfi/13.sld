;; Strings. Where the prelude's names take more, or mean something else (string-trim, string-replace, string-map),
;; these are the document's.
(define-library (srfi 13)
  (import (rename (except (caper prelude) string-trim string-trim-right string-trim-both string-suffix? string-suffix-ci?
                          string-contains string-contains-ci string-replace string-tokenize)
                  (string-map %string-map) (string-for-each %string-for-each)
                  (string-prefix-length %string-prefix-length) (string-hash %string-hash) (string-ci-hash %string-ci-hash)
                  (string-prefix? %string-prefix?) (string-prefix-ci? %string-prefix-ci?)
                  (string-for-each-index %string-for-each-index))
          (rename (only (caper prelude) string-suffix? string-suffix-ci? string-contains string-contains-ci string-trim-right
                        string-trim-both)
                  (string-trim-right %string-trim-right) (string-trim-both %string-trim-both)
                  (string-suffix? %string-suffix?) (string-suffix-ci? %string-suffix-ci?)
                  (string-contains %string-contains) (string-contains-ci %string-contains-ci))
          (only (srfi 14) char-set:graphic) (only (caper standard) %raise))
  (export
    string? string-null? string-every string-any make-string string string-tabulate string->list list->string
    reverse-list->string string-join string-length string-ref string-copy (rename substring substring/shared)
    string-copy! string-take string-take-right string-drop string-drop-right string-pad string-pad-right string-trim
    string-trim-right string-trim-both string-set! string-fill! string-compare string-compare-ci string<> string=
    string< string> string<= string>= string-ci<> string-ci= string-ci< string-ci> string-ci<= string-ci>= string-hash
    string-hash-ci string-prefix-length string-suffix-length string-prefix-length-ci string-suffix-length-ci
    string-prefix? string-suffix? string-prefix-ci? string-suffix-ci? string-index string-index-right string-skip
    string-skip-right string-count string-contains string-contains-ci string-titlecase string-upcase string-downcase
    string-titlecase! string-upcase! string-downcase! string-reverse string-reverse! string-append string-concatenate
    (rename string-append string-append/shared) (rename string-concatenate string-concatenate/shared)
    string-concatenate-reverse (rename string-concatenate-reverse string-concatenate-reverse/shared) string-map
    string-map! string-fold string-fold-right string-unfold string-unfold-right string-for-each string-for-each-index
    xsubstring string-xcopy! string-replace string-tokenize string-filter string-delete string-parse-start+end
    string-parse-final-start+end let-string-start+end check-substring-spec substring-spec-ok? make-kmp-restart-vector
    kmp-step string-kmp-partial-search)
  (include "13.scm"))
