package store

import "sync"

// watchers wake those who follow events. A token says "look again"; it never carries what happened.
type watchers struct {
	mu   sync.Mutex
	by   map[uint64]map[chan struct{}]struct{} // by session; 0 is all
	shut bool
}

func (w *watchers) init() { w.by = map[uint64]map[chan struct{}]struct{}{} }

func (w *watchers) tell(session uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.by) == 0 {
		return
	}
	for _, id := range [2]uint64{session, 0} {
		for c := range w.by[id] {
			select {
			case c <- struct{}{}:
			default:
			}
		}
	}
}

func (w *watchers) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.shut = true
	for _, set := range w.by {
		for c := range set {
			close(c)
		}
	}
	clear(w.by)
}

// Watch follows a session, or all of them. The channel holds a token at once when the session has events already, and
// is closed when the store is.
func (l *Ledger) Watch(session uint64) (<-chan struct{}, func()) {
	c := make(chan struct{}, 1)
	c <- struct{}{}
	w := &l.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.shut {
		close(c)
		return c, func() {}
	}
	if w.by[session] == nil {
		w.by[session] = map[chan struct{}]struct{}{}
	}
	w.by[session][c] = struct{}{}
	return c, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.by[session], c)
		if len(w.by[session]) == 0 {
			delete(w.by, session)
		}
	}
}
