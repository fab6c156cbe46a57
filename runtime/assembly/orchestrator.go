package assembly

import (
	"context"

	"caper/runtime/agent"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/orchestrator"
	"caper/runtime/session"
)

// Attendant is what an orchestrator needs to know of the place where it works.
type Attendant struct {
	// Context is that of a session's turns and calls, from what was recorded.
	Context func(session uint64, workspace string) (call.Context, error)
	// Program goes on with a program.
	Program func(ctx context.Context, id graph.ID) error
	// Hear is told what turns say.
	Hear   agent.Hear
	Failed func(id graph.ID, err error)
}

// Orchestrator takes up what the sessions of this store left open.
func (s *System) Orchestrator(a Attendant) *orchestrator.Orchestrator {
	always := func(context.Context, kind.Entry) (orchestrator.Verdict, error) { return orchestrator.Allow, nil }
	// A program in another's bag goes on with that one: it may be a copy of its machine, and what holds around it is known
	// there alone.
	alone := func(_ context.Context, e kind.Entry) (orchestrator.Verdict, error) {
		if e.ID.Bag != graph.RootBag {
			return orchestrator.Wait, nil
		}
		return orchestrator.Allow, nil
	}
	// in does something in the context of its session.
	in := func(do func(context.Context, graph.ID, call.Context) error) func(context.Context, graph.ID) error {
		return func(ctx context.Context, id graph.ID) error {
			settings, err := session.SettingsOf(s.Store, id.Session)
			if err != nil {
				return err
			}
			c, err := a.Context(id.Session, settings.Path)
			if err != nil {
				return err
			}
			c.Session = id.Session
			return do(ctx, id, c)
		}
	}
	turn := in(func(ctx context.Context, id graph.ID, c call.Context) error {
		_, err := s.Agents.Run(ctx, id, c, a.Hear)
		return err
	})
	background, fulfil := in(s.Agents.TakeUp), in(s.Agents.Fulfil) // the license is asked again in the body of the former
	return &orchestrator.Orchestrator{
		Store:  s.Store,
		Here:   s.Agents.Here,
		Failed: a.Failed,
		Known: func(connection string) bool {
			_, _, err := s.Agents.Models.Get(connection)
			return err == nil
		},
		Executors: []orchestrator.Executor{
			{Class: kind.KindSessionTurn, Guard: s.inboundClosed, Execute: turn},
			{Class: kind.KindProgrammaticJob, Guard: alone, Execute: a.Program},
			{Class: kind.KindSystemToolJob, Guard: always, Execute: background},
			{Class: kind.KindFileMutateToolJob, Guard: always, Execute: background},
			{Class: kind.KindAgentCallJob, Guard: always, Execute: background},
		},
		Actors: []orchestrator.Actor{
			{Kind: kind.KindCompletionExpectation, Connection: func(n kind.Node) string { return n.(*kind.CompletionExpectation).Model }, Fulfil: fulfil},
			{Kind: kind.KindJudgeExpectation, Connection: func(n kind.Node) string { return n.(*kind.JudgeExpectation).Model }, Fulfil: fulfil},
		},
	}
}

// inboundClosed is the guard of a turn: it waits for the turns before it and then is true, never false (law S16).
func (s *System) inboundClosed(_ context.Context, e kind.Entry) (orchestrator.Verdict, error) {
	u, err := session.At(s.Store, e.ID)
	if err != nil {
		return orchestrator.Wait, err
	}
	if own, ok, err := session.AgentOf(s.Store, e.ID.Session); err != nil || !ok || !u.Turn.Agent.Refers(own) {
		return orchestrator.Wait, err // the turn of a called agent goes on with its call, which knows what bounds it
	}
	before, err := session.Inbound(s.Store, u)
	if err != nil || len(before) > 0 {
		return orchestrator.Wait, err
	}
	return orchestrator.Allow, nil
}
