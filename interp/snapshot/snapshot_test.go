package snapshot

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"caper/builtins"
	"caper/interp/code"
	"caper/interp/compile"
	"caper/interp/expand"
	"caper/interp/heap"
	"caper/interp/image"
	"caper/interp/prim"
	"caper/interp/syntax"
	"caper/interp/vm"
)

type loader struct{}

func (loader) Library(name []string, _ syntax.Span) (*syntax.Source, error) {
	if strings.Join(name, " ") != "%support" {
		return nil, nil
	}
	b, err := os.ReadFile("../../stdlib/control.scm")
	return syntax.NewSource("stdlib/control.scm", string(b)), err
}

func (loader) Include(string, *syntax.Source, syntax.Span) (*syntax.Source, error) { return nil, nil }

var testImage = sync.OnceValues(func() (*image.Image, error) {
	return image.Build(prim.NewTable(builtins.All()), loader{}, []string{"(%support)"})
})

type fixture struct {
	img   *image.Image
	units map[[32]byte]*code.Unit
	list  []*code.Unit
}

func load(t testing.TB, text string) *fixture {
	t.Helper()
	img, err := testImage()
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{img: img, units: map[[32]byte]*code.Unit{}}
	forms, err := syntax.ReadAll(syntax.NewSource("test.scm", text))
	if err != nil {
		t.Fatal(err)
	}
	world := expand.NewWorld(img.World, img.Slots(), nil, expand.Limits{})
	res, err := world.NewProgram([]string{"(%syntax)", "(%primitive)", "(%support)"}).Expand(forms)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range res.Units {
		cu, err := compile.Compile(u.Name, u.Body, compile.Options{Prims: img.Prims})
		if err != nil {
			t.Fatal(err)
		}
		f.units[cu.Hash] = cu
		f.list = append(f.list, cu)
	}
	return f
}

func (f *fixture) config() vm.Config {
	return vm.Config{Prims: f.img.Prims, Image: f.img.Machine, Memory: 8 << 20}
}

func (f *fixture) start(t testing.TB) *vm.Machine {
	t.Helper()
	m, err := vm.New(f.config())
	if err != nil {
		t.Fatal(err)
	}
	var numbers []int
	for _, u := range f.list {
		n, err := m.Load(u)
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, n)
	}
	if err := m.Start(numbers...); err != nil {
		t.Fatal(err)
	}
	return m
}

func (f *fixture) restore(b []byte) (*vm.Machine, error) {
	return Restore(f.config(), func(h [32]byte) *code.Unit { return f.units[h] }, b)
}

const fuel = 1 << 30

// finish answers every call with its number until the program ends.
func finish(m *vm.Machine) string {
	for range 10000 {
		s := m.Run(fuel)
		switch s.Kind {
		case vm.Done, vm.Raised:
			return s.Kind.String() + " " + m.Describe(s.Value)
		case vm.Exhausted:
			return "exhausted " + s.Which
		}
		for _, c := range m.Pending() {
			if err := m.Resume(c.ID, heap.Fixnum(int64(c.ID))); err != nil {
				return err.Error()
			}
		}
	}
	return "no end"
}

var programs = []struct{ name, text string }{
	{"frames and a list", `
		(define (upto n) (if (= n 0) '() (cons n (upto (- n 1)))))
		(define (deep n) (if (= n 0) (%host 'ask n) (+ 1 (deep (- n 1)))))
		(define l (upto 100))
		(let ((x (deep 20))) (+ x (length l)))`},
	{"every kind", `
		(define-record-type point (make-point x y) point? (x point-x) (y point-y))
		(define p (make-parameter 1))
		(define v (vector 1.5 1e300 (expt 3 100) (/ 1 3) #\a "text" "schön" 'symbol (string->symbol "made up") (make-point 1 2)
			(+ (/ 1 3) (* (expt 3 100) (sqrt -1))) (* 1e300 (sqrt -2)) (+ 0.5 (sqrt -1/4))
		  (string-append "con" "cat") (bytevector 1 2 3) (delay 1) p (lambda (x) x) (case-lambda ((a) a) ((a b) (list a b v)))
		  car '() #t (if #f #f) (call/cc (lambda (k) k)) (call-with-values (lambda () (values 1 2)) list)))
		(define k (parameterize ((p 2)) (dynamic-wind (lambda () #f) (lambda () (%host 'ask (p))) (lambda () #f))))
		(define s (make-string 3 #\x))
		(string-set! s 1 #\ö)
		(%host 'again v s)
		(list k s (vector-length v) (vector-ref v 8) (eq? (vector-ref v 8) (string->symbol "made up")))`},
	{"fibers", `
		(define (work x) (guard (e (#t (list 'failed e))) (+ x (%host 'ask x) (%host 'ask (* x 2)))))
		(list (par-map work '(1 2 3 4 5)) (race (lambda () (%host 'a)) (lambda () (%host 'b))))`},
	{"guards", `
		(define (deep n) (if (= n 0) (raise (%host 'ask n)) (+ 1 (deep (- n 1)))))
		(define (try n)
		  (guard (e ((begin (%host 'clause e) #f) 1) ((%host 'second) (list 'caught e (%host 'in n))))
		    (guard (e ((not (%host 'inner)) 2))
		      (dynamic-wind (lambda () (%host 'before)) (lambda () (deep n)) (lambda () (%host 'after))))))
		(list (try 3) (try 20000))`},
	{"a table that is hashed by address elsewhere", `
		(define (keys n l) (if (= n 0) l (keys (- n 1) (cons (list n) l))))
		(define l (keys 100 '()))
		(define (fill t l) (if (pair? l) (begin (hash-table-set! t (car l) (car (car l))) (fill t (cdr l))) t))
		(define (tables n r) (if (= n 0) r (tables (- n 1) (cons (fill (%make-table 'eq) l) r))))
		(define (sum t l) (if (pair? l) (+ (hash-table-ref/default t (car l) 1000000) (sum t (cdr l))) 0))
		(define (sums ts) (if (pair? ts) (begin (%gc) (cons (sum (car ts) l) (sums (cdr ts)))) '()))
		(%gc) (%gc) (%gc) (%gc)
		(define all (tables 12 '()))
		(%host 'ask 1)
		(sums all)`},
	{"budgets", `
		(define n 0)
		(define (count x) (set! n (+ n 1)) (if (= x 100) (begin (%charge-call) (%host 'ask n) (count 0)) (count (+ x 1))))
		(define (end budget) (guard (e (#t (list (error-object-message e) n (%host 'end n)))) (with-budget budget (lambda () (par-map count '(1 2 3))))))
		(list (end '((fuel . 1000))) (end '((fuel . 100000) (calls . 5))) (end '((fuel . 3000) (time . 3000))))`},
	{"deep stack", `
		(define (deep n) (if (= n 0) (%host 'ask n) (+ 1 (deep (- n 1)))))
		(list (deep 20000) (%host 'ask 2))`},
}

func TestRoundTrip(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			f := load(t, p.text)
			m := f.start(t)
			defer m.Close()
			want := ""
			{
				m := f.start(t)
				want = finish(m)
				m.Close()
			}
			for step := 0; ; step++ { // through a snapshot at every suspension
				s := m.Run(fuel)
				if s.Kind != vm.Suspended {
					if got := s.Kind.String() + " " + m.Describe(s.Value); got != want {
						t.Fatalf("after %d snapshots: %s, else %s", step, got, want)
					}
					break
				}
				b, err := Take(m)
				if err != nil {
					t.Fatal(err)
				}
				m.Close()
				if m, err = f.restore(b); err != nil {
					t.Fatalf("step %d: %v", step, err)
				}
				if again, err := Take(m); err != nil || string(again) != string(b) {
					t.Fatalf("step %d: a restored machine has another snapshot (%v)", step, err)
				}
				for _, c := range m.Pending() {
					if err := m.Resume(c.ID, heap.Fixnum(int64(c.ID))); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}

func TestFuelSlices(t *testing.T) {
	f := load(t, `(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (list (fib 15) (par-map fib '(10 11)))`)
	m := f.start(t)
	n := 0
	for {
		s := m.Run(500)
		if s.Kind == vm.Done {
			if got := m.Describe(s.Value); got != "(610 (55 89))" || n < 3 {
				t.Fatal(got, n)
			}
			return
		}
		if s.Kind != vm.Exhausted {
			t.Fatal(s, m.Describe(s.Value))
		}
		b, err := Take(m)
		if err != nil {
			t.Fatal(err)
		}
		m.Close()
		if m, err = f.restore(b); err != nil {
			t.Fatal(n, err)
		}
		n++
	}
}

// resum makes the checksum right again.
func resum(b []byte) {
	body := b[:len(b)-8]
	binary.LittleEndian.PutUint64(b[len(body):], uint64(crc32.Checksum(body, castagnoli)))
}

// suspended is a snapshot of a program's first suspension, or of its second where that has more to show.
func (f *fixture) suspended(t testing.TB, second bool) []byte {
	t.Helper()
	m := f.start(t)
	defer m.Close()
	m.Run(fuel)
	if second {
		answer(t, m)
		m.Run(fuel)
	}
	b, err := Take(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func answer(t testing.TB, m *vm.Machine) {
	for _, c := range m.Pending() {
		if err := m.Resume(c.ID, heap.Fixnum(int64(c.ID))); err != nil {
			t.Fatal(err)
		}
	}
}

// tryOut restores a damaged snapshot whose checksum is right, runs what was restored, and reports whether it ran.
func (f *fixture) tryOut(t testing.TB, b []byte, fuel int64) bool {
	m, err := f.restore(b)
	if err != nil {
		if !errors.Is(err, ErrDamaged) && !errors.Is(err, vm.ErrOther) {
			t.Fatal(err)
		}
		return false
	}
	defer m.Close()
	for range 2 {
		if s := m.Run(fuel); s.Kind == vm.Raised && s.Which == "machine-fault" {
			t.Fatalf("the check let through what the machine stumbles over: %s", m.Describe(s.Value))
		}
		answer(t, m)
	}
	return true
}

// TestCorruption damages snapshots at random and makes the checksum right again: a thousand rounds a program, or
// 105,000 in all with CAPER_FULL=1 in the environment.
func TestCorruption(t *testing.T) {
	rounds := 1000
	if os.Getenv("CAPER_FULL") != "" {
		rounds = 35000
	}
	for _, p := range programs[:4] {
		f := load(t, p.text)
		good := f.suspended(t, p.name == "every kind")
		r := rand.New(rand.NewPCG(1, 2))
		ran := 0
		for range rounds {
			b := append([]byte(nil), good...)
			for range 1 + r.IntN(2) {
				switch i := r.IntN(len(b) - 8); r.IntN(4) {
				case 0:
					b[i] ^= 1 << r.IntN(8)
				case 1:
					b[i] = byte(r.IntN(256))
				case 2: // a word from elsewhere
					j := r.IntN((len(b) - 8) / 8)
					copy(b[i&^7:i&^7+8], b[j*8:j*8+8])
				case 3:
					w := binary.LittleEndian.Uint64(b[i&^7:])
					binary.LittleEndian.PutUint64(b[i&^7:], w+uint64(r.IntN(64)-32))
				}
			}
			resum(b)
			if f.tryOut(t, b, 20_000) {
				ran++
			}
		}
		t.Logf("%s: %d bytes, %d refused, %d were other data and ran", p.name, len(good), rounds-ran, ran)
	}
}

// FuzzRestore feeds any bytes, with the checksum made right, to a restore for one of the programs.
func FuzzRestore(f *testing.F) {
	var fixtures []*fixture
	for i, p := range programs[:4] {
		x := load(f, p.text)
		fixtures = append(fixtures, x)
		f.Add(uint8(i), x.suspended(f, false))
		f.Add(uint8(i), x.suspended(f, i > 0))
	}
	f.Fuzz(func(t *testing.T, which uint8, b []byte) {
		if b = b[:len(b)&^7]; len(b) >= 16 {
			resum(b)
		}
		fixtures[int(which)%len(fixtures)].tryOut(t, b, 2_000) // little, since the checking build collects at every safepoint
	})
}

func TestTruncatedAndForeign(t *testing.T) {
	f := load(t, programs[0].text)
	m := f.start(t)
	defer m.Close()
	m.Run(fuel)
	good, err := Take(m)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(good); n += 7 {
		if _, err := f.restore(good[:n]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
	other := load(t, programs[2].text)
	if _, err := other.restore(good); !errors.Is(err, vm.ErrOther) {
		t.Error(err)
	}
	if hashes, err := Units(good); err != nil || len(hashes) != len(f.list) || hashes[0] != f.list[0].Hash {
		t.Error(hashes, err)
	}
}

func BenchmarkTake(b *testing.B) {
	f := load(b, programs[0].text)
	m := f.start(b)
	m.Run(fuel)
	for b.Loop() {
		if _, err := Take(m); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRestore(b *testing.B) {
	f := load(b, programs[0].text)
	m := f.start(b)
	m.Run(fuel)
	data, err := Take(m)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		m, err := f.restore(data)
		if err != nil {
			b.Fatal(err)
		}
		m.Close()
	}
}
