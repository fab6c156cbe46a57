package agent_test

import (
	"context"
	"strings"
	"testing"

	"caper/runtime/agent"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/model"
	"caper/runtime/session"
	"caper/runtime/store"
	"caper/runtime/tool"
)

// spends is an answer that says what it used; with calls when there are any.
func spends(in, out int64, text string, all ...use) reply {
	return func(q model.Request) (*model.Answer, error) {
		a, err := say(text)(q)
		if len(all) > 0 {
			a, err = calls(all...)(q)
		}
		a.Usage = model.Usage{Input: in, Output: out}
		return a, err
	}
}

// Costs of the scripted model: 3 millionths of a dollar a token.
func TestBudgets(t *testing.T) {
	for _, c := range []struct {
		name   string
		budget kind.Spending
		actor  []reply
		asked  int
		why    string
	}{
		{"tokens", kind.Spending{Tokens: 10_000}, []reply{spends(5000, 100, "", read("a")), spends(5000, 100, "", read("a")), say("never")}, 2, "10200"},
		{"money", kind.Spending{Micros: 30_000}, []reply{spends(5000, 100, "", read("a")), spends(5000, 100, "", read("a")), say("never")}, 2, "$0.0306"},
		{"what would exceed is not asked for", kind.Spending{Tokens: 10}, []reply{say("never")}, 0, "used 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, license.Manual)
			w.file("a", "text")
			w.runner.Models = models{"actor:m": w.script(c.actor...)}
			id, err := w.runner.Mint(agent.Ask{Agent: w.agent, Prompt: "do it", Context: w.context, Budget: c.budget})
			if err != nil {
				t.Fatal(err)
			}
			res, err := w.runner.Run(t.Context(), id, w.context, nil)
			if err != nil || res.Error == nil || res.Error.Code != "budget" || !strings.Contains(res.Error.Message, c.why) || len(w.asked) != c.asked {
				t.Errorf("%+v %v after %d requests", res, err, len(w.asked))
			}
		})
	}
	t.Run("an answer is bounded to what is left", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		w.runner.Models = models{"actor:m": w.script(say("yes"))}
		w.ask(agent.Ask{Agent: w.agent, Prompt: "do it", Context: w.context, Budget: kind.Spending{Tokens: 5000}})
		if n := w.asked[0].MaxTokens; n < 100 || n > 5000 {
			t.Errorf("it may have %d tokens", n)
		}
	})
	t.Run("what is being asked keeps room only until it is answered", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		if err := w.runner.Bound(w.context.Session, kind.Spending{Tokens: 5000}, "tester"); err != nil {
			t.Fatal(err)
		}
		w.runner.Models = models{"actor:m": w.script()}
		permit := func(ctx context.Context) (*agent.Hold, *kind.Error, error) {
			return w.runner.Permit(ctx, graph.ID{Session: w.context.Session, Bag: graph.RootBag}, "actor:m", &model.Request{})
		}
		first, refused, err := permit(t.Context()) // it may use all that there is
		if refused != nil || err != nil {
			t.Fatal(refused, err)
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if _, refused, err := permit(ended); refused != nil || err != context.Canceled {
			t.Errorf("another does not wait for it: %+v %v", refused, err)
		}
		long := &model.Request{Messages: []model.Message{{Role: model.User, Blocks: []model.Block{{Kind: model.Text, Text: strings.Repeat("word ", 20_000)}}}}}
		if _, refused, err := w.runner.Permit(ended, graph.ID{Session: w.context.Session, Bag: graph.RootBag}, "actor:m", long); refused == nil || err != nil {
			t.Errorf("what would not fit either way waits: %v", err)
		}
		got := make(chan bool)
		go func() {
			hold, refused, err := permit(t.Context())
			hold.Release()
			got <- refused == nil && err == nil
		}()
		first.Release()
		if !<-got {
			t.Error("another is refused for what the first kept and did not use")
		}
	})
	t.Run("a price that is not known", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		w.runner.Models = unpriced{models{"actor:m": w.script(say("yes"))}}
		res := w.ask(agent.Ask{Agent: w.agent, Prompt: "do it", Context: w.context, Budget: kind.Spending{Micros: 5000}})
		if res.Error == nil || !strings.Contains(res.Error.Message, "not known") || len(w.asked) != 0 {
			t.Errorf("%+v", res)
		}
	})
	t.Run("of a session, in the next process too", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		if err := w.runner.Bound(w.context.Session, kind.Spending{Tokens: 10_000}, "tester"); err != nil {
			t.Fatal(err)
		}
		w.turn("one", spends(5000, 100, "one"))
		w.reopen()
		w.turn("two", spends(5000, 100, "two"))
		w.reopen()
		if res := w.turn("three", say("never")); res.Error == nil || res.Error.Code != "budget" || !strings.Contains(res.Error.Message, "session") {
			t.Errorf("%+v", res)
		}
	})
	t.Run("an intern pays too", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		judge := func(q model.Request) (*model.Answer, error) {
			a, err := verdict(true, false)(q)
			a.Usage = model.Usage{Input: 9000}
			return a, err
		}
		w.runner.Settings = func() (agent.Settings, error) { return agent.Settings{Judge: "judge:j"}, nil }
		w.runner.Models = models{"actor:m": w.script(say("I will."), say("never")), "judge:j": w.script(judge)}
		res := w.ask(agent.Ask{Agent: w.agent, Prompt: "do it", Context: w.context, Budget: kind.Spending{Tokens: 9500}})
		if res.Error == nil || res.Error.Code != "budget" {
			t.Errorf("%+v", res)
		}
	})
	t.Run("a judge of calls pays too, in the next process and for nonsense", func(t *testing.T) {
		for _, says := range []string{`{"verdict":"allow","reason":"x"}`, "banana"} {
			w := newWorld(t, license.Auto)
			if err := w.runner.Bound(w.context.Session, kind.Spending{Tokens: 10_000}, "tester"); err != nil {
				t.Fatal(err)
			}
			w.system.Calls.Judge = &agent.PolicyJudge{Runner: w.runner, Model: func() string { return "judge:j" }}
			w.runner.Models = models{"actor:m": w.script(calls(use{"write-file", map[string]any{"path": "c", "data": "x"}}), spends(1, 0, "done")),
				"judge:j": w.script(spends(9500, 0, says))}
			w.ask(agent.Ask{Agent: w.agent, Prompt: "write", Context: w.context})
			w.reopen()
			if res := w.turn("two", say("never")); res.Error == nil || res.Error.Code != "budget" {
				t.Errorf("%s: %+v", says, res)
			}
		}
	})
	t.Run("a request that a process left is bounded again", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		ctx, cancel := context.WithCancelCause(t.Context())
		w.runner.Models = models{"actor:m": w.script(then(func() { cancel(call.ErrParking) }, fail(&model.Error{Code: "cancelled"})))}
		id, err := w.runner.Mint(agent.Ask{Agent: w.agent, Prompt: "do it", Context: w.context, Budget: kind.Spending{Tokens: 5000}})
		if err != nil {
			t.Fatal(err)
		}
		if res, err := w.runner.Run(ctx, id, w.context, nil); err != nil || res.Rest != call.Parked {
			t.Fatalf("%+v %v", res, err)
		}
		first := w.asked[0].MaxTokens
		w.reopen()
		w.runner.Models = models{"actor:m": w.script(say("yes"))}
		if res, err := w.runner.Run(t.Context(), id, w.context, nil); err != nil || res.Text != "yes" {
			t.Fatalf("%+v %v", res, err)
		}
		if n := w.asked[len(w.asked)-1].MaxTokens; n != first {
			t.Errorf("it may have %d tokens, first %d", n, first)
		}
	})
	t.Run("what a child spends counts for its parents", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		// A turn below a call of the turn, as an agent that the agent called has it.
		child := w.spawn()
		w.runner.Models = models{"actor:m": w.script(spends(3000, 0, "", use{"child", nil}), spends(6000, 0, "from the child"), say("never"))}
		res := w.ask(agent.Ask{Agent: w.agent, Prompt: "do it", Context: w.context, Budget: kind.Spending{Tokens: 10_000}})
		if res.Error == nil || !strings.Contains(res.Error.Message, "used 9000") || *child != 1 || len(w.asked) != 2 {
			t.Errorf("%+v after %d requests", res, len(w.asked))
		}
	})
	t.Run("and is bounded by theirs", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		w.spawn()
		w.runner.Models = models{"actor:m": w.script(spends(9990, 0, "", use{"child", nil}), say("never"))}
		res := w.ask(agent.Ask{Agent: w.agent, Prompt: "do it", Context: w.context, Budget: kind.Spending{Tokens: 10_000}})
		if res.Error == nil || len(w.asked) != 1 {
			t.Errorf("%+v after %d requests", res, len(w.asked))
		}
	})
}

type unpriced struct{ models }

func (unpriced) Cost(string, model.Usage) (int64, bool) { return 0, false }

// spawn adds a tool that runs an agent of its own.
func (w *world) spawn() *int {
	w.t.Helper()
	runs := new(int)
	t := &tool.Tool{Name: "child", Version: "1", Effect: tool.Spend, Summary: "runs an agent", Doc: "runs an agent"}
	set, err := tool.NewSet(append(tool.All(), t)...)
	if err != nil {
		w.t.Fatal(err)
	}
	w.system.Calls.Tools = set
	w.context.Posture = license.Auto
	w.note(graph.RootID(w.context.Session), kind.FactPolicy, kind.Auto)
	w.system.Calls.Hosts["child"] = call.Host{Agent: true, Run: func(ctx context.Context, work call.Work) (tool.Result, call.Rest, error) {
		*runs++
		spec := kind.Spec{AskAgentSpec: &kind.AskAgentSpec{Stamp: &kind.AgentSpec{Name: "child", Model: "actor:m"}}}
		id, err := w.runner.Begin(work.Bag, &work.Context, spec, &w.agent, "")
		if err != nil {
			return tool.Result{}, call.Settled, err
		}
		turn, err := w.runner.Mint(agent.Ask{Agent: id, Prompt: "help", Context: work.Context})
		if err != nil {
			return tool.Result{}, call.Settled, err
		}
		res, err := w.runner.Run(ctx, turn, work.Context, nil)
		if err == nil && res.Error != nil {
			err = &tool.Error{Code: res.Error.Code, Message: res.Error.Message}
		}
		return tool.Result{Value: res.Text}, res.Rest, err
	}}
	return runs
}

func (w *world) note(id graph.ID, what, text string) {
	w.t.Helper()
	if _, err := w.system.Store.Apply(id.Session, store.Note{ID: id, Fact: kind.Fact{What: what, Value: kind.Of(text)}}); err != nil {
		w.t.Fatal(err)
	}
}

// TestInternsAreSettledNotDoubled: an intern that a crash left open is the same one in the next process.
func TestInternsAreSettledNotDoubled(t *testing.T) {
	for _, c := range []struct {
		name  string
		first func(*world) []reply
		tape  int
	}{
		{"the judge", func(w *world) []reply {
			w.runner.Settings = func() (agent.Settings, error) { return agent.Settings{Judge: "intern:i"}, nil }
			return []reply{say("I will."), say("Done.")}
		}, 0},
		{"the one that folds", func(w *world) []reply {
			w.runner.Settings = func() (agent.Settings, error) { return agent.Settings{Window: 1000, Summary: "intern:i"}, nil }
			return []reply{spends(900, 200, "", read("a")), say("Done.")}
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, license.Manual)
			w.file("a", "x")
			ctx, cancel := context.WithCancelCause(t.Context())
			actor := w.script(c.first(w)...)
			settings := w.runner.Settings
			w.runner.Models = models{"actor:m": actor, "intern:i": w.script(then(func() { cancel(call.ErrParking) }, fail(&model.Error{Code: "cancelled"})))}
			id, err := w.runner.Mint(agent.Ask{Agent: w.agent, Prompt: "do it", Context: w.context})
			if err != nil {
				t.Fatal(err)
			}
			if res, err := w.runner.Run(ctx, id, w.context, nil); err != nil || res.Rest != call.Parked {
				t.Fatalf("%+v %v", res, err)
			}
			w.reopen()
			w.runner.Settings = settings
			w.runner.Models = models{"actor:m": actor, "intern:i": w.script(blocks(model.StopEnd, model.Usage{}, model.Block{Kind: model.Text, Text: `{"intent":true,"awaiting_user":false}`}), verdict(false, false))}
			res, err := w.runner.Run(t.Context(), id, w.context, nil)
			if err != nil || res.Text != "Done." {
				t.Fatalf("%+v %v", res, err)
			}
			tape, err := session.TapeOf(w.system.Store, id)
			if err != nil {
				t.Fatal(err)
			}
			about := map[graph.ID]int{}
			for _, e := range tape.Children {
				if j, ok := e.Node.(*kind.CompletionJob); ok && j.Tail == nil {
					about[j.About.ID()]++
					if e.Outcome == nil {
						t.Errorf("%s is open", e.ID)
					}
				}
			}
			for id, n := range about {
				if n != 1 {
					t.Errorf("%d interns about %s", n, id)
				}
			}
			if len(about) == 0 {
				t.Error("no intern was asked")
			}
		})
	}
}
