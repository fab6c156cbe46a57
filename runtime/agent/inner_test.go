package agent_test

import (
	"context"
	"testing"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/model"
	"caper/runtime/program"
)

// TestInnerCallsGoOn: a program that asks models and agents side by side is parked in the middle. The next process goes on
// from what is on record: what was answered is not asked, or paid, again, and each call has one result.
func TestInnerCallsGoOn(t *testing.T) {
	source := `(par-map (lambda (n) (if (even? n) (complete (number->string n) #:model "actor:m") (ask-agent (number->string n) #:model "actor:m"))) '(0 1 2 3))`
	w := newWorld(t, license.Auto)
	w.context.Answerability = license.Queue
	asked := map[string]int{}
	arrived := make(chan bool, 4)
	ctx, cancel := context.WithCancelCause(t.Context())
	w.hosted(models{"actor:m": model.Func(func(own context.Context, q model.Request, _ func(model.Delta)) (*model.Answer, error) {
		text := q.Messages[0].Blocks[0].Text
		w.mu.Lock()
		asked[text]++
		w.mu.Unlock()
		if text == "2" || text == "3" {
			arrived <- true
			<-own.Done() // the process ends before the answer
			return nil, own.Err()
		}
		return say("echo " + text)(q)
	})})
	runner, err := w.system.Programs()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		<-arrived
		<-arrived
		for { // until the two that are answered are on record
			done := 0
			for _, e := range w.below(kind.KindCompletionJob) {
				if e.Outcome != nil {
					done++
				}
			}
			if done == 2 {
				break
			}
		}
		cancel(call.ErrParking)
	}()
	spec := program.Spec{Name: "p", Source: source, Context: w.context}
	r, err := runner.Run(ctx, spec, nil, nil)
	if err != nil || r.State != program.Parked {
		t.Fatalf("%s %v %+v", r.State, err, r.Error)
	}
	if err := w.system.Close(); err != nil {
		t.Fatal(err)
	}
	w.open()
	w.hosted(models{"actor:m": model.Func(func(_ context.Context, q model.Request, _ func(model.Delta)) (*model.Answer, error) {
		text := q.Messages[0].Blocks[0].Text
		w.mu.Lock()
		asked[text]++
		w.mu.Unlock()
		return say("echo " + text)(q)
	})})
	if runner, err = w.system.Programs(); err != nil {
		t.Fatal(err)
	}
	r, err = runner.Resume(t.Context(), r.ID, func(*kind.ProgrammaticJob) (program.Spec, error) { return spec, nil }, nil)
	if err != nil || r.State != program.Done {
		t.Fatalf("%s %v %+v", r.State, err, r.Error)
	}
	if got := graph.Write(r.Value); got != `("echo 0" "echo 1" "echo 2" "echo 3")` {
		t.Errorf("%s", got)
	}
	for text, want := range map[string]int{"0": 1, "1": 1, "2": 2, "3": 2} {
		if asked[text] != want {
			t.Errorf("%s was asked %d times, want %d", text, asked[text], want)
		}
	}
	for _, k := range []kind.Kind{kind.KindCompletionJob, kind.KindAgentCallJob, kind.KindAgent} {
		want := map[kind.Kind]int{kind.KindCompletionJob: 4, kind.KindAgentCallJob: 2, kind.KindAgent: 3}[k]
		if got := len(w.below(k)); got != want {
			t.Errorf("%d nodes are %s, want %d", got, k.Name(), want)
		}
	}
}
