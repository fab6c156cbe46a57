package store

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"caper/runtime/graph"
	"caper/runtime/kind"
)

// coded is a change with its value already encoded: that work is done by the caller, outside the lock.
type coded struct {
	change Change
	id     graph.ID
	value  []byte // node, outcome (with room for its seq in front) or fact
	bag    uint64 // that the node owns
	size   int
}

const seqRoom = 8

func (l *Ledger) encodeChanges(session uint64, changes []Change) (out []coded, begins bool, err error) {
	if len(changes) == 0 {
		return nil, false, ErrEmpty
	}
	out = make([]coded, len(changes))
	for i, c := range changes {
		e := coded{change: c}
		switch c := c.(type) {
		case Mint:
			e.id, begins = c.ID, true
			if c.Node == nil {
				return nil, false, fmt.Errorf("%s: a mint needs a node", e.id)
			}
			if o, ok := c.Node.(interface{ OwnBag() uint64 }); ok {
				e.bag = o.OwnBag()
			}
			e.value, err = kind.Encode(c.Node)
		case Settle:
			e.id = c.ID
			var b []byte
			b, err = kind.EncodeOutcome(&c.Outcome)
			e.value = append(make([]byte, seqRoom, seqRoom+len(b)), b...)
		case Note:
			e.id = c.ID
			if c.Fact.At.IsZero() {
				c.Fact.At = l.now()
			}
			e.value, err = kind.EncodeFact(&c.Fact)
		case Wait:
			e.id = c.ID
		case Unwait:
			e.id = c.ID
		case Start:
			e.id, begins = c.ID, true
		default:
			return nil, false, fmt.Errorf("store: %T is no change", c)
		}
		if err != nil {
			return nil, false, fmt.Errorf("%s: %w", e.id, err)
		}
		if e.id.Session != session {
			return nil, false, fmt.Errorf("%s: %w in session %d", e.id, ErrNotFound, session)
		}
		if len(e.value) > MaxValue {
			return nil, false, fmt.Errorf("%s: %w (%d bytes of at most %d)", e.id, ErrTooBig, len(e.value), MaxValue)
		}
		e.size = len(e.value) + 200
		out[i] = e
	}
	return out, begins, nil
}

// part is what one transaction writes for one request: placed, in the queue, then committed.
type part struct {
	session *session
	pairs   []Pair
	lines   []line
	values  [][]byte
	touched []graph.ID
	size    int
	first   uint64
	tip     Tip
	ride    bool
	done    bool
	err     error
	wake    chan struct{} // made by the follower that waits; told when the part is done, or to lead
}

func (p *part) put(k, v []byte) {
	p.pairs = append(p.pairs, Pair{Key: k, Value: v})
	p.size += len(k) + len(v) + 16
}

func (p *part) del(k []byte) {
	p.pairs = append(p.pairs, Pair{Key: k, Delete: true})
	p.size += len(k) + 16
}

// undo remembers what a request changed of the state in memory, until all of its checks have passed.
type undo struct {
	id   graph.ID
	was  slot
	had  bool
	next uint64 // nextOrd of the bag, for a mint
	mint bool
	bag  uint64
}

// admit checks a request against everything placed before it and moves the state in memory on; a refusal leaves that
// state as it was. Called with mu held.
func (l *Ledger) admit(s *session, changes []coded) ([]slot, error) {
	done := make([]undo, 0, len(changes))
	before := make([]slot, 0, len(changes)) // each node's state before its change: place needs it
	for i := range changes {
		c := &changes[i]
		u, was, err := l.check(s, c)
		if err != nil {
			for j := len(done) - 1; j >= 0; j-- {
				l.revert(s, done[j])
			}
			return nil, fmt.Errorf("%s: %w", c.id, err)
		}
		done = append(done, u)
		before = append(before, was)
	}
	return before, nil
}

func (l *Ledger) revert(s *session, u undo) {
	if u.had {
		s.slots[u.id] = u.was
	} else {
		delete(s.slots, u.id)
	}
	if u.mint {
		s.nextOrd[u.id.Bag] = u.next
		if u.bag != 0 {
			delete(s.owned, u.bag)
		}
	}
}

func (l *Ledger) check(s *session, c *coded) (undo, slot, error) {
	old, had := s.slots[c.id]
	u := undo{id: c.id, was: old, had: had}
	if m, ok := c.change.(Mint); ok {
		return l.checkMint(s, c, m, u)
	}
	x := old
	if !had {
		var err error
		if x, err = l.look(s, c.id); err != nil {
			return u, x, err
		}
	}
	if !x.exists {
		return u, x, ErrNotFound
	}
	before := x
	if _, note := c.change.(Note); !note && x.settled {
		return u, x, ErrSettled
	}
	switch c.change.(type) {
	case Settle:
		x.settled, x.open, x.waiting = true, false, false
	case Wait:
		x.waiting = true
	case Unwait:
		x.waiting = false
	case Start:
		x.open, x.waiting = true, false
	}
	s.slots[c.id] = x
	return u, before, nil
}

func (l *Ledger) checkMint(s *session, c *coded, m Mint, u undo) (undo, slot, error) {
	fresh, err := l.fresh(s, c.id)
	if err != nil {
		return u, slot{}, err
	}
	if !fresh || c.id.Bag == 0 {
		return u, slot{}, ErrExists
	}
	if c.bag != 0 {
		if _, ok := s.owned[c.bag]; ok || c.bag == graph.RootBag {
			return u, slot{}, fmt.Errorf("bag %d: %w", c.bag, ErrExists)
		}
		if _, ok, err := l.backend.Get(key(keyBag, s.id, c.bag)); err != nil || ok {
			return u, slot{}, orElse(err, ErrExists)
		}
		s.owned[c.bag] = c.id
		s.nextBag = max(s.nextBag, c.bag+1)
	}
	u.mint, u.next, u.bag = true, s.nextOrd[c.id.Bag], c.bag
	s.nextOrd[c.id.Bag] = max(u.next, c.id.Ord+1)
	s.slots[c.id] = slot{exists: true, open: m.Open, leaf: m.Node.Kind().Leaf()}
	return u, slot{}, nil
}

// fill turns admitted changes into the pairs and event lines of parts, each within the limits of one transaction, and
// places them. The last part is the one to wait for.
func (l *Ledger) fill(s *session, changes []coded, before []slot) (Receipt, []*part) {
	first := s.seq + 1
	var parts []*part
	at := l.now().UnixMicro()
	for i := 0; i < len(changes); {
		p := &part{session: s, pairs: make([]Pair, 0, 4)}
		for ; i < len(changes); i++ {
			c := &changes[i]
			if len(p.lines) > 0 && (p.size+c.size > MaxBatchBytes || len(p.pairs)+4 > MaxBatchEntries) {
				break
			}
			p.add(c, before[i], s.seq+uint64(len(p.lines))+1)
		}
		l.place(p, at)
		parts = append(parts, p)
	}
	return Receipt{First: first, Last: s.seq}, parts
}

func (p *part) add(c *coded, before slot, seq uint64) {
	ln := line{Bag: c.id.Bag, Ord: c.id.Ord}
	switch m := c.change.(type) {
	case Mint:
		ln.What, ln.Kind, ln.Open = EventMint, m.Node.Kind(), m.Open
		p.put(idKey(keyNode, c.id), c.value)
		if m.Open {
			p.put(idKey(keyOpen, c.id), nil)
		}
		if c.bag != 0 {
			p.put(key(keyBag, c.id.Session, c.bag), idKey(keyNode, c.id))
		}
	case Settle:
		ln.What, ln.Detail = EventSettle, string(m.Outcome.State)
		binary.BigEndian.PutUint64(c.value, seq)
		p.put(outcomeKey(c.id), c.value)
		if before.open {
			p.del(idKey(keyOpen, c.id))
		}
		if before.waiting {
			p.del(idKey(keyWait, c.id))
		}
	case Note:
		ln.What, ln.Detail = EventNote, m.Fact.What
		p.put(factKey(c.id, seq), c.value)
	case Wait:
		ln.What = EventWait
		if !before.waiting {
			p.put(idKey(keyWait, c.id), nil)
		}
	case Unwait:
		ln.What = EventUnwait
		if before.waiting {
			p.del(idKey(keyWait, c.id))
		}
	case Start:
		ln.What = EventStart
		if !before.open {
			p.put(idKey(keyOpen, c.id), nil)
		}
		if before.waiting {
			p.del(idKey(keyWait, c.id))
		}
	}
	if c.value != nil {
		p.values = append(p.values, c.value)
	}
	p.lines = append(p.lines, ln)
	p.touched = append(p.touched, c.id)
}

// place gives a part its numbers and its link in the chain and puts it at the end of the queue. Called with mu held.
func (l *Ledger) place(p *part, at int64) {
	s := p.session
	p.first = s.seq + 1
	r := record{Count: l.records + 1, At: at, Prev: s.tip[:], Body: digestValues(p.values), Lines: p.lines}
	b := r.encode()
	p.put(key(keyEvent, s.id, p.first), b)
	p.values, p.lines = nil, p.lines[:len(p.lines):len(p.lines)]
	l.records++
	s.seq += uint64(len(p.lines))
	s.tip = chain(b)
	p.tip = Tip{Records: l.records, Session: s.id, Seq: p.first, Hash: s.tip}
	for _, id := range p.touched {
		x := s.slots[id]
		x.inflight++
		s.slots[id] = x
	}
	s.queued++
	l.queue = append(l.queue, p)
}

func chain(record []byte) [32]byte { return sha256.Sum256(record) }

func digestValues(values [][]byte) []byte {
	if len(values) == 1 {
		d := sha256.Sum256(values[0])
		return d[:]
	}
	h := sha256.New()
	for _, v := range values {
		h.Write(v)
	}
	return h.Sum(nil)
}
