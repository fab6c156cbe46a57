package store

import (
	"bytes"
	"math"
	"testing"

	"github.com/fxamacker/cbor/v2"
	"github.com/google/go-cmp/cmp"
)

func TestRecordsAreWhatTheLibraryWrites(t *testing.T) {
	enc, err := cbor.CoreDetEncOptions().EncMode()
	if err != nil {
		t.Fatal(err)
	}
	hash := bytes.Repeat([]byte{7}, 32)
	for _, n := range []uint64{0, 1, 23, 24, 255, 256, 65_535, 65_536, math.MaxUint32, math.MaxUint32 + 1, math.MaxInt64} {
		r := &record{Count: n, At: int64(n), Prev: hash, Body: hash, Lines: []line{
			{What: EventMint, Bag: n, Ord: n, Kind: 20, Open: true},
			{What: EventSettle, Bag: 1, Ord: 2, Detail: "settled"},
		}}
		want, err := enc.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		got := r.encode()
		if !bytes.Equal(got, want) {
			t.Errorf("%d:\n got %x\nwant %x", n, got, want)
		}
		back, err := decodeRecord(got)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r, back, cmp.AllowUnexported(record{}, line{}), cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == "._" }, cmp.Ignore())); diff != "" {
			t.Error(diff)
		}
	}
}

func FuzzDecodeRecord(f *testing.F) {
	f.Add((&record{Count: 1, Prev: make([]byte, 32), Body: make([]byte, 32), Lines: []line{{What: EventMint}}}).encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		if r, err := decodeRecord(b); err == nil {
			for i := range r.Lines {
				r.event(1, 1, i)
			}
		}
	})
}
