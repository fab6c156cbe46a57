package kind

import (
	"errors"

	"caper/runtime/graph"

	"github.com/fxamacker/cbor/v2"
)

// MaxInline is the size of an encoded datum above which it belongs in a blob.
const MaxInline = 64 << 10

// Value is a datum as a node holds it: itself, or the name of the blob that holds its encoding. The zero Value is none.
type Value struct {
	Datum graph.Datum
	Blob  string // SHA-256 of the blob, 64 hex digits
	Size  int64  // bytes of the encoded datum, known when Blob is set
}

// Of is the inline value of d.
func Of(d graph.Datum) Value { return Value{Datum: d} }

// IsZero reports that there is no value.
func (v Value) IsZero() bool { return v.Datum == nil && v.Blob == "" }

type blobRef struct {
	_    struct{} `cbor:",toarray"`
	Hash string
	Size int64
}

var errValue = errors.New("stored value is neither a datum nor the name of a blob")

// MarshalCBOR writes an inline datum as a byte string, so that its depth is no matter of the outer codec.
func (v Value) MarshalCBOR() ([]byte, error) {
	switch {
	case v.Blob != "":
		return codec.enc.Marshal(blobRef{Hash: v.Blob, Size: v.Size})
	case v.Datum == nil:
		return []byte{0xf6}, nil
	}
	var head [9]byte
	b, err := graph.AppendEncode(head[:], v.Datum)
	if err != nil {
		return nil, err
	}
	return byteString(b, len(head)), nil
}

// byteString puts the head of a CBOR byte string before b[room:], inside the room left for it.
func byteString(b []byte, room int) []byte {
	n := len(b) - room
	switch {
	case n < 24:
		b[room-1] = 0x40 | byte(n)
		return b[room-1:]
	case n < 1<<8:
		b[room-2], b[room-1] = 0x58, byte(n)
		return b[room-2:]
	case n < 1<<16:
		b[room-3], b[room-2], b[room-1] = 0x59, byte(n>>8), byte(n)
		return b[room-3:]
	}
	b[room-5], b[room-4], b[room-3], b[room-2], b[room-1] = 0x5a, byte(n>>24), byte(n>>16), byte(n>>8), byte(n)
	return b[room-5:]
}

// UnmarshalCBOR reads what MarshalCBOR writes.
func (v *Value) UnmarshalCBOR(b []byte) error {
	*v = Value{}
	if len(b) == 0 {
		return errValue
	}
	if b[0] == 0xf6 {
		return nil
	}
	if b[0]>>5 == 4 {
		var r blobRef
		if err := codec.dec.Unmarshal(b, &r); err != nil {
			return err
		}
		if r.Hash == "" {
			return errValue
		}
		v.Blob, v.Size = r.Hash, r.Size
		return nil
	}
	var raw []byte
	if err := codec.dec.Unmarshal(b, &raw); err != nil {
		return err
	}
	d, err := graph.Decode(raw)
	if err != nil {
		return err
	}
	v.Datum = d
	return nil
}

// codec holds the two modes of the CBOR library: canonical writing, strict and bounded reading.
var codec = func() (c struct {
	enc cbor.EncMode
	dec cbor.DecMode
}) {
	enc := cbor.CoreDetEncOptions()
	enc.Time = cbor.TimeRFC3339NanoUTC
	c.enc = must(enc.EncMode())
	c.dec = must(cbor.DecOptions{
		DupMapKey:        cbor.DupMapKeyEnforcedAPF,
		IndefLength:      cbor.IndefLengthForbidden,
		MaxNestedLevels:  64,
		MaxArrayElements: 1 << 20,
		MaxMapPairs:      1 << 16,
		UTF8:             cbor.UTF8DecodeInvalid, // names of files need not be UTF-8
	}.DecMode())
	return c
}()

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
