package call

import (
	"context"
	"strings"
	"sync"
	"time"

	"caper/runtime/license"
	"caper/runtime/tool"
)

// This file keeps what surveys have in common. The places that are guarded for a workspace are some thirty paths; looking at
// all of them again for every call would take longer than the call.

// groundFor is how long a look at the guards may serve: what other programs of this machine change in between is seen late.
const groundFor = 2 * time.Second

// maxGrounds bounds the workspaces that are remembered.
const maxGrounds = 64

// grounds are dropped when a call of ours may have changed the file system, and not used while one may be at it.
type grounds struct {
	mu       sync.Mutex
	seen     map[string]groundLook
	changing int
	changes  uint64
}

type groundLook struct {
	ground license.Ground
	at     time.Time
}

// find answers a look that still holds, and the number to give to keep after a new one.
func (g *grounds) find(key string, now time.Time) (look license.Ground, changes uint64, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	l, ok := g.seen[key]
	age := now.Sub(l.at)
	return l.ground, g.changes, ok && g.changing == 0 && age >= 0 && age < groundFor
}

// keep remembers a look, unless something may have changed since find.
func (g *grounds) keep(key string, look license.Ground, at time.Time, changes uint64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.changing > 0 || g.changes != changes {
		return
	}
	if g.seen == nil || len(g.seen) >= maxGrounds {
		g.seen = map[string]groundLook{}
	}
	g.seen[key] = groundLook{look, at}
}

// change says that a call with effects begins; the answer is to be called when it has ended.
func (g *grounds) change() (ended func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.changing++
	g.changes++
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.changing--
		g.changes++
		clear(g.seen)
	}
}

// survey gathers the facts of a call.
func (s *Service) survey(ctx context.Context, c license.Call, guard []string) (license.Facts, error) {
	key := strings.Join([]string{c.Workspace, c.Env["HOME"], strings.Join(guard, "\x00"), strings.Join(c.Rules, "\x00")}, "\x00\x00")
	now := s.Now()
	g, changes, ok := s.grounds.find(key, now)
	if !ok {
		g = license.SurveyGround(c, s.World, guard...)
		s.grounds.keep(key, g, now, changes)
	}
	return license.SurveyOn(ctx, c, s.World, g)
}

// act performs the call's effect.
func (l *life) act(ctx context.Context, facts tool.Facts) (tool.Result, error) {
	if l.tool.Effect != tool.Read {
		defer l.s.grounds.change()()
	}
	return l.tool.Perform(ctx, l.env, l.args, facts)
}

// recoverEffect looks what became of an effect, which may finish it.
func (l *life) recoverEffect(ctx context.Context, facts tool.Facts) (tool.Recovery, error) {
	if l.tool.Effect != tool.Read {
		defer l.s.grounds.change()()
	}
	return l.tool.Recover(ctx, l.env, l.args, facts)
}
