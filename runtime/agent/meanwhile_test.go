package agent_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/session"
	"caper/runtime/store"
)

// What others do between a look at the record and what is done upon it.

// between calls back when something was read of the store.
type between struct {
	store.Store
	entry func(graph.ID)
	next  func(session, bag uint64)
}

func (s *between) Entry(id graph.ID) (kind.Entry, error) {
	e, err := s.Store.Entry(id)
	if s.entry != nil {
		s.entry(id)
	}
	return e, err
}

func (s *between) Next(n, bag uint64) (uint64, error) {
	next, err := s.Store.Next(n, bag)
	if s.next != nil {
		s.next(n, bag)
	}
	return next, err
}

// approve is what caper approve does with a call that does not wait in this process.
func (w *world) approve(id graph.ID) {
	w.t.Helper()
	a := call.Answer{Yes: true, Scope: "once", By: "another terminal"}
	if w.system.Calls.Answer(id, a) {
		return
	}
	e, err := w.system.Store.Entry(id)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.system.Approve(w.t.Context(), e, a, e.Newest(kind.FactParked).Value.Datum); err != nil {
		w.t.Error(err)
	}
}

// waiting is the call that waits for a person.
func (w *world) waiting() (id graph.ID) {
	w.t.Helper()
	for at, err := range w.system.Store.Waiting() {
		if err != nil {
			w.t.Fatal(err)
		}
		id = at
	}
	return id
}

func TestHeadIsReadWhileItMoves(t *testing.T) {
	w := newWorld(t, license.Yolo)
	w.turn("one", say("1"))
	stop := make(chan struct{})
	var readers sync.WaitGroup
	readers.Go(func() {
		for {
			if _, _, err := session.Head(w.system.Store, w.agent); err != nil {
				t.Error(err)
				return
			}
			select {
			case <-stop:
				return
			default:
			}
		}
	})
	for range 200 {
		if _, err := w.runner.Mint(w.prompt("x")); err != nil {
			t.Error(err)
			break
		}
	}
	close(stop)
	readers.Wait()
}

func TestATurnIsMintedBesideAProgram(t *testing.T) {
	w := newWorld(t, license.Yolo)
	inner := w.system.Store
	var once sync.Once
	w.system.Calls.Store = &between{Store: inner, next: func(n, bag uint64) {
		if bag != graph.RootBag {
			return
		}
		once.Do(func() {
			ord, err := inner.Next(n, graph.RootBag)
			if err != nil {
				t.Error(err)
			}
			own, err := inner.NewBag(n)
			if err != nil {
				t.Error(err)
			}
			if _, err := inner.Apply(n, store.Mint{ID: graph.ID{Session: n, Bag: graph.RootBag, Ord: ord}, Node: &kind.ProgrammaticJob{Name: "p", Bag: own}}); err != nil {
				t.Error(err)
			}
		})
	}}
	if _, err := w.runner.Mint(w.prompt("x")); err != nil {
		t.Error(err)
	}
}

// A call in the background that a crash left is taken up from two sides; one is done with it before the other begins.
func TestACallTakenUpTwiceRunsOnce(t *testing.T) {
	w := newWorld(t, license.Yolo)
	copied := filepath.Join(t.TempDir(), "data")
	var crash sync.Once
	w.system.Calls.Faults = func(point string) {
		if point == "minted" {
			crash.Do(func() {
				w.places = w.places.Clone()
				if err := os.CopyFS(copied, os.DirFS(w.home.Data)); err != nil {
					t.Error(err)
				}
			})
		}
	}
	res := w.turn("do it", calls(bash("echo line >> out", true)), say("it runs"))
	w.runner.Rest(t.Context(), w.context.Session)
	w.system.Close()
	out := filepath.Join(w.context.Workspace, "out")
	if err := os.Remove(out); err != nil {
		t.Fatal(err)
	}
	w.home.Data = copied
	w.open()
	id := w.child(res.ID, 3)
	var first atomic.Bool
	read, goOn, over := make(chan struct{}), make(chan struct{}), make(chan error)
	w.system.Calls.Store = &between{Store: w.system.Store, entry: func(at graph.ID) {
		if at == id && first.CompareAndSwap(false, true) {
			close(read)
			<-goOn
		}
	}}
	go func() { over <- w.runner.TakeUp(t.Context(), id, w.context) }()
	<-read
	if err := w.runner.TakeUp(t.Context(), id, w.context); err != nil {
		t.Error(err)
	}
	close(goOn)
	if err := <-over; err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(out); err != nil || string(text) != "line\n" {
		t.Errorf("the command wrote %q %v", text, err)
	}
}

// silent is a terminal at which nobody answers.
type silent struct{}

func (silent) Ask(ctx context.Context, _ call.Question) (call.Answer, error) {
	<-ctx.Done()
	return call.Answer{}, ctx.Err()
}

// The queue shows a question before its asker listens.
func TestAQuestionAnsweredAtOnce(t *testing.T) {
	w := newWorld(t, license.Manual)
	w.context.Answerability, w.context.Terminal = license.TTY, silent{}
	w.system.Calls.Faults = func(point string) {
		if point == "asked" {
			w.approve(w.waiting())
		}
	}
	if res := w.turn("x", calls(bash("echo x", false)), say("done")); res.Text != "done" {
		t.Errorf("%+v", res)
	}
}

// A yes binds to what was shown: one that comes as another question is asked about the same call is no yes to that.
func TestAYesToTheQuestionBefore(t *testing.T) {
	w := newWorld(t, license.Manual)
	w.context.Answerability = license.Queue
	link := filepath.Join(w.context.Workspace, "l")
	for _, to := range []string{"a", "b"} {
		if err := os.Mkdir(filepath.Join(w.context.Workspace, to), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("a", link); err != nil {
		t.Fatal(err)
	}
	res := w.turn("x", calls(use{"write-file", map[string]any{"path": "l/f", "data": "x"}}))
	id := w.waiting()
	before, err := w.system.Store.Entry(id)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(link), os.Symlink("b", link)); err != nil {
		t.Fatal(err)
	}
	question := before.Newest(kind.FactParked).Value.Datum
	answer := func(a call.Answer) {
		for !w.system.Calls.Answer(id, a) {
			runtime.Gosched() // until it listens
		}
	}
	asked := 0
	w.system.Calls.Faults = func(point string) {
		if point != "asked" {
			return
		}
		if asked++; asked == 1 { // as caper approve does that read the question before
			yes := call.Answer{Yes: true, Scope: "once", By: "another terminal", To: graph.TextField(question, "digest")}
			if err := w.system.Approve(t.Context(), before, yes, question); err != nil {
				t.Error(err)
			}
			go answer(yes)
			return
		}
		if w.waiting() != id {
			t.Error("the new question is not in the queue")
		}
		go answer(call.Answer{By: "another terminal"})
	}
	w.context.Answerability, w.context.Terminal = license.TTY, silent{}
	w.runner.Models = models{"actor:m": w.script(say("then not"))}
	if res, err := w.runner.Run(t.Context(), res.ID, w.context, nil); err != nil || res.Text != "then not" {
		t.Errorf("%+v %v", res, err)
	}
	if _, err := os.Stat(filepath.Join(w.context.Workspace, "b", "f")); err == nil || asked != 2 {
		t.Errorf("it was asked %d times: %v", asked, err)
	}
}

func TestATurnBeginsWhileTheConversationIsFolded(t *testing.T) {
	w := newWorld(t, license.Yolo)
	w.turn("one", say("1"))
	w.runner.Models = models{"actor:m": w.script(then(func() {
		if _, err := w.runner.Mint(w.prompt("two")); err != nil {
			t.Error(err)
		}
	}, say("the summary")))}
	id, err := w.runner.Compact(t.Context(), w.agent, w.context)
	if err == nil {
		t.Error("the head was moved back")
	}
	if u, err := session.At(w.system.Store, id); err != nil || !u.Closed() {
		t.Errorf("the turn of the fold stays open: %v", err)
	}
}

// A call comes to rest while somebody moves it to the background.
func TestACallRestsWhileItIsDetached(t *testing.T) {
	w := newWorld(t, license.Manual)
	w.context.Answerability = license.Queue
	inner := w.system.Store
	rests, over := make(chan struct{}), make(chan error, 1)
	var moved, looked atomic.Bool
	var id graph.ID
	w.system.Calls.Faults = func(point string) {
		if point != "asked" || !moved.CompareAndSwap(false, true) {
			return
		}
		id = w.waiting()
		began := make(chan struct{})
		w.system.Calls.Store = &between{Store: inner, entry: func(at graph.ID) {
			if at == id && looked.CompareAndSwap(false, true) {
				close(began)
				<-rests
			}
		}}
		go func() { over <- w.runner.Detach(id, "tester", nil) }()
		<-began
	}
	res := w.turn("x", calls(bash("echo x > out", false)), say("done"))
	close(rests)
	if err := <-over; err != nil {
		t.Fatal(err)
	}
	w.approve(id)
	if _, err := w.runner.Run(t.Context(), res.ID, w.context, nil); err != nil {
		t.Error(err)
	}
	w.runner.Rest(t.Context(), w.context.Session)
	if _, err := os.Stat(filepath.Join(w.context.Workspace, "out")); err != nil {
		t.Errorf("it was approved and did not run: %v", err)
	}
}
