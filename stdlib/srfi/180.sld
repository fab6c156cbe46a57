(define-library (srfi 180)
  (import (scheme base) (scheme case-lambda) (scheme char) (scheme inexact) (only (caper standard) %wrong-type %raise)
          (only (caper prelude) condition-kind reverse-list->string scheme->json))
  (export
    json-error? json-error-reason json-null? json-nesting-depth-limit json-number-of-character-limit json-generator
    json-fold json-read json-lines-read json-sequence-read json-accumulator json-write)
  (include "check.scm" "180.scm"))
