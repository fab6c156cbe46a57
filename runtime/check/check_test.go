package check_test

import (
	"strings"
	"testing"

	"caper/interp/syntax"
	"caper/runtime/assembly"
	"caper/runtime/check"
)

func foreseen(t *testing.T, text string) []string {
	t.Helper()
	r, err := check.Program(assembly.EngineOptions(assembly.Tools()), nil, syntax.NewSource("a.scm", text))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range r.Calls {
		out = append(out, c.String())
	}
	for _, n := range r.Notes {
		out = append(out, n.Text)
	}
	if r.Cut {
		out = append(out, "cut")
	}
	return out
}

func TestCalls(t *testing.T) {
	for _, tt := range []struct{ name, program, want string }{
		{"literal", `(write-file "a" "b")`, `(write-file "a" "b")`},
		{"defined", `(define dir "src") (define (p x) (string-append dir "/" x)) (read-file (p "a"))`, `(read-file "src/a")`},
		{"let", `(let* ((a "x") (b a)) (read-file b))`, `(read-file "x")`},
		{"unknown", `(write-file "a" (read-file "b"))`, "(write-file \"a\" _)\n(read-file \"b\")"},
		{"keyword", `(grep "TODO" #:path "src")`, `(grep "TODO" #:path "src")`},
		{"as a value", `(for-each delete-file '("a" "b"))`, "(delete-file \"a\")\n(delete-file \"b\")"},
		{"mapped", `(map (lambda (x) (read-file x)) (list "a" "b"))`, "(read-file \"a\")\n(read-file \"b\")"},
		{"par-map", `(par-map (lambda (x) (bash x)) '("ls" "pwd"))`, "(bash \"ls\")\n(bash _)"},
		{"not called", `(define (f) (bash "rm x")) 1`, ``},
		{"branches", `(if (file-exists? "a") (bash "x") (bash "y"))`, "(list-dir _)\n(bash \"x\")\n(bash \"y\")"},
		{"a branch never taken", `(if #f (bash "x") (bash "y"))`, `(bash "y")`},
		{"assigned", `(define x "a") (set! x "b") (read-file x)`, `(read-file _)`},
		{"ports", `(call-with-output-file "o.txt" (lambda (p) (write 1 p)))`, "(list-dir _)\n(append-file \"o.txt\" _)\n(write-file \"o.txt\" _)"},
		{"input", `(call-with-input-file "i.txt" read-line)`, `(read-file "i.txt")`},
		{"by name", `(call-tool 'bash "ls")`, `(bash "ls")`},
		{"applied", `(apply bash "ls" '(#:timeout 3))`, `(bash "ls" #:timeout 3)`},
		{"loops", `(let loop ((i 0)) (if (< i 10) (begin (bash "ls") (loop (+ i 1)))))`, `(bash "ls")`},
		{"recursion", `(define (f l) (if (pair? l) (begin (read-file (car l)) (f (cdr l))))) (f '("a" "b" "c"))`, "(read-file \"a\")\n(read-file \"b\")\n(read-file \"c\")"},
		{"in a table", `(define t (list (cons 'a (lambda () (bash "x"))))) ((cdr (assq 'a t)))`, `(bash "x")`},
		{"guarded", `(guard (e (#t (bash "no"))) (bash "yes"))`, "(bash \"no\")\n(bash \"yes\")"},
		{"background", `(background (lambda () (bash "x")))`, `(bash "x")`},
		{"variants", `(for-each (lambda (x) (bash (string-append "git " x))) '("status" "push"))`, "(bash \"git status\")\n(bash \"git push\")"},
		{"a name not known", `(call-tool (read) "x")`, "calls a tool whose name is not known"},
		{"evaluated", `(eval '(bash "x") (interaction-environment))`, "evaluates data as code: what that calls is decided when it runs"},
		{"a program", `(run-program (program "(bash \"x\")"))`, "runs a program of its own: what that calls is decided when it runs"},
		{"retry", `(retry 3 (lambda () (bash "x")))`, `(bash "x")`},
		{"with-budget", `(with-budget '((calls . 3)) (lambda () (bash "x")))`, `(bash "x")`},
		{"with-timeout", `(with-timeout 3 (lambda () (bash "x")))`, `(bash "x")`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(foreseen(t, tt.program), "\n"); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
