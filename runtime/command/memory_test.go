//go:build linux

package command_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// greedy are programs that would take more than they are given, or leave the most to Go's own memory, each with the exit code
// that it ends with.
var greedy = []struct {
	name, text string
	exit       int
}{
	{"consing", `(let loop ((x '())) (loop (cons 1 x)))`, 4},
	{"recursion", `(define (f n) (+ 1 (f n))) (f 0)`, 4},
	{"vectors that are kept", `(let loop ((a '())) (loop (cons (make-vector 1000) a)))`, 1},
	{"continuations that are kept", `(define all '()) (define (f n) (call/cc (lambda (k) (set! all (cons k all)))) (+ 1 (f (+ n 1)))) (f 0)`, 4},
	{"ever more arguments", `(define (f . all) (length all)) (let loop ((n 1000)) (apply f (iota n)) (loop (* n 2)))`, 4},
	{"fibers", `(length (par-map (lambda (x) x) (iota 1000000)))`, 4},
	{"a power", `(expt 7 100000000000)`, 1},
	{"a vector", `(make-vector 1000000000000)`, 1},
	{"strings that double", `(let loop ((s "abcdefgh")) (loop (string-append s s)))`, 1},
	{"a large result", `(iota 900000)`, 0},
	{"a deep result", `(define (deep n a) (if (= n 0) a (deep (- n 1) (list a)))) (deep 1000000 1)`, 0},
	{"large data written", `(define l (iota 900000)) (string-length (call-with-output-string (lambda (p) (write l p))))`, 0},
	{"data read", `(read (open-input-string (make-string 1000000 #\()))`, 1},
	{"many matches", `(regexp-match* (pregexp "a") (make-string 1000000 #\a))`, 1},
	{"large patterns", `(define s (apply string-append (vector->list (make-vector 30 "(a{1,10}){1,90}|")))) (let loop ((i 0)) (regexp-match? (pregexp (string-append s (number->string i))) "b") (if (< i 4) (loop (+ i 1))))`, 0},
	{"a text cut up", `(string-split (make-string 900000 #\,) #\,)`, 1},
	{"output", `(let loop () (display "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz") (loop))`, 4},
	{"a large file", `(string-length (read-file "large"))`, 0},
	{"a large file shown", `(read-file "large")`, 0},
	{"a large file as bytes shown", `(read-file "large" #:bytes #t)`, 0},
	{"a large file in pieces", `(string-length (read-file "large" #:offset 2 #:limit 10))`, 0},
	{"a large file as bytes", `(bytevector-length (read-file "large" #:bytes #t))`, 0},
	{"a large file copied", `(write-file "b" (read-file "large"))`, 0},
	{"a large file copied as bytes", `(write-file "b" (read-file "large" #:bytes #t))`, 0},
	{"a large file appended", `(append-file "b" (read-file "large"))`, 0},
	{"symbols", `(let loop ((i 0)) (if (< i 10000000) (begin (string->symbol (number->string i)) (loop (+ i 1)))))`, 1},
	{"JSON written", `(string-length (scheme->json (iota 900000)))`, 0},
	{"JSON of flonums written", `(string-length (scheme->json (map (lambda (x) (+ x 0.125)) (iota 900000))))`, 0},
	{"JSON of strings written", `(string-length (scheme->json (make-vector 900000 "abcdefghijklm")))`, 0},
	{"an object written", `(string-length (scheme->json (map (lambda (i) (cons (number->string i) i)) (iota 200000))))`, 0},
	{"JSON read", `(vector-length (json->scheme (string-append "[" (apply string-append (vector->list (make-vector 99999 "1,2,3,4,5,"))) "1]")))`, 0},
	{"brackets", `'((((((((((((((((((((((((`, 1},
	{"a macro", `(define-syntax m (syntax-rules () ((_ x ...) (m x ... x ...)))) (m 1)`, 1},
}

const youngParent = "CAPER_TEST_YOUNG_PARENT"

// A process stays within its program's memory and ten parts in a hundred, beyond what one takes for a program that does
// nothing, and a little that Go's collector lets pile up.
func TestResidentMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command and runs it twenty times: run without -short")
	}
	// What the system says of a process counts what its parent held when it was started: a young parent holds little.
	if os.Getenv(youngParent) == "" {
		c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		c.Env = append(os.Environ(), youngParent+"=1")
		out, err := c.CombinedOutput()
		if t.Logf("%s", out); err != nil {
			t.Error(err)
		}
		return
	}
	const (
		limit = 64 << 20
		slack = 2 << 20
	)
	dir := t.TempDir()
	binary := filepath.Join(dir, "caper")
	if out, err := exec.Command("go", "build", "-o", binary, "caper").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(t *testing.T, text string) (resident uint64, exit int, out string) {
		t.Helper()
		home := t.TempDir()
		file := filepath.Join(home, "p.scm")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text, "large") {
			large, err := os.Create(filepath.Join(home, "large")) // in pieces: what this process holds counts for those that it starts
			if err != nil {
				t.Fatal(err)
			}
			piece := bytes.Repeat([]byte("a line of a large file of text\n"), 1000)
			for range 500 {
				if _, err := large.Write(piece); err != nil {
					t.Fatal(err)
				}
			}
			if err := large.Close(); err != nil {
				t.Fatal(err)
			}
		}
		c := exec.Command(binary, "run", "--memory", "64M", "--fuel", "60000000", "--policy", "yolo", "--unattended", "--quiet", "--durability", "fast", "--cwd", home, file)
		c.Env = append(os.Environ(), "CAPER_HOME="+filepath.Join(home, "caper"), "HOME="+home)
		var told bytes.Buffer // standard output is left: keeping it would make this process large
		c.Stderr = &told
		_ = c.Run() // the exit code says more
		usage := c.ProcessState.SysUsage().(*syscall.Rusage)
		return uint64(usage.Maxrss) << 10, c.ProcessState.ExitCode(), told.String()
	}
	bare, _, _ := run(t, "1")
	for _, p := range greedy {
		t.Run(regexp.MustCompile(`\W`).ReplaceAllString(p.name, "-"), func(t *testing.T) {
			resident, exit, out := run(t, p.text)
			if exit != p.exit {
				t.Errorf("exit %d, want %d: %.300s", exit, p.exit, out)
			}
			most := bare + limit/10*11 + slack
			if resident > most {
				t.Errorf("%d MiB were resident, at most %d are allowed", resident>>20, most>>20)
			}
			t.Logf("%d MiB, %d beyond a bare process and its program's limit", resident>>20, (int64(resident)-int64(bare)-limit/10*11)>>20)
		})
	}
}
