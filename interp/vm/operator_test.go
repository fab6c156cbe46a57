package vm_test

import "testing"

// A message names the operator and the argument that the program wrote, however it was compiled.
func TestOperatorsInMessages(t *testing.T) {
	for text, want := range map[string]string{
		"(+ x 1)":                 "+: argument 1 must be a number: a",
		"(+ 1 x)":                 "+: argument 2 must be a number: a",
		"(- x 1)":                 "-: argument 1 must be a number: a",
		"(+ x -1)":                "+: argument 1 must be a number: a",
		"(- 1 x)":                 "-: argument 2 must be a number: a",
		"(if (> x y) 1 2)":        ">: argument 1 must be a number: a",
		"(if (> y x) 1 2)":        ">: argument 2 must be a number: a",
		"(if (< x y) 1 2)":        "<: argument 1 must be a number: a",
		"(if (>= x y) 1 2)":       ">=: argument 1 must be a number: a",
		"(if (>= 3 x) 1 2)":       ">=: argument 2 must be a number: a",
		"(if (< 3 x) 1 2)":        "<: argument 2 must be a number: a",
		"(if (> x 3) 1 2)":        ">: argument 1 must be a number: a",
		"(if (not (<= x 3)) 1 2)": "<=: argument 1 must be a number: a",
		"(if (= 3 x) 1 2)":        "=: argument 2 must be a number: a",
		"(list (+ x 1))":          "+: argument 1 must be a number: a",
		"(* x y)":                 "*: argument 1 must be a number: a",
	} {
		m, s := eval(t, "(define (f x y) "+text+") (f 'a 2)")
		if got := show(m, s); got != "raised type-error: "+want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
