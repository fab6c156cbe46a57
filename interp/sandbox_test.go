package interp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"caper/interp"
	"caper/interp/syntax"
)

// This file holds programs that ask for more than there is. Each runs in a process of its own with 64 MiB and must end in
// a value, a condition or a spent budget, with the process alive and no more resident than the limit and ten parts in a
// hundred beyond what the process takes for a program that does nothing.

const (
	sandboxMemory = 64 << 20
	sandboxFuel   = 60_000_000
	sandboxTime   = 60 * time.Second // never reached but on a loaded machine
	// engineShare is what Go's own collector may let pile up beyond what it had in the process without a program.
	engineShare = 8 << 20
	engineGC    = 33 // percent: as the command line does with so little memory
)

// deep is a program text before the rows that want deep data.
const deep = `(define (deep n a) (if (= n 0) a (deep (- n 1) (list a))))
(define (ring) (let ((x (list 1 2 3))) (set-cdr! (cddr x) x) x))
`

// vast are the programs, each with what it ends in: a value as write prints it, "raised KIND …", "spent WHICH" or
// "refused …" for a text that is no program. A row that may end in more than one way separates them by |.
var vast = []struct{ name, text, want string }{
	{"recursion a million deep", `(define (count n) (if (= n 0) 0 (+ 1 (count (- n 1))))) (count 1000000)`, `^1000000$`},
	{"a loop without end", `(let loop () (loop))`, `^spent fuel`},
	{"consing without end", `(let loop ((x '())) (loop (cons 1 x)))`, `^spent memory`},
	{"recursion without end", `(define (f n) (+ 1 (f n))) (f 0)`, `^spent memory`},
	{"going on from a guard clause", `(let l ((n 0)) (if (= n 1000000) n (guard (e (#t (l (+ n 1)))) (error "x"))))`, `^1000000$`},
	{"going on from the outer of two guards", `(let l ((n 0)) (if (= n 300000) n (guard (e (#t (l (+ n 1)))) (guard (e (#f 0)) (dynamic-wind list (lambda () (error "x")) list)))))`, `^300000$`},
	{"a loop around a guard", `(define n 0) (let loop () (guard (e (#t #f)) (error "x")) (set! n (+ n 1)) (if (< n 1000000) (loop) n))`, `^1000000$`},
	{"a loop in a guard clause", `(define n 0) (let l () (guard (e (#t (set! n (+ n 1)) (if (< n 1000000) (l) n))) (error "x")))`, `^1000000$`},
	{"continuations in the place of operators", `(define (h n there) (if (< n 0) (there 1)) (l (+ n 1)))
(define (l n) (if (= n 3000000) n ((call/cc (lambda (leave) ((call/cc (lambda (there) (leave (lambda () (h n (lambda () (there 1)))))))))))))
(l 0)`, `^3000000$`},
	{"a trillion elements", `(make-vector 1000000000000)`, `^raised .*memory limit`},
	{"a trillion elements, in a list", `(make-list 1000000000000 0)`, `^raised .*memory limit`},
	{"a trillion numbers", `(iota 1000000000000)`, `^raised .*memory limit`},
	{"a trillion characters", `(make-string 1000000000000 #\a)`, `^raised .*memory limit`},
	{"a trillion bytes", `(make-bytevector 1000000000000 0)`, `^raised .*memory limit`},
	{"a tower of exponents", `(expt 7 100000000000)`, `^raised .*memory limit`},
	{"a ratio's tower", `(expt 2/3 100000000)`, `^raised .*memory limit`},
	{"a long shift", `(arithmetic-shift 1 1000000000000)`, `^raised .*too large`},
	{"squares without end", `(let loop ((n 7)) (loop (* n n)))`, `^raised .*memory limit`},
	{"ratios without end", `(let loop ((n 1/3)) (loop (* n n)))`, `^raised .*memory limit`},
	{"factorials without end", `(let loop ((n 1) (f 1)) (loop (+ n 1) (* n f)))`, `^spent fuel|^raised .*memory limit`},
	{"digits by the million", `(string-length (number->string (expt 7 1000000)))`, `^845099$`},
	{"digits to read", `(number->string (string->number (make-string 100000 #\9)) 16)`, `^"`},
	{"more digits to read", `(exact? (string->number (make-string 3000000 #\9)))`, `^#t|^raised`},
	{"an exponent to read", `(string->number "#e1e1000000000")`, `^#f|^raised`},
	{"strings that double", `(let loop ((s "abcdefgh")) (loop (string-append s s)))`, `^raised .*memory limit`},
	{"vectors that double", `(let loop ((v (vector 1 2 3))) (loop (vector-append v v)))`, `^raised .*memory limit`},
	{"lists that double", `(let loop ((l (list 1 2 3))) (loop (append l l)))`, `^raised .*memory limit|^spent memory`},
	{"a port that grows", `(define p (open-output-string)) (let loop () (write-string "abcdefghijklmnop" p) (loop))`, `^raised .*memory limit|^spent`},
	{"output without end", `(let loop () (display "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz") (loop))`, `^spent output`},
	{"vectors that are kept", `(let loop ((a '())) (loop (cons (make-vector 1000) a)))`, `^raised .*memory limit|^spent memory`},
	{"a table that grows", `(define t (make-equal-hash-table)) (let loop ((i 0)) (hash-table-set! t i i) (loop (+ i 1)))`, `^raised .*memory limit|^spent`},
	{"keys that are deep", deep + `(define t (make-equal-hash-table))
		(do ((i 0 (+ i 1))) ((= i 5)) (hash-table-set! t (deep 100000 i) i)) (hash-table-ref/default t (deep 100000 3) #f)`, `^3$`},
	{"symbols without end", `(let loop ((i 0)) (string->symbol (number->string i)) (loop (+ i 1)))`, `^raised .*no room .* symbols|^spent`},
	{"a million arguments", `(define (f . all) (length all)) (apply f (iota 500000))`, `^500000$`},
	{"ever more arguments", `(define (f . all) (length all)) (let loop ((n 1000)) (apply f (iota n)) (loop (* n 2)))`, `^raised .*memory limit|^spent memory`},
	{"a million values", `(call-with-values (lambda () (apply values (iota 500000))) (lambda all (length all)))`, `^500000$|^spent memory`},

	{"deep data written", deep + `(string-length (call-with-output-string (lambda (p) (write (deep 300000 1) p))))`, `^600001$`},
	{"deep data compared", deep + `(equal? (deep 300000 1) (deep 300000 1))`, `^#t$`},
	{"deep data returned", deep + `(deep 1000000 1)`, `^\(\(\(\(`},
	{"deep vectors to JSON", `(define (deep n a) (if (= n 0) a (deep (- n 1) (vector a)))) (scheme->json (deep 1000000 1))`, `^raised .*nested`},
	{"deep JSON read", `(json->scheme (make-string 1000000 #\[))`, `^raised .*nested`},
	{"a ring returned", deep + `(ring)`, `^#0=\(1 2 3 \. #0#\)$`},
	{"a ring written", deep + `(call-with-output-string (lambda (p) (write (ring) p)))`, `^"#0=\(1 2 3 \. #0#\)"$`},
	{"rings compared", deep + `(equal? (ring) (ring))`, `^#t$`},
	{"rings as keys", deep + `(define t (make-equal-hash-table)) (hash-table-set! t (ring) 1) (hash-table-ref/default t (ring) 2)`, `^1$|^raised`},
	{"a ring's length", deep + `(length (ring))`, `^raised .*proper list`},
	{"a ring mapped", deep + `(map (lambda (x) x) (ring))`, `^spent|^raised`},
	{"a ring appended", deep + `(append (ring) (ring))`, `^raised .*proper list`},
	{"a ring applied", deep + `(apply + (ring))`, `^raised .*list`},
	{"a ring copied", deep + `(list->vector (ring))`, `^raised .*proper list`},
	{"a ring to JSON", `(define v (vector 1 2)) (vector-set! v 0 v) (scheme->json v)`, `^raised .*circular`},
	{"a ring as a reason", deep + `(error "a ring:" (ring))`, `^raised a ring`},

	{"continuations in continuations", `(let loop ((k #f)) (loop (call/cc (lambda (c) (call/cc (lambda (d) (cons c k)))))))`, `^spent`},
	{"continuations that are kept", `(define all '()) (define (f n) (call/cc (lambda (k) (set! all (cons k all)))) (+ 1 (f (+ n 1)))) (f 0)`, `^spent memory`},
	{"winds without end", `(let loop () (dynamic-wind (lambda () 1) (lambda () (loop)) (lambda () 1)))`, `^spent`},
	{"guards without end", `(let loop () (guard (e (#f 1)) (loop)) 1)`, `^spent`},
	{"handlers without end", `(let loop () (with-exception-handler (lambda (e) e) (lambda () (loop) 1)))`, `^spent`},
	{"errors caught without end", `(let loop () (guard (e (#t #f)) (error "again")) (loop))`, `^spent fuel`},
	{"parameters without end", `(define p (make-parameter 1)) (let loop () (parameterize ((p 2)) (loop)) 1)`, `^spent`},
	{"promises in promises", `(define (loop n) (if (= n 0) (delay 0) (delay-force (loop (- n 1))))) (force (loop 300000))`, `^0$`},
	{"a million fibers", `(length (par-map (lambda (x) x) (iota 1000000)))`, `^spent|^raised|^1000000$`},
	{"fibers without end", `(par-map (lambda (x) (let loop () (loop))) (iota 1000))`, `^spent fuel`},
	{"a sort", `(length (sort (iota 200000) >))`, `^200000$`},

	{"a pattern that backtracks", `(regexp-match? (pregexp "^(a+)+$") (string-append (make-string 100000 #\a) "b"))`, `^#f$`},
	{"a pattern of wildcards", `(regexp-match? (pregexp "(.*)(.*)(.*)(.*)(.*)(.*)(.*)x") (make-string 100000 #\a))`, `^#f$`},
	{"a pattern that repeats repeats", `(pregexp "((((a{1,1000}){1,1000}){1,1000}){1,1000})")`, `^raised`},
	{"a pattern of brackets", `(regexp (make-string 1000000 #\())`, `^raised`},

	{"a macro without end", `(define-syntax m (syntax-rules () ((_ x) (m (x x))))) (m 1)`, `^refused .*macro m`},
	{"a macro that only repeats", `(define-syntax m (syntax-rules () ((_) (m)))) (m)`, `^refused .*macro m`},
	{"a macro that doubles", `(define-syntax m (syntax-rules () ((_ x ...) (m x ... x ...)))) (m 1)`, `^refused .*too large`},
	{"a macro that defines macros", `(define-syntax m (syntax-rules () ((_) (begin (define-syntax n (syntax-rules () ((_) (m)))) (n))))) (m)`, `^refused .*macro`},
	{"a macro that defines itself anew", `(define-syntax m (syntax-rules () ((_ x) (begin (define x 1) (m y))))) (m z)`, `^refused .*macro`},
	{"a macro in its own argument", `(define-syntax m (syntax-rules () ((_ x) (+ 1 (m x))))) (m 1)`, `^refused .*macro`},
	{"brackets by the million", strings.Repeat("(", 1_000_000), `^refused .*nested`},
	{"brackets that close", strings.Repeat("(", 1_000_000) + strings.Repeat(")", 1_000_000), `^refused .*nested`},
	{"quoted brackets", "'" + strings.Repeat("(", 1_000_000) + strings.Repeat(")", 1_000_000), `^refused .*nested`},
	{"quotes by the million", strings.Repeat("'", 1_000_000) + "x", `^refused .*nested`},
	{"quasiquotes", strings.Repeat("`(1 ,", 100_000) + "x" + strings.Repeat(")", 100_000), `^refused .*nested`},
	{"calls in calls", strings.Repeat("(+ 1 ", 100_000) + "1" + strings.Repeat(")", 100_000), `^refused .*nested`},
	{"lambdas in lambdas", strings.Repeat("(lambda () ", 100_000) + "1" + strings.Repeat(")", 100_000), `^refused .*nested`},
	{"data by the million", "'(" + strings.Repeat("1 ", 2_000_000) + ")", `^refused .*too many`},
	{"comments in comments", strings.Repeat("#|", 1_000_000), `^refused .*comment`},
	{"datum comments", strings.Repeat("#;", 1_000_000), `^refused`},
	{"a long number", strings.Repeat("9", 5_000_000), `^refused .*characters`},
	{"brackets to read", `(read (open-input-string (make-string 1000000 #\()))`, `^raised .*closing bracket|^raised .*nested`},
	{"spliced without end", "`(1 ,@(iota 1000000000000))", `^raised .*memory limit`},
}

const sandboxChild = "CAPER_TEST_SANDBOX"

type verdict struct {
	Ended    string
	Resident uint64 // the most that was, in bytes
}

func TestSandbox(t *testing.T) {
	if row := os.Getenv(sandboxChild); row != "" {
		runSandboxed(row)
		return
	}
	if testing.Short() {
		t.Skip("what programs take is measured, for minutes, where nothing makes them slower: run it without -short")
	}
	floor := sandboxed(t, -1)
	for i, row := range vast {
		if raceEnabled && i%4 != 0 { // the detector makes each row twenty times slower; .ci/run runs all without
			continue
		}
		t.Run(strings.ReplaceAll(row.name, " ", "-"), func(t *testing.T) {
			v := sandboxed(t, i)
			if !regexp.MustCompile(row.want).MatchString(v.Ended) {
				t.Errorf("ended in %.300s, want %s", v.Ended, row.want)
			}
			most := floor.Resident + sandboxMemory/10*11 + engineShare
			if !raceEnabled && v.Resident > most {
				t.Errorf("%d MiB were resident, at most %d are allowed", v.Resident>>20, most>>20)
			}
			t.Logf("%d MiB: %.80s", v.Resident>>20, v.Ended)
		})
	}
}

func sandboxed(t *testing.T, row int) verdict {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^TestSandbox$", "-test.count=1")
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%d", sandboxChild, row))
	out, err := c.Output()
	_, text, found := strings.Cut(string(out), "\nverdict ")
	text, _, _ = strings.Cut(text, "\n")
	var v verdict
	if err != nil || !found || json.Unmarshal([]byte(text), &v) != nil {
		t.Fatalf("the process did not live: %v\n%.2000s", err, out)
	}
	return v
}

// runSandboxed is the other process.
func runSandboxed(row string) {
	text := "(+ 1 2)"
	if i, _ := strconv.Atoi(row); i >= 0 {
		text = vast[i].text
	}
	v := verdict{Ended: ended(text)}
	status, _ := os.ReadFile("/proc/self/status")
	if m := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status); m != nil {
		kb, _ := strconv.ParseUint(string(m[1]), 10, 64)
		v.Resident = kb << 10
	}
	line, _ := json.Marshal(v)
	fmt.Printf("\nverdict %s\n", line)
}

// capped takes so much output.
type capped struct{ left int }

func (c *capped) Write(text []byte) bool {
	c.left -= len(text)
	return c.left >= 0
}

func ended(text string) string {
	debug.SetGCPercent(engineGC)
	e, err := interp.NewEngine(interp.Options{
		Libraries: map[string]string{"(test)": `(define-library (test) (export par-map) (import (only (%support) par-map)))`},
		Order:     []string{"(caper standard)", "(caper prelude)", "(test)"},
		Implicit:  []string{"(caper prelude)", "(test)"},
	})
	if err != nil {
		return err.Error()
	}
	m, err := e.NewMachine(interp.Config{Memory: sandboxMemory, Output: &capped{1 << 20}, Strict: true})
	if err != nil {
		return err.Error()
	}
	defer m.Close()
	if err := m.Load(syntax.NewSource("vast.scm", text)); err != nil {
		return "refused " + err.Error()
	}
	for fuel, end := int64(sandboxFuel), time.Now().Add(sandboxTime); ; {
		s := m.Run(min(fuel, 1_000_000))
		fuel -= s.Used
		switch {
		case s.Kind == interp.Done:
			return m.Text(s.Value, 1<<20)
		case s.Kind == interp.Raised:
			return "raised " + m.Write(s.Value)
		case s.Kind == interp.Suspended:
			return "waits"
		case s.Which != "fuel":
			return "spent " + s.Which
		case fuel <= 0:
			return "spent fuel"
		case time.Now().After(end):
			return "spent time"
		}
	}
}
