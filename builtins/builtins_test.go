package builtins_test

import (
	"fmt"
	"math"
	"math/big"
	"os"
	"strings"
	"testing"

	"caper/builtins"
	"caper/interp/frozen"
	"caper/interp/heap"
	"caper/interp/number"
	"caper/interp/prim"
)

func newCtx(t testing.TB) *prim.Ctx {
	t.Helper()
	cage, err := heap.NewCage(nil)
	if err != nil {
		t.Fatalf("no cage: %v", err)
	}
	a := &heap.Arena{}
	a.Init(cage, 64<<20, frozen.Index{})
	return &prim.Ctx{Arena: a, Cache: map[string]any{}}
}

func call(c *prim.Ctx, p *prim.Prim, args ...heap.Word) heap.Word {
	c.Prim, c.Fault = p, prim.Fault{}
	return p.Fn(c, args)
}

func TestRowsAreDescribed(t *testing.T) {
	for _, p := range prim.NewTable(builtins.All()).Rows {
		switch {
		case p.Doc == "" || !strings.HasSuffix(p.Doc, ".") && !strings.HasSuffix(p.Doc, "?") && !strings.HasSuffix(p.Doc, ")"):
			t.Errorf("%s: the doc line %q is no sentence", p.Name, p.Doc)
		case p.Max >= 0 && p.Max < p.Min:
			t.Errorf("%s: takes %d to %d arguments", p.Name, p.Min, p.Max)
		case p.Args == "" && p.Max != 0:
			t.Errorf("%s: the arguments have no names", p.Name)
		}
	}
}

// samples are values of every kind, hostile ones among them.
func samples(c *prim.Ctx, rows *prim.Table) []heap.Word {
	circle := c.List(heap.Fixnum(1), heap.Fixnum(2))
	c.SetCdr(c.Cdr(circle), circle)
	knot := c.New(heap.KindVector, 1, heap.Null)
	c.SetField(knot, 0, knot)
	deep := heap.Null
	for range 3_000 {
		deep = c.Cons(deep, heap.Null)
	}
	wide := c.NewString("a\u00fcb\u03bb")
	c.StringSet(wide, 0, '\U0001F600')
	table := func(name string) *prim.Prim {
		i, _ := rows.Lookup(name)
		return &rows.Rows[i]
	}
	rtd := call(c, table("%make-rtd"), c.Intern("<point>"), c.List(c.Intern("x")))
	hash := call(c, table("%make-table"), c.Intern("equal"))
	call(c, table("hash-table-set!"), hash, c.NewString("k"), circle)
	return []heap.Word{
		heap.Fixnum(0), heap.Fixnum(-1), heap.Fixnum(3), heap.Fixnum(heap.MaxFixnum), heap.Fixnum(heap.MinFixnum), c.Flonum(2.5), c.Flonum(math.NaN()), c.Flonum(1e300),
		c.Flonum(math.Inf(-1)), c.FromBig(new(big.Int).Lsh(big.NewInt(-3), 200)), c.FromNumber(big.NewRat(22, 7)),
		c.FromNumber(number.Complex{Re: big.NewRat(22, 7), Im: int64(-1)}), c.FromNumber(number.Complex{Re: math.NaN(), Im: 1e300}), c.FromNumber(number.Complex{Re: int64(0), Im: int64(1)}),
		c.NewString("abc"), c.NewString(""), wide, c.StaticString("literal"), c.NewString("("), c.NewString("{\"a\":[1]}"), heap.Char('a'), heap.Char(0x10ffff),
		c.Intern("sym"), c.InternKeyword("key"), heap.Null, c.List(heap.Fixnum(1), heap.Fixnum(2)), c.Cons(heap.Fixnum(1), heap.Fixnum(2)), c.List(c.Cons(c.Intern("a"), heap.Fixnum(1))),
		c.List(c.NewString("x"), c.NewString("y")), circle, knot, deep, c.NewOf(heap.KindVector, heap.Fixnum(1), heap.Char('x')), c.FromBytes([]byte{1, 255}), c.FromBytes(nil),
		heap.True, heap.False, heap.EOF, heap.Default, heap.Unspecified, c.NewOf(heap.KindBox, heap.Fixnum(1)), rtd, call(c, table("%record"), rtd, circle), hash,
		c.NewCondition("error", "message", circle, heap.Null), call(c, table("%make-promise"), heap.True, heap.Null), call(c, table("%make-parameter"), heap.Null, heap.False),
		call(c, table("regexp"), c.NewString("a(b)?")), call(c, table("string->char-set"), c.NewString("ab")), call(c, table("open-input-string"), c.NewString("(a b) c")),
		call(c, table("open-output-string")), call(c, table("open-input-bytevector"), c.FromBytes([]byte{1})), call(c, table("open-output-bytevector")), call(c, table("%console-port"), heap.Fixnum(1)),
	}
}

// TestAnyArguments gives every primitive arguments of every kind: it answers or fails with a message, and never panics.
func TestAnyArguments(t *testing.T) {
	c := newCtx(t)
	table := prim.NewTable(builtins.All())
	values := samples(c, table)
	start := c.HP
	rounds := len(values) / 2
	if os.Getenv("CAPER_FULL") != "" {
		rounds = 2 * len(values)
	}
	for i := range table.Rows {
		p := &table.Rows[i]
		for n := p.Min; n <= p.Min+2 && (p.Max < 0 || n <= p.Max); n++ {
			args := make([]heap.Word, n)
			for round := range rounds {
				for k := range args {
					args[k] = values[(round*(k*2+1)+k*round/len(values)+k)%len(values)]
				}
				if p.Name == "%table-freeze!" || p.Name == "set-cdr!" || p.Name == "set-car!" || strings.HasPrefix(p.Name, "append!") || strings.HasPrefix(p.Name, "reverse!") {
					values = samples(c, table) // it changes them
				}
				check(t, c, p, args)
				if c.Used() > 16<<20 {
					c.HP = start // all that was made since is garbage
					values = samples(c, table)
				}
			}
		}
	}
}

func check(t *testing.T, c *prim.Ctx, p *prim.Prim, args []heap.Word) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s panicked: %v\n%s", p.Name, r, show(c, args))
		}
	}()
	w := call(c, p, args...)
	switch {
	case w == heap.Raised && c.Fault.Message == "":
		t.Errorf("%s failed without a message: %s", p.Name, show(c, args))
	case w != heap.Raised && c.Fault.Message != "":
		t.Errorf("%s answered although it failed (%s): %s", p.Name, c.Fault.Message, show(c, args))
	}
}

func show(c *prim.Ctx, args []heap.Word) string {
	var out []string
	for _, w := range args {
		out = append(out, fmt.Sprintf("%#x (kind %#x)", w, c.Kind(w)))
	}
	return strings.Join(out, " ")
}
