package worker

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"caper/runtime/worker/driver"
	"caper/runtime/worker/wire"
	"caper/runtime/worker/wire/dir"

	"github.com/oklog/ulid/v2"
)

// Request is a question of an agent as the license sees it.
type Request struct {
	Session, Alias, WorkFolder, AgentType string
	driver.Question
}

// License decides what an agent may do. Ask calls asking once when a person is needed, and waits for one until ctx ends; by
// says who or what decided.
type License interface {
	Ask(ctx context.Context, r Request, asking func()) (answer driver.Answer, by string, err error)
}

// Worker is one worker of a state tree.
type Worker struct {
	Tree    Tree
	User    string // of the identity; "" takes what the tree has
	Version string
	Environ []string
	Drivers map[string]driver.Driver
	License License // nil: a reply in the thread is the only answer
	Nobody  bool    // nobody can be asked: what an agent asks is denied
	Notice  func(format string, a ...any)
	// Open opens the wire of a session; nil: folders.
	Open func(root string) (wire.Wire, error)

	config   *Config
	identity Identity
	log      *slog.Logger
	slots    chan struct{}
	instance wire.Instance
}

// Run works until ctx ends, the tree's stop is asked for, or no section is left. What an agent was about when ctx ended is
// taken up by the next worker of the tree.
func (w *Worker) Run(ctx context.Context) (err error) {
	id := ulid.Make().String()
	now := time.Now().UTC()
	unlock, err := w.Tree.Lock(Running{id, os.Getpid(), w.Version, now})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if w.identity, err = w.Tree.Identity(w.User); err != nil {
		return err
	}
	if w.config, err = LoadConfig(w.Tree.path("config.yaml")); err != nil {
		return err
	}
	for name, a := range w.config.Agents {
		if _, err := a.environ(nil); err != nil {
			return err
		}
		if _, ok := executables[name]; !ok {
			return fail(InvalidConfig, "agents.%s: there is no such type", name)
		}
	}
	if err := os.MkdirAll(w.Tree.path("logs", id), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(w.Tree.path("logs", id, "worker.jsonl"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	w.log = slog.New(slog.NewJSONHandler(f, nil)).With("instance", id)
	w.slots = make(chan struct{}, w.config.Concurrency.MaxAgents)
	w.instance = wire.Instance{ID: id, Version: w.Version, StartedAt: now, Status: "running"}
	w.log.Info("started", "user", w.identity.User, "worker", w.identity.Worker)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var all sync.WaitGroup
	for _, s := range w.config.Sections {
		all.Go(func() {
			err := w.section(ctx, s)
			w.log.Info("section ended", "section", s.Name, "error", err)
			if err != nil && w.Notice != nil {
				w.Notice("section %s stopped: %v", s.Name, err)
			}
		})
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	look := time.NewTicker(200 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-look.C:
			if w.Tree.stopping() {
				cancel()
			}
			continue
		case <-done:
		}
		w.log.Info("stopped")
		return nil
	}
}

// section is one session at work.
type section struct {
	w     *Worker
	conf  Section
	tree  Tree
	wire  wire.Wire
	side  *wire.Worker
	log   *slog.Logger
	state sectionState

	driven map[string]*thread
	wake   chan struct{}   // a thread ended
	told   map[string]bool // objects that are wrong, and were said to be
}

func (w *Worker) section(ctx context.Context, conf Section) error {
	s := &section{w: w, conf: conf, tree: w.Tree.section(conf.Session.SessionID), log: w.log.With("section", conf.Name), driven: map[string]*thread{}, wake: make(chan struct{}, 1), told: map[string]bool{}}
	s.state = sectionState{Name: conf.Name, JobType: conf.JobType, Session: conf.Session}
	refuse := func(e *Error) error {
		s.state.Attachment.Status, s.state.Attachment.Error = "refused", e
		return errors.Join(e, writeYAML(s.tree.path("section.yaml"), s.state))
	}
	open := w.Open
	if open == nil {
		open = func(root string) (wire.Wire, error) { return dir.Open(root) }
	}
	d, err := open(filepath.Join(w.config.Wire, conf.Session.SessionID))
	if err != nil {
		return refuse(fail(SessionNotFound, "%v", err))
	}
	s.wire, s.side = d, wire.NewWorker(d, w.identity.User, w.identity.Worker)
	// The local file says that this section is ours before others can see it.
	now := time.Now().UTC()
	s.state.Attachment.Status, s.state.Attachment.AttachedAt = "attached", &now
	if err := writeYAML(s.tree.path("section.yaml"), s.state); err != nil {
		return err
	}
	if err := s.announce(ctx, s.side.Attach, "running"); err != nil {
		return refuse(sectionError(err))
	}
	err = s.run(ctx)
	if err != nil {
		return refuse(sectionError(err))
	}
	return s.announce(context.WithoutCancel(ctx), s.side.Announce, "stopped")
}

func (s *section) announce(ctx context.Context, how func(context.Context, wire.Instance) error, status string) error {
	in := s.w.instance
	in.LastSeenAt, in.Status = time.Now().UTC(), status
	return how(ctx, in)
}

func sectionError(err error) *Error {
	var coded *Error
	var owned *wire.OwnedError
	var malformed *wire.MalformedError
	switch {
	case errors.As(err, &coded):
		return coded
	case errors.As(err, &owned):
		return fail(SessionOwned, "%v", err)
	case errors.As(err, &malformed):
		return fail(WorkerMalformed, "%v", err)
	case errors.Is(err, wire.ErrNotFound):
		return fail(SessionDetached, "the worker object was deleted")
	}
	return fail(SessionNotFound, "%v", err)
}

var (
	// ErrStopped is why an agent ends that the next worker takes up again.
	ErrStopped   = errors.New("the worker stops")
	errCompleted = errors.New("the thread was completed")
	errDetached  = errors.New("the session was detached")
	errLeft      = errors.New("the thread is not ours any more")
)

// beat is how often the worker object is written anew. It informs only.
const beat = 10 * time.Second

func (s *section) run(ctx context.Context) (err error) {
	watching, stop := context.WithCancel(context.WithoutCancel(ctx))
	changes, err := s.wire.Watch(watching)
	if err != nil {
		stop()
		return err
	}
	cause := ErrStopped
	defer func() {
		stop()
		for range changes { // ends with its context
		}
		for _, t := range s.driven {
			t.stop(cause)
		}
		for _, t := range s.driven {
			<-t.done
		}
	}()
	p := s.w.config.Polling
	backoff, last := 0, time.Now()
	for {
		err := s.pass(ctx)
		var e *Error
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.As(err, &e), errors.Is(err, wire.ErrNoSession):
			cause = errDetached
			return err
		case err != nil:
			backoff = min(max(2*backoff, p.Idle), p.Backoff)
			s.log.Warn("a pass failed", "error", err)
		default:
			backoff = 0
		}
		if time.Since(last) > beat && err == nil {
			last = time.Now()
			if err := s.announce(ctx, s.side.Announce, "running"); err != nil && ctx.Err() == nil {
				cause = errDetached
				return err
			}
		}
		pause := p.Idle
		if len(s.driven) > 0 {
			pause = p.Active
		}
		timer := time.NewTimer(ms(max(pause, backoff)))
		select {
		case <-changes:
		case <-timer.C:
		case <-s.wake:
		case <-ctx.Done():
		}
		timer.Stop()
		if ctx.Err() != nil {
			return nil
		}
		if backoff > 0 {
			select {
			case <-time.After(ms(backoff)):
			case <-ctx.Done():
				return nil
			}
		}
	}
}

// pass looks at all objects once.
func (s *section) pass(ctx context.Context) error {
	all, err := s.wire.List(ctx)
	if err != nil {
		return err
	}
	for alias, t := range s.driven {
		select {
		case <-t.done:
			delete(s.driven, alias)
		default:
		}
	}
	there := map[string]bool{}
	for _, o := range all {
		there[o.Alias] = true
		if o.Alias != wire.WorkerAlias {
			s.look(ctx, o)
		}
	}
	if !there[wire.WorkerAlias] {
		return fail(SessionDetached, "the worker object was deleted")
	}
	for alias, t := range s.driven {
		if !there[alias] {
			t.stop(errLeft)
		}
	}
	now := time.Now().UTC()
	s.state.Events.LastProcessedAt = &now
	return nil
}

// look does what one thread needs.
func (s *section) look(ctx context.Context, o wire.Object) {
	state, err := wire.StateOf(o.Value)
	if err != nil {
		if !s.told[o.Alias] {
			s.told[o.Alias] = true
			s.log.Warn("an object cannot be read", "alias", o.Alias, "error", err)
		}
		return
	}
	delete(s.told, o.Alias)
	if t := s.driven[o.Alias]; t != nil {
		th, err := wire.Read(o.Value)
		switch {
		case state == wire.Completed:
			t.stop(errCompleted)
		case state != wire.Active:
			t.stop(errLeft)
		case err == nil && !s.side.Mine(th):
			t.stop(errLeft)
		default:
			t.poke()
		}
		return
	}
	switch state {
	case wire.Pending:
		s.take(ctx, o)
	case wire.Active:
		s.recover(ctx, o)
	case wire.Completed:
		s.complete(ctx, o)
	}
}

// complete notes locally that a user ended a thread while nobody drove it, and ends what was left: its agent, calls, questions.
func (s *section) complete(ctx context.Context, o wire.Object) {
	l := s.tree.local(o.Alias)
	if l.Agent.State != wire.Active {
		return
	}
	s.sweep(l)
	t := s.thread(o.Alias, Settings{}, l)
	if th, err := wire.Read(o.Value); err == nil && s.side.Mine(th) { // else another worker drove it after all
		if err := t.past(ctx); err != nil {
			s.log.Warn("a thread could not be tidied", "alias", o.Alias, "error", err)
			return
		}
	}
	t.local.Agent.State = wire.Completed
	s.keep(o.Alias, t.local)
}

func (s *section) keep(alias string, l Local) {
	if err := s.tree.save(alias, l); err != nil {
		s.log.Error("the local file cannot be written", "alias", alias, "error", err)
	}
}

// slot takes a place for an agent, if one is free.
func (s *section) slot() bool {
	select {
	case s.w.slots <- struct{}{}:
		return true
	default:
		return false
	}
}

func (s *section) free() { <-s.w.slots }

// take leads a thread from pending to active.
func (s *section) take(ctx context.Context, o wire.Object) {
	th, err := wire.Read(o.Value)
	l := Local{}
	if err != nil {
		s.fail(ctx, o.Alias, l, fail(MetadataMalformed, "%v", err))
		return
	}
	set := Resolve(th, s.w.config.Agents)
	l.Workspace.WorkFolder, l.Workspace.AgentType = set.WorkFolder, set.Type
	if e := set.Check(th); e != nil {
		s.fail(ctx, o.Alias, l, e)
		return
	}
	if e := s.runnable(set); e != nil {
		s.fail(ctx, o.Alias, l, e)
		return
	}
	if !s.slot() {
		return
	}
	old := s.tree.local(o.Alias)
	s.sweep(old)
	l.Agent.State, l.Agent.Mark, l.Agent.Turn = wire.Active, "agent."+ulid.Make().String(), old.Agent.Turn
	if err := s.tree.save(o.Alias, l); err != nil {
		s.free()
		s.log.Error("the local file cannot be written", "alias", o.Alias, "error", err)
		return
	}
	if err := s.side.Activate(ctx, o.Alias); err != nil { // another worker, or the user, came first
		s.free()
		l.Agent.State = wire.None
		s.keep(o.Alias, l)
		return
	}
	s.drive(ctx, o.Alias, set, l)
}

// recover takes up a thread that an earlier worker of this tree had.
func (s *section) recover(ctx context.Context, o wire.Object) {
	th, err := wire.Read(o.Value)
	if err != nil || !s.side.Mine(th) {
		return
	}
	l := s.tree.local(o.Alias)
	if l.Agent.State != wire.Active {
		if l.Agent.State != wire.Failed { // its failure was written here, not yet on the wire
			l.Agent.Error = fail(Code(driver.CodeCrashed), "the worker has lost what it knew of the thread")
		}
		s.fail(ctx, o.Alias, l, l.Agent.Error)
		return
	}
	set := Resolve(th, s.w.config.Agents)
	set.WorkFolder, set.Type = l.Workspace.WorkFolder, l.Workspace.AgentType
	e := CheckFolder(set.WorkFolder)
	if e == nil {
		e = s.runnable(set)
	}
	if e != nil {
		s.sweep(l)
		s.fail(ctx, o.Alias, l, e)
		return
	}
	if !s.slot() {
		return
	}
	s.sweep(l)
	s.drive(ctx, o.Alias, set, l)
}

// runnable finds the agent's executable.
func (s *section) runnable(set Settings) *Error {
	if s.w.Drivers[set.Type] == nil {
		return fail(AgentTypeUnsupported, "agents of type %s cannot be driven here", set.Type)
	}
	if set.Type == "caper" {
		return nil
	}
	environ, err := s.w.config.Agents[set.Type].environ(s.w.Environ)
	if err != nil {
		return fail(Code(driver.CodeExecutable), "%v", err)
	}
	if _, err := find(set.Executable, environ); err != nil {
		return fail(Code(driver.CodeExecutable), "%v", err)
	}
	return nil
}

// fail gives a thread back: first the local file, then the wire, then the activity.
func (s *section) fail(ctx context.Context, alias string, l Local, e *Error) {
	l.Agent.State, l.Agent.Error = wire.Failed, e
	if err := s.tree.save(alias, l); err != nil {
		s.log.Error("the local file cannot be written", "alias", alias, "error", err)
		return
	}
	if err := s.side.Fail(ctx, alias); err != nil {
		s.log.Warn("a thread could not be failed", "alias", alias, "error", err)
		return
	}
	s.log.Info("thread failed", "alias", alias, "code", e.Code, "message", e.Message)
	m := wire.ItemMetadata{Type: wire.ThreadFailed, Alias: alias, Code: string(e.Code), Message: e.Message}
	if _, err := s.side.Post(ctx, wire.WorkerAlias, m, alias+" failed: "+e.Message); err != nil {
		s.log.Warn("an activity could not be posted", "alias", alias, "error", err)
	}
}
