package vm_test

import (
	"testing"

	"caper/interp/heap"
	"caper/interp/vm"
)

func TestBudgetsOfBranches(t *testing.T) {
	const spent = `(define (why e) (list (condition-kind e) (cdr (assq 'code (%condition-data e))) (cdr (assq 'part (%condition-data e)))))
		(define-syntax try (syntax-rules () ((_ e) (guard (x ((%condition? x) (why x))) e))))
		(define (spin) (spin)) (define (turn n) (if (> n 0) (turn (- n 1)) 'turned)) `
	for _, c := range []script{
		{"enough of all", `(with-budget '((fuel . 1000) (time . 3) (calls . 1)) (lambda () (%charge-call) (+ 1 (%host 'a))))`,
			[]string{"a()@0.0#0", "%timer(3)@0.1#0", "answer 1 -> 5", "cancelled 2"}, "6"},
		{"a loop", `(try (with-budget '((fuel . 1000)) spin))`, nil, "(tool-error budget fuel)"},
		{"what it says", `(guard (x (#t (error-object-message x))) (with-budget '((fuel . 1000)) spin))`, nil,
			`"with-budget: what ran in it used up its fuel, 1000 calls and loop turns"`},
		{"work of primitives", `(try (with-budget '((fuel . 1000)) (lambda () (let loop () (make-vector 5000 0) (loop)))))`, nil, "(tool-error budget fuel)"},
		{"numbers that grow", `(try (with-budget '((fuel . 1000)) (lambda () (let loop ((n 3)) (loop (* n n))))))`, nil, "(tool-error budget fuel)"},
		{"a loop of continuations", `(try (with-budget '((fuel . 1000)) (lambda () (let ((k (call/cc (lambda (c) c)))) (k k)))))`, nil, "(tool-error budget fuel)"},
		{"a handler does not keep it", `(try (with-budget '((fuel . 1000)) (lambda () (let again () (guard (x (#t (again))) (with-exception-handler (lambda (x) (again)) spin))))))`,
			nil, "(tool-error budget fuel)"},
		{"time", `(try (with-budget '((time . 1/2) (fuel . 1000)) (lambda () (%host 'a))))`,
			[]string{"a()@0.0#0", "%timer(0.5)@0.1#0", "answer 2 -> 5", "cancelled 1"}, "(tool-error budget time)"},
		{"calls", `(try (with-budget '((calls . 1)) (lambda () (%charge-call) (%host 'a) (guard (x (#t 'kept)) (%charge-call) (%host 'b)))))`,
			[]string{"a()@0.0#0 -> 1"}, "(tool-error budget calls)"},
		{"no calls", `(try (with-budget '((calls . 0)) (lambda () (%charge-call) (%host 'a))))`, nil, "(tool-error budget calls)"},
		{"calls of all branches", `(try (with-budget '((calls . 2)) (lambda () (par-map (lambda (x) (%charge-call) (%host 'a x)) '(1 2 3)))))`,
			nil, "(tool-error budget calls)"},
		{"calls that have begun are cancelled", `(try (with-budget '((calls . 2)) (lambda () (par-map (lambda (x) (%host 'wait x) (%charge-call) (%host 'a x)) '(1 2 3)))))`,
			[]string{"wait(1)@0.0.0#0 -> 1", "wait(2)@0.0.1#0 -> 1", "wait(3)@0.0.2#0 -> 1", "cancelled 4 5", "a(1)@0.0.0#1", "a(2)@0.0.1#1"}, "(tool-error budget calls)"},
		{"fuel of all branches", `(try (with-budget '((fuel . 3000)) (lambda () (par-map (lambda (x) (turn 1000)) '(1 2 3)))))`, nil, "(tool-error budget fuel)"},
		{"one of them has enough", `(try (with-budget '((fuel . 3000)) (lambda () (par-map (lambda (x) (turn 1000)) '(1 2)))))`, nil, "(turned turned)"},
		{"the outer one is charged too", `(try (with-budget '((fuel . 2000)) (lambda () (try (with-budget '((fuel . 1000)) spin)) (with-budget '((fuel . 5000)) (lambda () (turn 1000))) 'kept)))`,
			nil, "(tool-error budget fuel)"},
		{"the inner one ends first", `(list (with-budget '((fuel . 3000)) (lambda () (try (with-budget '((fuel . 1000)) spin)) (turn 1000))) 'after)`, nil, "(turned after)"},
		{"the outer one ends first", `(try (with-budget '((fuel . 1000)) (lambda () (try (with-budget '((fuel . 2000)) spin)) 'kept)))`, nil, "(tool-error budget fuel)"},
		{"calls of the outer one", `(try (with-budget '((calls . 1)) (lambda () (try (with-budget '((calls . 5)) (lambda () (%charge-call) (%charge-call)))) 'kept)))`,
			nil, "(tool-error budget calls)"},
		{"afterwards nothing is charged", `(list (with-budget '((fuel . 1000)) (lambda () 1)) (turn 5000) (with-budget '((fuel . 1000)) (lambda () 2)))`, nil, "(1 turned 2)"},
		{"beside a branch without one", `(parallel (lambda () (turn 5000)) (lambda () (try (with-budget '((fuel . 1000)) (lambda () (%host 'a) (turn 500))))) (lambda () (turn 5000)))`,
			[]string{"a()@0.1.0#0 -> 1"}, "(turned turned turned)"},
		{"left by a continuation", `(call/cc (lambda (k) (with-budget '((fuel . 1000)) (lambda () (k 'out)))))`, nil, "out"},
		{"it leaves its winds, innermost first", `(define out '()) (define (in name f) (dynamic-wind (lambda () #f) f (lambda () (set! out (cons name out)))))
			(let ((r (try (with-budget '((fuel . 2000)) (lambda () (in 'outer (lambda () (par-map (lambda (x) (in x (lambda () (if (= x 1) (%host 'a) (in 'inner spin))))) '(1 2)))))))))
				(list r (reverse out)))`, nil, "((tool-error budget fuel) (inner 2 1 outer))"},
		{"winds cannot loop at the cost of nobody", `(define out '()) (define (after f g) (dynamic-wind (lambda () #f) f g))
			(let ((r (try (with-budget '((fuel . 3000)) (lambda () (after (lambda () (try (with-budget '((fuel . 1000)) (lambda () (after spin spin)))) 'kept) (lambda () (set! out 'left))))))))
				(list r out))`, nil, "((tool-error budget fuel) left)"},
		{"winds make no calls", `(define out #f) (try (with-budget '((fuel . 1000)) (lambda () (dynamic-wind (lambda () #f) spin (lambda () (guard (x (#t (set! out (condition-kind x)))) (%host 'a))))))) out`,
			nil, "cancelled"},
		{"a timeout inside", `(with-budget '((fuel . 3000)) (lambda () (guard (x ((timeout-error? x) 'late)) (with-timeout 3 (lambda () (%host 'a))))))`,
			[]string{"a()@0.0.0#0", "%timer(3)@0.0.1#0", "answer 2 -> 1", "cancelled 1"}, "late"},
	} {
		c.text = spent + c.text
		t.Run(c.name, func(t *testing.T) { c.play(t) })
	}
}

func TestBudgetsThatAreNone(t *testing.T) {
	const want = "with-budget: argument 1 must be a list of one or more of (fuel . units), (time . seconds) and (calls . number)"
	for _, budget := range []string{
		"'()", "5", "'((fuel . 0))", "'((fuel . 1.0))", "'((fuel 1))", "'((time . soon))", "'((time . -1))", "'((calls . -1))", "'((memory . 5))",
		"'((fuel . 5) (fuel . 6))", "'(fuel . 5)", "'((fuel . 5) 6)", "'((fuel . 5) . 6)", "'((fuel . 1000000000000000000000))", "(let ((l (list (cons 'calls 1)))) (set-cdr! l l) l)",
	} {
		_, s := eval(t, `(guard (x (#t (list (condition-kind x) (string-contains (error-object-message x) "`+want+`")))) (with-budget `+budget+` (lambda () 'ran)))`)
		if got := s.Value; s.Kind != vm.Done {
			t.Errorf("%s: %v", budget, got)
		}
	}
}

// Where a branch ends does not depend on slices, on collections or on when the machine was stopped.
func TestBudgetsEndAtTheSamePlace(t *testing.T) {
	const count = `(define n 0) (define m 0) (define (tick) (set! n (+ n 1))) (define (deep k) (if (= k 0) 0 (+ 1 (deep (- k 1)))))
		(define (end budget f) (guard (x (#t (list (error-object-message x) n m))) (with-budget budget f))) `
	for _, text := range []string{
		`(end '((fuel . 5000)) (lambda () (let loop () (tick) (loop))))`,
		`(end '((fuel . 5000)) (lambda () (let loop () (set! n (+ n 1)) (set! m (deep 300)) (loop))))`,
		`(end '((fuel . 5000)) (lambda () (let loop () (set! n (+ n 1)) (set! m (vector-length (make-vector 1000 n))) (loop))))`,
		`(end '((fuel . 9000)) (lambda () (let loop ((x 3)) (set! n (+ n 1)) (loop (if (> n 12) 3 (* x x))))))`,
		`(end '((fuel . 5000)) (lambda () (let loop () (set! n (+ n 1)) (set! m (apply + (make-list 50 1))) (loop))))`,
		`(end '((fuel . 5000)) (lambda () (define (f k) (tick) (call/cc f)) (f 1)))`,
		`(end '((fuel . 5000)) (lambda () (par-map (lambda (x) (let loop () (tick) (dynamic-wind tick tick (lambda () (set! m (+ m 1)))) (%host 'a x) (loop))) '(1 2 3))))`,
		`(end '((fuel . 9000)) (lambda () (par-map (lambda (x) (let loop () (tick) (guard (e (#t 0)) (with-budget '((fuel . 700)) (lambda () (dynamic-wind tick (lambda () (%host 'a x) (let l () (tick) (l))) (lambda () (set! m (+ m 1))))))) (loop))) '(1 2 3))))`,
		`(end '((fuel . 5000)) (lambda () (let loop () (tick) (guard (e (#t (set! m (+ m 1)))) (vector-ref (vector 1 2) n)) (loop))))`,
	} {
		t.Run("", func(t *testing.T) {
			units := program(t, count+text)
			run := func(fuel int64, between func(*vm.Machine)) string {
				m := machine(t, 0, units)
				defer m.Close()
				for turns := 0; ; turns++ {
					s := m.Run(fuel)
					if s.Kind == vm.Done || s.Kind == vm.Raised || turns > 200000 {
						return show(m, s)
					}
					if s.Kind == vm.Suspended {
						if err := m.Resume(m.Pending()[0].ID, heap.Fixnum(1)); err != nil {
							t.Fatal(err)
						}
					}
					between(m)
				}
			}
			want := run(plenty, func(*vm.Machine) {})
			for _, fuel := range []int64{1, 2, 3, 7, 100, 999, 12345} {
				for how, between := range map[string]func(*vm.Machine){
					"as it is": func(*vm.Machine) {},
					"parked": func(m *vm.Machine) {
						if err := m.Park(); err != nil {
							t.Fatal(err)
						}
						if err := m.Unpark(); err != nil {
							t.Fatal(err)
						}
					},
					"saved": func(m *vm.Machine) {
						if _, err := m.State(); err != nil {
							t.Fatal(err)
						}
					},
				} {
					if fuel < 7 && how != "as it is" {
						continue
					}
					if got := run(fuel, between); got != want {
						t.Errorf("%s\n%s, slices of %d: %s, else %s", text, how, fuel, got, want)
					}
				}
			}
		})
	}
}
