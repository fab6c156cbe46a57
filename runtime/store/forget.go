package store

import "encoding/binary"

// forgotten stays behind for ever, so that the number is not used again and the records can still be counted.
type forgotten struct {
	finished         bool
	removed, highest uint64
}

func (f forgotten) bytes() []byte {
	b := []byte{0}
	if f.finished {
		b[0] = 1
	}
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(b, f.removed), f.highest)
}

func readForgotten(v []byte) (f forgotten) {
	if len(v) == 17 {
		f.finished = v[0] == 1
		f.removed, f.highest = binary.BigEndian.Uint64(v[1:]), binary.BigEndian.Uint64(v[9:])
	}
	return f
}

// Forget deletes all of a session. It is gone from the first transaction on; what a crash leaves is deleted at the next
// opening.
func (l *Ledger) Forget(id uint64) error {
	l.mu.Lock()
	err := l.refuses()
	var s *session
	if err == nil {
		s, err = l.session(id)
	}
	if err == nil {
		s.gone = true // nobody gets a place in it any more
		err = l.drain()
	}
	l.mu.Unlock()
	if err != nil {
		return err
	}
	defer func() {
		l.mu.Lock()
		delete(l.sessions, id)
		l.mu.Unlock()
	}()
	if err := l.ready(0); err != nil {
		return err
	}
	defer l.leave()
	f := forgotten{}
	_, v, ok, err := l.backend.Last(key(keyEvent, id))
	if err != nil {
		return err
	}
	if ok {
		r, err := decodeRecord(v)
		if err != nil {
			return err
		}
		f.highest = r.Count
	}
	err = l.backend.Keys(key(keyEvent, id), nil, func([]byte) bool { f.removed++; return true })
	if err != nil {
		return err
	}
	if err := l.commitPairs([]Pair{
		{Key: key(keyForgot, id), Value: f.bytes()},
		{Key: key(keySession, id), Delete: true},
	}); err != nil {
		return err
	}
	l.watch.tell(id)
	return l.sweep(id, f)
}

// commitPairs commits what belongs to no session's chain.
func (l *Ledger) commitPairs(pairs []Pair) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.refuses(); err != nil {
		return err
	}
	p := &part{pairs: pairs}
	for _, x := range pairs {
		p.size += len(x.Key) + len(x.Value) + 16
	}
	l.queue = append(l.queue, p)
	return l.commitUntil(p)
}

// sweep deletes the keys of a forgotten session, a batch at a time.
func (l *Ledger) sweep(id uint64, f forgotten) error {
	for _, letter := range []byte{keyWait, keyOpen, keyBag, keyNode, keyEvent} {
		for {
			var pairs []Pair
			err := l.backend.Keys(key(letter, id), nil, func(k []byte) bool {
				pairs = append(pairs, Pair{Key: append([]byte{}, k...), Delete: true})
				return len(pairs) < MaxBatchEntries
			})
			if err != nil {
				return err
			}
			if len(pairs) == 0 {
				break
			}
			if err := l.commitPairs(pairs); err != nil {
				return err
			}
		}
	}
	f.finished = true
	return l.commitPairs([]Pair{{Key: key(keyForgot, id), Value: f.bytes()}})
}

// finishForgetting takes up what a crash left half deleted.
func (l *Ledger) finishForgetting() error {
	half := map[uint64]forgotten{}
	err := l.backend.Scan([]byte{keyForgot}, nil, func(k, v []byte) bool {
		if n, ok := number(k, 0); ok {
			if f := readForgotten(v); !f.finished {
				half[n] = f
			}
		}
		return true
	})
	for id, f := range half {
		if err == nil {
			err = l.sweep(id, f)
		}
	}
	return err
}
