package store

import (
	"encoding/binary"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"caper/runtime/graph"
	"caper/runtime/kind"
)

// Ledger is a Store over a Backend: it checks requests, gives them their places, and commits them in groups.
type Ledger struct {
	backend Backend
	now     func() time.Time
	hook    func(string)
	rideFor time.Duration

	mu       sync.Mutex
	broken   error // set once: poisoned or closed
	closing  bool
	readers  int        // under way; Close waits for them
	left     *sync.Cond // some reader has left
	sessions map[uint64]*session
	last     uint64  // greatest session number ever given
	records  uint64  // records ever placed
	queue    []*part // placed, not yet taken
	leading  bool    // somebody commits
	timer    *time.Timer
	armed    bool
	riding   atomic.Int64 // parts queued by Ride and not committed: readers look before they read

	watch watchers
}

var _ Store = (*Ledger)(nil)

// session is what the committer knows of one session: the end of its chain as placed, which may be ahead of what is
// committed, and the nodes that requests are likely to name.
type session struct {
	id      uint64
	seq     uint64 // of the newest placed event
	tip     [32]byte
	durable uint64 // seq of the newest committed event
	queued  int    // parts placed and not committed
	nextBag uint64
	nextOrd map[uint64]uint64   // by bag
	owned   map[uint64]graph.ID // bags whose owner was minted in this life
	slots   map[graph.ID]slot
	gone    bool // being forgotten
}

// slot is the state of a node as placed. It is kept while the node is unsettled or a change of it is not committed.
type slot struct {
	exists, settled, open, waiting, leaf bool
	inflight                             int
}

// NewLedger starts a ledger over a backend that holds what an earlier one wrote, or nothing. records is how many event
// records were ever written, as the backend's own checks found it; below zero, the ledger counts.
func NewLedger(b Backend, records int64, o Options) (*Ledger, error) {
	l := &Ledger{
		backend: b, now: o.Now, hook: o.Hook, rideFor: o.RideFor,
		sessions: map[uint64]*session{},
	}
	if l.now == nil {
		l.now = time.Now
	}
	if l.hook == nil {
		l.hook = func(string) {}
	}
	if l.rideFor == 0 {
		l.rideFor = 2 * time.Millisecond
	}
	l.left = sync.NewCond(&l.mu)
	l.watch.init()
	if records < 0 {
		t, err := Count(b)
		if err != nil {
			return nil, err
		}
		records = int64(t.Highest)
	}
	l.records = uint64(records)
	k, _, _, err := b.Last([]byte{keySession})
	if err != nil {
		return nil, err
	}
	if n, ok := number(k, 0); ok {
		l.last = n
	}
	// Where an accident took a session's own key, others of it may be left: its number is not given again.
	for _, letter := range []byte{keyForgot, keyEvent, keyNode, keyBag, keyOpen, keyWait} {
		err := b.Keys([]byte{letter}, key(letter, l.last+1), func(k []byte) bool {
			if n, ok := number(k, 0); ok {
				l.last = max(l.last, n)
			}
			return true
		})
		if err != nil {
			return nil, err
		}
	}
	return l, l.finishForgetting()
}

// session finds the committer's state of a session, or reads it. Called with mu held.
func (l *Ledger) session(id uint64) (*session, error) {
	if s := l.sessions[id]; s != nil {
		if s.gone {
			return nil, ErrNoSession
		}
		return s, nil
	}
	if _, ok, err := l.backend.Get(key(keySession, id)); err != nil || !ok {
		return nil, orElse(err, ErrNoSession)
	}
	s := newSession(id)
	k, v, ok, err := l.backend.Last(key(keyEvent, id))
	if err != nil {
		return nil, err
	}
	first, good := number(k, 1)
	if !ok || !good {
		return nil, fmt.Errorf("session %d has no events: %w", id, errRecord)
	}
	r, err := decodeRecord(v)
	if err != nil {
		return nil, err
	}
	s.seq = first + uint64(len(r.Lines)) - 1
	s.durable = s.seq
	s.tip = chain(v)
	for _, letter := range []byte{keyNode, keyBag} {
		k, _, ok, err := l.backend.Last(key(letter, id))
		if err != nil {
			return nil, err
		}
		if b, good := number(k, 1); ok && good {
			s.nextBag = max(s.nextBag, b+1)
		}
	}
	l.sessions[id] = s
	return s, nil
}

func newSession(id uint64) *session {
	return &session{
		id: id, nextBag: graph.RootBag + 1, nextOrd: map[uint64]uint64{},
		owned: map[uint64]graph.ID{}, slots: map[graph.ID]slot{},
	}
}

func orElse(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// look answers a node's state as placed, reading what is not in memory. Called with mu held.
func (l *Ledger) look(s *session, id graph.ID) (slot, error) {
	if x, ok := s.slots[id]; ok {
		return x, nil
	}
	var x slot
	v, ok, err := l.backend.Get(idKey(keyNode, id))
	if err != nil || !ok {
		return x, err
	}
	x.exists = true
	if k, err := kind.KindOf(v); err == nil {
		x.leaf = k.Leaf()
	}
	if _, x.settled, err = l.backend.Get(outcomeKey(id)); err != nil || x.settled {
		return x, err
	}
	if _, x.open, err = l.backend.Get(idKey(keyOpen, id)); err != nil {
		return x, err
	}
	_, x.waiting, err = l.backend.Get(idKey(keyWait, id))
	return x, err
}

// fresh reports that no node has this id yet. Called with mu held.
func (l *Ledger) fresh(s *session, id graph.ID) (bool, error) {
	next, err := l.nextOrd(s, id.Bag)
	if err != nil || id.Ord >= next {
		return err == nil, err
	}
	x, err := l.look(s, id)
	return !x.exists, err
}

// nextOrd is the ordinal after the last of a bag, as placed. Called with mu held.
func (l *Ledger) nextOrd(s *session, bag uint64) (uint64, error) {
	next, ok := s.nextOrd[bag]
	if ok {
		return next, nil
	}
	k, _, found, err := l.backend.Last(key(keyNode, s.id, bag))
	if err != nil {
		return 0, err
	}
	if last, good := number(k, 2); found && good {
		next = last + 1
	}
	s.nextOrd[bag] = next
	return next, nil
}

// Next answers the ordinal after the last of a bag.
func (l *Ledger) Next(id, bag uint64) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.refuses(); err != nil {
		return 0, err
	}
	s, err := l.session(id)
	if err != nil {
		return 0, err
	}
	return l.nextOrd(s, bag)
}

// NewSession makes a session and its root node.
func (l *Ledger) NewSession(root *kind.SessionRoot) (uint64, error) {
	node, err := kind.Encode(root)
	if err != nil {
		return 0, err
	}
	if len(node) > MaxValue {
		return 0, ErrTooBig
	}
	if err := l.backend.Room(); err != nil {
		return 0, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.refuses(); err != nil {
		return 0, err
	}
	l.last++
	s := newSession(l.last)
	l.sessions[s.id] = s
	id := graph.RootID(s.id)
	s.slots[id] = slot{exists: true, leaf: true}
	at := l.now().UnixMicro()
	p := &part{session: s, touched: []graph.ID{id}}
	p.put(key(keySession, s.id), binary.BigEndian.AppendUint64(nil, uint64(at)))
	p.put(idKey(keyNode, id), node)
	p.values = append(p.values, node)
	p.lines = append(p.lines, line{What: EventSession, Kind: kind.KindSessionRoot})
	l.place(p, at)
	return s.id, l.commitUntil(p)
}

// NewBag answers a bag number that nobody was given in this life and that no node owns.
func (l *Ledger) NewBag(id uint64) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.refuses(); err != nil {
		return 0, err
	}
	s, err := l.session(id)
	if err != nil {
		return 0, err
	}
	s.nextBag++
	return s.nextBag - 1, nil
}

// refuses answers why nothing new is taken. Called with mu held.
func (l *Ledger) refuses() error {
	if l.broken == nil && l.closing {
		return ErrClosed
	}
	return l.broken
}

// Close flushes what is queued, waits for the readers, and closes the backend. What comes after it gets ErrClosed.
func (l *Ledger) Close() error {
	l.mu.Lock()
	if l.closing {
		l.mu.Unlock()
		return ErrClosed
	}
	l.closing = true
	err := l.drain()
	for l.leading || l.readers > 0 {
		l.left.Wait()
	}
	if l.broken == nil {
		l.broken = ErrClosed
	}
	if l.timer != nil {
		l.timer.Stop()
	}
	l.mu.Unlock()
	l.watch.close()
	if cerr := l.backend.Close(); err == nil {
		err = cerr
	}
	return err
}
