package bind

import (
	"fmt"
	"slices"
	"strings"

	"caper/interp/near"
	"caper/runtime/tool"
)

// Libraries answers the sources of the Scheme libraries that reach the runtime, by name. (caper tools) has a procedure
// for each tool of the set, and with-policy of (caper policy) takes the postures.
func Libraries(tools *tool.Set, postures []string) map[string]string {
	policy := fmt.Sprintf(policyLibrary, strings.Join(postures, " "), near.Or(postures))
	return map[string]string{"(caper tools)": toolsLibrary(tools), "(caper jobs)": jobsLibrary, "(caper policy)": policy}
}

func toolsLibrary(tools *tool.Set) string {
	var b strings.Builder
	names := slices.DeleteFunc(tools.Names(), func(n string) bool { return n == OpToolDoc || n == OpFindTools }) // readings
	fmt.Fprintf(&b, "(define-library (caper tools)\n (import (%%syntax) (%%primitive) (%%support))\n (export tools tool-doc find-tools call-tool tool-error? tool-error-code tool-error-hints denied? %s)\n (begin\n", strings.Join(names, " "))
	b.WriteString(`
(define (call-tool name . args) (%host 'tool (if (string? name) (string->symbol name) name) args (%policy-overlay)))
(define (tools) (%host 'tools))
(define (tool-doc name) (%host 'tool-doc name))
(define (find-tools text) (%host 'find-tools text))
(define (tool-error? x) (and (%condition? x) (eq? (%condition-kind x) 'tool-error)))
(define (denied? x) (and (%condition? x) (eq? (%condition-kind x) 'denied)))
(define (tool-error-code x) (let ((p (assq 'code (%condition-data x)))) (if p (cdr p) #f)))
(define (tool-error-hints x) (let ((p (assq 'hints (%condition-data x)))) (if p (cdr p) '())))
`)
	for _, n := range names {
		fmt.Fprintf(&b, "(define (%s . args) (%%host 'tool '%s args (%%policy-overlay)))\n", n, n)
	}
	b.WriteString("))\n")
	return b.String()
}

const jobsLibrary = `
(define-library (caper jobs)
 (import (caper standard) (%primitive) (only (%support) %policy-overlay %disown-files %end-program %need-procedure par-map parallel race sleep with-timeout timeout-error?))
 (export current-job job-status job-outcome job-children program program? program-source program-args run-program
         par-map parallel race sleep with-timeout timeout-error? background retry command-line-arguments #%argument)
 (begin
(define (current-job) (%host 'current-job))
(define (job-status j) (%host 'job-status j))
(define (job-outcome j) (%host 'job-outcome j))
(define (job-children j) (%host 'job-children j))
(define (command-line-arguments) (%host 'arguments))
(define (#%argument n) (%host 'argument n))
(define (datum->text d) (let ((p (open-output-string))) (write d p) (get-output-string p)))
(define-record-type program-record (make-program source args budget) program?
  (source program-source) (args program-args) (budget program-budget))
(define (option key rest)
  (cond ((or (null? rest) (null? (cdr rest))) '()) ((eq? (car rest) key) (cadr rest)) (else (option key (cddr rest)))))
;; (program source #:args ((name . value) …) #:budget ((fuel . n) (memory . bytes) (output . bytes)))
(define (program source . rest)
  (make-program (if (string? source) source (datum->text source)) (option '#:args rest) (option '#:budget rest)))
;; The copy leaves the files that are open to this program.
(define (background thunk)
  (%need-procedure "background" "1" thunk)
  (%host 'background (lambda () (%disown-files) (let ((value (thunk))) (%end-program value))) (%policy-overlay)))
(define (run-program p)
  (if (not (program? p)) (error "run-program: a program is wanted, as (program source) makes it:" p))
  (%host 'program (program-source p) (program-args p) (program-budget p) (%policy-overlay)))
;; What a second try must not repeat.
(define (final? e)
  (and (%condition? e)
       (or (memq (%condition-kind e) '(denied cancelled budget))
           (let ((code (assq 'code (%condition-data e))))
             (and code (memq (cdr code) '(denied cancelled budget uncertain)))))))
(define (retry n thunk)
  (if (not (and (exact-integer? n) (> n 0)))
      (%raise 'type-error "retry: argument 1 must be how often to try, an exact integer from 1 on" n))
  (%need-procedure "retry" "2" thunk)
  (let again ((n n))
    (if (= n 1) (thunk)
        ((call/cc (lambda (k)
           (with-exception-handler
             (lambda (e)
               (if (final? e)
                   (raise-continuable e)
                   (k (lambda () (again (- n 1))))))
             (lambda () (call-with-values thunk (lambda vs (lambda () (apply values vs))))))))))))
))
`

const policyLibrary = `
(define-library (caper policy)
 (import (%%syntax) (%%primitive) (%%support))
 (export policy with-policy)
 (begin
(define (policy) (%%host 'policy))
(define (with-policy what thunk)
  (if (not (or (symbol? what) (list? what)))
      (raise (%%condition 'type-error "with-policy: argument 1 must be a posture or a list of rules" (list what))))
  (%%need-procedure "with-policy" "2" thunk)
  (if (symbol? what)
      (if (not (memq what '(%s))) (error "with-policy: a posture is %s; found:" what)))
  (parameterize ((%%policy-overlay (cons what (%%policy-overlay)))) (thunk)))
))
`
