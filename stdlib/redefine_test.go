package stdlib_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"caper/interp"
	"caper/interp/syntax"
	"caper/stdlib"
)

// use exercises library procedures and macros that are built of others.
const use = `(list (sort '(3 1 2) <) (list-sort < '(2 1)) (string-split "a,b" ",") (string-join '("a" "b") "-")
  (filter-map (lambda (x) (and (even? x) x)) '(1 2)) (assoc-ref '((a . 1)) 'a) (for/list ([x '(1 2)] #:when (odd? x)) x)
  (match '(1 (2 3)) ((a (b ...)) (list a b))) (format #f "~a ~{~a~}" 1 '(2)) (regexp-replace* #rx"a" "aba" "x")
  (hash-ref (hash-update (hash 'a 1) 'a add1) 'a) (string-trim " x ") (group-by even? '(1 2 3))
  (with-handlers ([exn:fail? (lambda (e) 'caught)]) (error "no")) (call-with-output-string (lambda (p) (write 'x p)))
  (delete-duplicates '(1 2 1)) (fold + 0 '(1 2)) ((lambda* (#:key (k 1)) k) #:k 2) (vector-map 1+ #(1)) (~a 1 #:width 3)
  (guard (e ((symbol? e) e)) (raise 'r)) (let-optionals '(1) ((a 0) (b 2)) (list a b)) (json->scheme "[1]") (append-map list '(1 2)))`

// names of the prelude that a program cannot take over and still write the text above.
var written = regexp.MustCompile("[^\\s()\\[\\]'\"]+")

// TestRedefined: a program that defines a name of the library, as a variable or as a procedure, does not break what the
// library makes of it. Names that the program itself uses are defined behind a use in a procedure of its own.
func TestRedefined(t *testing.T) {
	e := newEngine(t)
	exports, _ := stdlib.File("caper/exports.scm")
	exports = exports[len("(export"):strings.Index(exports, "(rename")]
	used := map[string]bool{"define": true, "lambda": true, "write": true, "quote": true, "λ": true}
	for _, n := range written.FindAllString(use, -1) {
		used[n] = true
	}
	run := func(text string) string {
		out := &screen{}
		m, err := e.NewMachine(interp.Config{Output: out})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		if err := m.Load(syntax.NewSource("program", text)); err != nil {
			return "error " + err.Error()
		}
		if s := m.Run(10_000_000); s.Kind != interp.Done {
			return fmt.Sprint(s.Kind, " ", m.Write(s.Value))
		}
		return out.text.String()
	}
	want := run("(write " + use + ")")
	if !strings.HasPrefix(want, "((1 2 3)") {
		t.Fatal(want)
	}
	tried := 0
	for _, n := range strings.Fields(exports) {
		if used[n] || strings.HasPrefix(n, "#%") {
			continue
		}
		tried++
		for _, definition := range []string{"(define " + n + " 'mine)", "(define (" + n + " . args) 'mine)"} {
			if got := run(definition + "\n(write " + use + ")"); got != want {
				t.Errorf("%s\n got %s\nwant %s", definition, got, want)
			}
		}
	}
	if tried < 800 {
		t.Errorf("only %d names", tried)
	}
}
