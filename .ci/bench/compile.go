package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"caper/interp"
	source "caper/interp/syntax"
)

// page is a part of a module as people write them; its names end in a number, so that pages make a long file.
const page = `
;; Accounts, page %[1]d.
(define-record-type account%[1]d
  (make-account%[1]d owner balance history)
  account%[1]d?
  (owner account-owner%[1]d)
  (balance account-balance%[1]d set-account-balance%[1]d!)
  (history account-history%[1]d set-account-history%[1]d!))

(define (deposit%[1]d! a amount)
  (if (< amount 0)
      (error "a negative deposit" amount)
      (begin
        (set-account-balance%[1]d! a (+ (account-balance%[1]d a) amount))
        (set-account-history%[1]d! a (cons (list 'deposit amount) (account-history%[1]d a)))
        a)))

(define (summary%[1]d a)
  (let loop ((l (account-history%[1]d a)) (in 0) (out 0))
    (cond ((null? l) (list (account-owner%[1]d a) in out))
          ((eq? (caar l) 'deposit) (loop (cdr l) (+ in (cadar l)) out))
          (else (loop (cdr l) in (+ out (cadar l)))))))

(define-syntax unless-empty%[1]d
  (syntax-rules ()
    ((_ (name value) body ...)
     (let ((name value)) (if (null? name) #f (begin body ...))))))

(define (tokens%[1]d text)
  (let ((n (string-length text)))
    (define (skip i) (if (and (< i n) (char=? (string-ref text i) #\space)) (skip (+ i 1)) i))
    (define (word i) (if (and (< i n) (not (char=? (string-ref text i) #\space))) (word (+ i 1)) i))
    (let loop ((i (skip 0)) (out '()))
      (if (= i n)
          (reverse out)
          (let* ((end (word i)) (w (substring text i end)))
            (loop (skip end) (cons w out)))))))

(define (classify%[1]d x)
  (case x
    ((1 2 3) 'small)
    ((10 20 30) 'round)
    (else (if (and (number? x) (or (> x 100) (< x -100))) 'large 'other))))

(define (report%[1]d accounts)
  (for-each
   (lambda (a)
     (unless-empty%[1]d (h (account-history%[1]d a))
       (display (account-owner%[1]d a))
       (do ((l h (cdr l)) (i 0 (+ i 1))) ((null? l)) (display i) (write (car l)) (newline))))
   accounts))

(define (average%[1]d . numbers)
  (if (null? numbers) 0 (/ (apply + numbers) (length numbers))))
`

// guild is what guild compile -O1 does, by processor time: its start does not count, as ours does not.
const guild = `
(use-modules (system base compile))
(define (cpu) (let ((t (times))) (+ (tms:utime t) (tms:stime t))))
(define start (cpu))
(compile-file (cadr (command-line)) #:output-file (caddr (command-line)) #:optimization-level 1)
(display (/ (* 1000.0 (- (cpu) start)) internal-time-units-per-second))`

// compilation compares reading, expanding and compiling a file of 5,000 lines with guild compile -O1 on the same file.
func compilation() error {
	folder, err := os.MkdirTemp("", "caper-compile-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	var pages strings.Builder
	for i := 0; strings.Count(pages.String(), "\n") < 5000; i++ {
		fmt.Fprintf(&pages, page, i)
	}
	text := pages.String()
	file := filepath.Join(folder, "pages.scm")
	if err := os.WriteFile(file, []byte("(use-modules (srfi srfi-9))\n"+text), 0o644); err != nil {
		return err
	}
	e, err := interp.NewEngine(interp.Options{
		Order: []string{"(caper standard)", "(caper prelude)"}, Implicit: []string{"(caper prelude)"},
	})
	if err != nil {
		return err
	}
	var ours, theirs []float64
	for i := range 3 {
		m, err := e.NewMachine(interp.Config{Memory: 1 << 30, Strict: true})
		if err != nil {
			return err
		}
		start := cpu()
		if err := m.Load(source.NewSource(fmt.Sprintf("pages%d.scm", i), text)); err != nil {
			return err
		}
		ours = append(ours, ms(cpu()-start))
		c := exec.Command("guile", "--no-auto-compile", "-c", guild, file, filepath.Join(folder, "pages.go"))
		out, err := c.CombinedOutput()
		if err != nil {
			return fmt.Errorf("guile: %w: %s", err, out)
		}
		t, err := strconv.ParseFloat(string(out), 64)
		if err != nil {
			return fmt.Errorf("guile: %s", out)
		}
		theirs = append(theirs, t)
	}
	a, b := median(ours), median(theirs)
	fmt.Printf("%d lines, medians of processor time: caper %.0f ms, guild compile -O1 %.0f ms, ratio %.2f\n", strings.Count(text, "\n"), a, b, a/b)
	return nil
}
