package store

import (
	"crypto/sha256"
	"errors"
	"fmt"
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

var recordModes = func() (m struct {
	enc cbor.EncMode
	dec cbor.DecMode
}) {
	var err error
	if m.enc, err = cbor.CoreDetEncOptions().EncMode(); err != nil {
		panic(err)
	}
	if m.dec, err = (cbor.DecOptions{MaxNestedLevels: 8, IndefLength: cbor.IndefLengthForbidden}).DecMode(); err != nil {
		panic(err)
	}
	return m
}()

func (r *record) encode() ([]byte, error) { return recordModes.enc.Marshal(r) }

func decodeRecord(b []byte) (*record, error) {
	r := new(record)
	if err := recordModes.dec.Unmarshal(b, r); err != nil {
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
