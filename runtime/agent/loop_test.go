package agent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"caper/runtime/agent"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/model"
	"caper/runtime/session"
	"caper/runtime/store"

	"github.com/google/go-cmp/cmp"
)

// then runs f before a reply is given: something happens while the model is asked.
func then(f func(), next reply) reply {
	return func(q model.Request) (*model.Answer, error) {
		f()
		return next(q)
	}
}

// heard is what a request says, in words: a line a block.
func heard(q model.Request) (out []string) {
	for _, m := range q.Messages {
		for _, b := range m.Blocks {
			text, _, _ := strings.Cut(strings.TrimPrefix(b.Text, "<note from=\"caper\" kind="), "\n")
			out = append(out, strings.TrimSpace(string(m.Role)+" "+string(b.Kind)+" "+b.ID+" "+text))
		}
	}
	return out
}

func (w *world) heard(i int) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if i < 0 {
		i += len(w.asked)
	}
	return heard(w.asked[i])
}

func (w *world) steer(text string) {
	w.t.Helper()
	if _, _, err := w.runner.Steer(w.agent, text); err != nil {
		w.t.Error(err)
	}
}

func read(path string) use { return use{"read-file", map[string]any{"path": path}} }

func TestSteer(t *testing.T) {
	t.Run("while it answers with a call", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		w.file("a", "text of a")
		res := w.turn("do it", then(func() { w.steer("and quickly") }, calls(read("a"))), say("done"))
		want := []string{"user text  do it", "assistant tool-use use0", "user tool-result use0 text of a", "user text  and quickly"}
		if diff := cmp.Diff(want, w.heard(1)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"prompt user", "completion settled", "calls settled", "prompt steer", "completion settled"}, w.tape(res.ID)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("while it says its last word", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		res := w.turn("do it", then(func() { w.steer("and the rest") }, say("done")), say("the rest too"))
		if res.Text != "the rest too" {
			t.Errorf("it ended with %q", res.Text)
		}
	})
	t.Run("to a turn that nobody leads", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		id, err := w.runner.Mint(agent.Ask{Agent: w.agent, Prompt: "do it", Context: w.context})
		if err != nil {
			t.Fatal(err)
		}
		w.steer("one")
		w.reopen()
		w.steer("two")
		w.runner.Models = models{"actor:m": w.script(say("yes"))}
		if _, err := w.runner.Run(t.Context(), id, w.context, nil); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"user text  do it", "user text  one", "user text  two"}, w.heard(0)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("where there is none", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		w.turn("do it", say("done"))
		var none *agent.NoTurnError
		if _, _, err := w.runner.Steer(w.agent, "x"); !errors.As(err, &none) {
			t.Errorf("steering a closed turn: %v", err)
		}
	})
	t.Run("a completion that a crash cut off is asked without what came later", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		ctx, cancel := context.WithCancelCause(t.Context())
		w.runner.Models = models{"actor:m": w.script(then(func() { w.steer("late"); cancel(call.ErrParking) }, fail(&model.Error{Code: "cancelled"})))}
		id, err := w.runner.Mint(agent.Ask{Agent: w.agent, Prompt: "do it", Context: w.context})
		if err != nil {
			t.Fatal(err)
		}
		if res, err := w.runner.Run(ctx, id, w.context, nil); err != nil || res.Rest != call.Parked {
			t.Fatalf("%v %v", res, err)
		}
		w.reopen()
		w.runner.Models = models{"actor:m": w.script(say("one"), say("two"))}
		if _, err := w.runner.Run(t.Context(), id, w.context, nil); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"user text  do it"}, w.heard(1)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"user text  do it", "assistant text  one", "user text  late"}, w.heard(2)); diff != "" {
			t.Error(diff)
		}
	})
}

// reopen is the next process on the same store.
func (w *world) reopen() {
	w.t.Helper()
	w.runner.Close()
	if err := w.system.Close(); err != nil {
		w.t.Fatal(err)
	}
	w.open()
}

func bash(command string, background bool) use {
	args := map[string]any{"command": command}
	if background {
		args["background"] = true
	}
	return use{"bash", args}
}

// gate is a file that a command waits for.
func (w *world) gate() (command string, open func()) {
	return "until [ -e gate ]; do sleep 0.01; done; echo passed", func() { w.file("gate", "") }
}

// TestLawS10_BackgroundIsAFlag: a call in the background stays where it is; the round waits until it was let in and no
// longer; its end comes as a note.
func TestLawS10_BackgroundIsAFlag(t *testing.T) {
	t.Run("asked for by the call", func(t *testing.T) {
		w := newWorld(t, license.Yolo)
		command, open := w.gate()
		res := w.turn("do it", calls(bash(command, true), bash("echo two", false)), then(open, say("it runs")))
		w.runner.Rest(t.Context(), w.context.Session)
		if h := w.heard(1); !strings.HasPrefix(h[3], "user tool-result use0 the call runs in the background as job "+w.child(res.ID, 3).String()) {
			t.Errorf("its result: %s", h[3])
		}
		e, err := w.system.Store.Entry(w.child(res.ID, 3))
		if err != nil || !e.InBackground() || e.Outcome == nil || e.Outcome.State != kind.Settled {
			t.Errorf("it is still the turn's child and has ended: %v %v", e, err)
		}
		w.turn("and?", say("it ended"))
		if h := w.heard(-1); len(h) != 8 || h[6] != `user text  "note">` || h[7] != "user text  and?" {
			t.Errorf("the next turn hears the note before the prompt:\n%s", strings.Join(h, "\n"))
		}
	})
	t.Run("told while the turn runs", func(t *testing.T) {
		w := newWorld(t, license.Yolo)
		command, open := w.gate()
		res := w.turn("do it", calls(bash(command, true)), then(func() { open(); w.runner.Rest(t.Context(), w.context.Session) }, say("it runs")), say("it ended"))
		want := []string{"prompt user", "completion settled", "calls settled", "completion settled", "prompt note", "completion settled"}
		if diff := cmp.Diff(want, w.tape(res.ID)); diff != "" || res.Text != "it ended" {
			t.Errorf("%s\n%s", diff, res.Text)
		}
	})
	t.Run("moved by a person", func(t *testing.T) {
		w := newWorld(t, license.Yolo)
		command, open := w.gate()
		token, stop := w.system.Store.Watch(w.context.Session)
		defer stop()
		go func() {
			for range token {
				if w.runner.Detach(graph.ID{Session: w.context.Session, Bag: w.bag(), Ord: 3}, "tester", nil) == nil {
					return
				}
			}
		}()
		res := w.turn("do it", calls(bash(command, false)), then(open, say("it runs")))
		w.runner.Rest(t.Context(), w.context.Session)
		e, err := w.system.Store.Entry(w.child(res.ID, 3))
		if err != nil || e.Newest(kind.FactDetached) == nil || e.Outcome == nil {
			t.Errorf("%v %v", e, err)
		}
		tree := store.NewTree(w.system.Store)
		b, err := tree.Branch(res.ID)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for range b.BackgroundJobs() {
			n++
		}
		for range b.ForegroundJobs() {
			t.Error("it is in the foreground still")
		}
		if n != 1 {
			t.Errorf("the turn has %d jobs in the background", n)
		}
		if err := w.runner.Detach(e.ID, "tester", nil); err == nil {
			t.Error("what has ended was moved")
		}
	})
	t.Run("moved by a program", func(t *testing.T) {
		w := newWorld(t, license.Yolo)
		w.system.Agents = w.runner // who moves it leads the turn
		command, open := w.gate()
		moves := use{"scheme", map[string]any{"program": `
			(define (begun) ; the program's own call and its program are two
			  (let ((jobs (foreground-jobs (session-head)))) (if (< (length jobs) 3) (begun) (car jobs))))
			(define job (begun))
			(list (detach job) (detach job) (guard (e ((tool-error? e) (tool-error-code e))) (detach (current-job))))`}}
		res := w.turn("do it", calls(bash(command, false), moves), then(open, say("it runs")))
		w.runner.Rest(t.Context(), w.context.Session)
		if e, err := w.system.Store.Entry(w.child(res.ID, 3)); err != nil || e.Newest(kind.FactDetached) == nil || e.Outcome == nil {
			t.Errorf("%v %v", e, err)
		}
		if h := w.heard(1); h[len(h)-1] != "user tool-result use1 value: (#t #f busy)" {
			t.Errorf("%s", strings.Join(h, "\n"))
		}
	})
	t.Run("of a program that ended", func(t *testing.T) {
		w := newWorld(t, license.Yolo)
		w.system.Agents = w.runner
		command, open := w.gate()
		sends := use{"scheme", map[string]any{"program": fmt.Sprintf(`(background (lambda () (bash %q) (display "late"))) (display "early") (define x 7) x`, command)}}
		uses := use{"scheme", map[string]any{"program": `(* 6 x)`}}
		res := w.turn("do it", calls(sends), calls(uses), then(open, say("it runs")))
		if u, err := session.At(w.system.Store, res.ID); err != nil || !u.Closed() {
			t.Errorf("the turn is open: %v", err)
		}
		w.runner.Rest(t.Context(), w.context.Session)
		job := w.child(res.ID, 3).String()
		want := "value: 7\noutput:\nearly\nwhat it sent to the background goes on as job " + job + "; you will be told when that ends"
		if h := w.asked[1].Messages; h[len(h)-1].Blocks[0].Text != want {
			t.Errorf("the model is told: %+v", h)
		}
		if h := w.heard(2); h[len(h)-1] != "user tool-result use0 value: 42" {
			t.Errorf("the next program: %s", h[len(h)-1])
		}
		w.turn("and?", say("it ended"))
		note := ""
		for _, m := range w.asked[len(w.asked)-1].Messages {
			for _, b := range m.Blocks {
				if strings.Contains(b.Text, "which ran in the background, ended: settled") {
					note = b.Text
				}
			}
		}
		if !strings.Contains(note, "early") || !strings.Contains(note, "late") {
			t.Errorf("the note of its end: %q", note)
		}
	})
	t.Run("of a program that failed", func(t *testing.T) {
		w := newWorld(t, license.Yolo)
		w.system.Agents = w.runner
		command, open := w.gate()
		sends := use{"scheme", map[string]any{"program": fmt.Sprintf(`(background (lambda () (bash %q))) (error "no good")`, command)}}
		w.turn("do it", calls(sends), then(open, say("it failed")))
		w.runner.Rest(t.Context(), w.context.Session)
		last := w.asked[1].Messages[len(w.asked[1].Messages)-1].Blocks[0]
		if !last.Failed || !strings.Contains(last.Text, "no good") || !strings.Contains(last.Text, "goes on as job") {
			t.Errorf("the model is told: %+v", last)
		}
	})
	t.Run("of a program whose background waits for a person", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		w.context.Answerability = license.Queue
		w.system.Agents = w.runner
		sends := use{"scheme", map[string]any{"program": `(background (lambda () (bash "echo x"))) 7`}}
		res := w.turn("do it", calls(sends, use{"scheme", map[string]any{"program": `8`}}), say("it waits"))
		if h := w.heard(1); res.Text != "it waits" || h[len(h)-1] != "user tool-result use1 value: 8" {
			t.Errorf("%+v\n%s", res, strings.Join(h, "\n"))
		}
		w.runner.Rest(t.Context(), w.context.Session)
		if w.waiting().IsZero() {
			t.Error("nothing waits")
		}
	})
	t.Run("not of a program that was cancelled", func(t *testing.T) {
		w := newWorld(t, license.Yolo)
		w.system.Agents = w.runner
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var running atomic.Int32
		w.system.Calls.Faults = func(point string) {
			if point == "released" && running.Add(1) == 2 {
				cancel()
			}
		}
		w.runner.Models = models{"actor:m": w.script(calls(use{"scheme", map[string]any{"program": `(background (lambda () (bash "sleep 600"))) (bash "sleep 600")`}}))}
		id, err := w.runner.Mint(w.prompt("do it"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.runner.Run(ctx, id, w.context, nil); err != nil {
			t.Error(err)
		}
		w.runner.Rest(t.Context(), w.context.Session)
		if e, err := w.system.Store.Entry(w.child(id, 3)); err != nil || e.Detached() || e.Outcome == nil || e.Outcome.State != kind.Cancelled {
			t.Errorf("%+v %v", e, err)
		}
	})
	t.Run("a rewind of the open turn ends it", func(t *testing.T) {
		w := newWorld(t, license.Yolo)
		w.runner = w.system.Agents // who rewinds leads the turns
		one := w.turn("one", say("1"))
		command, open := w.gate()
		defer open()
		moved := make(chan struct{})
		sends := use{"scheme", map[string]any{"program": fmt.Sprintf(`(background (lambda () (bash %q) (write-file "late" "x"))) 7`, command)}}
		asked := 0
		w.runner.Models = models{"actor:m": model.Func(func(ctx context.Context, q model.Request, _ func(model.Delta)) (*model.Answer, error) {
			if asked++; asked == 1 {
				return calls(sends)(q)
			}
			go func() { defer close(moved); w.move("rewind!", one.ID, nil) }()
			<-ctx.Done() // the turn is left
			return nil, ctx.Err()
		})}
		two, err := w.runner.Mint(w.prompt("two"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.runner.Run(t.Context(), two, w.context, nil); err != nil {
			t.Error(err)
		}
		<-moved
		if ids := w.runner.Flying(w.context.Session); len(ids) > 0 {
			t.Errorf("%v goes on", ids)
		}
	})
	t.Run("one that waits for a person is not let go", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		w.context.Answerability = license.Queue
		res := w.turn("do it", calls(bash("echo x", true)))
		if res.Rest != call.Parked {
			t.Errorf("it rests as %q", res.Rest)
		}
	})
	t.Run("one of a program is not let go: the program needs its value", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		w.context.Answerability = license.Queue
		w.turn("do it", calls(use{"scheme", map[string]any{"program": `(bash "echo x")`}}))
		calls := w.below(kind.KindSystemToolJob)
		if inner := calls[len(calls)-1].ID; len(calls) != 2 || w.runner.Detach(inner, "tester", nil) == nil {
			t.Errorf("%s of %d was moved", inner, len(calls))
		}
	})
	t.Run("one that was denied is told of in its place", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		w.turn("do it", calls(bash("echo x", true)), say("then not"))
		w.turn("and?", say("yes"))
		if h := w.heard(-1); len(h) != 5 || !strings.Contains(h[2], "bash echo x needs a person's yes") {
			t.Errorf("%s", strings.Join(h, "\n"))
		}
	})
	t.Run("a second process goes on with it", func(t *testing.T) {
		w := newWorld(t, license.Yolo)
		command, open := w.gate()
		res := w.turn("do it", calls(bash(command, true)), say("it runs"))
		w.reopen()
		if left, err := w.runner.Left(res.ID); err != nil || !left {
			t.Fatalf("it was left: %v %v", left, err)
		}
		open()
		if _, err := w.runner.Run(t.Context(), res.ID, w.context, nil); err != nil {
			t.Fatal(err)
		}
		w.runner.Rest(t.Context(), w.context.Session)
		e, err := w.system.Store.Entry(w.child(res.ID, 3))
		if err != nil || e.Outcome == nil && e.Newest(kind.FactUncertain) == nil {
			t.Errorf("%+v %v", e, err)
		}
	})
}

// bag is the bag of the head's turn.
func (w *world) bag() uint64 {
	head, _, err := session.Head(w.system.Store, w.agent)
	if err != nil {
		w.t.Error(err)
	}
	u, err := session.At(w.system.Store, head)
	if err != nil || u.Turn == nil {
		return 0
	}
	return u.Turn.Bag
}

// child is a child of a turn.
func (w *world) child(turn graph.ID, ord uint64) graph.ID {
	w.t.Helper()
	u, err := session.At(w.system.Store, turn)
	if err != nil {
		w.t.Fatal(err)
	}
	return graph.ID{Session: turn.Session, Bag: u.Turn.Bag, Ord: ord}
}

// TestLawS16_ATurnWaitsForThoseBefore: the guard of a turn waits for its inbound predecessors and then is true.
func TestLawS16_ATurnWaitsForThoseBefore(t *testing.T) {
	mint := func(w *world, prompt string) graph.ID {
		id, err := w.runner.Mint(agent.Ask{Agent: w.agent, Prompt: prompt, Context: w.context})
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	t.Run("one that nobody leads is led first", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		one, two := mint(w, "one"), mint(w, "two")
		w.runner.Models = models{"actor:m": w.script(say("1"), say("2"))}
		res, err := w.runner.Run(t.Context(), two, w.context, nil)
		if err != nil || res.Text != "2" || res.ID != two {
			t.Fatalf("%v %v", res, err)
		}
		if u, err := session.At(w.system.Store, one); err != nil || !u.Closed() {
			t.Errorf("the first is open: %v", err)
		}
		if diff := cmp.Diff([]string{"user text  one", "assistant text  1", "user text  two"}, w.heard(1)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("one that runs is waited for", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		one := mint(w, "one")
		second := make(chan agent.Result, 1)
		w.runner.Models = models{"actor:m": w.script(then(func() {
			two := mint(w, "two")
			go func() {
				res, err := w.runner.Run(t.Context(), two, w.context, nil)
				if err != nil {
					t.Error(err)
				}
				second <- res
			}()
		}, say("1")), say("2"))}
		if _, err := w.runner.Run(t.Context(), one, w.context, nil); err != nil {
			t.Fatal(err)
		}
		if res := <-second; res.Text != "2" {
			t.Errorf("the second: %+v", res)
		}
	})
	t.Run("one that rests keeps those behind it", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		w.context.Answerability = license.Queue
		mint(w, "one")
		two := mint(w, "two")
		w.runner.Models = models{"actor:m": w.script(calls(bash("echo x", false)))}
		if res, err := w.runner.Run(t.Context(), two, w.context, nil); err != nil || res.Rest != call.Parked {
			t.Errorf("%+v %v", res, err)
		}
	})
}

// TestLawS15_ClosedMeansTheReducerExited: open children in the background do not hold a turn.
func TestLawS15_ClosedMeansTheReducerExited(t *testing.T) {
	w := newWorld(t, license.Yolo)
	command, open := w.gate()
	res := w.turn("do it", calls(bash(command, true)), say("it runs"))
	if u, err := session.At(w.system.Store, res.ID); err != nil || !u.Closed() {
		t.Errorf("the turn is open: %v", err)
	}
	if e, err := w.system.Store.Entry(w.child(res.ID, 3)); err != nil || e.Outcome != nil {
		t.Errorf("its child has ended: %v", err)
	}
	open()
	w.runner.Rest(t.Context(), w.context.Session)
}

// TestLawS44_BackgroundHangsOnItsTurn: what runs in the background hangs on the turn that produced it, is visible by its
// ancestry, also in later turns and processes, and a watch names it.
func TestLawS44_BackgroundHangsOnItsTurn(t *testing.T) {
	w := newWorld(t, license.Yolo)
	command, open := w.gate()
	res := w.turn("do it", calls(bash(command, true)), say("it runs"))
	w.turn("and?", say("it runs still"))
	child := w.child(res.ID, 3)
	t.Run("by ancestry", func(t *testing.T) {
		if below, err := w.system.Calls.Below(child, res.ID); err != nil || !below {
			t.Errorf("it hangs below its turn: %v %v", below, err)
		}
		b, err := store.NewTree(w.system.Store).Branch(res.ID)
		if err != nil {
			t.Fatal(err)
		}
		for j := range b.BackgroundJobs() {
			if j.(*store.Branch).ID != child {
				t.Errorf("%s is in the background of the turn", j.(*store.Branch).ID)
			}
		}
	})
	t.Run("a watch names it", func(t *testing.T) {
		last, err := w.system.Store.LastEvent(w.context.Session)
		if err != nil {
			t.Fatal(err)
		}
		open()
		w.runner.Rest(t.Context(), w.context.Session)
		named := false
		for e, err := range w.system.Store.Events(w.context.Session, last+1) {
			if err != nil {
				t.Fatal(err)
			}
			named = named || e.ID == child && e.What == store.EventSettle
		}
		if !named {
			t.Error("its end is no event")
		}
	})
	t.Run("the turn that runs then hears of it", func(t *testing.T) {
		w.turn("and now?", say("it ended"))
		if h := w.heard(-1); h[len(h)-2] != `user text  "note">` {
			t.Errorf("%s", strings.Join(h, "\n"))
		}
	})
}

// TestOneThatIsCancelledAlone: a call in the background can be ended without its turn, and is told of.
func TestOneThatIsCancelledAlone(t *testing.T) {
	w := newWorld(t, license.Yolo)
	res := w.turn("do it", calls(bash("sleep 100", true)), say("it runs"))
	if !w.system.Calls.Stop(w.child(res.ID, 3)) {
		t.Fatal("it does not run")
	}
	w.runner.Rest(t.Context(), w.context.Session)
	e, err := w.system.Store.Entry(w.child(res.ID, 3))
	if err != nil || e.Outcome == nil || e.Outcome.State != kind.Cancelled {
		t.Errorf("%+v %v", e.Outcome, err)
	}
	w.turn("and?", say("gone"))
	if h := w.heard(-1); len(h) != 6 || h[4] != `user text  "note">` {
		t.Errorf("%s", strings.Join(h, "\n"))
	}
}
