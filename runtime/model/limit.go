package model

import (
	"context"
	"sync"
	"time"
)

// Limit lets so many requests and tokens pass a minute; 0 is no limit. Requests that are too many wait. What a request
// will cost is guessed from its size and set right when its answer is there.
func Limit(c Connection, requests, tokens int, clock Clock) Connection {
	if clock == nil {
		clock = RealClock{}
	}
	l := &limiter{clock: clock, at: clock.Now(), requests: bucket{most: float64(requests)}, tokens: bucket{most: float64(tokens)}}
	l.requests.level, l.tokens.level = l.requests.most, l.tokens.most
	return Func(func(ctx context.Context, r Request, hear func(Delta)) (*Answer, error) {
		guess := float64(size(r) / 4)
		if err := l.enter(ctx, guess); err != nil {
			return nil, asError(ctx, err)
		}
		answer, err := c.Complete(ctx, r, hear)
		var paid Usage
		if err != nil {
			paid = asError(ctx, err).Usage
		} else {
			paid = answer.Usage
		}
		l.correct(guess - float64(paid.Total()-paid.CacheRead))
		return answer, err
	})
}

type bucket struct{ most, level float64 }

func (b *bucket) fill(minutes float64) {
	b.level = min(b.most, b.level+b.most*minutes)
}

// lacks answers when there is as much in it as is needed: 0 is now.
func (b *bucket) lacks(need float64) (wait time.Duration) {
	if b.most == 0 || b.level >= need {
		return 0
	}
	return time.Duration((need-b.level)/b.most*float64(time.Minute)) + time.Millisecond
}

type limiter struct {
	clock            Clock
	mu               sync.Mutex
	at               time.Time
	requests, tokens bucket
}

func (l *limiter) enter(ctx context.Context, guess float64) error {
	for {
		l.mu.Lock()
		now := l.clock.Now()
		l.requests.fill(now.Sub(l.at).Minutes())
		l.tokens.fill(now.Sub(l.at).Minutes())
		l.at = now
		// A request that is larger than the bucket passes when the bucket is full.
		wait := max(l.requests.lacks(1), l.tokens.lacks(min(guess, l.tokens.most)))
		if wait == 0 {
			l.requests.level--
			l.tokens.level -= guess
			l.mu.Unlock()
			return ctx.Err()
		}
		l.mu.Unlock()
		if err := pause(ctx, l.clock, wait); err != nil {
			return err
		}
	}
}

func (l *limiter) correct(by float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tokens.level = min(l.tokens.most, l.tokens.level+by)
}

// size is about how many bytes a request is.
func size(r Request) int {
	n := len(r.Schema)
	for _, s := range r.System {
		n += len(s)
	}
	for _, t := range r.Tools {
		n += len(t.Name) + len(t.Description) + len(t.Schema)
	}
	for _, m := range r.Messages {
		for _, b := range m.Blocks {
			n += len(b.Text) + len(b.Name) + len(b.Input)
			if len(b.Native) > 0 && b.Kind != Text {
				n += len(b.Native)
			}
			if b.Image != nil {
				n += 6000 // about 1500 tokens, whatever its bytes
			}
		}
	}
	return n
}
