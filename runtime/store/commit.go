package store

import (
	"fmt"
	"time"
)

// Apply makes the changes durable.
func (l *Ledger) Apply(id uint64, changes ...Change) (Receipt, error) {
	list, begins, err := l.encodeChanges(id, changes)
	if err != nil {
		return Receipt{}, err
	}
	if begins {
		if err := l.backend.Room(); err != nil {
			return Receipt{}, err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	r, parts, err := l.enter(id, list)
	if err != nil {
		return Receipt{}, err
	}
	return r, l.commitUntil(parts[len(parts)-1])
}

// enter checks and places a request. Called with mu held.
func (l *Ledger) enter(id uint64, list []coded) (Receipt, []*part, error) {
	if err := l.refuses(); err != nil {
		return Receipt{}, nil, err
	}
	s, err := l.session(id)
	if err != nil {
		return Receipt{}, nil, err
	}
	before, err := l.admit(s, list)
	if err != nil {
		return Receipt{}, nil, err
	}
	r, parts := l.fill(s, list, before)
	return r, parts, nil
}

// Ride queues a settle without waiting for its commit.
func (l *Ledger) Ride(id uint64, settle Settle) (Receipt, error) {
	list, _, err := l.encodeChanges(id, []Change{settle})
	if err != nil {
		return Receipt{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	r, parts, err := l.enter(id, list)
	if err != nil {
		return Receipt{}, err
	}
	for _, p := range parts {
		p.ride = true
		l.riding.Add(1)
	}
	l.arm()
	return r, nil
}

// arm makes sure that what rides does not wait longer than it may. Called with mu held.
func (l *Ledger) arm() {
	if l.armed {
		return
	}
	l.armed = true
	if l.timer == nil {
		l.timer = time.AfterFunc(l.rideFor, l.rideOver)
		return
	}
	l.timer.Reset(l.rideFor)
}

func (l *Ledger) rideOver() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.armed = false
	l.drain()
}

// Flush waits until everything placed for a session is committed.
func (l *Ledger) Flush(id uint64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.sessions[id]
	if s == nil || s.queued == 0 || l.broken != nil {
		return l.broken
	}
	return l.commitUntil(l.barrier(s))
}

// drain commits all that is queued. Called with mu held.
func (l *Ledger) drain() error {
	if l.broken != nil || len(l.queue) == 0 && !l.leading {
		return l.broken
	}
	return l.commitUntil(l.barrier(nil))
}

// barrier is an empty part: when it is done, so is all before it.
func (l *Ledger) barrier(s *session) *part {
	p := &part{session: s}
	if s != nil {
		s.queued++
	}
	l.queue = append(l.queue, p)
	return p
}

// commitUntil returns when p is committed. The first who comes leads: it commits from the front of the queue, for
// itself and all who came meanwhile, until its own part is done, and then hands the lead to one who still waits. Nobody
// waits for a timer, and a lone caller commits at once. Called with mu held; mu is free while a commit runs.
func (l *Ledger) commitUntil(p *part) error {
	for !p.done {
		if l.leading {
			p.wake = make(chan struct{}, 1)
			wake := p.wake
			l.mu.Unlock()
			<-wake
			l.mu.Lock()
			continue // done, or the lead is free and this one was chosen
		}
		l.leading = true
		for !p.done {
			l.commitFront()
		}
		l.leading = false
		l.left.Broadcast()
	}
	l.handOver()
	return p.err
}

// Queued is how many parts have their place and are not yet committed or being committed.
func (l *Ledger) Queued() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.queue)
}

// handOver wakes the first who waits in the queue to lead. Called with mu held.
func (l *Ledger) handOver() {
	if l.leading {
		return
	}
	for _, q := range l.queue {
		if q.wake != nil {
			select {
			case q.wake <- struct{}{}:
			default:
			}
			return
		}
	}
}

// commitFront commits as much of the queue's front as fits one transaction. Called by the leader with mu held.
func (l *Ledger) commitFront() {
	n, entries, size := 0, 0, 0
	for n < len(l.queue) {
		p := l.queue[n]
		if n > 0 && (entries+len(p.pairs) > MaxBatchEntries || size+p.size > MaxBatchBytes) {
			break
		}
		entries += len(p.pairs)
		size += p.size
		n++
	}
	group := l.queue[:n:n]
	l.queue = l.queue[n:]
	err := l.broken
	if err == nil && entries > 0 {
		l.mu.Unlock()
		err = l.write(group, entries)
		l.mu.Lock()
		if err != nil {
			err = l.poison(err)
		}
	}
	for _, p := range group {
		l.finish(p, err)
	}
	if err != nil {
		for _, p := range l.queue {
			l.finish(p, err)
		}
		l.queue = nil
	}
}

func (l *Ledger) write(group []*part, entries int) error {
	pairs := group[0].pairs
	if len(group) > 1 {
		pairs = make([]Pair, 0, entries)
		for _, p := range group {
			pairs = append(pairs, p.pairs...)
		}
	}
	var tip Tip
	for _, p := range group {
		if len(p.pairs) > 0 {
			tip = p.tip
		}
	}
	l.hook("before-commit")
	if err := l.backend.Write(pairs, tip); err != nil {
		return err
	}
	l.hook("after-commit")
	return nil
}

// poison ends the store: a commit failed, and nobody knows which of its pairs are there. Called with mu held.
func (l *Ledger) poison(cause error) error {
	if l.broken == nil {
		l.broken = fmt.Errorf("%w (%v)", ErrPoisoned, cause)
	}
	return l.broken
}

// finish publishes a committed part: only now does anybody hear of it. Called with mu held.
func (l *Ledger) finish(p *part, err error) {
	p.done, p.err = true, err
	if p.ride {
		l.riding.Add(-1)
	}
	if s := p.session; s != nil {
		s.queued--
		if err == nil && len(p.lines) > 0 {
			s.durable = p.first + uint64(len(p.lines)) - 1
			l.settleSlots(p)
			l.watch.tell(s.id)
		}
	}
	if p.wake != nil {
		select {
		case p.wake <- struct{}{}:
		default:
		}
	}
	p.pairs, p.lines, p.touched = nil, nil, nil
}

// settleSlots drops from memory what the backend now answers for.
func (l *Ledger) settleSlots(p *part) {
	s := p.session
	for _, id := range p.touched {
		x := s.slots[id]
		x.inflight--
		if x.inflight <= 0 && (x.settled || x.leaf) {
			delete(s.slots, id)
			continue
		}
		s.slots[id] = x
	}
}
