package worker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"caper/runtime/tool"
	"caper/runtime/worker/driver"
	"caper/runtime/worker/wire"

	"github.com/oklog/ulid/v2"
)

// find looks an executable up in the PATH of an environment.
func find(name string, environ []string) (string, error) {
	if strings.ContainsRune(name, '/') {
		return name, executable(name)
	}
	path := ""
	for _, v := range environ {
		if p, ok := strings.CutPrefix(v, "PATH="); ok {
			path = p
		}
	}
	for _, dir := range filepath.SplitList(path) {
		if p := filepath.Join(dir, name); filepath.IsAbs(dir) && executable(p) == nil {
			return p, nil
		}
	}
	return "", fmt.Errorf("there is no %q in the PATH %q", name, path)
}

func executable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir() || info.Mode()&0o111 == 0:
		return &fs.PathError{Op: "run", Path: path, Err: fs.ErrPermission}
	}
	return nil
}

// sweep ends what an earlier agent of a thread left running.
func (s *section) sweep(l Local) {
	if l.Agent.Mark == "" {
		return
	}
	if n, err := tool.EndMarked(l.Agent.Mark, 0, ms(s.w.config.Agents[l.Workspace.AgentType].grace())); n > 0 || err != nil {
		s.log.Info("ended what an agent had left", "processes", n, "error", err)
	}
}

func (a AgentConfig) grace() int {
	if a.GraceMs > 0 {
		return a.GraceMs
	}
	return 5000
}

// thread is one that is driven.
type thread struct {
	s     *section
	alias string
	set   Settings
	local Local

	stop  context.CancelCauseFunc
	done  chan struct{} // closed when nothing of it runs any more
	pokes chan struct{}

	asking  sync.Mutex // held until a question that was posted is in asked: so they are in order
	mu      sync.Mutex
	open    map[string]bool // invocations without a result
	used    map[uint64]bool // items that answered questions
	replies chan struct{}   // closed and made anew at each poke: questions look for their answers
	asked   []uint64        // the questions that are open, oldest first
	lost    error           // the wire or the local file failed
}

func (s *section) thread(alias string, set Settings, l Local) *thread {
	return &thread{s: s, alias: alias, set: set, local: l, done: make(chan struct{}), pokes: make(chan struct{}, 1),
		open: map[string]bool{}, used: map[uint64]bool{}, replies: make(chan struct{})}
}

// drive runs a thread, which has a slot, until it ends.
func (s *section) drive(ctx context.Context, alias string, set Settings, l Local) {
	tctx, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	t := s.thread(alias, set, l)
	t.stop = stop
	s.driven[alias] = t
	s.log.Info("thread taken", "alias", alias, "type", set.Type, "resumes", l.Agent.SessionID)
	go func() {
		defer func() {
			close(t.done)
			select {
			case s.wake <- struct{}{}:
			default:
			}
		}()
		defer s.free()
		defer stop(nil)
		err := t.run(tctx)
		if cause := context.Cause(tctx); cause != nil {
			err = cause
		}
		t.finish(context.WithoutCancel(ctx), err)
	}()
}

func (t *thread) finish(ctx context.Context, err error) {
	s := t.s
	var agent *driver.Error
	var coded *Error
	switch {
	case errors.Is(err, ErrStopped), errors.Is(err, errDetached):
	case errors.Is(err, errCompleted):
		t.local.Agent.State = wire.Completed
		s.keep(t.alias, t.local)
	case errors.Is(err, errLeft), errors.Is(err, wire.ErrNotFound):
		t.local.Agent.State = wire.None
		s.keep(t.alias, t.local)
	case errors.As(err, &coded):
		s.fail(ctx, t.alias, t.local, coded)
	case errors.As(err, &agent):
		if _, gone := os.Stat(t.set.WorkFolder); gone != nil {
			agent = &driver.Error{Code: agent.Code, Message: agent.Message + "; the work folder is gone"}
		}
		s.fail(ctx, t.alias, t.local, fail(Code(agent.Code), "%s", agent.Message))
	default:
		s.fail(ctx, t.alias, t.local, fail(Code(driver.CodeCrashed), "%v", err))
	}
	s.log.Info("thread left", "alias", t.alias, "why", err)
}

func (t *thread) poke() {
	t.mu.Lock()
	close(t.replies)
	t.replies = make(chan struct{})
	t.mu.Unlock()
	select {
	case t.pokes <- struct{}{}:
	default:
	}
}

func (t *thread) post(ctx context.Context, m wire.ItemMetadata, text string) (wire.Item, error) {
	i, err := t.s.side.Post(context.WithoutCancel(ctx), t.alias, m, text)
	if err != nil {
		t.mu.Lock()
		t.lost = errors.Join(t.lost, err)
		t.mu.Unlock()
	}
	return i, err
}

// past reads what the thread's items say of earlier turns, and tidies what an interrupted one left: questions are cancelled,
// calls get a result.
func (t *thread) past(ctx context.Context) error {
	prompts := map[string]bool{}
	var turn, through uint64
	err := t.each(ctx, 0, func(i wire.Item) {
		if !t.s.side.Own(i) {
			return
		}
		m := i.Metadata
		switch m.Type {
		case wire.TurnEnd:
			turn, through = max(turn, m.Turn), max(through, m.Through)
		case wire.Prompt:
			prompts[m.Question] = true
		case wire.PromptResolved:
			delete(prompts, m.Question)
			t.used[m.Answer] = true
		case wire.ToolCall:
			if m.Tool != nil {
				t.open[m.Tool.InvocationID] = true
			}
		case wire.ToolResult:
			delete(t.open, m.InvocationID)
		}
	})
	if err != nil {
		return err
	}
	// The local file is first: an end that only it knows is told now.
	untold := t.local.Agent.Through > through
	t.local.Agent.Turn, t.local.Agent.Through = max(t.local.Agent.Turn, turn), max(t.local.Agent.Through, through)
	if err := t.s.tree.save(t.alias, t.local); err != nil {
		return err
	}
	for id := range prompts {
		if _, err := t.post(ctx, wire.ItemMetadata{Type: wire.PromptResolved, Question: id, Resolution: "cancelled", By: "recovery"}, "The question is void: the worker was interrupted."); err != nil {
			return err
		}
	}
	if err := t.closeCalls(ctx); err != nil || !untold {
		return err
	}
	_, err = t.post(ctx, wire.ItemMetadata{Type: wire.TurnEnd, Turn: t.local.Agent.Turn, Through: t.local.Agent.Through}, "")
	return err
}

// closeCalls gives every call that has none a result.
func (t *thread) closeCalls(ctx context.Context) error {
	for id := range t.open {
		m, text := itemOf(driver.Event{Kind: driver.ToolResult, InvocationID: id, Text: "(no result: the turn ended before it came)", Failed: true})
		if _, err := t.post(ctx, m, text); err != nil {
			return err
		}
	}
	clear(t.open)
	return nil
}

// each calls f with the items after a number, in order.
func (t *thread) each(ctx context.Context, after uint64, f func(wire.Item)) error {
	for {
		items, err := t.s.wire.Items(ctx, t.alias, after, 200)
		if err != nil || len(items) == 0 {
			return err
		}
		for _, i := range items {
			f(i)
		}
		after = items[len(items)-1].Seq
	}
}

// said answers what users said after the last finished turn, and the number of the last item. Of a turn that was begun
// before it is what was said then.
func (t *thread) said(ctx context.Context) (text string, through uint64, err error) {
	var parts []string
	err = t.each(ctx, t.local.Agent.Through, func(i wire.Item) {
		if t.begun() && i.Seq > t.local.Agent.Telling {
			return
		}
		t.mu.Lock()
		used := t.used[i.Seq]
		t.mu.Unlock()
		if s := i.TextOf(); !t.s.side.Own(i) && !used && i.Metadata.Type == "" && i.Metadata.Question == "" && strings.TrimSpace(s) != "" {
			parts = append(parts, s)
			through = i.Seq
		}
	})
	return strings.Join(parts, "\n\n"), through, err
}

// begun reports whether a turn began of which no end is on record.
func (t *thread) begun() bool { return t.local.Agent.Telling > t.local.Agent.Through }

func (t *thread) run(ctx context.Context) error {
	if err := t.past(ctx); err != nil {
		return err
	}
	spec, err := t.s.w.config.Agents[t.set.Type].spec(t.set, t.s.w.Environ)
	if err != nil {
		return err
	}
	spec.Mark = t.local.Agent.Mark
	logs := t.s.tree.path("threads", t.alias, "logs")
	if err := os.MkdirAll(logs, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(logs, "thread.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	spec.Log = f
	for {
		spec.SessionID, spec.Autonomous = t.local.Agent.SessionID, t.set.Permissions == Autonomous
		if err := t.agent(ctx, spec); !errors.Is(err, errOtherwise) {
			return err
		}
	}
}

// errOtherwise ends an agent that may do other things from now on than it was started with.
var errOtherwise = errors.New("the permissions of the thread have changed")

// agent runs one agent of the thread.
func (t *thread) agent(ctx context.Context, spec driver.Spec) error {
	agent, err := t.s.w.Drivers[t.set.Type].Start(ctx, spec, driver.Hooks{
		Session: func(id string) {
			if id != t.local.Agent.SessionID {
				t.local.Agent.SessionID = id
				t.s.keep(t.alias, t.local)
			}
		},
		Event: func(e driver.Event) { t.event(ctx, e) },
		Ask:   t.ask,
	})
	if err != nil {
		return err
	}
	err = t.turns(ctx, agent)
	if e := agent.Close(); e != nil {
		t.s.log.Error("an agent does not end", "alias", t.alias, "error", e)
	}
	return err
}

// permitted looks before each turn at what the thread permits now. The rest of its object is as it was when it was taken;
// where what it permits cannot be read, its agent asks.
func (t *thread) permitted(ctx context.Context) error {
	o, err := t.s.wire.Get(ctx, t.alias)
	if err != nil {
		return err
	}
	permissions := Approval
	if th, err := wire.Read(o.Value); err == nil {
		th.Agent.Type = &t.set.Type
		if Resolve(th, t.s.w.config.Agents).Permissions == Autonomous {
			permissions = Autonomous
		}
	}
	if permissions == t.set.Permissions {
		return nil
	}
	t.s.log.Info("permissions changed", "alias", t.alias, "permissions", permissions)
	t.set.Permissions = permissions
	return errOtherwise
}

func (t *thread) event(ctx context.Context, e driver.Event) {
	switch e.Kind {
	case driver.ToolCall:
		if t.open[e.InvocationID] {
			return
		}
		t.open[e.InvocationID] = true
	case driver.ToolResult:
		if !t.open[e.InvocationID] {
			return // of nothing that was called
		}
		delete(t.open, e.InvocationID)
	case driver.Text, driver.Thinking:
		if strings.TrimSpace(e.Text) == "" {
			return
		}
	}
	m, text := itemOf(e)
	m.Turn = t.local.Agent.Turn
	_, _ = t.post(ctx, m, text) // kept in lost
}

// turns tells the agent what is said in the thread, turn by turn.
func (t *thread) turns(ctx context.Context, agent driver.Agent) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		prompt, through, err := t.said(ctx)
		if err != nil {
			return err
		}
		if prompt == "" && t.begun() { // its items are gone
			t.local.Agent.Telling = t.local.Agent.Through
			continue
		}
		if prompt == "" {
			select {
			case <-t.pokes:
			case <-ctx.Done():
			}
			continue
		}
		if err := t.permitted(ctx); err != nil {
			return err
		}
		if !t.begun() {
			t.local.Agent.Turn, t.local.Agent.Telling = t.local.Agent.Turn+1, through
			if err := t.s.tree.save(t.alias, t.local); err != nil {
				return err
			}
		}
		through = t.local.Agent.Telling
		end, err := agent.Turn(ctx, through, prompt)
		if e := t.closeCalls(ctx); err == nil {
			err = e
		}
		t.mu.Lock()
		lost := t.lost
		t.mu.Unlock()
		if err := errors.Join(err, lost); err != nil {
			return err
		}
		status := ""
		if end.Interrupted {
			status = "interrupted"
		}
		m := wire.ItemMetadata{Type: wire.TurnEnd, Turn: t.local.Agent.Turn, Through: through, Status: status, Usage: &wire.Usage{
			InputTokens: end.InputTokens, InputTokensCached: end.InputTokensCached, OutputTokens: end.OutputTokens, Cost: end.Cost, DurationMs: end.Duration.Milliseconds()}}
		t.local.Agent.Through = through
		if err := t.s.tree.save(t.alias, t.local); err != nil {
			return err
		}
		if _, err := t.post(ctx, m, ""); err != nil {
			return err
		}
	}
}

// ask asks a person: in the thread, and through the license where there is one.
func (t *thread) ask(ctx context.Context, q driver.Question) driver.Answer {
	id := ulid.Make().String()
	denied := func(why string) driver.Answer { return driver.Answer{Message: why} }
	about := briefCall(driver.Event{Tool: q.Tool, Input: q.Input})
	resolve := func(resolution, by string, item uint64) {
		_, _ = t.post(ctx, wire.ItemMetadata{Type: wire.PromptResolved, Question: id, InvocationID: q.InvocationID, Resolution: resolution, By: by, Answer: item}, about+": "+resolution)
	}
	var seq uint64
	over := false
	asking := sync.OnceFunc(func() {
		t.asking.Lock()
		defer t.asking.Unlock()
		if over {
			return
		}
		i, _ := t.post(ctx, wire.ItemMetadata{Type: wire.Prompt, Question: id, InvocationID: q.InvocationID, Text: q.Reason}, about+"\nReply yes to allow it; anything else denies it and is told to the agent.")
		t.mu.Lock()
		seq, t.asked = i.Seq, append(t.asked, i.Seq)
		t.mu.Unlock()
	})
	defer func() {
		t.asking.Lock()
		defer t.asking.Unlock()
		over = true
		t.mu.Lock()
		t.asked = slices.DeleteFunc(t.asked, func(open uint64) bool { return open == seq })
		t.mu.Unlock()
		t.poke() // the next one looks for its answer
	}()
	if t.s.w.Nobody && t.s.w.License == nil {
		asking()
		resolve("denied", "nobody", 0)
		return denied("nobody can be asked")
	}
	actx, stop := context.WithCancel(ctx)
	defer stop()
	type verdict struct {
		answer driver.Answer
		by     string
		err    error
	}
	decided := make(chan verdict, 1)
	if l := t.s.w.License; l != nil {
		go func() {
			a, by, err := l.Ask(actx, Request{t.s.conf.Session.SessionID, t.alias, t.set.WorkFolder, t.set.Type, q}, asking)
			decided <- verdict{a, by, err}
		}()
	} else {
		asking()
	}
	settle := func(a driver.Answer, by string, item uint64) driver.Answer {
		t.mu.Lock()
		asked := seq > 0
		t.mu.Unlock()
		if asked {
			resolution := "denied"
			if a.Allow {
				resolution = "allowed"
			}
			resolve(resolution, by, item)
		}
		return a
	}
	for {
		t.mu.Lock()
		replies, after := t.replies, seq
		t.mu.Unlock()
		if after > 0 {
			if reply, ok := t.reply(ctx, id, after); ok {
				stop()
				yes := affirmative(reply.TextOf())
				return settle(driver.Answer{Allow: yes, Message: "A person said no: " + reply.TextOf()}, reply.UserID, reply.Seq)
			}
		}
		select {
		case v := <-decided:
			t.mu.Lock()
			after := seq
			t.mu.Unlock()
			if after > 0 {
				t.reply(ctx, id, after) // who replied meanwhile meant this question, and no later one
			}
			if v.err != nil {
				return settle(denied("nobody could be asked: "+v.err.Error()), "nobody", 0)
			}
			return settle(v.answer, v.by, 0)
		case <-replies:
		case <-time.After(2 * time.Second): // a poke that came before asking
		case <-ctx.Done():
			t.mu.Lock()
			asked := seq > 0
			t.mu.Unlock()
			if asked && !errors.Is(context.Cause(ctx), errLeft) {
				resolve("cancelled", "worker", 0)
			}
			return denied("the question is void")
		}
	}
}

// reply answers the first item of a user after a question that answered none yet, and is for it: by name, or since no older
// question is open. Who replies when two are may have seen the first only.
func (t *thread) reply(ctx context.Context, question string, after uint64) (reply wire.Item, found bool) {
	_ = t.each(ctx, after, func(i wire.Item) {
		t.mu.Lock()
		defer t.mu.Unlock()
		meant := i.Metadata.Question == question || i.Metadata.Question == "" && len(t.asked) > 0 && t.asked[0] == after
		if !found && meant && !t.s.side.Own(i) && !t.used[i.Seq] && i.Metadata.Type == "" && strings.TrimSpace(i.TextOf()) != "" {
			reply, found = i, true
			t.used[i.Seq] = true
		}
	})
	return reply, found
}

func affirmative(text string) bool {
	switch strings.ToLower(strings.Trim(strings.TrimSpace(text), ".!")) {
	case "y", "yes", "ok", "okay", "allow", "approve", "approved", "go ahead":
		return true
	}
	return false
}
