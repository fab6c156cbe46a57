;; Tests. The runner that is there unless a program installs another writes TAP, the Test Anything Protocol, to the current
;; output: people read it, and so do caper test and other programs.
(define-library (srfi 64)
  (import (caper prelude) (%syntax) (%primitive))
  (export
    test-begin test-end test-group test-group-with-cleanup
    test-assert test-equal test-eqv test-eq test-approximate test-error test-read-eval-string
    test-match-name test-match-nth test-match-any test-match-all test-skip test-expect-fail
    test-apply test-with-runner
    test-runner? test-runner-current test-runner-get test-runner-create test-runner-factory test-runner-simple
    test-runner-null test-runner-reset test-runner-group-path test-runner-group-stack
    test-runner-pass-count test-runner-fail-count test-runner-xpass-count test-runner-xfail-count test-runner-skip-count
    test-runner-test-name test-runner-aux-value test-runner-aux-value!
    test-runner-on-test-begin test-runner-on-test-begin! test-runner-on-test-end test-runner-on-test-end!
    test-runner-on-group-begin test-runner-on-group-begin! test-runner-on-group-end test-runner-on-group-end!
    test-runner-on-bad-count test-runner-on-bad-count! test-runner-on-bad-end-name test-runner-on-bad-end-name!
    test-runner-on-final test-runner-on-final!
    test-on-group-begin-simple test-on-group-end-simple test-on-bad-count-simple test-on-bad-end-name-simple
    test-on-test-begin-simple test-on-test-end-simple test-on-final-simple
    test-result-ref test-result-set! test-result-remove test-result-clear test-result-alist
    test-result-kind test-passed?)
  (include "64.scm"))
