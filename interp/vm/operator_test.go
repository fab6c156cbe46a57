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
		"(bytevector-u8-ref x y)": "bytevector-u8-ref: argument 1 must be a bytevector: a",
		"(* x y)":                 "*: argument 1 must be a number: a",
	} {
		m, s := eval(t, "(define (f x y) "+text+") (f 'a 2)")
		if got := show(m, s); got != "raised type-error: "+want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// An exact zero beside a flonum is made a flonum, but for a divisor.
func TestExactZeroBesideAFlonum(t *testing.T) {
	for text, want := range map[string]string{
		"(* x 1.5)": "0.0", "(* -1.5 x)": "-0.0", "(* x -0.0)": "-0.0", "(* x y)": "+nan.0",
		"(+ x -0.0)": "0.0", "(+ -0.0 x)": "0.0", "(- x 0.0)": "0.0", "(- -0.0 x)": "-0.0", "(- x 1.5)": "-1.5",
		"(/ x -1.5)": "-0.0", "(/ 1.5 x)": "raised divide-by-zero: /: division by zero: 1.5 0",
	} {
		m, s := eval(t, "(define (f x y) "+text+") (f 0 (/ 1. 0.))")
		if got := show(m, s); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// What the instructions for bytes and division do at once and what they leave to others have the same meaning.
func TestBytesAndDivision(t *testing.T) {
	const big = "(* 4294967296 4294967296 4294967296)"
	for text, want := range map[string]string{
		"(bytevector-u8-ref (bytevector 1 2 255) 2)":                                             "255",
		"(bytevector-u8-ref (bytevector 1 2 255) 3)":                                             "raised range-error: bytevector-u8-ref: argument 2 must be from 0 to 2: 3",
		"(bytevector-u8-ref (bytevector 1 2 255) -1)":                                            "raised range-error: bytevector-u8-ref: argument 2 must be from 0 to 2: -1",
		"(bytevector-u8-ref (bytevector) 0)":                                                     "raised range-error: bytevector-u8-ref: the bytevector is empty: 0",
		"(bytevector-u8-ref '#u8(7 8) 1)":                                                        "8",
		"(bytevector-u8-ref \"ab\" 1)":                                                           "raised type-error: bytevector-u8-ref: argument 1 must be a bytevector: \"ab\"",
		"(let ((b (make-bytevector 9 0))) (bytevector-u8-set! b 8 255) (bytevector-u8-ref b 8))": "255",
		"(let ((b (make-bytevector 2 0))) (bytevector-u8-set! b 1 256) b)":                       "raised type-error: bytevector-u8-set!: argument 3 must be a byte (an exact integer from 0 to 255): 256",
		"(let ((b (make-bytevector 2 0))) (bytevector-u8-set! b 2 1) b)":                         "raised range-error: bytevector-u8-set!: argument 2 must be from 0 to 1: 2",
		"(bytevector-u8-set! '#u8(7 8) 1 0)":                                                     "raised type-error: bytevector-u8-set!: argument is a literal constant, which must not be changed; copy it first: #<bytevector>",
		"(modulo 4294967297 4294967296)":                                                         "1",
		"(modulo -7 536870912)":                                                                  "536870905",
		"(quotient 536870912 536870911)":                                                         "1",
		"(modulo 536870911 8)":                                                                   "7",
		"(let ((x " + big + ")) (modulo (- x) (+ x 1)))":                                         "1",
		"(let ((x " + big + ")) (remainder (- x) (+ x 1)))":                                      "-79228162514264337593543950336",
		"(let ((x " + big + ")) (quotient (- (* x x)) (- x)))":                                   "79228162514264337593543950336",
		"(let ((x " + big + ")) (modulo 5 (- x)))":                                               "-79228162514264337593543950331",
		"(let ((x " + big + ")) (quotient (* x x) (- (* x x) 1)))":                               "1",
		"(let ((x " + big + ")) (modulo x 0))":                                                   "raised divide-by-zero: modulo: division by zero: 79228162514264337593543950336 0",
		"(let ((x " + big + ")) (list (remainder x x) (modulo (+ x 1) x)))":                      "(0 1)",
	} {
		m, s := eval(t, "(define (f) "+text+") (f)")
		if got := show(m, s); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
