package vm_test

import "testing"

// Garbage is no reason to refuse: before a primitive or an operator fails for want of memory there was a collection.
func TestGarbageMakesRoom(t *testing.T) {
	const junk = `(define (junk n) (if (> n 0) (begin (vector 1 2 3 4 5 6 7) (junk (- n 1))))) (junk 3500) `
	const half = 4 << 20
	for _, c := range []struct{ text, want string }{
		{`(vector-length (make-vector 500000 0))`, "500000"},
		{`(define v (make-vector 500000 0)) (vector-length v)`, "500000"},
		{`(vector-length (apply make-vector '(500000 0)))`, "500000"},
		{`(define (call f) (f 500000 0)) (vector-length (call make-vector))`, "500000"},
		{`(define (call f) (list (f 500000 0))) (vector-length (car (call make-vector)))`, "500000"},
		{`(define l (list 1 2 3)) (define v (make-vector 500000 l)) (vector-ref v 499999)`, "(1 2 3)"},
		{`(make-vector 530000 0)`, "raised memory-error: make-vector: a vector of 530000 elements does not fit the memory limit"},
		{`(guard (e (#t 'refused)) (make-vector 530000 0))`, "refused"},
	} {
		m := machine(t, 2*half, program(t, junk+c.text))
		if got := show(m, m.Run(plenty)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.text, got, c.want)
		}
		m.Close()
	}
	for _, text := range []string{`(> (* x x) x)`, `(define y (* x x)) (junk 9000) (= (quotient y x) x)`} {
		m := machine(t, half/2, program(t, junk+`(define x (expt 3 800000)) (junk 9000) `+text))
		if got := show(m, m.Run(plenty)); got != "#t" {
			t.Errorf("%s: got %s", text, got)
		}
		m.Close()
	}
}
