package assembly

import (
	"context"
	"fmt"

	"caper/runtime/call"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/store"
)

// Describe is the question that a call in the queue waits with, as it would be asked now. environ is whose terminal asks.
func (s *System) Describe(ctx context.Context, e store.Entry, environ []string, env map[string]string) (call.Question, error) {
	owner, err := s.Store.Owner(e.ID.Session, e.ID.Bag)
	if err != nil {
		return call.Question{}, err
	}
	n, err := s.Store.Node(owner)
	if err != nil {
		return call.Question{}, err
	}
	job, ok := n.(*kind.ProgrammaticJob)
	if !ok {
		return call.Question{}, fmt.Errorf("%s belongs to no program", e.ID)
	}
	c := call.Context{Session: e.ID.Session, Bag: e.ID.Bag, Workspace: job.Workspace, Cwd: job.Cwd, Environ: environ, Env: env,
		Answerability: license.None, Posture: license.ParsePosture(job.Posture), Mode: license.ParseMode(job.Mode), ReadAllow: job.ReadAllow, Rules: job.Rules}
	return s.Calls.Describe(ctx, &c, e)
}
