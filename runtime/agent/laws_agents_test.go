package agent_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caper/runtime/agent"
	"caper/runtime/assembly"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/model"
	"caper/runtime/program"
	"caper/runtime/session"

	"github.com/google/go-cmp/cmp"
)

// hosted lets the tools of the system ask these connections.
func (w *world) hosted(m models) {
	w.system.Agents.Models, w.system.Agents.Default, w.system.Agents.Named = m, nil, nil
	w.runner = w.system.Agents
}

// program runs a text in the world's session.
func (w *world) program(source string) program.Result {
	w.t.Helper()
	runner, err := w.system.Programs()
	if err != nil {
		w.t.Fatal(err)
	}
	r, err := runner.Run(w.t.Context(), program.Spec{Name: "p", Source: source, Context: w.context}, nil, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// echo answers with the last text that it was sent, and keeps the requests.
func (w *world) echo() model.Connection {
	return model.Func(func(_ context.Context, q model.Request, _ func(model.Delta)) (*model.Answer, error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.asked = append(w.asked, q)
		last := q.Messages[len(q.Messages)-1]
		return say("echo " + last.Blocks[len(last.Blocks)-1].Text)(q)
	})
}

// below lists the nodes of one kind in the session, by their bags.
func (w *world) below(of kind.Kind) (out []kind.Entry) {
	w.t.Helper()
	bags := []uint64{graph.RootBag}
	for len(bags) > 0 {
		bag := bags[0]
		bags = bags[1:]
		for e, err := range w.system.Store.Children(w.context.Session, bag, 0) {
			if err != nil {
				w.t.Fatal(err)
			}
			if e.Node.Kind() == of {
				out = append(out, e)
			}
			if o, ok := e.Node.(interface{ OwnBag() uint64 }); ok && o.OwnBag() != 0 {
				bags = append(bags, o.OwnBag())
			}
		}
	}
	return out
}

func TestLawS03_ARecipeIsASnapshot(t *testing.T) {
	write := func(w *world, text string) {
		t.Helper()
		path := filepath.Join(w.home.Config, "agents", "critic.md")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w := newWorld(t, license.Auto)
	w.hosted(models{"actor:m": w.echo(), "other:m": w.echo()})
	write(w, "---\nmodel: actor:m\n---\nYou find faults.")
	c := w.context
	id, err := w.system.NewConversation(&c, "critic")
	if err != nil {
		t.Fatal(err)
	}
	w.context.Session, w.agent = c.Session, id
	genesis := func() string {
		t.Helper()
		g, err := session.GenesisOf(w.system.Store, id)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := g.Constitution.Datum.(string)
		return text
	}
	t.Run("nature is given at mint", func(t *testing.T) {
		spec, err := session.Spec(w.system.Store, id)
		if err != nil || spec.Nature != kind.NatureGlobal {
			t.Errorf("nature %q, %v", spec.Nature, err)
		}
	})
	w.ask(agent.Ask{Agent: id, Prompt: "one", Context: c})
	before, err := w.system.Store.LastEvent(c.Session)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("all of the recipe is in the snapshot", func(t *testing.T) {
		w := newWorld(t, license.Auto)
		w.hosted(models{"actor:m": w.echo()})
		write(w, "---\ndescription: finds\nkeepAlive: true\nvoidLegal: true\nmodel: actor:m\ntools: [read-file]\n---\nYou find faults.")
		c := w.context
		id, err := w.system.NewConversation(&c, "critic")
		if err != nil {
			t.Fatal(err)
		}
		n, err := w.system.Store.Node(id)
		if err != nil {
			t.Fatal(err)
		}
		want := kind.AgentSpec{Name: "critic", Description: "finds", Constitution: kind.Of("You find faults."), Nature: kind.NatureGlobal,
			KeepAlive: true, VoidLegal: true, Model: "actor:m", Tools: []string{"read-file"}}
		if diff := cmp.Diff(want, n.(*kind.Agent).Spec.Recipe()); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("an unchanged file is no event", func(t *testing.T) {
		if changed, err := w.system.Refresh(t.Context(), &c, id); changed || err != nil {
			t.Errorf("changed: %v, %v", changed, err)
		}
		if after, err := w.system.Store.LastEvent(c.Session); err != nil || after != before {
			t.Errorf("%d events came, %v", after-before, err)
		}
	})
	write(w, "---\nmodel: other:m\n---\nYou praise.")
	t.Run("a changed file is a new snapshot and an event", func(t *testing.T) {
		if changed, err := w.system.Refresh(t.Context(), &c, id); !changed || err != nil {
			t.Errorf("changed: %v, %v", changed, err)
		}
		if after, err := w.system.Store.LastEvent(c.Session); err != nil || after != before+1 {
			t.Errorf("%d events came, %v", after-before, err)
		}
		spec, err := session.Spec(w.system.Store, id)
		if err != nil || spec.Model != "other:m" {
			t.Errorf("the newest snapshot has the model %q, %v", spec.Model, err)
		}
	})
	t.Run("the old snapshot and the genesis stay", func(t *testing.T) {
		n, err := w.system.Store.Node(id)
		if err != nil || n.(*kind.Agent).Spec.Recipe().Model != "actor:m" {
			t.Errorf("the agent's own snapshot changed: %v", err)
		}
		if got := genesis(); got != "You find faults." {
			t.Errorf("the genesis says %q", got)
		}
	})
	t.Run("the next turn follows the new one", func(t *testing.T) {
		res := w.ask(agent.Ask{Agent: id, Prompt: "two", Context: c})
		if got := w.receipts(res.ID); !slices.Equal(got, []string{"other:m"}) {
			t.Errorf("%v answered", got)
		}
	})
}

// receipts are the models that answered in a turn.
func (w *world) receipts(turn graph.ID) (out []string) {
	w.t.Helper()
	tape, err := session.TapeOf(w.system.Store, turn)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, c := range tape.Cells() {
		if c.Completion != nil && c.Outcome != nil {
			out = append(out, agent.ReceiptOf(c.Outcome).Model)
		}
	}
	return out
}

func TestLawS05_AChildIsIsolated(t *testing.T) {
	recipe := `'((name . "child") (constitution . "You are a child.") (model . "actor:m")%)`
	spawn := func(t *testing.T, posture license.Posture, tools, option string) (*world, program.Result) {
		t.Helper()
		w := newWorld(t, posture)
		w.hosted(models{"actor:m": w.echo()})
		w.ask(agent.Ask{Agent: w.agent, Prompt: "a secret of the parent", Context: w.context})
		w.asked = nil
		return w, w.program("(spawn-agent " + strings.Replace(recipe, "%", tools, 1) + ` "work" ` + option + ")")
	}
	t.Run("own genesis and environment", func(t *testing.T) {
		w, r := spawn(t, license.Auto, "", "")
		if r.Value != "echo work" {
			t.Fatalf("%v, %+v", r.Value, r.Error)
		}
		agents := w.below(kind.KindAgent)
		child := agents[len(agents)-1]
		g, err := session.GenesisOf(w.system.Store, child.ID)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := g.Constitution.Datum.(string)
		if text != "You are a child." || g.Env["folder"] != w.context.Cwd || g.Agent.ID() != child.ID {
			t.Errorf("the genesis: %q %v", text, g.Env)
		}
	})
	t.Run("no prefix of the conversation", func(t *testing.T) {
		w, _ := spawn(t, license.Auto, "", "")
		b, err := json.Marshal(w.asked)
		if err != nil {
			t.Fatal(err)
		}
		if len(w.asked) != 1 || strings.Contains(string(b), "secret") {
			t.Errorf("the child was sent %s", b)
		}
	})
	for _, c := range []struct {
		name, tools, option string
		want                []string
	}{
		{"no tools unless the spawn says so", "", "", nil},
		{"those of its recipe", " (tools read-file grep)", "", []string{"grep", "read-file"}},
		{"those that the spawn names", "", "#:tools '(glob)", []string{"glob"}},
		{"of those that the spawn names the ones that the recipe allows", " (tools read-file)", "#:tools '(glob read-file)", []string{"read-file"}},
		{"none of a private tool", "", "#:tools '(rewind! kvs-set! glob)", []string{"glob"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, r := spawn(t, license.Auto, c.tools, c.option)
			if r.State != program.Done {
				t.Fatalf("%+v", r.Error)
			}
			var got []string
			for _, x := range w.asked[0].Tools {
				got = append(got, x.Name)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	rights := func(t *testing.T, standing, posture license.Posture, mode license.Mode, wrap string) kind.State {
		t.Helper()
		w := newWorld(t, standing)
		w.context.Posture, w.context.Mode = posture, mode
		w.hosted(models{"actor:m": w.script(calls(use{"write-file", map[string]any{"path": "c", "data": "x"}}), say("done"))})
		spec := strings.Replace(recipe, "%", " (tools write-file)", 1)
		source := "(spawn-agent " + spec + ` "work")`
		if wrap != "" {
			source = strings.Replace(wrap, "%", source, 1)
		}
		if r := w.program(source); r.State != program.Done {
			t.Fatalf("%+v", r.Error)
		}
		for _, e := range w.below(kind.KindFileMutateToolJob) {
			return e.Outcome.State
		}
		for _, e := range w.below(kind.KindSystemToolJob) {
			if e.Node.(kind.ToolCall).Call().Tool == "write-file" {
				return e.Outcome.State
			}
		}
		t.Fatal("the child made no call")
		return ""
	}
	t.Run("rights at most the parent's", func(t *testing.T) {
		for _, c := range []struct {
			name              string
			standing, posture license.Posture
			mode              license.Mode
			wrap              string
			want              kind.State
		}{
			{"yolo", license.Yolo, license.Yolo, license.Act, "", kind.Settled},
			{"a tighter posture of the program", license.Yolo, license.Auto, license.Act, "", kind.Denied},
			{"plan", license.Yolo, license.Yolo, license.Plan, "", kind.Denied},
			{"rules around the call", license.Yolo, license.Yolo, license.Act, "(with-policy '(deny write-file) (lambda () %))", kind.Denied},
			{"a posture around the call", license.Yolo, license.Yolo, license.Act, "(with-policy 'auto (lambda () %))", kind.Denied},
			{"a policy procedure around the call", license.Yolo, license.Yolo, license.Act,
				"(with-policy (lambda (c) (if (eq? (cdr (assq 'tool c)) 'write-file) 'deny 'allow)) (lambda () %))", kind.Denied},
		} {
			t.Run(c.name, func(t *testing.T) {
				if got := rights(t, c.standing, c.posture, c.mode, c.wrap); got != c.want {
					t.Errorf("the child's call ended as %s, want %s", got, c.want)
				}
			})
		}
	})
	t.Run("a child of a turn has none of the tools that the turn has not", func(t *testing.T) {
		w := newWorld(t, license.Auto)
		given := map[string]any{"spec": map[string]any{"name": "c", "constitution": "c", "model": "child:m"}, "prompt": "work", "tools": []string{"read-file", "bash"}}
		var seen []model.Tool
		w.hosted(models{"actor:m": w.script(calls(use{"spawn-agent", given}), say("done")), "child:m": model.Func(func(_ context.Context, q model.Request, _ func(model.Delta)) (*model.Answer, error) {
			seen = q.Tools
			return say("ok")(q)
		})})
		w.ask(agent.Ask{Agent: w.agent, Prompt: "go", Context: w.context, Tools: []string{"spawn-agent", "read-file"}})
		if len(seen) != 1 || seen[0].Name != "read-file" {
			t.Errorf("the child has %v", seen)
		}
	})
}

func TestLawS06_AskAgentSpecIsAClass(t *testing.T) {
	run := func(t *testing.T, source string) kind.Spec {
		t.Helper()
		w := newWorld(t, license.Auto)
		w.hosted(models{"actor:m": w.echo()})
		if r := w.program(`(define-agent 'critic #:constitution "You find faults." #:model "actor:m")` + source); r.State != program.Done {
			t.Fatalf("%+v", r.Error)
		}
		agents := w.below(kind.KindAgent)
		return agents[len(agents)-1].Node.(*kind.Agent).Spec
	}
	t.Run("an ask without a spec", func(t *testing.T) {
		s := run(t, `(ask-agent "why" #:model "actor:m")`)
		if s.AskAgentSpec == nil || s.AgentSpec != nil || s.AskAgentSpec.Stamp != nil {
			t.Errorf("%+v", s)
		}
	})
	t.Run("one shot, stamped with a recipe", func(t *testing.T) {
		s := run(t, `(spawn-agent "agent/one-shot/critic" "why")`)
		if s.AskAgentSpec == nil || s.AgentSpec != nil || s.AskAgentSpec.Stamp == nil || s.Recipe().Name != "critic" {
			t.Errorf("%+v", s)
		}
	})
	t.Run("a recipe is none", func(t *testing.T) {
		s := run(t, `(spawn-agent 'critic "why")`)
		if s.AskAgentSpec != nil || s.AgentSpec == nil {
			t.Errorf("%+v", s)
		}
	})
	t.Run("no nature and no name of the catalogue", func(t *testing.T) {
		w := newWorld(t, license.Auto)
		w.hosted(models{"actor:m": w.echo()})
		for _, name := range []string{"ask", "AskAgentSpec", "agent/one-shot/"} {
			if r := w.program(`(spawn-agent "` + name + `" "x" #:model "actor:m")`); r.State != program.Raised {
				t.Errorf("%s is in the catalogue", name)
			}
		}
		if _, err := kind.SpecOf(graph.List{graph.Pair("name", "x"), graph.Pair("nature", "ask")}); err == nil {
			t.Error("ask is a nature")
		}
	})
}

func TestLawS24_ANewSessionCopiesTheDefault(t *testing.T) {
	home := assembly.Home{Data: t.TempDir(), Config: t.TempDir()}
	mint := func(workspace string) license.Posture {
		t.Helper()
		p, err := assembly.MintPosture(home, workspace, "")
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	one, two := t.TempDir(), t.TempDir()
	t.Run("manual where nothing is said", func(t *testing.T) {
		if p := mint(one); p != license.Manual {
			t.Errorf("%s", p)
		}
	})
	if err := assembly.SetPosture(home, one, "auto"); err != nil {
		t.Fatal(err)
	}
	if err := assembly.SetPosture(home, two, "yolo"); err != nil {
		t.Fatal(err)
	}
	t.Run("the project's, else the last choice", func(t *testing.T) {
		if a, b, c := mint(one), mint(two), mint(t.TempDir()); a != license.Auto || b != license.Yolo || c != license.Yolo {
			t.Errorf("%s %s %s", a, b, c)
		}
	})
	t.Run("kept in Caper's home, not in the repository", func(t *testing.T) {
		for _, dir := range []string{one, two} {
			if names, err := os.ReadDir(dir); err != nil || len(names) > 0 {
				t.Errorf("%s holds %v, %v", dir, names, err)
			}
		}
	})
	t.Run("in config.json and the project's file, by the workspace's canonical path", func(t *testing.T) {
		text, err := os.ReadFile(home.ConfigFile())
		if err != nil || !strings.Contains(string(text), `"defaultPolicy":`) || !strings.Contains(string(text), `"yolo"`) {
			t.Errorf("config.json: %s %v", text, err)
		}
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(one, link); err != nil {
			t.Fatal(err)
		}
		same, err := filepath.EvalSymlinks(link)
		if err != nil {
			t.Fatal(err)
		}
		if p := mint(same); p != license.Auto {
			t.Errorf("by another name the project has %s", p)
		}
	})
	t.Run("once, at mint: what a session or a program sets later stays there", func(t *testing.T) {
		w := newWorld(t, license.Auto)
		w.hosted(models{"actor:m": w.echo()})
		w.ask(agent.Ask{Agent: w.agent, Prompt: "x", Policy: "yolo", Context: w.context})
		if r := w.program(`(kvs-set! 'defaultPolicy "yolo")`); r.State != program.Done {
			t.Fatalf("%+v", r.Error)
		}
		p, err := assembly.MintPosture(w.home, w.context.Workspace, "")
		if err != nil || p != license.Manual {
			t.Errorf("a new session begins with %s, %v", p, err)
		}
		if err := assembly.SetPosture(w.home, w.context.Workspace, "manual"); err != nil {
			t.Fatal(err)
		}
		if s, err := session.Standing(w.system.Store, w.context.Session); err != nil || s != kind.Auto {
			t.Errorf("the session's standing posture is %s, %v", s, err)
		}
	})
}

func TestLawS25_UnattendedIsNotReplaced(t *testing.T) {
	w := newWorld(t, license.Manual)
	w.hosted(models{"actor:m": w.script(calls(use{"write-file", map[string]any{"path": "c", "data": "x"}}), say("done"))})
	res := w.ask(agent.Ask{Agent: w.agent, Prompt: "x", Policy: "manual", Unattended: "yolo", Context: w.context})
	t.Run("an overlay does not replace it", func(t *testing.T) {
		if e := w.onlyCall(t, res.ID); e.Outcome.State != kind.Settled {
			t.Errorf("the call ended as %s", e.Outcome.State)
		}
	})
	t.Run("it is no last choice", func(t *testing.T) {
		p, err := assembly.MintPosture(w.home, w.context.Workspace, "")
		if err != nil || p != license.Manual {
			t.Errorf("a new session begins with %s, %v", p, err)
		}
		if s, err := session.Standing(w.system.Store, w.context.Session); err != nil || s != kind.Manual {
			t.Errorf("the session's standing posture is %s, %v", s, err)
		}
	})
}

func TestLawS28_TheModelIsResolved(t *testing.T) {
	w := newWorld(t, license.Auto)
	w.hosted(models{"actor:m": w.echo(), "session:m": w.echo(), "asked:m:x": w.echo()})
	who := func(a agent.Ask) string {
		t.Helper()
		a.Agent, a.Prompt, a.Context = w.agent, "x", w.context
		got := w.receipts(w.ask(a).ID)
		if len(got) != 1 {
			t.Fatalf("%v answered", got)
		}
		return got[0]
	}
	t.Run("the recipe's default", func(t *testing.T) {
		if got := who(agent.Ask{}); got != "actor:m" {
			t.Errorf("%s answered", got)
		}
	})
	if r := w.program(`(kvs-set! 'model "session:m")`); r.State != program.Done {
		t.Fatalf("%+v", r.Error)
	}
	t.Run("the session's goes first", func(t *testing.T) {
		if got := who(agent.Ask{}); got != "session:m" {
			t.Errorf("%s answered", got)
		}
	})
	t.Run("so it does for a program's completions", func(t *testing.T) {
		if r := w.program(`(complete "x")`); r.State != program.Done {
			t.Fatalf("%+v", r.Error)
		}
		jobs := w.below(kind.KindCompletionJob)
		if got := agent.ReceiptOf(jobs[len(jobs)-1].Outcome).Model; got != "session:m" {
			t.Errorf("%s answered", got)
		}
	})
	t.Run("a turn asks for another", func(t *testing.T) {
		if got := who(agent.Ask{Model: "asked:m:x"}); got != "asked:m" { // the answer says which model it is
			t.Errorf("%s answered", got)
		}
	})
}

func TestLawS42_AProgramSpawnsAllFour(t *testing.T) {
	source := `(list (read-file "a") (complete "c" #:model "actor:m") (turn "t") (spawn-agent '((name . "s") (constitution . "s") (model . "actor:m")) "s"))`
	t.Run("each is a job of its own", func(t *testing.T) {
		w := newWorld(t, license.Auto)
		w.hosted(models{"actor:m": w.echo()})
		w.file("a", "text of a")
		r := w.program(source)
		if got := graph.Write(r.Value); got != `("text of a" "echo c" "echo t" "echo s")` {
			t.Fatalf("%s %+v", got, r.Error)
		}
		var tools []string
		job := w.below(kind.KindProgrammaticJob)[0]
		for e, err := range w.system.Store.Children(job.ID.Session, job.Node.(*kind.ProgrammaticJob).Bag, 0) {
			if err != nil {
				t.Fatal(err)
			}
			if c, ok := e.Node.(kind.ToolCall); ok {
				tools = append(tools, c.Call().Tool+" "+e.Node.Kind().Name())
			}
		}
		want := []string{"read-file SystemToolJob", "complete SystemToolJob", "turn SystemToolJob", "spawn-agent AgentCallJob"}
		if diff := cmp.Diff(want, tools); diff != "" {
			t.Error(diff)
		}
		for _, k := range []kind.Kind{kind.KindCompletionJob, kind.KindSessionTurn, kind.KindAgent} {
			if len(w.below(k)) == 0 {
				t.Errorf("there is no %s", k.Name())
			}
		}
	})
	t.Run("each is licensed", func(t *testing.T) {
		for _, call := range []string{`(read-file "/etc/hostname")`, `(complete "c" #:model "actor:m")`, `(turn "t")`, `(ask-agent "s" #:model "actor:m")`,
			`(spawn-agent '((name . "s") (constitution . "s") (model . "actor:m")) "s")`} {
			w := newWorld(t, license.Manual)
			w.hosted(models{"actor:m": w.echo()})
			if r := w.program(call); r.State != program.Denied {
				t.Errorf("%s ended as %s", call, r.State)
			}
			if len(w.asked) > 0 {
				t.Errorf("%s: a model was asked", call)
			}
		}
	})
	t.Run("side by side", func(t *testing.T) {
		w := newWorld(t, license.Auto)
		w.hosted(models{"actor:m": w.echo()})
		r := w.program(`(par-map (lambda (n) (ask-agent (number->string n) #:model "actor:m")) '(1 2 3 4))`)
		if graph.Write(r.Value) != `("echo 1" "echo 2" "echo 3" "echo 4")` {
			t.Errorf("%s %+v", graph.Write(r.Value), r.Error)
		}
	})
}
