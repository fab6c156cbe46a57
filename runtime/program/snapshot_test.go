package program_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/store/mem"

	"github.com/google/go-cmp/cmp"
)

// moment is what a crash would leave.
type moment struct {
	folder string
	disk   *mem.Disk
}

// take copies what there is while calls run: snapshots first, which need the journal that they name, and files last,
// since writing one twice is no harm.
func (h *house) take() moment {
	m := moment{folder: h.t.TempDir()}
	copyFolder(h.t, filepath.Join(m.folder, "home"), filepath.Join(h.root, "home"))
	m.disk = h.disk.Clone()
	copyFolder(h.t, filepath.Join(m.folder, "work"), filepath.Join(h.root, "work"))
	return m
}

// copyFolder copies what is there; files come and go meanwhile.
func copyFolder(t testing.TB, to, from string) {
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		there := filepath.Join(to, strings.TrimPrefix(path, from))
		if d.IsDir() {
			return os.MkdirAll(there, 0o700)
		}
		b, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return errors.Join(err, os.WriteFile(there, b, 0o600))
	})
	if err != nil {
		t.Error(err)
	}
}

// goBack makes the house what it was at a moment.
func (h *house) goBack(m moment) {
	h.t.Helper()
	h.leave()
	h.system = nil
	for _, name := range []string{"work", "home"} {
		to := filepath.Join(h.root, name)
		if err := os.RemoveAll(to); err != nil {
			h.t.Fatal(err)
		}
		copyFolder(h.t, to, filepath.Join(m.folder, name))
	}
	h.enter(m.disk.Clone())
}

// journal is all that a session holds, without what differs from life to life: times, durations and what was measured.
func (h *house) journal(session uint64) string {
	h.t.Helper()
	var out strings.Builder
	var walk func(bag uint64, indent string)
	walk = func(bag uint64, indent string) {
		for e, err := range h.system.Store.Children(session, bag, 0) {
			if err != nil {
				h.t.Fatal(err)
			}
			fmt.Fprintf(&out, "%s%s %s", indent, e.ID, e.Node.Kind().Name())
			own := uint64(0)
			switch n := e.Node.(type) {
			case kind.ToolCall:
				fmt.Fprintf(&out, " %v %s %x %s", n.Call().Place, n.Call().Tool, n.Call().Digest, graph.Write(n.Call().Args.Datum))
			case *kind.Cell:
				fmt.Fprintf(&out, " %v %s", n.Place, n.Read)
			case *kind.ProgrammaticJob:
				fmt.Fprintf(&out, " %v %q", n.Parent, n.Source)
				own = n.Bag
			}
			if o := e.Outcome; o != nil {
				fmt.Fprintf(&out, " -> %s", o.State)
				if o.Value.Datum != nil {
					fmt.Fprintf(&out, " %s", graph.Write(o.Value.Datum))
				}
				if o.Error != nil && o.State != kind.Cancelled { // how a call ends that nobody waits for is free
					fmt.Fprintf(&out, " %s %s", o.Error.Code, o.Error.Message)
				}
			}
			wrote := ""
			for _, f := range e.Facts {
				if b, ok := f.Value.Datum.([]byte); ok && f.What == kind.FactOutput {
					wrote += string(b)
				}
			}
			fmt.Fprintf(&out, " %q\n", wrote)
			if own != 0 {
				walk(own, indent+"  ")
			}
		}
	}
	walk(graph.RootBag, "")
	return out.String()
}

// replays are the reasons for which jobs of a session were run again from their source.
func (h *house) replays(session uint64) (why []string) {
	h.t.Helper()
	var walk func(bag uint64)
	walk = func(bag uint64) {
		for e, err := range h.system.Store.Children(session, bag, 0) {
			if err != nil {
				h.t.Fatal(err)
			}
			for _, f := range e.Facts {
				if f.What == kind.FactReplayed {
					why = append(why, fmt.Sprint(f.Value.Datum))
				}
			}
			if job, ok := e.Node.(*kind.ProgrammaticJob); ok {
				walk(job.Bag)
			}
		}
	}
	walk(graph.RootBag)
	return why
}

// continued are programs that hold something at every wait that a snapshot must bring back. They write each file once:
// the copies of the folders have other inodes, which is another file to a call that began before.
var continued = []struct {
	name, text, want string
	free             bool // in what order its calls come is free
}{
	{name: "a loop of calls", text: `
		(define (go i sum)
		  (if (= i 5) sum
		    (let ((name (string-append "a" (number->string i))))
		      (display i) (write-file name (number->string i))
		      (go (+ i 1) (+ sum (string->number (read-file name)))))))
		(go 0 0)`, want: "10"},
	{name: "readings and random numbers", text: `
		(define start (current-second))
		(define (draw) (random-integer 1000000))
		(define first (draw))
		(write-file "r.txt" (number->string first))
		(define second (draw))
		(display second)
		(write-file "s.txt" (number->string second))
		(list (= first (string->number (read-file "r.txt"))) (= second (string->number (read-file "s.txt"))) (<= start (current-second)))`,
		want: "(#t #t #t)"},
	{name: "a line that waits for its end", text: `
		(display "a")
		(write-file "a" "a")
		(fresh-line)
		(display "b\n")
		(write-file "b" "b")
		(fresh-line)
		(display "c")
		(read-file "b")`, want: `"b"`},
	{name: "fibers", free: true, text: `
		(define all (par-map (lambda (i)
		  (let ((name (string-append "f" (number->string i))))
		    (write-file name name) (write-file (string-append name "-") (read-file name)) (read-file (string-append name "-")))) '(0 1 2 3 4)))
		(display all)
		(define fastest (race (lambda () (read-file "f0")) (lambda () (bash "sleep 60"))))
		(write-file "g" "g")
		(list (length all) fastest (read-file "g"))`, want: `(5 "f0" "g")`},
	{name: "winds, handlers, parameters, promises, ports, tables", text: `
		(define p (make-parameter 1))
		(define trail '())
		(define out (open-output-string))
		(define later (delay (begin (write-file "later" "l") 7)))
		(define r (guard (e ((tool-error? e) (list 'failed (p))))
		  (dynamic-wind (lambda () (set! trail (cons 'in trail)))
		    (lambda () (parameterize ((p 2)) (write-file "w" "w") (write (read-file "w") out) (read-file "nowhere")))
		    (lambda () (write-file "x" "x") (set! trail (cons 'out trail))))))
		(list r trail (get-output-string out) (force later) (force later) (hash-table-ref/default
		  (let ((t (make-equal-hash-table))) (hash-table-set! t "k" (read-file "w")) t) "k" #f))`,
		want: `((failed 1) (out in) "\"w\"" 7 7 "w")`},
	{name: "time limits", free: true, text: `
		(define a (with-timeout 60 (lambda () (write-file "t" "t") (read-file "t"))))
		(define b (guard (e ((timeout-error? e) 'late)) (with-timeout 0.02 (lambda () (bash "sleep 60")))))
		(write-file "u" "u")
		(list a b (with-timeout 60 (lambda () (read-file "u"))))`, want: `("t" late "u")`},
	{name: "budgets", text: `
		(define n 0)
		(define (end budget f) (guard (e ((tool-error? e) (tool-error-code e))) (with-budget budget f)))
		(define (count) (set! n (+ n 1)) (if (= 0 (modulo n 500)) (write-file "n" (number->string n))) (count))
		(define (spin) (set! n (+ n 1)) (spin))
		(define a (end '((fuel . 9000)) count))
		(write-file "at" (number->string n)) ; on record: it must be the same when it comes again
		(define b (end '((fuel . 9000) (calls . 100)) (lambda () (write-file "b" "b") (par-map (lambda (x) (end '((fuel . 2000)) spin) (spin)) '(1 2)))))
		(write-file "at" (number->string n))
		(define c (end '((calls . 3)) (lambda () (for-each (lambda (x) (write-file x x)) '("p" "q" "r" "s")))))
		(list a b c (file-exists? "r") (file-exists? "s") (= n (string->number (read-file "at"))))`, want: `(budget budget budget #t #f #t)`},
	{name: "with-policy", text: `
		(define (try name) (guard (e ((denied? e) 'denied)) (write-file name "1") (read-file name)))
		(define a (with-policy '(deny (write-file "p/**")) (lambda () (list-dir ".") (list (try "p/x") (try "q") (try "p/y")))))
		(list a (try "p/x"))`, want: `((denied "1" denied) "1")`},
	{name: "nested programs", text: `
		(define (inner n) (run-program (program
		  "(display (list 'inner n)) (write-file (string-append \"n\" (number->string n)) \"n\") (display 'more)
		   (write-file (string-append \"m\" (number->string n)) \"m\") (* n n)" #:args (list (cons 'n n)))))
		(display "before ")
		(define a (inner 3))
		(display " between ")
		(define b (map inner '(4 5)))
		(display " after")
		(write-file "z" "z")
		(list a b (read-file "m4"))`, want: `(9 (16 25) "m")`},
	{name: "the background", free: true, text: `
		(define (work name) (write-file name "1") (display name) (write-file (string-append name "2") "2") (display (read-file name)))
		(define x 1)
		(write-file "a" "a")
		(with-policy '(deny (write-file "no/**")) (lambda ()
		  (background (lambda () (write-file "k0" (number->string x)) (guard (e ((denied? e) (display 'denied))) (write-file "no/x" "")) (work "k")
		    (background (lambda () (work "kk")))))))
		(set! x 2)
		(write-file "b" "b")
		(write-file "c" "c")
		(list x (read-file "b"))`, want: `(2 "b")`},
	{name: "included text", text: `
		(include "part.scm")
		(define x (twice 2))
		(write-file "a" "a")
		(list x (twice (string->number (write-then-read "b" "4"))))`, want: `(4 8)`},
	{name: "evaluated data", text: `
		(include "part.scm")
		(define (here datum) (eval datum (interaction-environment)))
		(here '(define-syntax both (syntax-rules () ((_ a) (list a a)))))
		(define x (here '(both (write-then-read "a" "1"))))
		(here '(define (again name) (both (write-then-read name (eval ''"2" (environment '(scheme base)))))))
		(define y (par-map (lambda (name) (here (list 'again name))) '("b" "c")))
		(load "part.scm")
		(write-file "d" "d")
		(list x y (here '(both (twice 2))) (again "e"))`, free: true, want: `(("1" "1") (("2" "2") ("2" "2")) (4 4) ("2" "2"))`},
	{name: "evaluated data in the background", free: true, text: `
		(include "part.scm")
		(define (here datum) (eval datum (interaction-environment)))
		(here '(define x 1))
		(background (lambda () (here '(define x (twice 4))) (display (here '(write-then-read "k" (number->string x)))) (write-file "kk" "1")))
		(here '(define x (twice 3)))
		(write-file "b" "b")
		(write-file "c" "c")
		(list (here 'x) (read-file "b"))`, want: `(6 "b")`},
}

// TestRestoredAsReplayed crashes programs after each of their snapshots and continues them twice: from the snapshot, and
// without it. Both end as the program that nothing interrupted, with the same journal and the same output.
func TestRestoredAsReplayed(t *testing.T) {
	for _, c := range continued {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t)
			var moments []moment
			var writing sync.Mutex // one snapshot that is written over is not there for a moment
			h.at = func(point string) {
				switch point {
				case "before-snapshot":
					writing.Lock()
				case "after-snapshot":
					moments = append(moments, h.take())
					writing.Unlock()
				}
			}
			part := "(define (twice n) (* 2 n)) (define (write-then-read name text) (write-file name text) (read-file name))"
			if err := os.WriteFile(filepath.Join(h.work, "part.scm"), []byte(part), 0o600); err != nil {
				t.Fatal(err)
			}
			spec := h.spec(c.text, license.Yolo, nil)
			var id graph.ID
			r := h.run(t.Context(), spec, func(n graph.ID) { id = n })
			if r.err != nil || graph.Write(r.Value) != c.want {
				t.Fatalf("%+v", r)
			}
			h.at = nil
			whole := h.journal(id.Session)
			if len(moments) < 2 {
				t.Fatalf("%d snapshots", len(moments))
			}
			for i, m := range moments {
				h.goBack(m)
				restored := h.resume(t.Context(), id, spec)
				if n := h.passed("restored"); n == 0 {
					t.Errorf("moment %d: its snapshot was not used: %v", i, h.replays(id.Session))
				}
				first := h.journal(id.Session)
				if err := os.RemoveAll(filepath.Join(m.folder, "home", "snapshots")); err != nil {
					t.Fatal(err)
				}
				h.goBack(m)
				replayed := h.resume(t.Context(), id, spec)
				if n := h.passed("restored"); n != 0 {
					t.Fatal("without a snapshot there is nothing to restore")
				}
				second := h.journal(id.Session)
				if c.free { // a call that lost may have begun or not
					first, second = sorted(first), sorted(second)
					whole = first
					restored.out, replayed.out = sorted(restored.out), sorted(replayed.out)
				}
				for what, d := range map[string]string{
					"journal": cmp.Diff(second, first), "unbroken journal": cmp.Diff(whole, first), "output": cmp.Diff(replayed.out, restored.out),
					"value": cmp.Diff(graph.Write(replayed.Value), graph.Write(restored.Value)), "unbroken value": cmp.Diff(graph.Write(r.Value), graph.Write(restored.Value)),
				} {
					if d != "" {
						t.Errorf("moment %d of %d: %s (-replayed +restored):\n%s", i, len(moments), what, d)
					}
				}
				if restored.err != nil || restored.State != replayed.State || h.replays(id.Session) != nil {
					t.Fatalf("moment %d: %+v", i, restored)
				}
			}
		})
	}
}

// sorted is a text without the order of its lines, the numbers of its calls, or the order of words in a line that is
// output.
func sorted(text string) string {
	lines := strings.Split(regexp.MustCompile(`(?m)^ *[0-9]+[.][0-9]+[.][0-9]+ `).ReplaceAllString(text, ""), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
