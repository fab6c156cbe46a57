package interp

import (
	"testing"

	"caper/interp/syntax"
)

// TestInstructionsAgreeWithProcedures: what is compiled to an instruction answers as the procedure does when it is a value,
// wrong arguments included.
func TestInstructionsAgreeWithProcedures(t *testing.T) {
	e, err := NewEngine(Options{Order: []string{"(caper standard)", "(caper prelude)"}, Implicit: []string{"(caper prelude)"}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := e.NewMachine(Config{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	const text = `
(define (try f) (guard (e (#t (condition/report-string e))) (f)))
(define wrong '())
(define-syntax check
  (syntax-rules ()
    ((_ (op arg ...) ...)
     (begin
       (let ((direct (try (lambda () (op arg ...))))
             (tested (try (lambda () (if (op arg ...) #t #f))))
             (called (try (lambda () (apply op (list arg ...))))))
         (if (not (and (equal? direct called) (or (equal? tested called) (eq? tested #t))))
             (set! wrong (cons (list '(op arg ...) direct tested called) wrong))))
       ...))))
(define-syntax over
  (syntax-rules () ((_ x y) (check (char<? x y) (char<=? x y) (char>? x y) (char>=? x y) (char=? x y)))))
(over #\a #\b) (over #\b #\a) (over #\a #\a) (over #\a #\x10ffff) (over 1 #\a) (over #\a "b") (over 'a 'b) (over #\a #f)
(check (string-length "") (string-length "λx") (string-length 'a) (string-length #f)
       (char->integer #\a) (char->integer #\x10ffff) (char->integer 97)
       (integer->char 0) (integer->char 955) (integer->char #xd7ff) (integer->char #xd800) (integer->char #xe000)
       (integer->char #x10ffff) (integer->char #x110000) (integer->char -1) (integer->char 1.0) (integer->char 'a)
       (quotient 7 2) (quotient -7 2) (quotient 7 -2) (quotient 7 0) (quotient (expt 7 90) 10) (quotient (- (expt 2 60)) -1)
       (remainder 7 2) (remainder -7 2) (remainder (expt 7 90) -10) (remainder (- (expt 7 90)) 10)
       (modulo 7 2) (modulo -7 2) (modulo (expt 7 90) -10) (modulo (- (expt 7 90)) 10) (modulo 7.5 2))
(define table (hash 'a 1 "b" 2 3 4))
(check (hash-table-ref/default table 'a 0) (hash-table-ref/default table "b" 0) (hash-table-ref/default table 3 0) (hash-table-ref/default table 4 0)
       (hash-table-ref/default 'table 4 0) (hash-table-ref/default #f 4 0) (hash-table-set! table 'a 1) (hash-set! 1 'a 1) (hash-table-set! '#(1) 1 2)
       (hash-table/get table 'a 0) (hash-table/get 7 'a 0) (hashq-ref/default "x" 'a 0) (hash-ref '((a . 1)) 'a 0) (hash-ref '((a . 1) 2) 'b 0) (hash-ref 5 'a 0)
       (hash-table/put! 1 'a 1) (hashq-set! 1 'a 1) (hashv-set! 1 'a 1) (hash-table-put! 1 'a 1) (hash-set! table 'a 1) (hash-set! table '(a) 1)
       (string-upcase 'a) (string-downcase "AbC1é") (string-upcase "") (string-foldcase "ABC") (string=? "a" 'b) (string=? 'a "b") (string=? "λ" "λ") (string=? "a" "λ")
       (procedure? 1) (procedure? car) (procedure? (lambda (x) x)) (procedure? "x") (procedure? 'x))
(define-syntax on
  (syntax-rules () ((_ x ...) (begin (check (sin x) (cos x) (tan x) (exp x) (floor x) (ceiling x) (truncate x) (round x) (abs x) (sqrt x)
    (inexact x) (exact->inexact x) (exact x) (inexact->exact x) (odd? x) (even? x) (/ x 2) (/ 2 x) (/ x 2.0) (/ 2.0 x) (/ x x)) ...))))
(on 0 1 -1 6 -7 0.0 -0.0 0.5 -0.5 1.5 2.5 -2.5 3.0 1e300 -1e300 1e18 5e-324 +inf.0 -inf.0 +nan.0 1/3 -7/2 (expt 2 60) (- (expt 2 60))
    (expt 2 100) 'a "x" #f)
(check (/ (- (expt 2 60)) -1) (/ 6 3) (/ 6 4) (/ 0 5) (/ 5 0) (/ 0 0) (/ 0 5.0) (/ 5 0.0) (/ 5.0 0) (/ 8 4 2) (/ 8 4.0 2) (/ (expt 7 90) 7) (/ 'a 1) (/ 1 'a))
(define (index c s) (do ((i 0 (+ i 1))) ((char=? (string-ref s i) c) i)))
(check (index #\w "hello world"))
wrong`
	if err := m.Load(syntax.NewSource("t.scm", text)); err != nil {
		t.Fatal(err)
	}
	if s := m.Run(1 << 40); s.Kind != Done || m.Write(s.Value) != "()" {
		t.Errorf("%v: %s", s.Kind, m.Write(s.Value))
	}
}
