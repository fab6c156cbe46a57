package model

import (
	"context"
	"fmt"
	"time"
)

// RetryPolicy says how often and how long to ask again.
type RetryPolicy struct {
	Tries int           // in all, 0: five
	Total time.Duration // no try begins later, 0: five minutes
	First time.Duration // the first wait, which doubles, 0: half a second
	Most  time.Duration // the longest wait of our own, 0: 30 seconds
	Clock Clock
	Rand  func() float64
}

// Retry asks again what failed for a reason that may pass. An answer that broke off is asked for again whole, and who
// listens is told to forget. What the failed tries cost is in the answer's usage.
func Retry(c Connection, p RetryPolicy) Connection {
	p.Tries = orElse(p.Tries, 5)
	p.Total = orElse(p.Total, 5*time.Minute)
	p.First = orElse(p.First, 500*time.Millisecond)
	p.Most = orElse(p.Most, 30*time.Second)
	if p.Clock == nil {
		p.Clock = RealClock{}
	}
	if p.Rand == nil {
		p.Rand = func() float64 { return 0.5 }
	}
	return Func(func(ctx context.Context, r Request, hear func(Delta)) (*Answer, error) {
		begun := p.Clock.Now()
		again := forgetful(hear)
		var paid Usage
		for try := 1; ; try++ {
			answer, err := c.Complete(ctx, r, again.hear())
			if err == nil {
				answer.Usage = answer.Usage.Add(paid)
				if try > 1 {
					answer.Notes = append(answer.Notes, fmt.Sprintf("answered at try %d", try))
				}
				return answer, nil
			}
			e := *asError(ctx, err)
			paid = paid.Add(e.Usage)
			e.Usage = paid
			wait := p.wait(try, e.RetryAfter)
			if !e.Temporary || try >= p.Tries || ctx.Err() != nil || p.Clock.Now().Add(wait).Sub(begun) > p.Total {
				if try > 1 {
					e.Message += fmt.Sprintf(" (after %d tries)", try)
				}
				return nil, &e
			}
			again.reset()
			if pause(ctx, p.Clock, wait) != nil {
				e := asError(ctx, ctx.Err())
				e.Usage = paid
				return nil, e
			}
		}
	})
}

// wait is what the provider asks for, or else half of a doubling time and up to another half, by chance.
func (p RetryPolicy) wait(try int, asked time.Duration) time.Duration {
	d := p.Most
	if try < 20 {
		d = min(p.Most, p.First<<(try-1))
	}
	d = time.Duration(float64(d) * (0.5 + 0.5*p.Rand()))
	return max(d, asked)
}

func orElse[T comparable](v, other T) T {
	var zero T
	if v == zero {
		return other
	}
	return v
}

// forgetting tells a listener to forget what he heard of an answer that failed.
type forgetting struct {
	to    func(Delta)
	heard bool
}

func forgetful(hear func(Delta)) *forgetting { return &forgetting{to: hear} }

func (f *forgetting) hear() func(Delta) {
	if f.to == nil {
		return nil
	}
	return func(d Delta) {
		f.heard = true
		f.to(d)
	}
}

func (f *forgetting) reset() {
	if f.heard {
		f.heard = false
		f.to(Delta{Reset: true})
	}
}
