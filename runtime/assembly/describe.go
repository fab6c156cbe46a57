package assembly

import (
	"context"

	"caper/runtime/call"
	"caper/runtime/store"
)

// Describe is the question that a call in the queue waits with, as it would be asked now. environ is whose terminal asks.
func (s *System) Describe(ctx context.Context, e store.Entry, environ []string, env map[string]string) (call.Question, error) {
	c, err := s.contextOf(e.ID, environ, env)
	if err != nil {
		return call.Question{}, err
	}
	return s.Calls.Describe(ctx, c, e)
}
