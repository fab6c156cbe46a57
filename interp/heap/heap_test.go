package heap

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"caper/interp/frozen"
)

func newArena(t testing.TB, limit uint64) *Arena {
	t.Helper()
	c, err := NewCage(nil)
	if err != nil {
		t.Fatal(err)
	}
	a := &Arena{}
	a.Init(c, limit, frozen.Index{})
	t.Cleanup(func() { _ = c.Free() })
	return a
}

func TestFlonums(t *testing.T) {
	a := newArena(t, 1<<20)
	for _, f := range []float64{0, math.Copysign(0, -1), 1, -1, 0.1, math.Pi, 1e76, 1e77, 1e78, 1e-77, 1e-78, 1e300, -1e300, 5e-324, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(), 1 << 53} {
		w := a.Flonum(f)
		got, ok := a.FlonumValue(w)
		if !ok || math.Float64bits(got) != math.Float64bits(f) {
			t.Errorf("%v came back as %v", f, got)
		}
		if inline := w&TagMask != TagObject; inline != (f == 0 && !math.Signbit(f) || math.Abs(f) < 1.1e77 && math.Abs(f) > 1e-77) {
			t.Errorf("%v inline: %v", f, inline)
		}
	}
	for _, w := range []Word{Fixnum(1), False, Null, Char('a'), a.Cons(Null, Null), a.NewString("x")} {
		if _, ok := a.FlonumValue(w); ok {
			t.Errorf("%#x is a flonum", w)
		}
	}
}

func TestIntegers(t *testing.T) {
	a := newArena(t, 1<<20)
	for _, s := range []string{"0", "-1", "1152921504606846975", "1152921504606846976", "-1152921504606846976", "-1152921504606846977", "9223372036854775807", "18446744073709551616", "-340282366920938463463374607431768211456"} {
		z, _ := new(big.Int).SetString(s, 10)
		w := a.FromBig(z)
		var back big.Int
		if !a.Integer(w, &back) || back.Cmp(z) != 0 {
			t.Errorf("%s came back as %s", s, &back)
		}
		fits := z.IsInt64() && FitsFixnum(z.Int64())
		if IsFixnum(w) != fits {
			t.Errorf("%s is a fixnum: %v", s, IsFixnum(w))
		}
		if st := a.StaticNumber(z); !fits && uint32(st) >= HeapLo {
			t.Errorf("%s: static at %#x", s, st)
		}
	}
	// A view must not be written to when its owner is used again.
	w := a.FromBig(new(big.Int).Lsh(big.NewInt(1), 100))
	x, _, _ := a.Scratch()
	a.Integer(w, x)
	a.Integer(Fixnum(7), x)
	var again big.Int
	if a.Integer(w, &again); again.BitLen() != 101 {
		t.Error("a scratch integer wrote into the arena")
	}
}

func TestStrings(t *testing.T) {
	a := newArena(t, 1<<20)
	long := strings.Repeat("aäb€c", 100)
	for _, s := range []string{"", "ascii", "größe", "\U0001F600", long, strings.Repeat("x", 1000)} {
		for _, w := range []Word{a.NewString(s), a.StaticString(s)} {
			runes := []rune(s)
			if a.StringLen(w) != len(runes) || a.Text(w) != s || !a.SoundString(w) {
				t.Fatalf("%q came back as %q", s, a.Text(w))
			}
			for i, r := range runes {
				if a.StringRef(w, i) != r {
					t.Fatalf("character %d of %q", i, s)
				}
			}
		}
	}
	w := a.NewString("abc")
	a.StringSet(w, 1, 'X')
	if a.Text(w) != "aXc" || !a.IsASCII(w) {
		t.Error(a.Text(w))
	}
	a.StringSet(w, 2, 'ü')
	a.StringSet(w, 0, '\U0001F600')
	if a.Text(w) != "\U0001F600Xü" || a.StringLen(w) != 3 || !a.SoundString(w) || a.StringRef(w, 2) != 'ü' {
		t.Error(a.Text(w))
	}
	if !a.StringEqual(w, a.NewString("\U0001F600Xü")) || a.StringEqual(w, a.NewString("abc")) {
		t.Error("equality across encodings")
	}
	if again := a.Intern("x"); again != a.Intern("x") || again == a.InternKeyword("x") || a.NewUninterned("x") == a.Intern("x") {
		t.Error("symbols")
	}
	if a.Intern("#:x") == a.InternKeyword("x") || !a.IsSymbol(a.Intern("#:x")) {
		t.Error("the symbol |#:x| is the keyword #:x")
	}
	if a.SymbolName(a.Intern("größe")) != "größe" || !a.IsKeyword(a.InternKeyword("k")) || a.IsSymbol(a.InternKeyword("k")) {
		t.Error("symbol names")
	}
}

// node is the model of an object in TestCollectKeepsTheGraph.
type node struct {
	word  Word
	items []int // other nodes; −1: a fixnum
}

func TestCollectKeepsTheGraph(t *testing.T) {
	a := newArena(t, 64<<20)
	r := rand.New(rand.NewPCG(1, 1))
	var nodes []node
	roots := make([]Word, 8)
	rootOf := make([]int, len(roots))
	for i := range rootOf {
		rootOf[i] = -1
	}
	for round := range 300 {
		for range 200 {
			n := node{}
			pick := func() Word {
				if k := r.IntN(len(nodes)+2) - 2; k >= 0 && nodes[k].word != 0 {
					n.items = append(n.items, k)
					return nodes[k].word
				}
				n.items = append(n.items, -1)
				return Fixnum(int64(round))
			}
			switch r.IntN(4) {
			case 0:
				x, y := pick(), pick()
				n.word = a.Cons(x, y)
			case 1:
				size := r.IntN(40)
				words := make([]Word, size)
				for i := range words {
					words[i] = pick()
				}
				n.word = a.NewOf(KindVector, words...)
			case 2:
				n.word = a.NewOf(KindBox, pick())
			default:
				n.word = a.NewBytes(r.IntN(50))
			}
			nodes = append(nodes, n)
			if r.IntN(10) == 0 {
				i := r.IntN(len(roots))
				roots[i], rootOf[i] = n.word, len(nodes)-1
			}
		}
		if !a.Collect(roots) {
			t.Fatal("out of memory")
		}
		// Follow the model from the roots and give the nodes their new words; all others are gone.
		found := map[int]Word{}
		var follow func(k int, w Word)
		follow = func(k int, w Word) {
			if old, ok := found[k]; ok {
				if old != w {
					t.Fatalf("node %d is at two places", k)
				}
				return
			}
			found[k] = w
			words := []Word{}
			switch {
			case IsPair(w):
				words = append(words, a.Car(w), a.Cdr(w))
			case a.Is(w, KindBytes):
			default:
				words = a.Fields(w)
			}
			if len(words) != len(nodes[k].items) {
				t.Fatalf("node %d has %d items", k, len(words))
			}
			for i, item := range nodes[k].items {
				if item < 0 {
					if !IsFixnum(words[i]) {
						t.Fatalf("item %d of node %d", i, k)
					}
					continue
				}
				follow(item, words[i])
			}
		}
		for i, k := range rootOf {
			if k >= 0 {
				follow(k, roots[i])
			}
		}
		for k := range nodes {
			nodes[k].word = found[k]
		}
		if len(nodes) > 3000 { // start over, keeping nothing
			nodes = nil
			for i := range roots {
				roots[i], rootOf[i] = Fixnum(0), -1
			}
		}
	}
	if a.Collections != 300 {
		t.Error(a.Collections)
	}
}

func TestLimits(t *testing.T) {
	a := newArena(t, 4<<20)
	if a.Max() != 2<<20 || !a.Reserve(1<<20) || a.Reserve(3<<20) || a.Reserve(math.MaxUint64) {
		t.Error(a.Max())
	}
	root := []Word{Null}
	defer func() {
		if r := recover(); r != ErrMemory {
			t.Errorf("%v", r)
		}
		if a.Collect(root) {
			t.Error("a full arena is not out of memory")
		}
		root[0] = Null
		if !a.Collect(root) {
			t.Error("an empty arena is out of memory")
		}
	}()
	for {
		root[0] = a.Cons(Fixnum(1), root[0])
	}
}

func TestReleaseWipes(t *testing.T) {
	a := newArena(t, 256<<20)
	c := a.Cage()
	for size := range 4 {
		a.Init(c, 256<<20, frozen.Index{})
		roots := []Word{Null}
		for range 1000 * (1 << (4 * size)) {
			roots[0] = a.Cons(Fixnum(-1), roots[0])
		}
		a.Collect(roots)
		for range 5000 {
			a.Intern(strings.Repeat("s", size+1) + string(rune('a'+a.HP%26)))
			roots[0] = a.Cons(Fixnum(-1), roots[0])
		}
		a.Store(GlobalOffset(ImageGlobals), Fixnum(-1))
		a.Store(StackLo+800, Fixnum(-1))
		hp, static := a.HP, a.StaticEnd()
		a.Release(1, 1000)
		for _, r := range [][2]uint64{{PrivateLo, PrivateLo + 64}, {StaticLo, static}, {StackLo, StackLo + 1000}, {HeapLo, min(hp, c.rw[0])}, {heap1, max(heap1, min(hp, c.rw[1]))}} {
			for i, w := range c.words(r[0], r[1]) {
				if w != 0 {
					t.Fatalf("size %d: a word is left at %#x", size, r[0]+uint64(i)*8)
				}
			}
		}
	}
}

func TestDetachAndAttach(t *testing.T) {
	a := newArena(t, 16<<20)
	other := newArena(t, 16<<20)
	roots := []Word{Null}
	for i := range 10000 {
		roots[0] = a.Cons(Fixnum(int64(i)), roots[0])
	}
	a.Collect(roots)
	sym := a.Intern("kept")
	a.Store(GlobalOffset(ImageGlobals), sym)
	p, c := a.Detach(1, 0, StaticLo)
	if p.Size() < 160000 {
		t.Error(p.Size())
	}
	for _, w := range c.words(heap1, heap1+80) {
		if w != 0 {
			t.Fatal("the cage is not wiped")
		}
	}
	if err := a.Attach(p, other.Cage()); err != nil {
		t.Fatal(err)
	}
	if n, ok := a.ListLen(roots[0]); n != 10000 || !ok || a.Car(roots[0]) != Fixnum(9999) {
		t.Error(n)
	}
	if a.Load(GlobalOffset(ImageGlobals)) != sym || a.SymbolName(sym) != "kept" || a.Intern("kept") != sym {
		t.Error("static area or globals")
	}
}

func TestRestoreStatic(t *testing.T) {
	a := newArena(t, 1<<20)
	begin := a.StaticEnd()
	a.Intern("one")
	a.InternKeyword("two")
	a.NewUninterned("one")
	a.Intern(strings.Repeat("ä", 200))
	words := clone(a.Words(begin, a.StaticEnd()))
	b := newArena(t, 1<<20)
	refs, err := b.RestoreStatic(words)
	if err != nil || len(refs) != 13 {
		t.Fatal(len(refs), err)
	}
	if b.Intern("one") != a.Intern("one") || b.InternKeyword("two") != a.InternKeyword("two") {
		t.Error("symbols are elsewhere")
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		bad := clone(words)
		bad[r.IntN(len(bad))] ^= 1 << r.IntN(64)
		c := newArenaOn(b)
		refs, err := c.RestoreStatic(bad)
		if err != nil {
			continue
		}
		for _, w := range refs { // whatever passed can be used
			if c.IsString(w) {
				c.Text(w)
			}
		}
	}
}

// newArenaOn starts over on another arena's cage.
func newArenaOn(a *Arena) *Arena {
	c := a.Cage()
	c.wipe(StaticLo, a.static)
	b := &Arena{}
	b.Init(c, 1<<20, frozen.Index{})
	a.static = StaticLo + 64<<10
	return b
}

func TestLists(t *testing.T) {
	a := newArena(t, 1<<20)
	l := a.List(Fixnum(1), Fixnum(2), Fixnum(3))
	if n, ok := a.ListLen(l); n != 3 || !ok {
		t.Error(n, ok)
	}
	if _, ok := a.ListLen(a.Cons(Null, Fixnum(1))); ok {
		t.Error("improper")
	}
	a.SetCdr(a.Cdr(a.Cdr(l)), l)
	if _, ok := a.ListLen(l); ok {
		t.Error("circular")
	}
	if _, ok := a.Slice(l, 100); ok {
		t.Error("circular")
	}
}

func BenchmarkCollect(b *testing.B) {
	a := newArena(b, 512<<20)
	roots := []Word{Null}
	for i := range 1000000 {
		roots[0] = a.Cons(Fixnum(int64(i)), roots[0])
	}
	b.SetBytes(16000000)
	for b.Loop() {
		a.Collect(roots)
	}
}
