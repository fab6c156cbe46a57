package worker_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"caper/runtime/model"
	"caper/runtime/model/modeltest"
	"caper/runtime/worker/driver/drivertest"
	"caper/runtime/worker/wire"
)

// killedStory are the items of a turn whose worker was killed three times, and of the turn after it.
const killedStory = `ann Write a poem.
text I look first.
call call_1
asks about call_1
ann yes
allowed call_1
result of call_1
call call_2
asks about call_2
ann yes
allowed call_2
failed call_2
call call_3
asks about call_3
cancelled call_3
failed call_3
call call_4
asks about call_4
ann yes
allowed call_4
result of call_4
text It is done.
end of turn 1
ann Once more.
text Done again.
end of turn 2
`

// TestRealThreadsKilled: the worker of a real client is killed in the middle of a turn: while the model thinks, while a command
// runs, while a question is open. Each time another worker ends what was left, and goes on; no item is lost or doubled.
func TestRealThreadsKilled(t *testing.T) {
	for kind, h := range hands {
		t.Run(kind, func(t *testing.T) {
			if _, err := drivertest.Real(kind); err != nil {
				t.Skip(err)
			}
			w := newWorld(t)
			_, err := w.tree.Identity("bot")
			ok(t, err)
			m := &mortal{w: w, hand: h, thinks: make(chan struct{}, 1)}
			server := w.real(kind, m.answer)
			runs := filepath.Join(w.work, "runs")
			ok(t, syscall.Mkfifo(runs, 0o600))
			w.raw("a", fmt.Sprintf(`{"thread":{"metadata":{"workspace":{"work_folder":%q},"agent":{"type":%q},"instance":{"state":"pending"}}}}`, w.work, kind), "Write a poem.")
			allow := func(question int) {
				t.Helper()
				w.await("a", wire.Prompt, question)
				_, err := w.user.Post(t.Context(), "a", "yes")
				ok(t, err)
			}

			c := w.process()
			allow(1)
			w.await("a", wire.ToolResult, 1)
			w.happens("the model thinks", m.thinks)
			m.kill(c)

			c = w.process()
			allow(2)
			running := make(chan struct{})
			go func() {
				if f, err := os.Open(runs); err == nil { // when the command has opened it too
					_ = f.Close()
				}
				close(running)
			}()
			w.happens("the command runs", running)
			m.kill(c)

			c = w.process()
			w.await("a", wire.Prompt, 3)
			m.kill(c)

			c = w.process()
			allow(4)
			w.await("a", wire.TurnEnd, 1)
			_, err = w.user.Post(t.Context(), "a", "Once more.")
			ok(t, err)
			w.await("a", wire.TurnEnd, 2)
			ok(t, c.Process.Signal(syscall.SIGTERM))
			ok(t, c.Wait())

			if left := w.processes(0); len(left) > 0 {
				t.Errorf("the last worker left %v", left)
			}
			if got := w.story("a"); got != killedStory {
				t.Errorf("the items are\n%s\nwant\n%s", got, killedStory)
			}
			for name, want := range map[string]string{"log": "once\n", "asked": "", "poem.txt": poem} {
				if got, err := os.ReadFile(filepath.Join(w.work, name)); string(got) != want || (err != nil) != (want == "") {
					t.Errorf("%s has %q, want %q: %v", name, got, want, err)
				}
			}
			calls := server.Calls()
			if last := calls[len(calls)-1].Last(); slices.Contains(strings.Split(last, "\n"), "yes") {
				t.Errorf("what answered a question was told as well: %s", last)
			}
		})
	}
}

// mortal is the model of a thread whose workers are killed. What it answers follows from what it is told, since a client whose
// worker is gone may go on asking.
type mortal struct {
	w      *world
	hand   hand
	thinks chan struct{}

	mu   sync.Mutex
	life int               // of the last call
	left map[string]string // what ran when the last worker was killed
}

func (m *mortal) answer(c modeltest.Call) modeltest.Reply {
	life, results, again := 0, 0, false
	for _, message := range c.Request.Messages {
		for _, b := range message.Blocks {
			switch {
			case message.Role == model.User && b.Kind == model.Text && strings.Contains(b.Text, "Write a poem."):
				life, results = life+1, 0
			case message.Role == model.User && b.Kind == model.Text && strings.Contains(b.Text, "Once more."):
				again = true
			case b.Kind == model.ToolResult:
				results++
			}
		}
	}
	m.begun(life)
	hangs := modeltest.Say("Too late.")
	hangs.Hang = 1
	switch {
	case again:
		return modeltest.Say("Done again.")
	case life == 4 && results > 0:
		return modeltest.Say("It is done.")
	case life == 4:
		return reply(m.hand.write.call(4))
	case results > 0:
		select {
		case m.thinks <- struct{}{}:
		default:
		}
		return hangs
	case life == 3:
		return reply(m.hand.run("touch asked").call(3))
	case life == 2:
		return reply(m.hand.run("echo > runs; sleep 1000").call(2))
	}
	return reply(model.Block{Kind: model.Text, Text: "I look first."}, m.hand.run("echo once >> log").call(1))
}

// begun is that a client calls the model: where it is the first call after a worker was killed, nothing of that is left.
func (m *mortal) begun(life int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if life <= m.life {
		return
	}
	m.life = life
	there := m.w.processes(0)
	for p := range m.left {
		if _, still := there[p]; still {
			m.w.t.Errorf("client %d asks its model, and of the one before there is still %s", life, m.left[p])
		}
	}
}

// kill kills a worker, and nothing that it started.
func (m *mortal) kill(c *exec.Cmd) {
	m.w.t.Helper()
	left := m.w.processes(c.Process.Pid)
	if len(left) == 0 {
		m.w.t.Error("no client runs whose worker could be killed")
	}
	m.mu.Lock()
	m.left = left
	m.mu.Unlock()
	ok(m.w.t, c.Process.Kill())
	_ = c.Wait()
}

// processes are the living ones but one that know the world's folder, by their number and when they began.
func (w *world) processes(but int) map[string]string {
	w.t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*")
	ok(w.t, err)
	found := map[string]string{}
	for _, p := range all {
		stat, _ := os.ReadFile(filepath.Join(p, "stat"))
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(fields) < 20 || fields[0] == "Z" || filepath.Base(p) == fmt.Sprint(but) {
			continue
		}
		environ, _ := os.ReadFile(filepath.Join(p, "environ"))
		line, _ := os.ReadFile(filepath.Join(p, "cmdline"))
		cwd, _ := os.Readlink(filepath.Join(p, "cwd"))
		if strings.Contains(string(environ)+string(line)+cwd, w.root) {
			found[filepath.Base(p)+" "+fields[19]] = strings.ReplaceAll(string(line), "\x00", " ")
		}
	}
	return found
}

// happens waits for what does not show on the wire.
func (w *world) happens(what string, c <-chan struct{}) {
	w.t.Helper()
	changes, err := w.wire.Watch(w.t.Context())
	ok(w.t, err)
	for {
		select {
		case <-c:
			return
		case <-changes:
			if w.state("a") == wire.Failed {
				w.t.Fatalf("never: %s\n%s%s", what, lines(w.items("a")), lines(w.items(wire.WorkerAlias)))
			}
		}
	}
}

// story are the items of a thread as text, in order: what was said and done, and not what the client is.
func (w *world) story(alias string) string {
	w.t.Helper()
	about := map[string]string{}
	last := uint64(0)
	var out strings.Builder
	say := func(words ...any) { fmt.Fprintln(&out, words...) }
	for _, i := range w.items(alias) {
		if i.Seq <= last {
			w.t.Errorf("item %d after item %d", i.Seq, last)
		}
		last = i.Seq
		switch m := i.Metadata; m.Type {
		case "":
			say(i.UserID, i.TextOf())
		case wire.Status:
		case wire.ToolCall:
			say("call", m.Tool.InvocationID)
		case wire.ToolResult:
			if m.IsError {
				say("failed", m.InvocationID)
			} else {
				say("result of", m.InvocationID)
			}
		case wire.Prompt:
			about[m.Question] = m.InvocationID
			say("asks about", m.InvocationID)
		case wire.PromptResolved:
			say(m.Resolution, about[m.Question])
		case wire.TurnEnd:
			say("end of turn", m.Turn)
		default:
			say(m.Type, i.TextOf())
		}
	}
	return out.String()
}
