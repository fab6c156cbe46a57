// Package bench holds the programs by which the engine's speed is compared: Scheme, and the same in other languages where
// those can say it. Each defines once, what once must answer, and how many rounds make a measurement. It is data;
// the comparison itself is a module of its own, so that no peer becomes a dependency.
package bench

// Check, appended to a program, runs its rounds; the value is ok when every answer was right.
const Check = `
(let loop ((i 1))
  (let ((r (once)))
    (cond ((not (equal? r answer)) (list 'wrong r))
          ((< i rounds) (loop (+ i 1)))
          (else 'ok))))
`

// Family is a kind of program: a mean is taken of each kind first, so that no kind counts for more by its number.
type Family struct {
	Name     string
	Programs []string
}

// Families are all programs, each once.
var Families = []Family{
	{"call", []string{"ack", "deep", "fib", "loop", "mutual", "tak", "takl"}},
	{"closure", []string{"applying", "church", "closures", "cpstak", "mapping", "pipeline"}},
	{"float", []string{"floats", "fourier", "mandelbrot", "matrix", "nbody", "series", "spectral"}},
	{"bignum", []string{"bignums", "fibbig", "pidigits", "powmod"}},
	{"string", []string{"chars", "stringbuild", "strings", "stringscan", "subsequence", "words"}},
	{"list and GC", []string{"alists", "gcbench", "lists", "live", "queens", "queue", "tree"}},
	{"vector", []string{"dispatch", "records", "sieve", "vectors"}},
	{"table", []string{"hash", "hashgrow", "hashkeys", "hashpairs", "hashupdate"}},
	{"byte and text I/O", []string{"bytes", "crc", "lines", "ports", "wordcount"}},
	{"call/cc", []string{"backtrack", "ctak", "exceptions", "generators", "samefringe"}},
	{"sorting", []string{"heapsort", "mergesort", "quicksort", "sorting"}},
	{"symbolic", []string{"deriv", "evaluator", "matching", "rewrite"}},
}
