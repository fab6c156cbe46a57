package bind

import (
	"fmt"
	"slices"
	"strings"

	"caper/interp/near"
	"caper/runtime/tool"
)

// Libraries answers the sources of the Scheme libraries that reach the runtime, by name. (caper tools) has a procedure
// for each tool of the set, and with-policy of (caper policy) takes the postures. A session, a turn, an agent and a job are
// their ids, strings such as "3.1.12", in all of them: ids are data, so they cross every border and stay good for ever.
func Libraries(tools *tool.Set, postures []string) map[string]string {
	policy := fmt.Sprintf(policyLibrary, strings.Join(postures, " "), near.Or(postures))
	return map[string]string{"(caper tools)": toolsLibrary(tools), "(caper jobs)": jobsLibrary, "(caper policy)": policy,
		"(caper session)": sessionLibrary, "(caper agents)": agentsLibrary, "(caper models)": modelsLibrary}
}

func toolsLibrary(tools *tool.Set) string {
	var b strings.Builder
	names := slices.DeleteFunc(tools.Names(), func(n string) bool { return n == OpToolDoc || n == OpFindTools }) // readings
	fmt.Fprintf(&b, "(define-library (caper tools)\n (import (%%syntax) (%%primitive) (%%support))\n (export tools tool-doc find-tools call-tool define-tool tool-main #%%own-tool #%%directly #%%restarts #%%trace-tool #%%traced #%%untraced tool-error? tool-error-code tool-error-hints denied? %s)\n (begin\n", strings.Join(names, " "))
	b.WriteString(`
(define (call-tool name . args) (ask-tool (if (string? name) (string->symbol name) name) args))
(define (tools) (%host 'tools))
(define (tool-doc name) (%host 'tool-doc name))
(define (find-tools text) (%host 'find-tools text))
(define direct (make-parameter #f))
;; A tool that the program defines is a procedure whose calls are jobs: each runs in a copy of the machine.
(define-syntax define-tool
  (syntax-rules () ((_ name doc schema proc) (define name (#%own-tool 'name doc schema proc)))))
(define (#%own-tool name doc schema proc)
  (%need-procedure "define-tool" "4" proc)
  (lambda args
    (cond
      ((eq? (direct) 'schema) schema)
      ((direct)
        (parameterize ((direct #f)) (apply proc (with-defaults args schema))))
      (else
        (%charge-call)
        (%host 'own-tool (lambda () (apply proc (with-defaults args schema))) name doc schema args (%policy-overlay))))))
;; A file whose last form this is runs as a program, with the command line as its arguments; as a tool it is only called.
(define (tool-main tool)
  (apply tool (let loop ((args (%host 'arguments)) (schema (parameterize ((direct 'schema)) (tool))))
    (if (or (null? args) (null? schema)) args
        (cons (from-text (car args) (cadr (car schema))) (loop (cdr args) (cdr schema)))))))
(define (from-text text type)
  (case type
    ((integer number) (or (string->number text) text))
    ((boolean) (not (or (equal? text "#f") (equal? text "false") (equal? text "no"))))
    (else text)))
;; In a script of a session: how what nothing catches from here on goes on, one after the other.
(define (#%restarts . answers) (%restarts! answers))
;; Tracing shows calls and what they return: of tools here, of a procedure by another that takes its place.
(define traced '()) ; tools
(define tracers '()) ; of #(tracer procedure)
(define depth (make-parameter 0))
(define (ask-tool name args)
  (%charge-call)
  (if (memq name traced)
    (show-call name args (lambda () (%host 'tool name args (%policy-overlay))))
    (%host 'tool name args (%policy-overlay))))
(define (#%trace-tool name on)
  (set! traced (if on (cons name (remove name traced)) (remove name traced))))
(define (remove name l)
  (cond ((null? l) '()) ((eq? (car l) name) (remove name (cdr l))) (else (cons (car l) (remove name (cdr l))))))
(define (show-call name args call)
  (let ((d (depth)))
    (show-traced d (string-append "(" (briefly (cons name args)) ")"))
    (call-with-values (lambda () (parameterize ((depth (+ d 1))) (call)))
      (lambda results
        (show-traced d (string-append "=> " (briefly results)))
        (apply values results)))))
(define (#%traced name proc)
  (%need-procedure "trace" "1" proc)
  (if (find-tracer proc tracers) proc
    (let ((tracer (lambda args (show-call name args (lambda () (apply proc args))))))
      (set! tracers (cons (vector tracer proc) tracers))
      tracer)))
(define (#%untraced proc)
  (let ((t (find-tracer proc tracers))) (if t (vector-ref t 1) proc)))
(define (show-traced depth text)
  (%write-string (string-append "; " (make-string (* 2 (if (< depth 30) depth 30)) #\space) text "\n") console))
(define console (%console-port 2))
(define (briefly values) ; nothing runs here that a program could have changed, and no value is printed whole
  (let loop ((l values) (n 0) (text ""))
    (cond ((null? l) text)
          ((= n 12) (string-append text " …"))
          (else (loop (cdr l) (+ n 1) (string-append text (if (= n 0) "" " ") (%brief (car l) 200)))))))
(define (find-tracer proc l)
  (cond ((null? l) #f) ((eq? (vector-ref (car l) 0) proc) (car l)) (else (find-tracer proc (cdr l)))))
(define (#%directly tool . args) (parameterize ((direct #t)) (apply tool args)))
(define (with-defaults args schema)
  (cond ((not (pair? schema)) args)
        ((pair? args) (cons (car args) (with-defaults (cdr args) (cdr schema))))
        ((and (list? (car schema)) (= 4 (length (car schema)))) (cons (list-ref (car schema) 3) (with-defaults '() (cdr schema))))
        (else '())))
(define (tool-error? x) (and (%condition? x) (eq? (%condition-kind x) 'tool-error)))
(define (denied? x) (and (%condition? x) (eq? (%condition-kind x) 'denied)))
(define (tool-error-code x) (let ((p (assq 'code (%condition-data x)))) (if p (cdr p) #f)))
(define (in-background name args)
  (let* ((at (memq '#:background args))
         (aside (and at (pair? (cdr at)) (cadr at))))
    (define (call) (ask-tool name (without at args)))
    (if aside
        (begin
          (%charge-call)
          (%host 'background (lambda () (%disown-files) (%end-program (call))) (%policy-overlay)))
        (call))))
(define (without at args)
  (cond ((or (not at) (null? (cdr at))) args)
        ((eq? at args) (cddr args))
        (else (cons (car args) (without at (cdr args))))))
(define (tool-error-hints x) (let ((p (assq 'hints (%condition-data x)))) (if p (cdr p) '())))
`)
	for _, n := range names {
		if t, ok := tools.Get(n); ok && hasBackground(t) {
			fmt.Fprintf(&b, "(define (%s . args) (in-background '%s args))\n", n, n)
			continue
		}
		fmt.Fprintf(&b, "(define (%s . args) (ask-tool '%s args))\n", n, n)
	}
	b.WriteString("))\n")
	return b.String()
}

// hasBackground reports whether a call can ask not to be waited for. In a program that makes a bag of its own.
func hasBackground(t *tool.Tool) bool {
	p, ok := t.Param("background")
	return ok && p.Keyword
}
