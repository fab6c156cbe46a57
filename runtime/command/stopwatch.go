package command

import (
	"context"
	"sync"
	"time"
)

// stopwatch ends a context when a program has run for so long. It stands still while a person is asked.
type stopwatch struct {
	mu     sync.Mutex
	left   time.Duration
	since  time.Time // when it began to run again
	paused int
	timer  *time.Timer
	cancel context.CancelCauseFunc
}

func startStopwatch(ctx context.Context, left time.Duration) (context.Context, *stopwatch) {
	ctx, cancel := context.WithCancelCause(ctx)
	s := &stopwatch{left: left, since: time.Now(), cancel: cancel}
	s.timer = time.AfterFunc(left, s.over)
	return ctx, s
}

func (s *stopwatch) over() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.paused == 0 {
		s.cancel(context.DeadlineExceeded)
	}
}

// pause stops it until the answer is called; a nil stopwatch has nothing to stop.
func (s *stopwatch) pause() (resume func()) {
	if s == nil {
		return func() {}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.paused++; s.paused == 1 {
		s.timer.Stop()
		s.left -= time.Since(s.since)
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.paused--; s.paused == 0 {
			s.since = time.Now()
			s.timer.Reset(max(s.left, 0))
		}
	}
}

func (s *stopwatch) stop() {
	s.timer.Stop()
	s.cancel(nil)
}
