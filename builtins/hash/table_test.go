package hash_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"caper/builtins/hash"
	"caper/interp/frozen"
	"caper/interp/heap"
	"caper/interp/prim"
)

func newCtx(t testing.TB) *prim.Ctx {
	t.Helper()
	cage, err := heap.NewCage(nil)
	if err != nil {
		t.Fatalf("no cage: %v", err)
	}
	a := &heap.Arena{}
	a.Init(cage, 128<<20, frozen.Index{})
	return &prim.Ctx{Arena: a, Prim: &prim.Prim{Name: "test"}}
}

// TestAgainstMap plays random operations on a table and on a Go map, with collections in between that move what was
// hashed by address.
func TestAgainstMap(t *testing.T) {
	c := newCtx(t)
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 300
	roots := make([]heap.Word, n+1) // keys that only their addresses tell apart, then the table
	for i := range n {
		roots[i] = c.NewOf(heap.KindVector, heap.Fixnum(int64(i)))
	}
	for _, kind := range []int{hash.ByEq, hash.ByEqv, hash.ByEqual, hash.ByString} {
		roots[n] = hash.New(c.Arena, kind, 0)
		want := map[int]int64{}
		var order []int
		for step := range 20_000 {
			i := rng.IntN(n)
			switch op := rng.IntN(100); {
			case op < 50:
				if _, there := want[i]; !there {
					order = append(order, i)
				}
				want[i] = int64(step)
				if !hash.Set(c, roots[n], roots[i], heap.Fixnum(int64(step))) {
					t.Fatal("no room")
				}
			case op < 85:
				_, there := want[i]
				if got := hash.Delete(c, roots[n], roots[i]); got != there {
					t.Fatalf("step %d: Delete answers %v, the key was there: %v", step, got, there)
				}
				delete(want, i)
				for k, o := range order {
					if o == i {
						order = append(order[:k], order[k+1:]...)
						break
					}
				}
			case op == 99:
				c.Collect(roots)
			default:
				v, ok := hash.Ref(c, roots[n], roots[i])
				if w, there := want[i]; ok != there || ok && v != heap.Fixnum(w) {
					t.Fatalf("step %d: Ref answers %v %v, want %d %v", step, v, ok, w, there)
				}
			}
		}
		var got []int
		hash.Each(c.Arena, roots[n], func(k, v heap.Word) bool {
			got = append(got, int(heap.FixnumValue(c.Field(k, 0))))
			return true
		})
		if fmt.Sprint(got) != fmt.Sprint(order) || hash.Count(c.Arena, roots[n]) != len(want) {
			t.Errorf("kind %d: the order is %v, want %v", kind, got, order)
		}
	}
}
