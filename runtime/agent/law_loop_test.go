package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"caper/runtime/agent"
	"caper/runtime/call"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/model"
	"caper/runtime/session"

	"github.com/google/go-cmp/cmp"
)

// verdict is an answer of the text-only judge.
func verdict(intent, awaiting bool) reply {
	return func(model.Request) (*model.Answer, error) {
		v := fmt.Sprintf(`{"intent":%v,"awaiting_user":%v}`, intent, awaiting)
		return &model.Answer{Model: "j", Stop: model.StopEnd, Value: json.RawMessage(v), Usage: model.Usage{Input: 50, Output: 5}}, nil
	}
}

// with answers the rounds of a turn by two scripts, the actor's and the judge's.
func (w *world) with(prompt string, judge []reply, actor ...reply) agent.Result {
	w.t.Helper()
	w.runner.Settings = func() (agent.Settings, error) { return agent.Settings{Judge: "judge:j"}, nil }
	w.runner.Models = models{"actor:m": w.script(actor...), "judge:j": w.script(judge...)}
	return w.ask(agent.Ask{Agent: w.agent, Prompt: prompt, Context: w.context})
}

func blocks(stop model.Stop, use model.Usage, all ...model.Block) reply {
	return func(model.Request) (*model.Answer, error) {
		return &model.Answer{Model: "m", Stop: stop, Blocks: all, Usage: use}, nil
	}
}

func TestLawS29_TextOnlyContinue(t *testing.T) {
	for _, c := range []struct {
		name   string
		judge  []reply
		actor  []reply
		text   string
		why    string
		judged int
	}{
		{"it means to go on", []reply{verdict(true, false), verdict(false, false)}, []reply{say("I will look now."), say("Done.")}, "Done.", "done", 2},
		{"it waits for the user", []reply{verdict(true, true)}, []reply{say("Shall I?")}, "Shall I?", "question", 1},
		{"it is done", []reply{verdict(false, false)}, []reply{say("Done.")}, "Done.", "done", 1},
		{"a judge that fails seals", []reply{fail(&model.Error{Code: "overloaded"})}, []reply{say("I will look now.")}, "I will look now.", "done", 1},
		{"a judge that talks nonsense seals", []reply{say("yes?")}, []reply{say("I will look now.")}, "I will look now.", "done", 1},
		{"two nudges in a row", []reply{verdict(true, false), verdict(true, false), verdict(true, false)}, []reply{say("I will."), say("I will."), say("I will."), say("Never.")}, "I will.", "done", 2},
		{"work tools reset the count", []reply{verdict(true, false), verdict(true, false), verdict(true, false), verdict(true, false), verdict(true, false)},
			[]reply{say("I will."), say("I will."), calls(read("a")), say("I will."), say("I will."), say("I will."), say("Never.")}, "I will.", "done", 4},
		{"an open page continues first", []reply{verdict(false, false)}, []reply{blocks(model.StopPause, model.Usage{}, model.Block{Kind: model.Text, Text: "wait"}), say("Done.")}, "Done.", "done", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, license.Manual)
			w.file("a", "text of a")
			judged := 0
			for i, r := range c.judge {
				c.judge[i] = then(func() { judged++ }, r)
			}
			res := w.with("do it", c.judge, c.actor...)
			if res.Text != c.text || res.Why != c.why || judged != c.judged {
				t.Errorf("it ended with %q as %s after %d judgements, wanted %q as %s after %d", res.Text, res.Why, judged, c.text, c.why, c.judged)
			}
		})
	}
	t.Run("the judge reads the spoken text, quoted", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		var q model.Request
		w.with("do it", []reply{func(r model.Request) (*model.Answer, error) { q = r; return verdict(false, false)(r) }}, say("<think>secret >>> </think>Done >>> now."))
		text := q.Messages[0].Blocks[0].Text
		if strings.Contains(text, "secret") || text != "<<<<\nDone >>> now.\n>>>>" || len(q.Tools) != 0 || q.Schema == nil {
			t.Errorf("it read %q", text)
		}
	})
	t.Run("a steer continues first", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		res := w.with("do it", []reply{verdict(false, false)}, then(func() { w.steer("more") }, say("I will.")), say("Done."))
		if res.Text != "Done." {
			t.Errorf("it ended with %q", res.Text)
		}
	})
	t.Run("the question is stamped", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		res := w.with("do it", []reply{verdict(false, true)}, say("I found two.\nWhich one do you mean?\nThey differ."))
		e, err := w.system.Store.Entry(res.ID)
		if err != nil {
			t.Fatal(err)
		}
		if f := e.Newest(kind.FactQuestion); f == nil || f.Value.Datum != "Which one do you mean?" {
			t.Errorf("the question: %v", f)
		}
		res = w.with("do it", []reply{verdict(false, false)}, say("Which one it was? The second."))
		if e, err = w.system.Store.Entry(res.ID); err != nil || e.Newest(kind.FactQuestion) != nil {
			t.Errorf("what asks nobody is a question: %v", err)
		}
	})
	t.Run("the question is no license ask", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		res := w.with("do it", []reply{verdict(false, true)}, say("Which one?"))
		for id, err := range w.system.Store.Waiting() {
			t.Errorf("%s waits for a person, %v", id, err)
		}
		if u, err := session.At(w.system.Store, res.ID); err != nil || !u.Closed() {
			t.Errorf("the turn is open: %v", err)
		}
	})
	t.Run("a note that is pending continues first", func(t *testing.T) {
		w := newWorld(t, license.Yolo)
		command, open := w.gate()
		judged := 0
		over := then(func() { open(); w.runner.Rest(t.Context(), w.context.Session) }, say("I will wait."))
		res := w.with("do it", []reply{then(func() { judged++ }, verdict(false, false))}, calls(bash(command, true)), over, say("It ended."))
		if res.Text != "It ended." || judged != 1 {
			t.Errorf("it ended with %q after %d judgements", res.Text, judged)
		}
	})
	for _, c := range []struct {
		name, config string
		judged       bool
	}{
		{"on where the setting says nothing", `{"textOnlyContinue":{"judgeConnection":"judge","judgeModel":"j"}}`, true},
		{"on", `{"textOnlyContinue":{"enabled":true,"judgeConnection":"judge","judgeModel":"j"}}`, true},
		{"off", `{"textOnlyContinue":{"enabled":false,"judgeConnection":"judge","judgeModel":"j"}}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, license.Manual)
			if err := os.WriteFile(w.home.ConfigFile(), []byte(c.config), 0o600); err != nil {
				t.Fatal(err)
			}
			judged := false
			w.hosted(models{"actor:m": w.script(say("I will.")), "judge:j": w.script(then(func() { judged = true }, verdict(false, false)))})
			if res := w.ask(w.prompt("do it")); res.Text != "I will." || judged != c.judged {
				t.Errorf("it ended with %q, judged: %v", res.Text, judged)
			}
		})
	}
	t.Run("no fallback to the actor", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		w.runner.Settings = func() (agent.Settings, error) { return agent.Settings{Judge: "gone:j"}, nil }
		if res := w.turn("do it", say("I will.")); res.Text != "I will." || len(w.asked) != 1 {
			t.Errorf("it ended with %q after %d requests", res.Text, len(w.asked))
		}
	})
}

func TestLawS30_ThoughtIsNotFinished(t *testing.T) {
	none := model.Usage{}
	for _, c := range []struct {
		name string
		form reply
	}{
		{"a thought", blocks(model.StopEnd, none, model.Block{Kind: model.Thinking, Text: "hm"})},
		{"a think block that is the whole message", blocks(model.StopEnd, none, model.Block{Kind: model.Text, Text: "<think>hm</think>\n"})},
		{"a think block that never ends", blocks(model.StopEnd, none, model.Block{Kind: model.Text, Text: "<think>hm"})},
		{"encrypted reasoning", blocks(model.StopEnd, none, model.Block{Kind: model.Other, Name: "reasoning", Native: json.RawMessage(`{}`)})},
		{"redacted thinking", blocks(model.StopEnd, none, model.Block{Kind: model.Other, Name: "redacted_thinking", Native: json.RawMessage(`{}`)})},
		{"billed reasoning tokens", blocks(model.StopEnd, model.Usage{Output: 9, Reasoning: 9})},
		{"a thought without visible text", blocks(model.StopEnd, none, model.Block{Kind: model.Thinking})},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, license.Manual)
			w.file("a", "x")
			res := w.turn("do it", calls(read("a")), c.form, say("yes"))
			want := []string{"prompt user", "completion settled", "calls settled", "completion settled", "prompt thought-continue", "completion settled"}
			if diff := cmp.Diff(want, w.tape(res.ID)); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("eight in a row", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		var all []reply
		for range 9 {
			all = append(all, think("hm"))
		}
		res := w.turn("do it", all...)
		if res.State != kind.Failed || len(w.asked) != 8 {
			t.Errorf("%s after %d", res.State, len(w.asked))
		}
	})
	t.Run("whatever the streak of the judge's nudges", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		more := verdict(true, false)
		if res := w.with("do it", []reply{more, more}, say("I will."), say("I will."), think("hm"), say("Done.")); res.Text != "Done." {
			t.Errorf("it ended with %q", res.Text)
		}
	})
	t.Run("whatever the judge said", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		judged := 0
		no := then(func() { judged++ }, verdict(false, false))
		if res := w.with("do it", []reply{no}, think("hm"), say("yes")); res.Text != "yes" || judged != 1 {
			t.Errorf("%q after %d", res.Text, judged)
		}
	})
}

// fold lets conversations be folded from so many tokens on.
func (w *world) fold(window int64, summaries ...reply) {
	w.runner.Settings = func() (agent.Settings, error) {
		return agent.Settings{Window: window, Summary: "writer:s"}, nil
	}
	w.summaries = w.script(summaries...)
}

func TestLawS31_Compaction(t *testing.T) {
	big := blocks(model.StopEnd, model.Usage{Input: 900, Output: 200}, model.Block{Kind: model.Text, Text: "It is large.\n- [x] one\n- [ ] two\n- [ ] three"})
	t.Run("between turns", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		w.fold(1000, say("They spoke of a large thing."))
		first := w.turn("what is it?", big)
		res := w.turn("and then?", say("then nothing"))
		if diff := cmp.Diff([]string{"compact", "prompt user", "completion settled"}, w.tape(res.ID)); diff != "" {
			t.Error(diff)
		}
		last := w.asked[len(w.asked)-1]
		text := last.Messages[0].Blocks[0].Text
		for _, part := range []string{"They spoke of a large thing.", "- [ ] two\n- [ ] three", `<summary of="2 earlier steps, `} {
			if !strings.Contains(text, part) {
				t.Errorf("the fold lacks %q:\n%s", part, text)
			}
		}
		if strings.Contains(text, "- [x] one") || len(last.Messages) != 1 || last.Messages[0].Blocks[1].Text != "and then?" || last.System[0][:9] != "You test." {
			t.Errorf("what was sent: %+v", last)
		}
		n, err := w.system.Store.Node(w.child(res.ID, 2))
		c, ok := n.(*kind.TurnCompactChunk)
		if err != nil || !ok || !c.Tail.Refers(res.ID) || !c.From.Refers(first.ID) || c.Cells != 2 || c.Bytes == 0 {
			t.Errorf("the record of what was folded: %+v %v", n, err)
		}
	})
	t.Run("inside a turn", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		w.file("a", strings.Repeat("text of a\n", 500))
		w.fold(1000, say("It read a."))
		res := w.turn("read it", calls(read("a")), say("done"))
		if diff := cmp.Diff([]string{"prompt user", "completion settled", "calls settled", "compact", "completion settled"}, w.tape(res.ID)); diff != "" {
			t.Error(diff)
		}
		text := w.asked[len(w.asked)-1].Messages[0].Blocks[0].Text
		if !strings.Contains(text, "It read a.") || !strings.Contains(text, "read it") || strings.Contains(text, "text of a\ntext of a") {
			t.Errorf("the fold: %s", text)
		}
	})
	t.Run("an intern that fails", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		w.fold(1000, fail(&model.Error{Code: "overloaded"}))
		w.turn("what is it?", big)
		res := w.turn("and then?", calls(read("none")), say("then nothing"))
		if res.Text != "then nothing" {
			t.Errorf("%+v", res)
		}
		if diff := cmp.Diff([]string{"prompt user", "completion settled", "calls failed", "completion settled"}, w.tape(res.ID)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("the provider says that it is too long", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		w.fold(1<<20, say("short"), say("shorter"))
		w.turn("what is it?", big)
		res := w.turn("and then?", fail(&model.Error{Code: model.CodeTooLong, Message: "too long"}), say("now it fits"))
		if res.Text != "now it fits" {
			t.Errorf("%+v", res)
		}
		res = w.turn("again?", fail(&model.Error{Code: model.CodeTooLong, Message: "too long"}), fail(&model.Error{Code: model.CodeTooLong, Message: "still too long"}))
		if res.State != kind.Failed || res.Error.Code != "model-too-long" {
			t.Errorf("one fold and one try: %+v", res)
		}
	})
	t.Run("by a person, and undone", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		w.fold(1<<20, say("They spoke."))
		first := w.turn("what is it?", big)
		w.runner.Models = models{"writer:s": w.summaries}
		id, err := w.runner.Compact(t.Context(), w.agent, w.context)
		if err != nil {
			t.Fatal(err)
		}
		w.turn("and?", say("well"))
		if h := w.heard(-1); len(h) != 2 || !strings.HasPrefix(h[0], "user text  <summary") {
			t.Errorf("folded: %s", strings.Join(h, "\n"))
		}
		w.head(first.ID, kind.VerbRewind)
		w.turn("and?", say("well"))
		if h := w.heard(-1); len(h) != 3 || h[0] != "user text  what is it?" {
			t.Errorf("undone: %s", strings.Join(h, "\n"))
		}
		w.head(id, kind.VerbRewind)
		w.turn("and?", say("well"))
		if h := w.heard(-1); len(h) != 2 {
			t.Errorf("done again: %s", strings.Join(h, "\n"))
		}
	})
	t.Run("one that nobody may be asked for leaves no open turn", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		w.turn("what is it?", big)
		w.runner.Named = func(context.Context, *call.Context, string) (string, error) { return "", errors.New("not here") }
		id, err := w.runner.Compact(t.Context(), w.agent, w.context)
		e, gone := w.system.Store.Entry(id)
		if err == nil || gone != nil || e.Outcome == nil || e.Outcome.State != kind.Failed {
			t.Errorf("%v: the turn of the fold ended as %+v", err, e.Outcome)
		}
	})
	t.Run("what waits for a person", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		w.context.Answerability = license.Queue
		w.fold(1<<20, say("They spoke."))
		res := w.turn("run it", calls(bash("echo x", false)))
		if _, err := w.runner.Compact(t.Context(), w.agent, w.context); err == nil || !strings.Contains(err.Error(), res.ID.String()) {
			t.Errorf("an open turn was folded: %v", err)
		}
	})
}

// TestLawS32_OutcomesAreReadOn: an outcome of 5 MB is stored whole, shown in part, and read on page by page.
func TestLawS32_OutcomesAreReadOn(t *testing.T) {
	w := newWorld(t, license.Manual)
	var b strings.Builder
	for i := 0; b.Len() < 5<<20; i++ {
		fmt.Fprintf(&b, "line %d – of many\n", i)
	}
	whole := b.String()
	w.file("big", whole)
	res := w.turn("read it", calls(read("big")), say("large"))
	shown := w.asked[1].Messages[2].Blocks[0].Text
	handle := w.child(res.ID, 3)
	if len(shown) > 17<<10 || !strings.HasPrefix(whole, shown[:8000]) || !strings.Contains(shown, fmt.Sprintf("of %d bytes", len(whole))) || !strings.Contains(shown, handle.String()) {
		t.Fatalf("the excerpt of %d bytes: %s … %s", len(shown), shown[:50], shown[len(shown)-50:])
	}
	page := func(args map[string]any) (string, bool) {
		args["handle"] = fmt.Sprint(args["handle"])
		w.turn("go on", calls(use{"read-outcome", args}), say("more"))
		m := w.asked[len(w.asked)-1].Messages
		last := m[len(m)-1].Blocks[0]
		return last.Text, last.Failed
	}
	t.Run("pages", func(t *testing.T) {
		var read strings.Builder
		at := 12_000
		begin := at
		for range 4 {
			text, failed := page(map[string]any{"handle": handle, "offset": at})
			head, body, _ := strings.Cut(text, "\n")
			var from, to, of int
			if _, err := fmt.Sscanf(head, "[bytes %d to %d of %d; offset", &from, &to, &of); err != nil || failed || of != len(whole) {
				t.Fatalf("a page: %s", head)
			}
			begin = min(begin, from)
			read.WriteString(body)
			at = to
		}
		if read.String() != whole[begin:at] || at-begin < 60_000 {
			t.Errorf("bytes %d to %d are not what they were", begin, at)
		}
	})
	t.Run("the last one", func(t *testing.T) {
		text, _ := page(map[string]any{"handle": handle, "offset": len(whole) - 30, "limit": 1000})
		head, body, _ := strings.Cut(text, "\n")
		if !strings.HasSuffix(whole, body) || strings.Contains(head, "goes on") {
			t.Error(text)
		}
	})
	t.Run("its tail is the call that it continues", func(t *testing.T) {
		res := w.turn("go on", calls(use{"read-outcome", map[string]any{"handle": handle.String()}}), say("more"))
		n, err := w.system.Store.Node(w.child(res.ID, 3))
		if c, ok := n.(kind.ToolCall); err != nil || !ok || c.Call().Tail == nil || !c.Call().Tail.Refers(handle) {
			t.Errorf("%+v %v", n, err)
		}
	})
	t.Run("refused", func(t *testing.T) {
		before := w.turn("keep", say("kept"))
		gone := w.turn("leave", calls(read("big")), say("left"))
		w.head(before.ID, kind.VerbRewind)
		other := w.session()
		for _, c := range []struct{ handle, why string }{
			{w.child(gone.ID, 3).String(), "a branch of the conversation that was left"},
			{other.String(), "another session"},
			{"9.9.9", "there is no call"},
			{"what", "no handle"},
			{gone.ID.String(), "not a call"},
			{before.ID.String(), "not a call"},
		} {
			if text, failed := page(map[string]any{"handle": c.handle}); !failed || !strings.Contains(text, c.why) {
				t.Errorf("%s: %q, wanted %q", c.handle, text, c.why)
			}
		}
	})
}
