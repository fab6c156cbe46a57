package assembly

import (
	"context"
	"fmt"
	"slices"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/session"
	"caper/runtime/store"
)

// Approve records a yes for a call that waits in the queue with its question; its program, resumed, decides again and
// goes on.
func (s *System) Approve(ctx context.Context, e store.Entry, a call.Answer, question graph.Datum) error {
	digest := graph.TextField(question, "digest")
	if a.Scope != "once" {
		c, err := s.contextOf(e.ID, nil, nil)
		if err != nil {
			return err
		}
		kept := call.Approval{Scope: a.Scope, Digest: digest, By: a.By}
		rules, _ := graph.Field(question, "remember-"+a.Scope).(graph.List)
		for _, r := range rules {
			if text, ok := r.(string); ok {
				kept.Rules = append(kept.Rules, text)
			}
		}
		if err := s.policies.Remember(ctx, c, kept); err != nil {
			return err
		}
	}
	d := graph.List{graph.Pair("digest", digest), graph.Pair("scope", a.Scope)}
	answered := store.Change(store.Unwait{ID: e.ID})
	if e.InBackground() { // nobody waits for it, so that its own mark must say that it is to be taken up
		answered = store.Start{ID: e.ID}
	}
	_, err := s.Store.Apply(e.ID.Session, store.Note{ID: e.ID, Fact: kind.Fact{What: kind.FactApproved, Value: kind.Of(d), By: a.By, At: s.Calls.Now()}}, answered)
	return err
}

// contextOf is the context of a call, or of a job of its program, as it was recorded, without anybody who could be asked.
func (s *System) contextOf(id graph.ID, environ []string, env map[string]string) (*call.Context, error) {
	for {
		n, err := s.Store.Node(id)
		if err != nil {
			return nil, err
		}
		if job, ok := n.(*kind.ProgrammaticJob); ok {
			return &call.Context{Session: id.Session, Bag: job.Bag, Workspace: job.Workspace, Cwd: job.Cwd, Environ: environ, Env: env,
				Answerability: license.None, Posture: license.ParsePosture(job.Posture), Mode: license.ParseMode(job.Mode),
				ReadAllow: job.ReadAllow, Rules: job.Rules}, nil
		}
		if t, ok := n.(*kind.SessionTurn); ok || id.Bag == graph.RootBag {
			return s.contextIn(id, t, environ, env)
		}
		if id, err = s.Store.Owner(id.Session, id.Bag); err != nil {
			return nil, err
		}
	}
}

// contextIn is that of a turn, or of a call that a person made in a session: what holds in the session.
func (s *System) contextIn(id graph.ID, t *kind.SessionTurn, environ []string, env map[string]string) (*call.Context, error) {
	settings, err := session.SettingsOf(s.Store, id.Session)
	if err != nil {
		return nil, err
	}
	c := &call.Context{Session: id.Session, Bag: id.Bag, Workspace: settings.Path, Cwd: settings.Path, Environ: environ, Env: env, Answerability: license.None,
		Posture: license.ParsePosture(settings.StandingPolicy), Mode: license.ParseMode(settings.Mode), ReadAllow: settings.ReadAllowlist}
	if t == nil {
		return c, nil
	}
	posture, err := session.EffectivePolicy(s.Store, id)
	c.Bag, c.Posture, c.Rules, c.ReadAllow = t.Bag, license.ParsePosture(posture), t.Rules, append(slices.Clone(c.ReadAllow), t.ReadAllow...)
	return c, err
}

// Resolve records what a person says of an uncertain call: happened (with a value), did-not, or retry.
func (s *System) Resolve(e store.Entry, how string, value graph.Datum, by string) error {
	changes := []store.Change{store.Note{ID: e.ID, Fact: s.Calls.Resolved(how, by)}}
	o, settles, err := s.Calls.Resolution(how, value, by)
	switch {
	case err != nil:
		return err
	case settles:
		changes = append(changes, store.Settle{ID: e.ID, Outcome: o})
	default:
		changes = append(changes, store.Unwait{ID: e.ID})
	}
	if _, err := s.Store.Apply(e.ID.Session, changes...); err != nil || !settles {
		return err
	}
	_ = s.Calls.Clean(e.ID) // what cannot be removed goes with the session
	return nil
}

// Program is the outermost program around a job: the job itself, when nothing is around it.
func (s *System) Program(id graph.ID) (graph.ID, error) {
	for id.Bag != graph.RootBag {
		up, err := s.Store.Owner(id.Session, id.Bag)
		if err != nil {
			return id, err
		}
		id = up
	}
	return id, nil
}

// PartError is a job that cannot be ended alone: the program around it runs and waits for it.
type PartError struct{ ID, Program graph.ID }

func (e *PartError) Error() string {
	return fmt.Sprintf("%s is a part of %s, which is running", e.ID, e.Program)
}

// Cancel ends a program: one that runs here is told to stop, one that rests is settled as cancelled, with what it left open.
// environ is whose terminal asks.
func (s *System) Cancel(ctx context.Context, id graph.ID, by string, environ []string, env map[string]string) (running bool, err error) {
	if s.Calls.Stop(id) {
		return true, nil
	}
	e, err := s.Store.Entry(id)
	if err != nil {
		return false, err
	}
	if e.Outcome != nil {
		return false, fmt.Errorf("%s has ended already: %s", id, e.Outcome.State)
	}
	program, err := s.Program(id)
	if err != nil {
		return false, err
	}
	if s.Calls.Running(program) {
		return false, &PartError{ID: id, Program: program}
	}
	c, err := s.contextOf(id, environ, env)
	if err != nil {
		return false, err
	}
	if err := s.Calls.Close(s.Calls.End(ctx, c, e, by, true)); err != nil {
		return false, err
	}
	return false, s.Store.Flush(id.Session)
}

// Running reports whether this process runs a program of the session.
func (s *System) Running(session uint64) bool { return s.Calls.RunningIn(session) }
