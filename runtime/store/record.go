package store

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"caper/runtime/graph"
	"caper/runtime/kind"

	"github.com/fxamacker/cbor/v2"
)

// record is what one transaction wrote for one session: as many events as it has changes, the link to the record before
// it, and a digest of the values that the changes wrote.
type record struct {
	Count uint64 `cbor:"1,keyasint"` // of this record among all of the store
	At    int64  `cbor:"2,keyasint"` // Unix microseconds
	Prev  []byte `cbor:"3,keyasint"` // SHA-256 of the previous record of the session
	Body  []byte `cbor:"4,keyasint"` // SHA-256 of the values, one after another
	Lines []line `cbor:"5,keyasint"`
}

type line struct {
	_      struct{} `cbor:",toarray"`
	What   What
	Bag    uint64
	Ord    uint64
	Kind   kind.Kind
	Open   bool
	Detail string
}

var errRecord = errors.New("event record is damaged")

var recordMode = func() cbor.DecMode {
	m, err := cbor.DecOptions{MaxNestedLevels: 8, IndefLength: cbor.IndefLengthForbidden}.DecMode()
	if err != nil {
		panic(err)
	}
	return m
}()

// encode writes what the library would write for the struct: it is on the path of every commit.
func (r *record) encode() []byte {
	b := make([]byte, 0, 112+24*len(r.Lines))
	b = head(append(b, 0xa5, 1), 0, r.Count)
	b = head(append(b, 2), 0, uint64(r.At))
	b = append(head(append(b, 3), 2, uint64(len(r.Prev))), r.Prev...)
	b = append(head(append(b, 4), 2, uint64(len(r.Body))), r.Body...)
	b = head(append(b, 5), 4, uint64(len(r.Lines)))
	for i := range r.Lines {
		l := &r.Lines[i]
		b = head(append(b, 0x86), 0, uint64(l.What))
		b = head(b, 0, l.Bag)
		b = head(b, 0, l.Ord)
		b = head(b, 0, uint64(l.Kind))
		if l.Open {
			b = append(b, 0xf5)
		} else {
			b = append(b, 0xf4)
		}
		b = append(head(b, 3, uint64(len(l.Detail))), l.Detail...)
	}
	return b
}

// head writes a CBOR major type with its number.
func head(b []byte, major byte, n uint64) []byte {
	major <<= 5
	switch {
	case n < 24:
		return append(b, major|byte(n))
	case n <= math.MaxUint8:
		return append(b, major|24, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, major|25), uint16(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(b, major|26), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(b, major|27), n)
}

func decodeRecord(b []byte) (*record, error) {
	r := new(record)
	if err := recordMode.Unmarshal(b, r); err != nil {
		return nil, fmt.Errorf("%w: %v", errRecord, err)
	}
	if len(r.Lines) == 0 || len(r.Prev) != sha256.Size {
		return nil, errRecord
	}
	return r, nil
}

func (r *record) event(session, first uint64, i int) Event {
	l := r.Lines[i]
	return Event{
		Seq: first + uint64(i), What: l.What, ID: graph.ID{Session: session, Bag: l.Bag, Ord: l.Ord},
		Kind: l.Kind, Open: l.Open, Detail: l.Detail, At: time.UnixMicro(r.At),
	}
}
