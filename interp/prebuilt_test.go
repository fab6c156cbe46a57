package interp

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"caper/interp/syntax"
	"caper/stdlib"
)

// prebuiltOptions are an engine's with all kinds of things in its libraries, among them such as no library has yet.
func prebuiltOptions() Options {
	return Options{
		Libraries: map[string]string{"(test)": `(define-library (test)
			(import (scheme base) (scheme case-lambda))
			(export hidden counter all-data two by-cases (rename two zwei))
			(begin
				(define-syntax define-hidden (syntax-rules () ((_ name value)
					(begin (define secret value) (define-syntax name (syntax-rules () ((_) secret) ((_ x (... ...)) (list secret x (... ...)))))))))
				(define-hidden hidden 'found)
				(define count 0)
				(define-syntax counter (syntax-rules () ((_) (begin (set! count (+ count 1)) count))))
				(define-syntax all-data (syntax-rules () ((_) '(a "b" #\c 1 1.5 2/3 123456789012345678901234567890 -7 #t #f #u8(1 2) #(v (w . x)) #:k))))
				(define (two) 2)
				(define by-cases (case-lambda ((a) (two)) ((a b) (let ((c a)) (let loop ((i 0)) (if (< i b) (loop (+ i 1)) c)))) ((a . rest) rest)))))`},
		Order:    []string{"(caper standard)", "(caper prelude)", "(test)"},
		Implicit: []string{"(caper prelude)", "(test)"},
		Prebuilt: Prebuilt{Code: fstest.MapFS{"a.go": {Data: []byte("package a")}, "a_test.go": {Data: []byte("package a")}}},
	}
}

// bothEngines are one that was built and one that was made of what the first wrote down.
func bothEngines(t *testing.T) (built, read *Engine, o Options) {
	t.Helper()
	o = prebuiltOptions()
	built, err := NewEngine(o)
	if err != nil {
		t.Fatal(err)
	}
	if o.Prebuilt.Image, err = built.Freeze(o); err != nil {
		t.Fatal(err)
	}
	if err := o.Check(); err != nil {
		t.Fatal(err)
	}
	if read, err = NewEngine(o); err != nil {
		t.Fatal(err)
	}
	return built, read, o
}

// TestPrebuiltIsWhole: nothing that is written down is lost, and reading takes it all.
func TestPrebuiltIsWhole(t *testing.T) {
	built, read, o := bothEngines(t)
	if built.image.Machine.Hash() != read.image.Machine.Hash() {
		t.Error("another hash: snapshots of one would be refused by the other")
	}
	again, err := read.Freeze(o)
	if err != nil {
		t.Fatal(err)
	}
	if again != o.Prebuilt.Image {
		t.Errorf("read and written again it has %d bytes, before %d, or others", len(again), len(o.Prebuilt.Image))
	}
}

// corpus is program text of all kinds, by name.
func corpus(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{
		"test library": "(list (hidden) (hidden 1) (counter) (counter) (all-data) (two) (zwei) (by-cases 1) (by-cases 1 2) (by-cases 1 2 3))",
		"shadowing":    "(define (two) 3) (define old map) (define (map f l) (old f l)) (map (lambda (x) (two)) '(1))",
		"modifiers":    "(import (rename (prefix (except (scheme base) car) b:) (b:cdr rest)) (only (test) two)) (rest (b:list (two) 2))",
	}
	for _, l := range stdlib.Libraries() {
		texts["import "+l] = "(import " + l + ")"
	}
	for name, files := range map[string]fs.FS{"bench": os.DirFS("bench/programs"), "stdlib": stdlib.FS()} {
		err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".scm") && (name == "bench" || strings.HasSuffix(path, "-test.scm")) {
				text, err := fs.ReadFile(files, path)
				texts[path] = string(text)
				return err
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return texts
}

// units are the hashes of what a text compiles to.
func units(e *Engine, name, text string) (string, error) {
	m, err := e.NewMachine(Config{})
	if err != nil {
		return "", err
	}
	defer m.Close()
	c, err := m.compile(syntax.NewSource(name, text))
	if err != nil {
		return "error " + err.Error(), nil
	}
	var all []string
	for _, u := range c.units {
		all = append(all, fmt.Sprintf("%s %x", u.Name, u.Hash))
	}
	return strings.Join(all, "\n"), nil
}

// TestPrebuiltCompilesTheSame: what programs make of the library does not show where it came from. Many at once use it.
func TestPrebuiltCompilesTheSame(t *testing.T) {
	built, read, _ := bothEngines(t)
	var wait sync.WaitGroup
	for name, text := range corpus(t) {
		wait.Go(func() {
			want, err := units(built, name, text)
			if err != nil {
				t.Error(err)
			}
			if got, err := units(read, name, text); got != want || err != nil {
				t.Errorf("%s:\n got %s\nwant %s (%v)", name, got, want, err)
			}
		})
	}
	wait.Wait()
}

func TestPrebuiltRuns(t *testing.T) {
	_, read, _ := bothEngines(t)
	m, err := read.NewMachine(Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if err := m.Load(syntax.NewSource("p", corpus(t)["test library"])); err != nil {
		t.Fatal(err)
	}
	want := `(found (found 1) 1 2 (a "b" #\c 1 1.5 2/3 123456789012345678901234567890 -7 #t #f #u8(1 2) #(v (w . x)) #:k) 2 2 2 1 (2 3))`
	if s := m.Run(1 << 30); s.Kind != Done || m.Text(s.Value, 1000) != want {
		t.Errorf("%v\n got %s\nwant %s", s.Kind, m.Text(s.Value, 1000), want)
	}
}

// TestPrebuiltOther: an image of other code or other libraries, or one that is damaged, is not used; the engine builds its own.
func TestPrebuiltOther(t *testing.T) {
	_, _, o := bothEngines(t)
	whole := o.Prebuilt.Image
	file := func(name, text string) func(*Options) {
		return func(o *Options) {
			o.Prebuilt.Code = fstest.MapFS{"a.go": {Data: []byte("package a")}, name: {Data: []byte(text)}}
		}
	}
	flipped := func(at int) func(*Options) {
		return func(o *Options) {
			b := []byte(whole)
			b[at] ^= 4
			o.Prebuilt.Image = string(b)
		}
	}
	for _, c := range []struct {
		what   string
		change func(*Options)
		sound  bool
	}{
		{"nothing", func(*Options) {}, true},
		{"a test of the engine", file("b_test.go", "package a"), true},
		{"code", file("a.go", "package b"), false},
		{"more code", file("b.go", ""), false},
		{"a library", func(o *Options) { o.Libraries = map[string]string{"(test)": o.Libraries["(test)"] + " "} }, false},
		{"the order", func(o *Options) { o.Order = o.Order[:2] }, false},
		{"no image", func(o *Options) { o.Prebuilt.Image = "" }, false},
		{"no code", func(o *Options) { o.Prebuilt = Prebuilt{} }, false},
		{"the beginning", func(o *Options) { o.Prebuilt.Image = whole[:40] }, false},
		{"cut off", func(o *Options) { o.Prebuilt.Image = whole[:len(whole)-1] }, false},
		{"longer", func(o *Options) { o.Prebuilt.Image += "x" }, false},
		{"the first byte", flipped(0), false},
		{"the key", flipped(20), false},
		{"a byte", flipped(len(whole) / 2), false},
		{"the last byte", flipped(len(whole) - 1), false},
	} {
		o := o
		c.change(&o)
		if err := o.Check(); (err == nil) != c.sound {
			t.Errorf("%s: %v", c.what, err)
		}
	}
	o.Prebuilt.Image = whole[:len(whole)-1]
	e, err := NewEngine(o)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := e.Freeze(o); got != whole || err != nil {
		t.Errorf("beside a damaged image the engine built another one (%v)", err)
	}
}
