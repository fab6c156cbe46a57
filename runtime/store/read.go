package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"

	"caper/runtime/graph"
	"caper/runtime/kind"
)

// ready lets a reader in, who must leave: it answers why the store cannot be read, and commits what rides in the session
// first (0: in any), so that nobody sees a state which a crash could take back.
func (l *Ledger) ready(session uint64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.refuses(); err != nil {
		return err
	}
	if l.riding.Load() > 0 {
		if err := l.land(session); err != nil {
			return err
		}
		if err := l.refuses(); err != nil { // while mu was free
			return err
		}
	}
	l.readers++
	return nil
}

func (l *Ledger) land(session uint64) error {
	if session == 0 {
		return l.drain()
	}
	s := l.sessions[session]
	if s == nil || s.queued == 0 {
		return nil
	}
	return l.commitUntil(l.barrier(s))
}

func (l *Ledger) leave() {
	l.mu.Lock()
	l.readers--
	if l.readers == 0 && l.closing {
		l.left.Broadcast()
	}
	l.mu.Unlock()
}

// Sessions lists the sessions that are there.
func (l *Ledger) Sessions() ([]uint64, error) {
	if err := l.ready(0); err != nil {
		return nil, err
	}
	defer l.leave()
	return ListSessions(l.backend)
}

// ListSessions lists the sessions of a backend.
func ListSessions(b Backend) (out []uint64, err error) {
	err = b.Keys([]byte{keySession}, nil, func(k []byte) bool {
		if n, ok := number(k, 0); ok {
			out = append(out, n)
		}
		return true
	})
	return out, err
}

// Node reads a node. One that has its place and is not committed yet is waited for: Next has counted it.
func (l *Ledger) Node(id graph.ID) (kind.Node, error) {
	n, err := l.node(id)
	if errors.Is(err, ErrNotFound) && l.Flush(id.Session) == nil {
		n, err = l.node(id)
	}
	return n, err
}

func (l *Ledger) node(id graph.ID) (kind.Node, error) {
	if err := l.ready(id.Session); err != nil {
		return nil, err
	}
	defer l.leave()
	v, ok, err := l.backend.Get(idKey(keyNode, id))
	if err != nil || !ok {
		return nil, fmt.Errorf("%s: %w", id, orElse(err, ErrNotFound))
	}
	return kind.Decode(v)
}

// Outcome reads how a node ended; nil when it has not.
func (l *Ledger) Outcome(id graph.ID) (*kind.Outcome, error) {
	if err := l.ready(id.Session); err != nil {
		return nil, err
	}
	defer l.leave()
	v, ok, err := l.backend.Get(outcomeKey(id))
	if err != nil || !ok {
		return nil, err
	}
	return decodeOutcome(v)
}

func decodeOutcome(v []byte) (*kind.Outcome, error) {
	if len(v) < seqRoom {
		return nil, kind.ErrMalformed
	}
	o, err := kind.DecodeOutcome(v[seqRoom:])
	if err == nil {
		o.Seq = binary.BigEndian.Uint64(v)
	}
	return o, err
}

// Facts reads what was learned about a node.
func (l *Ledger) Facts(id graph.ID) ([]kind.Fact, error) {
	e, err := l.Entry(id)
	return e.Facts, err
}

// Entry reads a node with all that is known of it.
func (l *Ledger) Entry(id graph.ID) (Entry, error) {
	for e, err := range l.scan(id.Session, idKey(keyNode, id), nil) {
		return e, err
	}
	return Entry{}, fmt.Errorf("%s: %w", id, ErrNotFound)
}

// Owner finds the node whose children a bag holds.
func (l *Ledger) Owner(session, bag uint64) (graph.ID, error) {
	if bag == graph.RootBag {
		return graph.RootID(session), nil
	}
	if err := l.ready(session); err != nil {
		return graph.ID{}, err
	}
	defer l.leave()
	v, ok, err := l.backend.Get(key(keyBag, session, bag))
	if err != nil || !ok {
		return graph.ID{}, fmt.Errorf("bag %d of session %d: %w", bag, session, orElse(err, ErrNotFound))
	}
	id, ok := keyID(v)
	if !ok {
		return graph.ID{}, kind.ErrMalformed
	}
	return id, nil
}

// Children yields the nodes of a bag.
func (l *Ledger) Children(session, bag, from uint64) iter.Seq2[Entry, error] {
	return l.scan(session, key(keyNode, session, bag), key(keyNode, session, bag, from))
}

// scan gathers the keys of one node after another.
func (l *Ledger) scan(session uint64, prefix, from []byte) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		if err := l.ready(session); err != nil {
			yield(Entry{}, err)
			return
		}
		defer l.leave()
		var at Entry
		var fail error
		stopped := false
		give := func() bool {
			if at.Node != nil {
				stopped = !yield(at, nil)
			}
			return !stopped
		}
		err := l.backend.Scan(prefix, from, func(k, v []byte) bool {
			id, ok := keyID(k)
			if !ok {
				return true
			}
			if id != at.ID || at.Node == nil {
				if !give() {
					return false
				}
				at = Entry{ID: id}
			}
			fail = readKey(&at, k[25:], v)
			return fail == nil
		})
		if err = orElse(fail, err); err != nil {
			yield(Entry{}, fmt.Errorf("%s: %w", at.ID, err))
			return
		}
		if !stopped {
			give()
		}
	}
}

// readKey takes one key of the entry's node. Suffixes of a newer version are passed over.
func readKey(e *Entry, suffix, v []byte) (err error) {
	switch {
	case len(suffix) == 0:
		e.Node, err = kind.Decode(v)
	case e.Node == nil:
		err = fmt.Errorf("%w: an outcome or a fact without its node", kind.ErrMalformed)
	case len(suffix) == 1 && suffix[0] == suffixOutcome:
		e.Outcome, err = decodeOutcome(v)
	case len(suffix) == 9 && suffix[0] == suffixFact:
		var f *kind.Fact
		if f, err = kind.DecodeFact(v); err == nil {
			f.Seq = binary.BigEndian.Uint64(suffix[1:])
			e.Facts = append(e.Facts, *f)
		}
	}
	return err
}

// Open yields the started and unsettled nodes of a session.
func (l *Ledger) Open(session uint64) iter.Seq2[graph.ID, error] {
	return l.ids(session, key(keyOpen, session), nil)
}

// OpenFrom yields those of one bag.
func (l *Ledger) OpenFrom(session, bag, from uint64) iter.Seq2[graph.ID, error] {
	return l.ids(session, key(keyOpen, session, bag), key(keyOpen, session, bag, from))
}

// Waiting yields the nodes that wait for a person.
func (l *Ledger) Waiting() iter.Seq2[graph.ID, error] {
	return l.ids(0, []byte{keyWait}, nil)
}

func (l *Ledger) ids(session uint64, prefix, from []byte) iter.Seq2[graph.ID, error] {
	return func(yield func(graph.ID, error) bool) {
		if err := l.ready(session); err != nil {
			yield(graph.ID{}, err)
			return
		}
		defer l.leave()
		err := l.backend.Keys(prefix, from, func(k []byte) bool {
			id, ok := keyID(k)
			return !ok || yield(id, nil)
		})
		if err != nil {
			yield(graph.ID{}, err)
		}
	}
}

// Events yields a session's events.
func (l *Ledger) Events(session, from uint64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		if err := l.ready(session); err != nil {
			yield(Event{}, err)
			return
		}
		defer l.leave()
		start, err := l.recordOf(session, from)
		if err != nil {
			yield(Event{}, err)
			return
		}
		var fail error
		err = l.backend.Scan(key(keyEvent, session), key(keyEvent, session, start), func(k, v []byte) bool {
			first, _ := number(k, 1)
			r, err := decodeRecord(v)
			if err != nil {
				fail = fmt.Errorf("session %d, event %d: %w", session, first, err)
				return false
			}
			for i := range r.Lines {
				if e := r.event(session, first, i); e.Seq >= from && !yield(e, nil) {
					return false
				}
			}
			return true
		})
		if err = orElse(fail, err); err != nil {
			yield(Event{}, err)
		}
	}
}

// recordOf finds the key of a record that is not after an event. A transaction has at most MaxBatchEntries changes, so
// the record that holds the event begins no further back.
func (l *Ledger) recordOf(session, seq uint64) (uint64, error) {
	if seq <= 1 {
		return 0, nil
	}
	low, start := uint64(0), uint64(0)
	if seq > MaxBatchEntries {
		low = seq - MaxBatchEntries
	}
	err := l.backend.Keys(key(keyEvent, session), key(keyEvent, session, low), func(k []byte) bool {
		first, _ := number(k, 1)
		if first > seq {
			return false
		}
		start = first
		return true
	})
	return start, err
}

// LastEvent is the number of the newest durable event.
func (l *Ledger) LastEvent(session uint64) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.refuses(); err != nil {
		return 0, err
	}
	s, err := l.session(session)
	if err != nil {
		return 0, err
	}
	return s.durable, nil
}

// LastLink is the end of the chain as placed.
func (l *Ledger) LastLink(session uint64) (Link, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.refuses(); err != nil {
		return Link{}, err
	}
	s, err := l.session(session)
	if err != nil {
		return Link{}, err
	}
	return Link{Seq: s.seq, Sum: s.tip}, nil
}

// Holds looks for a link at the end of the chain, or in the record after it, which names it.
func (l *Ledger) Holds(session uint64, link Link) (bool, error) {
	last, err := l.LastLink(session)
	if err != nil || link.Seq >= last.Seq {
		return link == last, err
	}
	if err := l.ready(session); err != nil {
		return false, err
	}
	defer l.leave()
	v, ok, err := l.backend.Get(key(keyEvent, session, link.Seq+1))
	if err != nil || !ok {
		return false, err
	}
	next, err := decodeRecord(v)
	if err != nil {
		return false, err
	}
	return bytes.Equal(next.Prev, link.Sum[:]), nil
}
