package expand

import (
	"errors"
	"testing"

	"caper/interp/syntax"
)

// FuzzExpand: no text panics, none runs away, and what expands twice expands the same.
func FuzzExpand(f *testing.F) {
	f.Add(libraryText)
	f.Add("(define-syntax m (syntax-rules () ((_ (a b ...) ...) '((b ... a) ...)))) (m (1 2) (3))")
	f.Add("`(1 ,@(list 2) #(,3) . ,4)")
	f.Add("(define-library (a b) (export (rename x y)) (import (%syntax)) (begin (define x 1))) (import (prefix (a b) p:)) p:y")
	f.Add("(let loop ((i 0)) (cond ((= i 3) => car) (else (loop (+ i 1)))))")
	f.Add("(guard (e (#t 1)) (parameterize ((car 1)) (let*-values (((a . b) 1)) (delay a))))")
	f.Add("(define-record-type p (mk x) #t (x get set)) (define-values (a b . c) 1) (case 1 ((1 2) 3) (else => car))")
	f.Add("(define-syntax d (syntax-rules () ((_ n) (define-syntax n (syntax-rules () ((_ e (... ...)) (list e (... ...)))))))) (d x) (x 1 2)")
	for _, p := range pitfalls() {
		f.Add(p.text)
	}
	limits := Limits{Depth: 300, Steps: 2_000, Nodes: 200_000, Includes: 4}
	f.Fuzz(func(t *testing.T, text string) {
		forms, err := syntax.ReadAll(syntax.NewSource("t.scm", text))
		if err != nil {
			return
		}
		var results [2]string
		for i := range results {
			p := newWorld(t, shelf, limits).NewProgram(implicit)
			p.Strict = len(text)%2 == 0
			got, err := units(p.Expand(forms))
			if err != nil {
				var mine *Error
				var theirs *syntax.Error
				if !errors.As(err, &mine) && !errors.As(err, &theirs) {
					t.Fatalf("%T", err)
				}
				got = err.Error()
			}
			results[i] = got
		}
		if results[0] != results[1] {
			t.Fatalf("%s\n%s", results[0], results[1])
		}
	})
}
