package repl

import (
	"strings"
	"testing"

	"caper/interp/syntax"
)

// TestDefinedAgain: what was defined before is set, whatever its parameters are.
func TestDefinedAgain(t *testing.T) {
	for form, want := range map[string]string{
		"(define x 1)":                 "(set! x 1)",
		"(define (f) 1)":               "(set! f (lambda () 1))",
		"(define (f x) (* x 2))":       "(set! f (lambda (x) (* x 2)))",
		"(define (f x . rest) rest)":   "(set! f (lambda (x . rest) rest))",
		"(define (f . all) (car all))": "(set! f (lambda all (car all)))",
	} {
		s := New(Options{})
		s.inputs = []past{{number: 1, text: form, id: "1"}, {number: 2, text: form, id: "2"}}
		s.after, s.before["2"] = "2", "1"
		text := s.script()
		if !strings.HasSuffix(text, form+"\n\n"+want+"\n") {
			t.Errorf("%s", text)
		}
		if _, err := syntax.ReadAll(syntax.NewSource("script", text)); err != nil {
			t.Error(err)
		}
	}
}
