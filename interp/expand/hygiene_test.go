package expand

import "testing"

const swap = `(define-syntax swap! (syntax-rules () ((_ a b) (let ((tmp a)) (set! a b) (set! b tmp))))) `
const myOr = `(define-syntax my-or (syntax-rules () ((_) #f) ((_ e) e) ((_ e r ...) (let ((t e)) (if t t (my-or r ...)))))) `
const myIf = `(define-syntax my-if (syntax-rules (then else) ((_ c then a else b) (if c a b)) ((_ . r) 'no))) `

// pitfalls names the pitfalls of macro expansion and what each program must answer.
func pitfalls() []struct{ name, text, want string } {
	return []struct{ name, text, want string }{
		{"a template's variable does not capture", swap + `(let ((tmp 1) (other 2)) (swap! tmp other) (list tmp other))`, "(2 1)"},
		{"nor does a recursive macro's", myOr + `(let ((t 5)) (my-or #f t))`, "5"},
		{"a use's binding does not capture the template's free name", `(define-syntax five (syntax-rules () ((_) (+ 2 3)))) (let ((+ *)) (five))`, "5"},
		{"nor does one of a form's keyword", myOr + `(let ((if list) (let list)) (my-or #f 7))`, "7"},
		{"a local macro sees the scope of its definition", `(let ((x 'outer)) (let-syntax ((m (syntax-rules () ((m) x)))) (let ((x 'inner)) (m))))`, "outer"},
		{"shadowed if", `(let ((if list)) (if 1 2 3))`, "(1 2 3)"},
		{"shadowed else", `(let ((else #f)) (cond (else 'no) (#t 'yes)))`, "yes"},
		{"shadowed =>", `(let ((=> #f)) (cond (#t => 'ok)))`, "ok"},
		{"shadowed => in a macro's cond", `(define-syntax m (syntax-rules () ((_ e) (cond (#t e 'ok))))) (let ((=> 1)) (m =>))`, "ok"},
		{"else from a template", `(define-syntax m (syntax-rules () ((_ v) (cond (#f 1) (else v))))) (let ((else #f)) (m 2))`, "2"},
		{"else handed to a macro", `(define-syntax m (syntax-rules () ((_ c) (cond (#f 1) c)))) (m (else 3))`, "3"},
		{"shadowed ellipsis", `(let ((... 2)) (let-syntax ((s (syntax-rules () ((_ x ...) 'bad) ((_ . r) 'ok)))) (s a b c)))`, "ok"},
		{"ellipsis among the literals", `(define-syntax m (syntax-rules (...) ((_ ...) 'dots) ((_ x) 'other))) (list (m ...) (m 1))`, "(dots other)"},
		{"underscore among the literals", `(define-syntax m (syntax-rules (_) ((m _) 'wild) ((m x) 'other))) (list (m _) (m 1))`, "(wild other)"},
		{"literals compare by meaning", myIf + `(list (my-if #t then 1 else 2) (let ((then 0)) (my-if #t then 1 else 2)))`, "(1 no)"},
		{"a renamed literal", `(import (rename (%syntax) (else otherwise)) (%primitive)) (cond (#f 1) (otherwise 2))`, "2"},
		{"a literal handed on by another macro", myIf + `(define-syntax m (syntax-rules () ((_ a b) (my-if #f then a else b)))) (m 1 2)`, "2"},
		{"a literal as data", `(define-syntax m (syntax-rules () ((_ (a 1 "x" #\c #t)) 'a) ((_ x) 'no))) (list (m (z 1 "x" #\c #t)) (m (z 2 "x" #\c #t)))`, "(z no)"},
		{"quotation strips", `(define-syntax m (syntax-rules () ((_ x) '(a x #(b x))))) (m c)`, "(a c #(b c))"},
		{"quasiquotation strips", "(define-syntax m (syntax-rules () ((_ x) `(a ,x b)))) (m 1)", "(a 1 b)"},
		{"a macro that defines a macro", `(define-syntax def (syntax-rules () ((_ n v) (define-syntax n (syntax-rules () ((_) v)))))) (def one 1) (one)`, "1"},
		{"which has an ellipsis of its own", `(define-syntax def (syntax-rules () ((_ n) (define-syntax n (syntax-rules () ((_ e (... ...)) (list e (... ...)))))))) (def lst) (lst 1 2 3)`, "(1 2 3)"},
		{"(... ...) as data", `(let-syntax ((m (syntax-rules () ((_ a) '(a (... ...)))))) (m 1))`, "(1 ...)"},
		{"(... (x ...)) as data", `(let-syntax ((m (syntax-rules () ((_ a) '(... (a ...)))))) (m 1))`, "(1 ...)"},
		{"custom ellipsis", `(let-syntax ((m (syntax-rules ::: () ((_ a :::) '(a ::: ...))))) (m 1 2))`, "(1 2 ...)"},
		{"custom ellipsis from a template", `(define-syntax def (syntax-rules () ((_ n) (define-syntax n (syntax-rules ::: () ((_ e :::) (list e :::))))))) (def lst) (lst 1 2)`, "(1 2)"},
		{"custom ellipsis handed in", `(define-syntax def (syntax-rules () ((_ n dots) (define-syntax n (syntax-rules dots () ((_ e dots) (list e dots))))))) (def lst :::) (lst 1 2)`, "(1 2)"},
		{"nested ellipses", `(let-syntax ((m (syntax-rules () ((_ (a b ...) ...) '((b ... a) ...))))) (m (1 2 3) (4) (5 6)))`, "((2 3 1) (4) (6 5))"},
		{"flattened ellipses", `(let-syntax ((m (syntax-rules () ((_ (a ...) ...) '(a ... ...))))) (m (1 2) () (3)))`, "(1 2 3)"},
		{"three deep", `(let-syntax ((m (syntax-rules () ((_ ((a ...) ...) ...) '((a ... ...) ...))))) (m ((1 2) (3)) ((4))))`, "((1 2 3) (4))"},
		{"an outer variable in an inner loop", `(let-syntax ((m (syntax-rules () ((_ (a b ...) ...) '((a b) ... ...))))) (m (1 2 3) (4 5)))`, "((1 2) (1 3) (4 5))"},
		{"a constant in a loop", `(let-syntax ((m (syntax-rules () ((_ c a ...) '((c a) ...))))) (m 0 1 2))`, "((0 1) (0 2))"},
		{"one list for each item of another", `(let-syntax ((m (syntax-rules () ((_ (a ...) (b ...)) '((a b ...) ...))))) (m (1 2) (3 4)))`, "((1 3 4) (2 3 4))"},
		{"a tail after an ellipsis", `(let-syntax ((m (syntax-rules () ((_ a ... y z) '((a ...) y z))))) (m 1 2 3 4))`, "((1 2) 3 4)"},
		{"a dotted tail after an ellipsis", `(let-syntax ((m (syntax-rules () ((_ a ... y . z) '((a ...) y z))))) (m 1 2 . 3))`, "((1) 2 3)"},
		{"a rest pattern", `(let-syntax ((m (syntax-rules () ((_ a . r) '(a r))))) (list (m 1 2 3) (m 1) (m 1 . 2)))`, "((1 (2 3)) (1 ()) (1 2))"},
		{"a vector pattern", `(let-syntax ((m (syntax-rules () ((_ #(a b ... c)) '(a (b ...) c #(c b ... a)))))) (m #(1 2 3 4)))`, "(1 (2 3) 4 #(4 2 3 1))"},
		{"the underscore", `(let-syntax ((m (syntax-rules () ((_ _ b _) 'b)))) (m 1 2 3))`, "2"},
		{"letrec-syntax", `(letrec-syntax ((ev? (syntax-rules () ((_) #t) ((_ x . r) (od? . r)))) (od? (syntax-rules () ((_) #f) ((_ x . r) (ev? . r))))) (list (ev? 1 2) (ev? 1)))`, "(#t #f)"},
		{"let-syntax is not recursive", `(define-syntax m (syntax-rules () ((_) 'outer))) (let-syntax ((m (syntax-rules () ((_ x) (m))))) (m 1))`, "outer"},
		{"an internal define-syntax", `(define (f x) (define-syntax dbl (syntax-rules () ((_ e) (* 2 e)))) (define y (dbl x)) (dbl y)) (f 3)`, "12"},
		{"internal definitions by a macro", `(define-syntax def2 (syntax-rules () ((_ a b v) (begin (define a v) (define b (+ a 1)))))) (define (f) (def2 x y 1) (list x y)) (f)`, "(1 2)"},
		{"a template's internal definition stays hidden", `(define-syntax def (syntax-rules () ((_ n v) (begin (define tmp v) (define (n) tmp))))) (define (f) (define tmp 0) (def a 1) (def b 2) (list tmp (a) (b))) (f)`, "(0 1 2)"},
		{"so does one at top level", `(define-syntax def (syntax-rules () ((_ n v) (begin (define tmp v) (define (n) tmp))))) (define tmp 0) (def a 1) (def b 2) (list tmp (a) (b))`, "(0 1 2)"},
		{"a macro used before its definition in a body", `(define (f) (define (g) (m)) (define-syntax m (syntax-rules () ((_) 4))) (g)) (f)`, "4"},
		{"a macro used before its definition at top level", `(define (g) (m)) (define-syntax m (syntax-rules () ((_) 4))) (g)`, "4"},
		{"an internal definition shadows from the start of its body", `(define x 1) (define (f) (define (g) x) (define x 2) (g)) (f)`, "2"},
		{"an internal definition shadows a form", `(define (f) (define (when . r) r) (when 1 2)) (f)`, "(1 2)"},
		{"a parameter shadows a macro", myOr + `((lambda (my-or) (my-or 1 2)) list)`, "(1 2)"},
		{"a macro makes a binding form", `(define-syntax my-let (syntax-rules () ((_ ((n v) ...) b ...) ((lambda (n ...) b ...) v ...)))) (my-let ((x 1) (y 2)) (list y x))`, "(2 1)"},
		{"a macro makes a loop", `(define-syntax my-do (syntax-rules () ((_ n b) (let loop ((i 0) (acc '())) (if (= i n) (reverse acc) (loop (+ i 1) (cons b acc))))))) (let ((i 7) (loop 8)) (my-do 2 (list i loop)))`, "((7 8) (7 8))"},
		{"the same name introduced at two levels", `(define-syntax a (syntax-rules () ((_ e) (let ((x 1)) (b e x))))) (define-syntax b (syntax-rules () ((_ e y) (let ((x 2)) (list e y x))))) (let ((x 0)) (a x))`, "(0 1 2)"},
		{"a name that a macro hands on to itself", `(define-syntax m (syntax-rules () ((_ () (n ...)) (let ((n 1) ...) (+ n ...))) ((_ (x . r) (n ...)) (m r (n ... tmp))))) (m (a b c) ())`, "3"},
		{"a macro from a macro sees its own scope", `(define x 'top) (define-syntax m (syntax-rules () ((_ e) (let ((x 'mid)) (let-syntax ((get (syntax-rules () ((_) x)))) (let ((x 'in)) (list e (get) x))))))) (let ((x 'use)) (m x))`, "(use mid in)"},
		{"set! through a macro", `(define n 0) (define-syntax inc! (syntax-rules () ((_) (set! n (+ n 1))))) (let ((n 10)) (inc!) (inc!) n) n`, "2"},
		{"a macro as an alias", `(define-syntax my-if if) (define-syntax again my-if) (let ((if list)) (again #f 1 2))`, "2"},
		{"a transformer by a macro", `(define-syntax rule (syntax-rules () ((_ p t) (syntax-rules () (p t))))) (define-syntax m (rule (_ x) (list x x))) (m 1)`, "(1 1)"},
		{"define-syntax-rule", `(define-syntax-rule (twice e) (list e e)) (define-syntax-rule (all e ...) (list e ...)) (list (twice 1) (all 2 3))`, "((1 1) (2 3))"},
		{"a redefined macro", `(define-syntax m (syntax-rules () ((_) 1))) (define-syntax m (syntax-rules () ((_) 2))) (m)`, "2"},
		{"a macro redefined as a procedure", `(define-syntax m (syntax-rules () ((_) 1))) (define (m) 2) (m)`, "2"},
		{"named let in a template", `(define-syntax m (syntax-rules () ((_ n) (let n ((i 0)) (if (= i 3) 'done (n (+ i 1))))))) (m lp)`, "done"},
		{"do in a template", `(define-syntax m (syntax-rules () ((_ e) (do ((i 0 (+ i 1)) (l '() (cons e l))) ((= i 2) l))))) (let ((i 9)) (m i))`, "(9 9)"},
		{"case-lambda in a template", `(define-syntax m (syntax-rules () ((_ e) (case-lambda ((x) (list e x)) ((x . y) (list e x y)))))) (let ((x 0)) (list ((m x) 1) ((m x) 1 2)))`, "((0 1) (0 1 (2)))"},
		{"a record in a template", `(define-syntax m (syntax-rules () ((_ v) (let () (define (f x) (list v x)) (f 2))))) (let ((x 1) (f 3)) (m (list x f)))`, "((1 3) 2)"},
		{"data that look like binding forms", `(define-syntax m (syntax-rules () ((_ x) (quote (let ((x 1)) x))))) (m y)`, "(let ((y 1)) y)"},
		{"CK-style continuation", `(define-syntax rev (syntax-rules () ((_ (k ...) () acc) (k ... acc)) ((_ k (x . r) (y ...)) (rev k r (x y ...))))) (rev (quote) (1 2 3) ())`, "(3 2 1)"},
		{"a literal that is also bound at top level", `(define in 1) (define-syntax for (syntax-rules (in) ((_ x in l) (apply list l)) ((_ . r) 'no))) (for x in '(1 2))`, "(1 2)"},
		{"Petrofsky's let-syntax", `(let ((a 1)) (letrec-syntax ((foo (syntax-rules () ((_ b) (bar a b)))) (bar (syntax-rules () ((_ c d) (list c (let ((c 3)) (list c d 'c)))))))  (let ((a 2)) (foo a))))`, "(1 (3 2 a))"},
		{"be-like-begin", `(define-syntax be-like-begin (syntax-rules () ((_ name) (define-syntax name (syntax-rules () ((_ expr (... ...)) (begin expr (... ...)))))))) (be-like-begin sequence) (sequence 1 2 3 4)`, "4"},
		{"a binding by two expansions", `(define-syntax m (syntax-rules () ((_ x) (let ((y 1)) (list x y))))) (let ((y 2)) (m (m y)))`, "((2 1) 1)"},
		{"bodies with definitions after expressions", `(define (f) (define a 1) (set! a (+ a 1)) (define b a) (list a b)) (f)`, "(2 2)"},
		{"imported name taken over, old value kept", `(define old+ +) (define (+ a b) (old+ a (old+ b 100))) (list (+ 1 2) (old+ 1 2))`, "(103 3)"},
		{"imported name taken over later", `(define a (+ 1 2)) (define (+ x y) 'mine) (list a (+ 1 2))`, "(3 mine)"},
		{"imported name taken over after a call that uses it", `(define (f) (+ 1 2)) (define a (f)) (define (+ x y) 'mine) (list a (f))`, "(3 mine)"},
		{"a definition and a macro that sees it, both introduced", `(define-syntax jabberwocky (syntax-rules () ((_ hatter) (begin (define march-hare 42) (define-syntax hatter (syntax-rules () ((_) march-hare))))))) (jabberwocky mad-hatter) (mad-hatter)`, "42"},
		{"the same in a body", `(define-syntax jabberwocky (syntax-rules () ((_ hatter) (begin (define march-hare 42) (define-syntax hatter (syntax-rules () ((_) march-hare))))))) (let () (jabberwocky mad-hatter) (mad-hatter))`, "42"},
		{"an ellipsis that is also a literal", `(let-syntax ((m (syntax-rules ... (...) ((_ x) '(x ...))))) (m 100))`, "(100 ...)"},
		{"an escaped template that starts with dots", `(let-syntax ((m (syntax-rules () ((_ x y) '(... (... x y)))))) (m 1 2))`, "(... 1 2)"},
		{"a tail of pairs", `(let-syntax ((m (syntax-rules () ((_ a b (m n) ... x y) (list a b '(m ...) '(n ...) x y)) ((_ . rest) 'error)))) (list (m 1 2 (3 4) (5 6) 7 8) (m 1 2 3)))`, "((1 2 (3 5) (4 6) 7 8) error)"},
		{"definitions under two macros of one template", `(define-syntax def (syntax-rules () ((_ get set) (begin (define cell 0) (define (get) cell) (define (set v) (set! cell v)))))) (def get-a set-a) (def get-b set-b) (set-a 1) (set-b 2) (list (get-a) (get-b))`, "(1 2)"},
		{"a record under a macro", `(define-syntax def (syntax-rules () ((_ n v) (begin (define-values (hidden n) (values v (+ v 1))))))) (def a 1) (def b 3) (list a b)`, "(2 4)"},
		{"a literal underscore bound", `(let ((_ 5)) (let-syntax ((m (syntax-rules () ((m a) (list a _))))) (m 1)))`, "(1 5)"},
		{"macro arguments keep their own scope through a binding macro", `(define-syntax with (syntax-rules () ((_ (n v) e) (let ((n v)) e)))) (define-syntax m (syntax-rules () ((_ e) (with (x 1) (list x e))))) (let ((x 2)) (m x))`, "(1 2)"},
	}
}

func TestHygiene(t *testing.T) {
	for _, c := range pitfalls() {
		t.Run(c.name, func(t *testing.T) {
			got, err := run(t, nil, c.text)
			if err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
