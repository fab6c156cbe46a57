package expand

import (
	"strings"
	"testing"
)

// libraryText is written as library code is: procedures of a few lines, some macros, some records.
const libraryText = `
(define (list-index pred lst)
  (let loop ((l lst) (i 0))
    (cond ((null? l) #f)
          ((pred (car l)) i)
          (else (loop (cdr l) (+ i 1))))))

(define (assoc-set alist key value)
  (define (same? pair)
    (equal? (car pair) key))
  (let ((rest (filter (lambda (p) (not (same? p))) alist)))
    (cons (cons key value) rest)))

(define-record-type queue (make-queue front back) queue?
  (front queue-front set-queue-front!)
  (back queue-back set-queue-back!))

(define (queue-push! q x)
  (let ((cell (list x)))
    (when (null? (queue-front q))
      (set-queue-front! q cell))
    (unless (null? (queue-back q))
      (set-queue-back! q (append (queue-back q) cell)))
    q))

(define-syntax push!
  (syntax-rules ()
    ((_ place x) (set! place (cons x place)))))

(define (partition pred lst)
  (let loop ((l lst) (in '()) (out '()))
    (if (null? l)
        (values (reverse in) (reverse out))
        (if (pred (car l))
            (loop (cdr l) (cons (car l) in) out)
            (loop (cdr l) in (cons (car l) out))))))

(define (collect n)
  (define items '())
  (do ((i 0 (+ i 1)))
      ((= i n) (reverse items))
    (push! items ` + "`(item ,i ,(* i i))" + `)))

(define (classify x)
  (case x
    ((1 2 3) 'small)
    ((4 5 6) 'middle)
    (else (let*-values (((a b) (partition zero? (list x 0))) ((n) (length a)))
      (list n b)))))
`

// BenchmarkExpand reports lines a second; reading is not counted.
func BenchmarkExpand(b *testing.B) {
	text := strings.Repeat(libraryText, 40)
	lines := strings.Count(text, "\n")
	forms := parse(b, "bench.scm", text)
	parent := newWorld(b, nil, Limits{})
	if _, err := parent.NewProgram(implicit).Expand(nil); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		p := NewWorld(parent, NewSlots(1000, 100_000), nil, Limits{}).NewProgram(implicit)
		if _, err := p.Expand(forms); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(lines)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}
