package frozen

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestNumbers(t *testing.T) {
	ints := []int{0, 1, 127, 128, 300, 1 << 31, math.MaxInt}
	signed := []int64{0, 1, -1, 63, -64, 64, math.MaxInt64, math.MinInt64}
	var w Writer
	for _, i := range ints {
		w.Int(i)
	}
	for _, i := range signed {
		w.Signed(i)
	}
	w.Word(math.MaxUint64 - 5)
	w.Bool(true)
	w.Bool(false)
	w.Text("")
	w.Text("λ text")
	w.Text(Words([]uint64{1, 1 << 63}))
	r := NewReader(w.String())
	for _, want := range ints {
		if got := r.Int(); got != want {
			t.Errorf("got %d, want %d", got, want)
		}
	}
	for _, want := range signed {
		if got := r.Signed(); got != want {
			t.Errorf("got %d, want %d", got, want)
		}
	}
	got := fmt.Sprintf("%d %v %v %q %q %d %v", r.Word(), r.Bool(), r.Bool(), r.Text(), r.Text(), ParseWords(r.Text()), r.in == "")
	if want := `18446744073709551610 true false "" "λ text" [1 9223372036854775808] true`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestList(t *testing.T) {
	for _, items := range [][]string{nil, {""}, {"a", "", "bcd", "λ"}} {
		var w Writer
		w.List(NewList(items))
		l := NewReader(w.String()).List()
		var got []string
		for i := range l.Len() {
			got = append(got, l.At(i))
		}
		if !slices.Equal(got, items) {
			t.Errorf("got %q, want %q", got, items)
		}
	}
}

func TestIndex(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 1000} {
		of := map[string]uint32{}
		for i := range n {
			of[fmt.Sprint("name", i)] = uint32(i * 3)
		}
		x := NewIndex(of)
		if x.Data() != NewIndex(of).Data() {
			t.Errorf("%d names: two indexes of the same differ", n)
		}
		if x = ReadIndex(x.Data()); x.Len() != n {
			t.Errorf("%d names, want %d", x.Len(), n)
		}
		last := ""
		for i := range x.Len() {
			name, v := x.At(i)
			if found, ok := x.Find(name); !ok || found != v || of[name] != v || name <= last {
				t.Errorf("%s after %s: %d, %v; want %d", name, last, found, ok, of[name])
			}
			last = name
		}
		for _, name := range []string{"", "name", "name-1", "other"} {
			if v, ok := x.Find(name); ok {
				t.Errorf("%q is %d", name, v)
			}
		}
	}
	if _, ok := (Index{}).Find("x"); ok || (Index{}).Len() != 0 {
		t.Error("an index that was never made has names")
	}
}
