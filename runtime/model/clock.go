package model

import (
	"context"
	"time"
)

// Clock is the time as a connection sees it.
type Clock interface {
	Now() time.Time
	// AfterFunc calls f in its own goroutine once d has passed, unless stop was called before.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

// RealClock is the time of the machine.
type RealClock struct{}

func (RealClock) Now() time.Time { return time.Now() }

func (RealClock) AfterFunc(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }

// pause waits for d, or until the context ends.
func pause(ctx context.Context, c Clock, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	over := make(chan struct{})
	stop := c.AfterFunc(d, func() { close(over) })
	defer stop()
	select {
	case <-over:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}
