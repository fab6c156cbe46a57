(define-library (srfi 189)
  (import (scheme base) (scheme case-lambda) (only (caper standard) %wrong-type %raise))
  (export
    just nothing right left list->just list->right list->left maybe->either either->maybe either-swap
    just? nothing? maybe? right? left? either? maybe= either=
    maybe-ref either-ref maybe-ref/default either-ref/default
    maybe-join either-join maybe-bind either-bind maybe-compose either-compose
    maybe-length either-length maybe-filter maybe-remove either-filter either-remove maybe-sequence either-sequence
    maybe->list either->list list->maybe list->either maybe->truth either->truth truth->maybe truth->either
    maybe->list-truth either->list-truth list-truth->maybe list-truth->either maybe->generation either->generation
    generation->maybe generation->either maybe->values either->values values->maybe values->either maybe->two-values
    two-values->maybe exception->either
    maybe-map either-map maybe-for-each either-for-each maybe-fold either-fold maybe-unfold either-unfold
    maybe-if maybe-and maybe-or maybe-let* maybe-let*-values either-and either-or either-let* either-let*-values
    either-guard
    tri-not tri=? tri-and tri-or tri-merge)
  (include "check.scm" "189.scm"))
