package store

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"caper/runtime/graph"
)

// Tally counts the event records of a store. Each record carries its number among all, so the greatest number says how
// many there must be: Found + Forgotten + WrittenOff = Highest, or some are missing from the middle.
type Tally struct {
	Found      uint64 // records of living sessions
	Forgotten  uint64 // records that went with forgotten sessions
	WrittenOff uint64 // records known to be lost
	Highest    uint64
	Tip        Tip // the record that has the greatest number, of those that are there
}

// Missing is the number of records that must have been there.
func (t Tally) Missing() uint64 {
	have := t.Found + t.Forgotten + t.WrittenOff
	if have >= t.Highest {
		return 0
	}
	return t.Highest - have
}

// Count tallies the records of a backend: it reads all event keys, and one value a session.
func Count(b Backend) (t Tally, err error) {
	forgotten := map[uint64]bool{}
	err = b.Scan([]byte{keyForgot}, nil, func(k, v []byte) bool {
		if n, ok := number(k, 0); ok {
			f := readForgotten(v)
			forgotten[n] = true
			t.Forgotten += f.removed
			t.Highest = max(t.Highest, f.highest)
		}
		return true
	})
	if err != nil {
		return t, err
	}
	if v, ok, err := b.Get([]byte{keyLost}); err != nil {
		return t, err
	} else if ok && len(v) == 8 {
		t.WrittenOff = binary.BigEndian.Uint64(v)
	}
	var ends []uint64
	var last uint64
	err = b.Keys([]byte{keyEvent}, nil, func(k []byte) bool {
		s, ok := number(k, 0)
		if !ok || forgotten[s] {
			return true
		}
		t.Found++
		if s != last {
			ends = append(ends, s)
			last = s
		}
		return true
	})
	if err != nil {
		return t, err
	}
	for _, s := range ends {
		k, v, _, err := b.Last(key(keyEvent, s))
		if err != nil {
			return t, err
		}
		r, err := decodeRecord(v)
		if err != nil {
			return t, fmt.Errorf("session %d: %w", s, err)
		}
		if r.Count > t.Tip.Records {
			seq, _ := number(k, 1)
			t.Tip = Tip{Records: r.Count, Session: s, Seq: seq, Hash: chain(v)}
		}
		t.Highest = max(t.Highest, r.Count)
	}
	return t, nil
}

// WriteOff is the pair that records so many event records as lost for good.
func WriteOff(total uint64) Pair {
	return Pair{Key: []byte{keyLost}, Value: binary.BigEndian.AppendUint64(nil, total)}
}

// HasRecord reports whether the record that a tip names is there, byte for byte. A session that was forgotten since
// vouches for its records, and a tip without a session names none.
func HasRecord(b Backend, t Tip) (bool, error) {
	if t.Session == 0 {
		return true, nil
	}
	if _, gone, err := b.Get(key(keyForgot, t.Session)); err != nil || gone {
		return gone, err
	}
	v, ok, err := b.Get(key(keyEvent, t.Session, t.Seq))
	if err != nil || !ok {
		return false, err
	}
	return chain(v) == t.Hash, nil
}

// Verify walks a session's chain.
func (l *Ledger) Verify(session uint64) error {
	if err := l.ready(session); err != nil {
		return err
	}
	defer l.leave()
	return VerifySession(l.backend, session)
}

// VerifySession checks that a session's records follow each other without a gap, that each names the one before it,
// and that the values which they wrote are still those.
func VerifySession(b Backend, session uint64) error {
	var prev [32]byte
	var count uint64
	next := uint64(1)
	var bad error
	err := b.Scan(key(keyEvent, session), nil, func(k, v []byte) bool {
		first, _ := number(k, 1)
		r, err := decodeRecord(v)
		switch {
		case err != nil:
			bad = err
		case first != next:
			bad = fmt.Errorf("%w: events %d to %d are missing", errRecord, next, first-1)
		case !bytes.Equal(r.Prev, prev[:]):
			bad = fmt.Errorf("%w: it does not follow the record before it", errRecord)
		case r.Count <= count:
			bad = fmt.Errorf("%w: its number goes back", errRecord)
		default:
			bad = verifyValues(b, session, first, r)
		}
		if bad != nil {
			bad = fmt.Errorf("session %d, event %d: %w", session, first, bad)
			return false
		}
		prev, count, next = chain(v), r.Count, first+uint64(len(r.Lines))
		return true
	})
	if err == nil && bad == nil && next == 1 {
		return fmt.Errorf("session %d: %w", session, ErrNoSession)
	}
	return orElse(bad, err)
}

func verifyValues(b Backend, session, first uint64, r *record) error {
	var values [][]byte
	for i, ln := range r.Lines {
		id := graph.ID{Session: session, Bag: ln.Bag, Ord: ln.Ord}
		var k []byte
		switch ln.What {
		case EventSession, EventMint:
			k = idKey(keyNode, id)
		case EventSettle:
			k = outcomeKey(id)
		case EventNote:
			k = factKey(id, first+uint64(i))
		default:
			continue
		}
		v, ok, err := b.Get(k)
		if err != nil {
			return err
		}
		if !ok {
			return fmt.Errorf("%w: what it wrote of %s is gone", errRecord, id)
		}
		values = append(values, v)
	}
	if !bytes.Equal(digestValues(values), r.Body) {
		return fmt.Errorf("%w: what it wrote was changed", errRecord)
	}
	return nil
}
