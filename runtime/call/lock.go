package call

import (
	"context"
	"sort"
	"sync"
)

// locks are held by path, from the moment facts are measured until the outcome is in the store: what a second call on the
// same file measures is true only after the first one is through.
type locks struct {
	mu   sync.Mutex
	held map[string]*lock
}

type lock struct {
	turn  chan struct{} // holds one token while free
	users int
}

// take locks all paths in a fixed order and answers how to let go.
func (l *locks) take(ctx context.Context, paths []string) (free func(), err error) {
	sort.Strings(paths)
	var got []string
	free = sync.OnceFunc(func() {
		for _, p := range got {
			l.put(p, true)
		}
	})
	for i, p := range paths {
		if i > 0 && p == paths[i-1] {
			continue
		}
		k := l.want(p)
		select {
		case <-k.turn:
			got = append(got, p)
		case <-ctx.Done():
			l.put(p, false)
			free()
			return nil, ctx.Err()
		}
	}
	return free, nil
}

func (l *locks) want(p string) *lock {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held == nil {
		l.held = map[string]*lock{}
	}
	k := l.held[p]
	if k == nil {
		k = &lock{turn: make(chan struct{}, 1)}
		k.turn <- struct{}{}
		l.held[p] = k
	}
	k.users++
	return k
}

func (l *locks) put(p string, held bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	k := l.held[p]
	if held {
		k.turn <- struct{}{}
	}
	if k.users--; k.users == 0 {
		delete(l.held, p)
	}
}
