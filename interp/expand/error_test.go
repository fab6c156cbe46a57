package expand

import (
	"errors"
	"strings"
	"testing"
)

// TestErrors holds texts beside the whole message, its place included, and the hints.
func TestErrors(t *testing.T) {
	cases := []struct{ source, want, hints string }{
		// shapes of forms
		{`(quote)`, `1:1: quote: expected (quote datum), found (quote)`, ``},
		{`(if 1)`, `1:1: if: expected (if test then else), found (if 1)`, ``},
		{`(if 1 2 3 4)`, `1:1: if: expected a test and at most two branches, found 4 parts`, `to do several things in a branch, use (begin ...) or cond`},
		{`(if . 1)`, `1:1: if: the form ends in a dot and 1`, ``},
		{`(car . 1)`, `1:1: a call ends in a dot and 1`, ``},
		{`(lambda)`, `1:1: lambda: expected (lambda (name ...) body ...), found (lambda)`, ``},
		{`(lambda (x))`, `1:1: lambda: the body is empty in (lambda (x))`, ``},
		{`(lambda 5 1)`, `1:9: lambda: the parameters are a list of names or one name, found 5`, `write (lambda (name ...) body ...)`},
		{`(lambda (x 5) 1)`, `1:12: lambda: each parameter is a name, and after those (name default), found 5`, `write (lambda (name ...) body ...)`},
		{`(lambda (x (y 1) z) 1)`, `1:18: lambda: each parameter is a name, and after those (name default), found z`, `write (lambda (name ...) body ...)`},
		{`(lambda (x #:k) 1)`, `1:12: lambda: a parameter follows the keyword, found #:k`, `write (lambda (name ...) body ...)`},
		{`(lambda (x #:k 5) 1)`, `1:16: lambda: after a keyword comes a name or (name default), found 5`, `write (lambda (name ...) body ...)`},
		{`(lambda (x #:rest (r 1)) 1)`, `1:19: lambda: one name takes the rest, found (r 1)`, `write (lambda (name ...) body ...)`},
		{`(lambda ((x 1) y #:k z) 1)`, `1:16: lambda: required parameters come before optional ones, found y`, `write (lambda (name ...) body ...)`},
		{`(case-lambda ((x (y 1)) 1))`, `1:18: case-lambda: each parameter is a name, found (y 1)`, `for optional parameters use case-lambda or a rest parameter (a . rest)`},
		{`(lambda (x y x) 1)`, `1:14: lambda: the name x occurs twice`, ``},
		{`(lambda (x . x) 1)`, `1:14: lambda: the name x occurs twice`, ``},
		{`(define)`, `1:1: define: expected (define name value) or (define (name . parameters) body ...), found (define)`, ``},
		{`(define 5 1)`, `1:9: define: the name to define is an identifier, found 5`, `write (define (name parameter ...) body ...) or (define name value)`},
		{`(define x 1 2)`, `1:1: define: expected one value for x, found 2`, `to define a procedure, put its name and parameters in parentheses`},
		{`(define (f))`, `1:1: define: the body is empty in (define (f))`, ``},
		{`(define () 1)`, `1:9: define: the name and parameters of a procedure, found ()`, `write (define (name parameter ...) body ...) or (define name value)`},
		{`(define (f) (define x 1))`, `1:1: define: the body has no expression after its definitions`, `a body ends in an expression, whose value it answers`},
		{`(let () (define x 1) (define x 2) x)`, `1:30: let: x is defined twice in the same body`, `to change a variable use set!`},
		{`(if 1 (define x 2))`, `1:7: define: a definition is not allowed here, where a value is expected`, `move it to the start of a body, or use let`},
		{`(let ((x 5) y) 1)`, `1:13: let: each binding is (name value), found y`, `each binding has its own parentheses: (let ((name value) ...) body ...)`},
		{`(let (5) 1)`, `1:7: let: each binding is (name value), found 5`, `write (let ((name value) ...) body ...)`},
		{`(let (x 5) 1)`, `1:7: let: each binding is (name value), found x`, `each binding has its own parentheses: (let ((name value) ...) body ...)`},
		{`(let ((x 1 2)) 1)`, `1:7: let: each binding is (name value), found (x 1 2)`, `write (let ((name value) ...) body ...)`},
		{`(let ((1 2)) 1)`, `1:8: let: each binding is (name value), found 1`, `write (let ((name value) ...) body ...)`},
		{`(let 5 1)`, `1:6: let: the bindings are ((name value) ...), found 5`, `write (let ((name value) ...) body ...)`},
		{`(let ((x 1) (x 2)) x)`, `1:14: let: the name x occurs twice`, ``},
		{`(let ((x 1)))`, `1:1: let: expected (let ((name value) ...) body ...), found (let ((x 1)))`, ``},
		{`(let loop ((x 1)))`, `1:1: let: expected (let name ((name value) ...) body ...), found (let loop ((x 1)))`, ``},
		{`(letrec ((x 1)))`, `1:1: letrec: expected (letrec ((name value) ...) body ...), found (letrec ((x 1)))`, ``},
		{`(let-values ((a)) 1)`, `1:14: let-values: each binding is ((name ...) value), found (a)`, `write (let-values (((name ...) value) ...) body ...)`},
		{`(let-values (((a) 1) ((a) 2)) 1)`, `1:24: let-values: the name a occurs twice`, ``},
		{`(do ((i)) (1))`, `1:6: do: each variable is (name init step), found (i)`, `write (do ((name init step) ...) (test result ...) body ...)`},
		{`(do ((i 1)) ())`, `1:13: do: the end of the loop is (test result ...), found ()`, `write (do ((name init step) ...) (test result ...) body ...)`},
		{`(cond)`, `1:1: cond: expected (cond (test value ...) ... (else value ...)), found (cond)`, ``},
		{`(cond 5)`, `1:7: cond: each clause is (test value ...), found 5`, `write (cond (test value ...) ... (else value ...))`},
		{`(cond ())`, `1:7: cond: each clause is (test value ...), found ()`, `write (cond (test value ...) ... (else value ...))`},
		{`(cond (else 1) (2 3))`, `1:7: cond: else must be the last clause`, ``},
		{`(cond (else))`, `1:7: cond: the last clause is (else value ...), found (else)`, `write (cond (test value ...) ... (else value ...))`},
		{`(cond (1 =>))`, `1:7: cond: a clause with => is (test => procedure), found (1 =>)`, `write (cond (test value ...) ... (else value ...))`},
		{`(case 1 (a 2))`, `1:9: case: each clause is ((datum ...) value ...), found (a 2)`, `put the datum in parentheses`},
		{`(case 1 ((a)))`, `1:9: case: each clause is ((datum ...) value ...), found ((a))`, `write (case key ((datum ...) value ...) ... (else value ...))`},
		{`(when 1)`, `1:1: when: expected (when test value ...), found (when 1)`, ``},
		{`(guard x 1)`, `1:8: guard: (guard (name clause ...) body ...), found x`, `write (guard (name (test value ...) ...) body ...)`},
		{`(guard (1) 1)`, `1:9: guard: the condition's name is an identifier, found 1`, `write (guard (name (test value ...) ...) body ...)`},
		{`(parameterize ((x)) 1)`, `1:16: parameterize: each binding is (parameter value), found (x)`, `write (parameterize ((parameter value) ...) body ...)`},
		{`(set! x)`, `1:1: set!: expected (set! name value), found (set! x)`, ``},
		{`(set! (car x) 1)`, `1:7: set!: the variable is an identifier, found (car x)`, `a part of a value is changed with (set-car! pair x), (vector-set! vector k x) or (hash-table-set! table key x)`},
		{`(set! car 1)`, `1:7: set!: car is imported and cannot be assigned`, `define a variable of that name first`},
		{`(set! if 1)`, `1:7: set!: if is syntax and cannot be assigned`, ``},
		{`(case-lambda (x))`, `1:1: case-lambda: the body is empty in (case-lambda (x))`, ``},
		{`()`, `1:1: () is not an expression`, `the empty list is written '()`},
		{`else`, `1:1: else is syntax, not a value`, `else begins the last clause of cond or case; if has none: (if test value other)`},
		{`(else 1)`, `1:1: else has no meaning outside of the form that it belongs to`, `else begins the last clause of cond or case; if has none: (if test value other)`},
		{`(map and '(1))`, `1:6: and is syntax, not a value`, `to hand it on, wrap it in a lambda`},
		{"`(1 (unquote-splicing))", "1:5: quasiquote: expected (unquote-splicing value), found (unquote-splicing)", ``},
		{"`,@1", "1:2: quasiquote: unquote-splicing must stand inside a list", ``},
		// records
		{`(define-record-type p)`, `1:1: define-record-type: expected (define-record-type name (constructor field ...) predicate (field accessor [modifier]) ...), found (define-record-type p)`, ``},
		{`(define-record-type p (mk z) p? (x px))`, `1:27: define-record-type: the constructor's field z is not a field of the record`, ``},
		{`(define-record-type p (mk x x) p? (x px))`, `1:29: define-record-type: the name x occurs twice`, ``},
		{`(define-record-type p mk p? (x px) (x py))`, `1:37: define-record-type: the name x occurs twice`, ``},
		{`(define-record-type p mk p? (x 1))`, `1:32: define-record-type: the name to define is an identifier, found 1`, ``},
		{`(struct p)`, `1:1: struct: expected (struct name (field ...) option ...), found (struct p)`, ``},
		{`(struct p q (x))`, `1:11: struct: a structure cannot extend another`, `give it all of its fields: (struct name (field ...)); any value can be raised, and its predicate tells it in guard or with-handlers`},
		{`(struct p (x) #:super q)`, `1:15: struct: the option #:super is not supported`, ``},
		{`(define-record-type p (parent q) (fields x))`, `1:23: define-record-type: (parent …) is not supported`, `give it all of its fields: no record type extends another`},
		{`(define-record-type p (fields x) (protocol (lambda (new) new)))`, `1:34: define-record-type: (protocol …) is not supported`, `write the constructor apart: (define-record-type (p %make-p p?) (fields ...)) (define (make-p ...) (%make-p ...))`},
		{`(define-record-type p (fields (x y)))`, `1:31: define-record-type: each field is name, (immutable name) or (mutable name), found (x y)`, ``},
		// macros
		{`(define-syntax)`, `1:1: define-syntax: expected (define-syntax name transformer), found (define-syntax)`, ``},
		{`(define-syntax (m s) s)`, `1:1: define-syntax: procedural macros are not available`, `write (define-syntax name (syntax-rules () (pattern template) ...))`},
		{`(define-syntax m (lambda (s) s))`, `1:18: define-syntax: the transformer is (syntax-rules ...), found (lambda (s) s)`, `only syntax-rules macros are available`},
		{`(define-syntax m (syntax-rules))`, `1:18: syntax-rules: expected (syntax-rules (literal ...) (pattern template) ...), found (syntax-rules)`, ``},
		{`(define-syntax m (syntax-rules () (_ 1)))`, `1:36: syntax-rules: a pattern is a list that starts with the name of the macro, found _`, `write (syntax-rules () ((_ pattern ...) template) ...)`},
		{`(define-syntax m (syntax-rules () ((_ x))))`, `1:35: syntax-rules: each rule is (pattern template), found ((_ x))`, `write (syntax-rules () ((_ pattern ...) template) ...)`},
		{`(define-syntax m (syntax-rules () ((_ x x) 1)))`, `1:41: syntax-rules: the pattern variable x occurs twice`, ``},
		{`(define-syntax m (syntax-rules () ((_ x ... y ...) 1)))`, `1:47: syntax-rules: a list pattern has two ellipses`, ``},
		{`(define-syntax m (syntax-rules () ((_ ... x) 1)))`, `1:39: syntax-rules: an ellipsis must follow a pattern`, ``},
		{`(define-syntax m (syntax-rules () ((_ x ...) x)))`, `1:46: syntax-rules: the pattern variable x needs 1 more ellipsis in the template`, ``},
		{`(define-syntax m (syntax-rules () ((_ x) (x ...))))`, `1:43: syntax-rules: x has no pattern variable for an ellipsis to repeat`, ``},
		{`(define-syntax m (syntax-rules () ((_ x ...) (... x))))`, `1:51: syntax-rules: the pattern variable x needs 1 more ellipsis in the template`, ``},
		{`(syntax-rules ())`, `1:1: syntax-rules: a transformer is not a value`, `use define-syntax or let-syntax`},
		{"(define-syntax m (syntax-rules () ((_ x) x) ((_ x y) x)))\n(m 1 2 3)", `2:1: m: no rule of this macro matches (m 1 2 3)`, `it accepts (_ x)|it accepts (_ x y)`},
		{"(define-syntax m (syntax-rules () ((_ x) x)))\nm", `2:1: m is a macro, not a value`, `to hand it on, wrap it in a lambda`},
		{"(define-syntax m (syntax-rules () ((_ x) (let (x) 1))))\n(list (m 5))", `2:10: let: each binding is (name value), found 5`, `write (let ((name value) ...) body ...)|in the expansion of the macro m`},
		{"(define-syntax m (syntax-rules () ((_ x) (let y))))\n(list (m 5))", `2:7: let: expected (let name ((name value) ...) body ...), found (let y)`, `in the expansion of the macro m`},
		{"(define-syntax m (syntax-rules () ((_ (x ...) (y ...)) '((x y) ...))))\n(m (1 2) (3))", `2:1: m: the template repeats variables of 2 and of 1 items together`, `in the expansion of the macro m`},
		{`(syntax-error "no such thing:" (a b) 5)`, `1:1: no such thing: (a b) 5`, ``},
		{"(define-syntax m (syntax-rules () ((_ x) (syntax-error \"bad\" x))))\n(m 5)", `2:1: bad 5`, `in the expansion of the macro m`},
		// names
		{`(foo)`, `1:2: foo is not defined`, ``},
		{"(define (f)\n  (bar (baz)))", `2:4: bar is not defined`, `did you mean car?|also not defined: baz`},
		{"(define-syntax back (syntax-rules () ((_ a b) (list b a))))\n(back (fn (u) u) zork)", `2:8: fn is not defined`, `write (lambda (name ...) body ...)|also not defined: zork|in the expansion of the macro back`},
		{`(vector-rfe 1)`, `1:2: vector-rfe is not defined`, `did you mean vector-ref?`},
		{`(defien x 1)`, `1:2: defien is not defined`, `did you mean define?`},
		{`(print 1)`, `1:2: print is not defined`, `did you mean display or write?`},
		{`(reset (shift k 1))`, `1:2: reset is not defined`, `did you mean call/ec or call/cc?|also not defined: shift, k`},
		{`(set! foo 1)`, `1:7: foo is not defined`, ``},
		{`(display nil)`, `1:10: nil is not defined`, `the empty list is '(), false is #f`},
		{"(define-syntax def (syntax-rules () ((_) (define secret 1))))\n(def)\nsecret", `3:1: secret is not defined`, `a macro defines secret, but under a name of its own: hand the name to the macro as an argument`},
		{"(define-syntax m (syntax-rules () ((_) (foo))))\n(list (m))", `2:7: foo is not defined`, `in the expansion of the macro m`},
		{`(match '(1) ((a . b) a))`, `1:2: match is not defined`, `read as a call, it has an error inside: a call ends in a dot and b`},
		{`(for-each* x (define y 1))`, `1:2: for-each* is not defined`, `did you mean for-each?|read as a call, it has an error inside: define: a definition is not allowed here, where a value is expected`},
		// libraries
		{`(import (no such))`, `1:9: there is no library (no such)`, `it would be no/such.sld beside the program or in a folder given with --lib`},
		{`(import (%primitve))`, `1:9: there is no library (%primitve)`, `it would be %primitve.sld beside the program or in a folder given with --lib`},
		{`(import (countr))`, `1:9: there is no library (countr)`, `it would be countr.sld beside the program or in a folder given with --lib`},
		{`(import 5)`, `1:9: import: an import set is a library name or (only|except|prefix|rename set ...), found 5`, `write (import (scheme base) (only (srfi 1) fold) (rename (srfi 2) (old new)) ...)`},
		{`(import (only (counter) nxt!))`, `1:25: import: the library does not export nxt!`, `did you mean next!?`},
		{`(import (rename (counter) (now)))`, `1:27: import: each renaming is (old new), found (now)`, `write (import (scheme base) (only (srfi 1) fold) (rename (srfi 2) (old new)) ...)`},
		{`(import (counter)) (next!) (car 1)`, `1:29: car is not defined`, ``},
		{`(import (%syntax) (counter)) (go)`, `1:31: go is not defined`, ``},
		{`(import (cycle a))`, `1:35: circular import: (cycle a) imports (cycle b) imports (cycle a)`, ``},
		{`(import (secret))`, `1:9: the library (secret) cannot be read: permission denied`, ``},
		{`(import (looping))`, `1:1: include: files include each other too deeply (limit 64)`, ``},
		{`(define-library (x) (export y))`, `1:29: the library (x) exports y, which it does not define`, ``},
		{`(define-library (x) (export 5))`, `1:29: export: each item is a name or (rename inner outer), found 5`, ``},
		{`(define-library (x) (define y 1))`, `1:21: define-library: each declaration is export, import, begin, include, include-ci, include-library-declarations or cond-expand, found (define y 1)`, `definitions go into (begin ...)`},
		{`(define-library (x) (import (%syntax)) (begin (define y z)))`, `1:57: z is not defined`, ``},
		{`(define-library (%syntax))`, `1:17: define-library: the library (%syntax) exists already`, ``},
		{`(define-library "x")`, `1:17: define-library: the name of a library is a list such as (scheme base), found "x"`, ``},
		{`(let () (import (counter)) 1)`, `1:9: import: an import belongs at top level`, ``},
		{`(include "none.scm")`, `1:10: include: there is no file "none.scm"`, ``},
		{`(include none)`, `1:10: include: the name of a file is a string, found none`, ``},
		{`(include "loop.scm")`, `1:1: include: files include each other too deeply (limit 64)`, ``},
		{`(include "bad.scm")`, `the ( at 1:1 is not closed`, ``},
		{`(cond-expand (1 2))`, `1:15: cond-expand: a requirement is a feature, (library name), (and ...), (or ...) or (not ...), found 1`, ``},
		{`(cond-expand else)`, `1:14: cond-expand: each clause is (requirement form ...), found else`, ``},
	}
	for _, c := range cases {
		_, err := expandText(t, shelf, c.source)
		if err == nil {
			t.Errorf("%s: no error", c.source)
			continue
		}
		var e *Error
		if !errors.As(err, &e) { // of the reader
			if !strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("%s\n  got %s", c.source, err)
			}
			continue
		}
		_, place, _ := strings.Cut(err.Error(), ":")
		if place != c.want {
			t.Errorf("%s\n  got  %s\n  want %s", c.source, place, c.want)
		}
		if hints := strings.Join(e.Hints, "|"); hints != c.hints {
			t.Errorf("%s\n  hints %s\n  want  %s", c.source, hints, c.hints)
		}
	}
}

func TestTrail(t *testing.T) {
	_, err := expandText(t, nil, "(define-syntax a (syntax-rules () ((_ x) (list (b x)))))\n(define-syntax b (syntax-rules () ((_ x) (if x))))\n(a\n  5)")
	var e *Error
	if !errors.As(err, &e) || err.Error() != "t.scm:3:1: if: expected (if test then else), found (if 5)" {
		t.Fatal(err)
	}
	if len(e.Trail) != 1 || e.Trail[0].Text() != "(a\n  5)" {
		t.Errorf("trail %v", e.Trail)
	}
	_, err = expandText(t, nil, "(define-syntax a (syntax-rules () ((_ x) (list x))))\n(a\n  (a (if 5)))")
	if !errors.As(err, &e) || len(e.Trail) != 2 || e.Trail[0].Text() != "(a (if 5))" {
		t.Errorf("%v", err)
	}
}

func TestMissingSupport(t *testing.T) {
	w := NewWorld(nil, NewSlots(0, 10), nil, Limits{})
	_, err := w.NewProgram([]string{"(%syntax)"}).Expand(parse(t, "t.scm", "`(1 ,2)"))
	if err == nil || err.Error() != "t.scm:1:2: the support procedure cons is missing from (%support) and (%primitive)" {
		t.Error(err)
	}
	if err := w.DefinePrimitives("(%primitive)", make([]string, 11)); err == nil || !strings.Contains(err.Error(), "limit 10") {
		t.Error(err)
	}
}

func TestSupportLibrary(t *testing.T) {
	lib := texts{"(%support)": `(define-library (%support) (export %assert-failed) (import (%syntax) (%primitive)) (begin (define (%assert-failed x) (assert x) (cons x (quasiquote (1 (unquote x)))))))`}
	got, err := expandText(t, lib, `(assert 1)`)
	want := "(%support): (define g:%assert-failed (lambda (x) (begin (if x #!unspecified (call g:%assert-failed 'x)) (call g:cons x (call g:cons 1 (call g:cons x '()))))))\n" +
		"t.scm: (if 1 #!unspecified (call g:%assert-failed 1))"
	if err != nil || got != want {
		t.Errorf("%v %s", err, got)
	}
}
