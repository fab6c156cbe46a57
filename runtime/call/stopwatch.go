package call

import (
	"sync"
	"time"
)

// Stopwatch says when something has worked for so long. It stands still while a person is asked.
type Stopwatch struct {
	mu     sync.Mutex
	left   time.Duration
	since  time.Time // when it began to run again
	paused int
	timer  *time.Timer
	over   func()
}

// StartStopwatch calls over when the time is up.
func StartStopwatch(left time.Duration, over func()) *Stopwatch {
	s := &Stopwatch{left: left, since: time.Now(), over: over}
	s.timer = time.AfterFunc(left, s.ring)
	return s
}

func (s *Stopwatch) ring() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.paused == 0 {
		s.over()
	}
}

// Pause stops it until the answer is called; a nil stopwatch has nothing to stop.
func (s *Stopwatch) Pause() (resume func()) {
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

// Stop stops it for good.
func (s *Stopwatch) Stop() { s.timer.Stop() }
