package call

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/tool"
)

// life is one call on its way.
type life struct {
	s       *Service
	c       *Context
	r       Request
	tool    *tool.Tool
	own     *Own // its body, where a program defines it
	args    tool.Args
	targets map[string]tool.Target
	policy  license.Policy
	call    license.Call
	facts   license.Facts
	decided license.Decision
	shown   string // the digest once it was asked for
	yes     string // the digest that a person said yes to, "" for none
	parked  string // the digest of the question that stands in the queue, "" for none
	env     *tool.Env
	minted  bool
	bag     uint64 // of the call's own children, when it may have any

	judgements int    // how often a judge was asked
	judgedYes  string // the digest that a judge said yes to, while the posture lets it
	begun      bool   // an earlier process began its body, which works on the graph: it goes on from its children
	retry      bool   // a person said that it be done again
	half       bool   // Perform finishes what a killed process left half done
	free       func() // lets the paths go
	locked     bool   // the paths are held
}

// bind finds the tool and checks the arguments; the error is the call's failure, never the store's.
func (l *life) bind() error {
	t, own := l.s.find(l.r)
	if t == nil {
		return l.s.ToolsOf(l.r.ID.Session).Unknown(l.r.Tool)
	}
	own.tightened(&l.r)
	l.tool, l.own = t, own
	if l.r.Invalid != nil {
		return l.r.Invalid
	}
	if err := l.withheld(); err != nil {
		return err
	}
	args, err := tool.Bind(t, l.r.Positional, l.r.Keywords)
	if err != nil {
		return err
	}
	l.args = args
	l.expandHome()
	return nil
}

// expandHome makes ~ and ~/x the path that they stand for, once and before anyone looks: the license and the tool must
// never read one text as two places.
func (l *life) expandHome() {
	home := l.c.Env["HOME"]
	if !filepath.IsAbs(home) {
		return
	}
	for _, p := range l.tool.Params {
		given, _ := l.args[p.Name].(string)
		if p.Access.Path() && (given == "~" || strings.HasPrefix(given, "~/")) {
			l.args[p.Name] = home + given[1:]
		}
	}
}

// decide resolves the paths, looks at the world and asks the license. It may be called again when time has passed. The
// license follows the paths on its own: where it came out elsewhere than the tool will, the world moved under them, and
// both look again.
func (l *life) decide(ctx context.Context) error {
	for try := 0; ; try++ {
		if err := l.look(ctx); err != nil || l.decided.Verdict == license.Deny {
			return err
		}
		strayed := l.strayed()
		if strayed == "" {
			return nil
		}
		if try == maxRetakes {
			return &tool.Error{Code: tool.CodePathChanged, Message: strayed + " leads to another place each time it is looked at; nothing was done"}
		}
	}
}

// strayed answers a path of the call that the license judged as another place than the one that the tool will touch.
func (l *life) strayed() string {
	for _, u := range l.facts.Uses {
		t := l.targets[u.Arg]
		if t.Exists && t.Type&fs.ModeSymlink != 0 && u.Access == license.Write {
			continue // a move onto a link, which the tool refuses
		}
		if u.Fact.Canonical != t.Path || (u.Fact.State == license.Exists) != t.Exists ||
			t.Exists && (u.Fact.Entry.Dev != t.Dev || u.Fact.Entry.Inode != t.Ino) {
			return u.Path
		}
	}
	if l.facts.Cwd != l.call.Cwd {
		return l.call.Cwd
	}
	return ""
}

func (l *life) look(ctx context.Context) error {
	l.env = l.environment()
	targets, err := tool.Resolve(l.env, l.tool, l.args)
	if err != nil {
		return err
	}
	l.targets, l.env.Resolved = targets, targets
	if err := l.weigh(ctx); err != nil {
		return err
	}
	l.env.Skip = l.hides()
	return nil
}

// weigh asks the license.
func (l *life) weigh(ctx context.Context) (err error) {
	l.call = l.licenseCall()
	if l.policy, err = l.s.Policy.For(ctx, l.c); err != nil {
		return err
	}
	bounds := l.bounds()
	l.policy.Layers = append(l.policy.Layers[:len(l.policy.Layers):len(l.policy.Layers)], bounds.Tighten...)
	if bounds.Posture != "" && bounds.Posture.Tighter(l.policy.Posture) {
		l.policy.Posture = bounds.Posture
	}
	if l.facts, err = l.s.survey(ctx, l.call, l.policy.Protected); err != nil {
		return err
	}
	l.shown = ""
	l.policy.HasJudge = l.policy.Posture == license.Auto && l.s.hasJudge() // the settings are looked at only then
	l.decided = license.Decide(l.call, l.facts, l.policy)
	l.consult(ctx, bounds.Consult)
	return nil
}

// digest is what an approval binds to. Most calls need none.
func (l *life) digest() string {
	if l.shown == "" {
		l.shown = license.Digest(l.call, l.facts)
	}
	return l.shown
}

// hides answers what a tool that walks a tree asks for each path. Few tools ask, so it is made when the first one does.
func (l *life) hides() func(path string) bool {
	filter := sync.OnceValue(func() func(string, string) string { return license.Filter(l.call, l.facts, l.policy) })
	return func(path string) bool { return filter()(path, path) != "" }
}

func (l *life) licenseCall() license.Call {
	c := license.Call{
		Tool: l.tool.Name, Version: l.tool.Version, Effect: license.Effect(l.tool.Effect.String()),
		Args: l.args, Cwd: l.c.Cwd, Workspace: l.c.Workspace, Env: l.c.Env, Rules: l.c.Rules,
	}
	for _, p := range l.tool.Params {
		given, _ := l.args[p.Name].(string)
		if given == "" {
			given = p.Default
		}
		switch {
		case p.Access == tool.CommandAccess:
			c.Command = given
		case given == "":
		case p.Access == tool.CwdAccess:
			c.Cwd = l.targets[p.Name].Path
		case p.Access.Path():
			if p.Pattern {
				given = tool.PatternRoot(given)
			}
			c.Uses = append(c.Uses, license.Use{Arg: p.Name, Path: given, Access: accesses[p.Access]})
		}
	}
	return c
}

var accesses = map[tool.Access]license.Access{
	tool.ReadAccess: license.Read, tool.WriteAccess: license.Write, tool.DeleteAccess: license.Delete, tool.ListAccess: license.List,
}

func (l *life) environment() *tool.Env {
	id := l.s.StoreID + "." + l.r.ID.String()
	return &tool.Env{
		Workspace: l.c.Workspace, Cwd: l.c.Cwd, Environ: l.c.Environ,
		Spool: l.s.spoolFor(l.r.ID), CallID: id, Blobs: l.s.Blobs, Sync: l.s.Sync, Umask: l.s.Umask, Mode: l.r.Mode, Fault: l.s.Faults,
	}
}

// paths are the places that must not change between measuring and settling.
func (l *life) paths() []string {
	if l.tool.Effect != tool.Write {
		return nil
	}
	var out []string
	for _, p := range l.tool.Params {
		if p.Access == tool.WriteAccess || p.Access == tool.DeleteAccess {
			out = append(out, l.targets[p.Name].Path)
		}
	}
	return out
}

// operator decides a call that a person gave as a command.
const operator = "operator"

// node is the call as the graph keeps it.
func (l *life) node(facts graph.Datum) (kind.Node, error) {
	job := kind.ToolCallJob{
		Tool: l.r.Tool, Place: l.r.Place, MintedAt: l.s.Now().UnixMicro(), Background: l.r.Background,
		Decision: kind.Decision{Verdict: string(l.decided.Verdict), Rule: ruleText(l.decided), Reason: l.decided.Reason, Who: "policy"},
	}
	if l.r.Operator {
		job.Decision.Who = operator
	}
	given, err := l.s.Keep(ArgsDatum(l.r.Positional, l.r.Keywords))
	if err != nil {
		return nil, err
	}
	job.Args = given
	job.Digest = RequestDigest(l.r, l.tool)
	if facts != nil {
		job.Facts = kind.Of(facts)
	}
	if l.tool == nil {
		return &job, nil
	}
	job.Version, job.Effect = l.tool.Version, kind.Effect(l.tool.Effect.String())
	if text, ok := l.args[l.tool.Continues].(string); ok {
		if id, err := graph.ParseID(text); err == nil {
			job.Tail = kind.RefTo(id)
		}
	}
	if job.Bag = l.bag; l.tool.Hosted() && !(l.own != nil && l.own.Alone) {
		if job.Bag, err = l.ownBag(); err != nil {
			return nil, err
		}
		if l.s.Hosts[l.r.Tool].Agent {
			return &kind.AgentCallJob{ToolCallJob: job}, nil
		}
		return &kind.SystemToolJob{ToolCallJob: job}, nil
	}
	if l.tool.Effect == tool.Write {
		n := &kind.FileMutateToolJob{SystemToolJob: kind.SystemToolJob{ToolCallJob: job}}
		n.Paths = l.paths()
		return n, nil
	}
	return &kind.SystemToolJob{ToolCallJob: job}, nil
}

func ruleText(d license.Decision) string {
	if d.Rule == "" {
		return d.Step.String()
	}
	return fmt.Sprintf("%s: %s (%s)", d.Step, d.Rule, d.Origin)
}
