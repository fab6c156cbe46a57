package call

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestStopwatchStandsStillWhilePersonIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		s := StartStopwatch(10*time.Second, func() { cancel(context.DeadlineExceeded) })
		defer s.Stop()
		time.Sleep(4 * time.Second)
		resume := s.Pause()
		time.Sleep(time.Hour)
		if ctx.Err() != nil {
			t.Fatal("it ran while a person was asked")
		}
		resume()
		time.Sleep(5 * time.Second)
		if ctx.Err() != nil {
			t.Fatal("nine seconds are not ten")
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if context.Cause(ctx) != context.DeadlineExceeded {
			t.Fatalf("after ten seconds: %v", context.Cause(ctx))
		}
	})
}
