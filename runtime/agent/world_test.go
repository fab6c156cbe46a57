package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"caper/interp"
	"caper/runtime/agent"
	"caper/runtime/assembly"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/model"
	"caper/runtime/session"
	"caper/runtime/store"
	"caper/runtime/store/mem"
)

// world is a system in memory with an agent and a model that a test writes.
type world struct {
	t       *testing.T
	home    assembly.Home
	places  *mem.Disk
	system  *assembly.System
	runner  *agent.Runner
	context call.Context
	agent   graph.ID

	summaries model.Connection // of folds

	mu    sync.Mutex
	asked []model.Request
}

// reply is one answer of the scripted model.
type reply func(q model.Request) (*model.Answer, error)

func say(text string) reply {
	return func(model.Request) (*model.Answer, error) {
		return &model.Answer{Model: "m", Stop: model.StopEnd, Blocks: []model.Block{{Kind: model.Text, Text: text}}, Usage: model.Usage{Input: 100, Output: 10}}, nil
	}
}

func think(text string) reply {
	return func(model.Request) (*model.Answer, error) {
		return &model.Answer{Model: "m", Stop: model.StopEnd, Blocks: []model.Block{{Kind: model.Thinking, Text: text}}}, nil
	}
}

func fail(e *model.Error) reply {
	return func(model.Request) (*model.Answer, error) { return nil, e }
}

// use is one call that the scripted model asks for.
type use struct {
	name string
	args map[string]any
}

func calls(all ...use) reply {
	return func(model.Request) (*model.Answer, error) {
		a := &model.Answer{Model: "m", Stop: model.StopTools}
		for i, u := range all {
			input, err := json.Marshal(u.args)
			if err != nil {
				return nil, err
			}
			a.Blocks = append(a.Blocks, model.Block{Kind: model.ToolUse, ID: fmt.Sprintf("use%d", i), Name: u.name, Input: input})
		}
		return a, nil
	}
}

// models answers two connections: the script's, and its judge's.
type models map[string]model.Connection

func (m models) Get(name string) (model.Connection, string, error) {
	c, ok := m[name]
	if !ok {
		return nil, "", errors.New("no connection " + name)
	}
	return c, "m", nil
}

func (models) Cost(_ string, u model.Usage) (int64, bool) { return u.Total() * 3, true }

// script is a connection that gives its replies in order.
func (w *world) script(replies ...reply) model.Connection {
	next := 0
	return model.Func(func(ctx context.Context, q model.Request, hear func(model.Delta)) (*model.Answer, error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.asked = append(w.asked, q)
		if next == len(replies) {
			return nil, &model.Error{Code: "script", Message: "the script has no more replies"}
		}
		next++
		return replies[next-1](q)
	})
}

// engine is that of the programs that agents write.
var engine = sync.OnceValues(func() (*interp.Engine, error) { return assembly.NewEngine(assembly.Tools()) })

func newWorld(t *testing.T, posture license.Posture) *world {
	t.Helper()
	w := &world{t: t, places: mem.New(), home: assembly.Home{Data: t.TempDir(), Config: t.TempDir()}}
	workspace, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w.open()
	t.Cleanup(func() { w.system.Close() })
	s, err := w.system.Store.NewSession(&kind.SessionRoot{SessionID: "s", Path: workspace, StandingPolicy: string(posture)})
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"HOME": workspace, "PATH": os.Getenv("PATH")}
	w.context = call.Context{Session: s, Workspace: workspace, Cwd: workspace, Env: env,
		Environ: []string{"HOME=" + workspace, "PATH=" + env["PATH"]}, Answerability: license.None, Posture: posture}
	w.agent = w.begin(kind.Spec{AgentSpec: &kind.AgentSpec{Name: "tester", Constitution: kind.Of("You test."), Model: "actor:m"}})
	return w
}

func (w *world) open() {
	st, err := w.places.Open(store.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	if w.system, err = assembly.New(st, assembly.Options{Home: w.home, Engine: engine}); err != nil {
		w.t.Fatal(err)
	}
	w.runner = &agent.Runner{Calls: w.system.Calls, Models: models{}}
}

func (w *world) begin(spec kind.Spec) graph.ID {
	w.t.Helper()
	id, err := w.runner.Begin(graph.RootBag, &w.context, spec, nil, "", func(id graph.ID) store.Change {
		return store.Note{ID: graph.RootID(id.Session), Fact: kind.Fact{What: kind.FactAgent, Value: kind.Of(id.String())}}
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return id
}

// file puts a file into the workspace.
func (w *world) file(name, text string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.context.Workspace, name), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// turn runs one turn with the replies of the model.
func (w *world) turn(prompt string, replies ...reply) agent.Result {
	w.t.Helper()
	w.runner.Models = models{"actor:m": w.script(replies...), "writer:s": w.summaries}
	return w.ask(agent.Ask{Agent: w.agent, Prompt: prompt, Context: w.context})
}

func (w *world) ask(a agent.Ask) agent.Result {
	w.t.Helper()
	id, err := w.runner.Mint(a)
	if err != nil {
		w.t.Fatal(err)
	}
	res, err := w.runner.Run(w.t.Context(), id, w.context, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return res
}

// tape is the tape of a turn in words.
func (w *world) tape(turn graph.ID) (out []string) {
	w.t.Helper()
	t, err := session.TapeOf(w.system.Store, turn)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, c := range t.Cells() {
		switch {
		case c.Prompt != nil:
			out = append(out, "prompt "+c.Prompt.Source)
		case c.Completion != nil:
			out = append(out, "completion "+string(c.Outcome.State))
		case c.React != nil:
			text := "calls"
			for _, one := range c.Calls {
				text += " " + string(one.Entry.Outcome.State)
			}
			out = append(out, text)
		case c.Compact != nil:
			out = append(out, "compact")
		}
	}
	return out
}

// head moves the head.
func (w *world) head(to graph.ID, verb string) {
	w.t.Helper()
	_, move, err := session.Head(w.system.Store, w.agent)
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.system.Store.Apply(move.Session, store.Mint{ID: move, Node: &kind.HeadMove{Head: *kind.RefTo(to), Verb: verb}}); err != nil {
		w.t.Fatal(err)
	}
}

// session makes another session with a turn that read a file, and answers that call.
func (w *world) session() graph.ID {
	w.t.Helper()
	own, context := w.agent, w.context
	defer func() { w.agent, w.context = own, context }()
	n, err := w.system.Store.NewSession(&kind.SessionRoot{SessionID: "other", Path: w.context.Workspace})
	if err != nil {
		w.t.Fatal(err)
	}
	w.context.Session = n
	w.agent = w.begin(kind.Spec{AgentSpec: &kind.AgentSpec{Name: "other", Model: "actor:m"}})
	return w.child(w.turn("read", calls(read("big")), say("read")).ID, 3)
}

// prompt is a turn of the world's agent.
func (w *world) prompt(text string) agent.Ask {
	return agent.Ask{Agent: w.agent, Prompt: text, Context: w.context}
}
