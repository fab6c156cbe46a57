package agent_test

import (
	"context"
	"strings"
	"testing"

	"caper/runtime/agent"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/model"
)

// TestTooManyCalls: an answer that asks for more calls than are made ends its turn. Nothing of it is done, it is paid, and
// the next turn is not burdened with it.
func TestTooManyCalls(t *testing.T) {
	for _, row := range []struct {
		calls int
		state kind.State
	}{{128, kind.Settled}, {129, kind.Failed}, {10_000, kind.Failed}} {
		w := newWorld(t, license.Yolo)
		w.file("a", "text")
		all := make([]use, row.calls)
		for i := range all {
			all[i] = read("a")
		}
		paying := func(q model.Request) (*model.Answer, error) {
			a, err := calls(all...)(q)
			a.Usage = model.Usage{Input: 70}
			return a, err
		}
		res := w.turn("go", paying, say("done"))
		if res.State != row.state {
			t.Fatalf("%d calls: %s %+v", row.calls, res.State, res.Error)
		}
		if row.state != kind.Failed {
			continue
		}
		if res.Error.Code != "model-calls" || !strings.Contains(res.Error.Message, "at most 128") {
			t.Errorf("%+v", res.Error)
		}
		if n := len(w.below(kind.KindSystemToolJob)); n > 0 {
			t.Errorf("%d calls: %d were made", row.calls, n)
		}
		spent := int64(0)
		if err := agent.Spent(w.system.Store, res.ID, func(_ graph.ID, r agent.Receipt) { spent += r.Tokens() }); err != nil || spent != 70 {
			t.Errorf("%d tokens on record, %v", spent, err)
		}
		if w.turn("and now", say("fine")); len(w.asked[len(w.asked)-1].Messages) > 2 {
			t.Errorf("the next turn is sent %d messages", len(w.asked[len(w.asked)-1].Messages))
		}
	}
}

// endless is a model that calls an agent with its own tools, again and again, until that fails; then it says what it was told.
func endless(name, recipe string) model.Connection {
	return model.Func(func(_ context.Context, q model.Request, _ func(model.Delta)) (*model.Answer, error) {
		last := q.Messages[len(q.Messages)-1]
		for _, b := range last.Blocks {
			if b.Kind == model.ToolResult && (b.Failed || name == "deep") {
				return say(b.Text)(q)
			}
		}
		return calls(use{"spawn-agent", map[string]any{"spec": recipe, "prompt": "again", "tools": true}})(q)
	})
}

// TestAgentsEnd: agents that call agents meet a bound of their depth, and an agent that makes one after the other one of
// their number, also where the process ends in between.
func TestAgentsEnd(t *testing.T) {
	for _, row := range []struct {
		name   string
		budget kind.Spending
		made   int
		want   string
	}{
		{"deep", kind.Spending{}, 16, "agents that call agents go 16 deep at most"},
		{"deep", kind.Spending{Agents: 3}, 3, "may make 3 agents, with those that they make, and has made 3; caper ask --max-agents"},
		{"wide", kind.Spending{Agents: 5}, 5, "may make 5 agents"},
	} {
		w := newWorld(t, license.Yolo)
		own := "actor:m"
		m := models{own: endless(row.name, "child"), "leaf:m": model.Func(func(_ context.Context, q model.Request, _ func(model.Delta)) (*model.Answer, error) {
			return say("leaf")(q)
		})}
		w.hosted(m)
		model := own
		if row.name == "wide" {
			model = "leaf:m"
		}
		if r := w.program(`(define-agent 'child #:description "d" #:constitution "You go on." #:model "` + model + `" #:keep-alive #f)`); r.Error != nil {
			t.Fatal(r.Error)
		}
		w.agent = w.begin(kind.Spec{AgentSpec: &kind.AgentSpec{Name: "top", Constitution: kind.Of("Top."), Model: own}})
		res := w.ask(agent.Ask{Agent: w.agent, Prompt: "go", Budget: row.budget, Context: w.context})
		if !strings.Contains(res.Text, row.want) {
			t.Errorf("%s: %q %+v", row.name, res.Text, res.Error)
		}
		if n := len(w.below(kind.KindAgentCallJob)); n != row.made+1 {
			t.Errorf("%s: %d calls, wanted %d", row.name, n, row.made+1)
		}
		w.reopen()
		w.hosted(m)
		if next := w.ask(agent.Ask{Agent: w.agent, Prompt: "go", Context: w.context, Budget: kind.Spending{Agents: 1}}); !strings.Contains(next.Text, "may make 1 agents") {
			t.Errorf("%s: the next turn has a budget of its own: %q", row.name, next.Text)
		}
	}
}
