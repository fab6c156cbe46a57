package compile

import (
	"fmt"
	"strings"
	"testing"
)

const page = `
(define (make-queue%[1]d) (cons '() '()))
(define (enqueue!%[1]d q x)
  (let ((cell (cons x '())))
    (if (null? (car q))
        (begin (set-car! q cell) (set-cdr! q cell))
        (begin (set-cdr! (cdr q) cell) (set-cdr! q cell)))
    q))
(define (sum-list%[1]d l)
  (let loop ((l l) (s 0))
    (cond ((null? l) s)
          ((pair? (car l)) (loop (cdr l) (+ s (sum-list%[1]d (car l)))))
          (else (loop (cdr l) (+ s (car l)))))))
(define (filter%[1]d keep? l)
  (define (step l out)
    (if (null? l)
        out
        (step (cdr l) (if (keep? (car l)) (cons (car l) out) out))))
  (step l '()))
(define (curry%[1]d f . args)
  (lambda more (apply f (append args more))))
(define counter%[1]d
  (let ((n 0))
    (lambda (k)
      (set! n (+ n k))
      (display (list "count" n 'of k))
      n)))
`

// BenchmarkCompile reports lines of ordinary source a second, expansion left out.
func BenchmarkCompile(b *testing.B) {
	var text strings.Builder
	text.WriteString("(define (apply f l) (f l))\n")
	for i := range 100 {
		fmt.Fprintf(&text, page, i)
	}
	lines := strings.Count(text.String(), "\n")
	for b.Loop() {
		b.StopTimer()
		w := newWorld(b)
		body := w.expand(b, text.String())
		b.StartTimer()
		if _, err := Compile("bench", body, Options{Prims: w.prims}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(lines)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}
