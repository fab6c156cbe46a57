package program

import (
	"errors"
	"runtime"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
)

// mint writes the job, and its session where it has none.
func (b *bag) mint() error {
	if b.job != nil {
		return nil
	}
	if err := b.open(); err != nil {
		return err
	}
	st, c := b.calls.Store, &b.spec.Context
	if c.Session == 0 {
		s, err := b.calls.NewSession(c)
		if err != nil {
			return err
		}
		c.Session = s
	}
	own, err := st.NewBag(c.Session)
	if err != nil {
		return err
	}
	c.Bag = own
	job := &kind.ProgrammaticJob{
		Name: b.spec.Name, Bag: own, Budget: b.spec.Budget, Cwd: c.Cwd, Workspace: c.Workspace,
		Answerability: kind.Answerability(c.Answerability), Posture: string(c.Posture), Mode: string(c.Mode),
		Seed: b.seed, StartedAt: b.now(), Parent: b.parent, Background: b.detached,
		ReadAllow: c.ReadAllow, Rules: c.Rules, Libs: b.spec.Libs, Dir: b.spec.Dir,
	}
	if err := b.record(job); err != nil {
		return err
	}
	job.Open = b.spec.Open
	if !b.spec.After.IsZero() {
		job.After = kind.RefTo(b.spec.After)
	}
	anywhere := b.id.IsZero() // it takes the next place, which another may be quicker to take
	for {
		if anywhere {
			ord, err := st.Next(c.Session, graph.RootBag)
			if err != nil {
				return err
			}
			b.id = graph.ID{Session: c.Session, Bag: graph.RootBag, Ord: ord}
		}
		ours := true
		if b.stopped != nil { // before anybody can see it
			b.untrack, ours = b.calls.Track(b.id, b.stopped)
		}
		if anywhere && !ours {
			runtime.Gosched() // another is about to be minted there
			continue
		}
		_, err := st.Apply(c.Session, store.Mint{ID: b.id, Node: job, Open: true})
		if err == nil {
			break
		}
		if !anywhere || !errors.Is(err, store.ErrExists) {
			return err
		}
		b.untrack()
	}
	b.job = job
	if b.told != nil {
		b.told(b.id)
	}
	return nil
}
