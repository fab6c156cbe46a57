package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"caper/runtime/worker"
	"caper/runtime/worker/driver"
	"caper/runtime/worker/wire"
)

func TestTurn(t *testing.T) {
	w := newWorld(t)
	w.hand("a", "think hm\nsay hello\nrun echo hi > made; cat made", `,"permissions":"autonomous"`)
	stop := w.start()
	end := w.await("a", wire.TurnEnd, 1)
	if u := end.Metadata.Usage; u.InputTokens != 15 || u.InputTokensCached != 4 || u.OutputTokens != 7 || *u.Cost != 0.25 {
		t.Errorf("%+v", u)
	}
	want := "ann think hm\nsay hello\nrun echo hi > made; cat made\nthinking hm\ntext hello\ntool_call Bash → echo hi > made; cat made\ntool_result → hi (1 line)\nturn_end \n"
	if got := lines(w.items("a")); got != want {
		t.Error(got)
	}
	call, result := w.items("a")[3].Metadata, w.items("a")[4].Metadata
	if call.Tool.Name != "Bash" || call.Tool.InvocationID != result.InvocationID || string(call.Tool.Input) != `{"command":"echo hi \u003e made; cat made"}` || result.Tool != nil {
		t.Errorf("%+v %+v", call, result)
	}
	_, err := w.user.Post(t.Context(), "a", "say again")
	ok(t, err)
	if m := w.await("a", wire.TurnEnd, 2).Metadata; m.Turn != 2 {
		t.Errorf("%+v", m)
	}
	ok(t, stop())
	if w.state("a") != wire.Active {
		t.Error("a stop ended the thread")
	}
}

// TestLawW02_Required: what must be there, and what is wrong, fail the thread with a code each.
func TestLawW02_Required(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct{ name, meta, code string }{
		{"no-folder", `"workspace":{},"agent":{"type":"codex"}`, "WORK_FOLDER_MISSING"},
		{"empty-folder", `"workspace":{"work_folder":""},"agent":{"type":"codex"}`, "WORK_FOLDER_MISSING"},
		{"no-workspace", `"agent":{"type":"codex"}`, "WORK_FOLDER_MISSING"},
		{"null-folder", `"workspace":{"work_folder":null},"agent":{"type":"codex"}`, "WORK_FOLDER_MISSING"},
		{"no-type", `"workspace":{"work_folder":"/"},"agent":{}`, "AGENT_TYPE_MISSING"},
		{"number-folder", `"workspace":{"work_folder":7},"agent":{"type":"codex"}`, "METADATA_MALFORMED"},
		{"list-workspace", `"workspace":[],"agent":{"type":"codex"}`, "METADATA_MALFORMED"},
		{"object-type", `"workspace":{"work_folder":"/"},"agent":{"type":{}}`, "METADATA_MALFORMED"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w.t = t
			w.raw(c.name, `{"thread":{"metadata":{`+c.meta+`,"instance":{"state":"pending"}}}}`, "")
			stop := w.start()
			m := w.failure(c.name)
			ok(t, stop())
			if m.Code != c.code || len(m.Message) < 10 {
				t.Errorf("%+v", m)
			}
		})
	}
}

// TestLawW05_Checks: in their order; with no free slot a thread stays pending.
func TestLawW05_Checks(t *testing.T) {
	w := newWorld(t)
	file := filepath.Join(w.root, "file")
	ok(t, os.WriteFile(file, nil, 0o600))
	gone := filepath.Join(w.root, "gone")
	ok(t, os.Symlink(filepath.Join(w.root, "nothing"), gone))
	for _, c := range []struct{ name, folder, agent, code string }{
		{"not-absolute", "work", `"type":"gpt","permissions":"x"`, "WORK_FOLDER_NOT_ABSOLUTE"},
		{"not-found", w.root + "/none", `"type":"gpt","permissions":"x"`, "WORK_FOLDER_NOT_FOUND"},
		{"dangling-link", gone, `"type":"gpt"`, "WORK_FOLDER_NOT_FOUND"},
		{"not-a-dir", file, `"type":"gpt","permissions":"x"`, "WORK_FOLDER_NOT_A_DIR"},
		{"type", w.work, `"type":"gpt","permissions":"x"`, "AGENT_TYPE_UNSUPPORTED"},
		{"permissions", w.work, `"type":"claude_code","permissions":"x","executable":"/none"`, "PERMISSIONS_UNSUPPORTED"},
		{"executable", w.work, `"type":"claude_code","executable":"/none/claude"`, "AGENT_EXECUTABLE_NOT_FOUND"},
		{"executable-name", w.work, `"type":"claude_code","executable":"no-such-agent"`, "AGENT_EXECUTABLE_NOT_FOUND"},
		{"executable-folder", w.work, `"type":"claude_code","executable":"/usr"`, "AGENT_EXECUTABLE_NOT_FOUND"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w.t = t
			w.raw(c.name, fmt.Sprintf(`{"thread":{"metadata":{"workspace":{"work_folder":%q},"agent":{%s},"instance":{"state":"pending"}}}}`, c.folder, c.agent), "say x")
			stop := w.start()
			m := w.failure(c.name)
			ok(t, stop())
			if m.Code != c.code || len(m.Message) < 10 {
				t.Errorf("%+v", m)
			}
		})
	}
	t.Run("a link to a folder is one", func(t *testing.T) {
		link := filepath.Join(w.root, "link")
		ok(t, os.Symlink(w.work, link))
		if e := worker.CheckFolder(link); e != nil {
			t.Error(e)
		}
	})
	t.Run("no slot", func(t *testing.T) {
		w := newWorld(t)
		w.config = strings.Replace(w.config, "max_agents: 4", "max_agents: 1", 1)
		w.hand("a", "say one")
		stop := w.start()
		w.await("a", wire.TurnEnd, 1)
		w.hand("b", "say two")
		_, err := w.user.Post(t.Context(), "a", "say three") // some passes later
		ok(t, err)
		w.await("a", wire.TurnEnd, 2)
		if w.state("b") != wire.Pending {
			t.Errorf("b is %s", w.state("b"))
		}
		ok(t, w.user.SetState(t.Context(), "a", wire.Completed))
		w.await("b", wire.TurnEnd, 1)
		ok(t, stop())
	})
}

func TestLawW06_Settings(t *testing.T) {
	s := func(v string) *string { return &v }
	for _, c := range []struct {
		name                   string
		thread, worker         wire.AgentSettings
		exe, model, effort, ps string
	}{
		{"defaults", wire.AgentSettings{}, wire.AgentSettings{}, "claude", "", "", "approval"},
		{"the worker's", wire.AgentSettings{}, wire.AgentSettings{Executable: s("w"), Model: s("wm"), Effort: s("we"), Permissions: s("autonomous")}, "w", "wm", "we", "autonomous"},
		{"the thread's", wire.AgentSettings{Executable: s("t"), Model: s("tm"), Effort: s("te"), Permissions: s("approval")}, wire.AgentSettings{Executable: s("w"), Model: s("wm"), Effort: s("we"), Permissions: s("autonomous")}, "t", "tm", "te", "approval"},
		{"each by itself", wire.AgentSettings{Model: s("tm")}, wire.AgentSettings{Effort: s("we")}, "claude", "tm", "we", "approval"},
		{"effort is not checked", wire.AgentSettings{Effort: s("silly")}, wire.AgentSettings{}, "claude", "", "silly", "approval"},
	} {
		t.Run(c.name, func(t *testing.T) {
			th := wire.Thread{Agent: c.thread}
			th.Agent.Type = s("claude_code")
			got := worker.Resolve(th, map[string]worker.AgentConfig{"claude_code": {AgentSettings: c.worker}, "codex": {AgentSettings: wire.AgentSettings{Model: s("no")}}})
			if got.Executable != c.exe || got.Model != c.model || got.Effort != c.effort || got.Permissions != c.ps {
				t.Errorf("%+v", got)
			}
		})
	}
	t.Run("they reach the agent", func(t *testing.T) {
		w := newWorld(t)
		w.config = strings.Replace(w.config, "    env:", "    effort: tier-two\n    env:", 1)
		w.hand("a", "args", `,"model":"m1"`)
		stop := w.start()
		if text := w.await("a", wire.Text, 1).TextOf(); !strings.Contains(text, "--model=m1 --effort=tier-two") {
			t.Error(text)
		}
		ok(t, stop())
	})
}

func TestLawW07_LocalFile(t *testing.T) {
	w := newWorld(t)
	w.hand("a", "say x")
	stop := w.start()
	w.await("a", wire.TurnEnd, 1)
	_, err := w.user.Post(t.Context(), "a", "error broken")
	ok(t, err)
	w.failure("a")
	ok(t, stop())
	local := w.thread("a")
	for _, want := range []string{"work_folder: " + w.work, "agent_type: claude_code", "state: failed", "agent_session_id: session-new", "code: AGENT_CRASHED", `message: "the turn failed: broken"`} {
		if !strings.Contains(local, want) {
			t.Errorf("no %q in\n%s", want, local)
		}
	}
	t.Run("session id and error are not on the wire", func(t *testing.T) {
		o, err := w.wire.Get(t.Context(), "a")
		ok(t, err)
		for _, secret := range []string{"agent_session_id", "session-new", "error", "AGENT_CRASHED", "broken"} {
			if strings.Contains(string(o.Value), secret) {
				t.Errorf("%s", o.Value)
			}
		}
		ok(t, filepath.WalkDir(filepath.Join(w.root, "wire"), func(path string, e fs.DirEntry, err error) error {
			if b, _ := os.ReadFile(path); strings.Contains(string(b), "session-new") {
				t.Errorf("%s holds the session id", path)
			}
			return err
		}))
	})
}

func TestLawW08_Failure(t *testing.T) {
	w := newWorld(t)
	w.hand("a", "crash")
	stop := w.start()
	m := w.failure("a")
	ok(t, stop())
	if m.Code != "AGENT_CRASHED" || !strings.Contains(m.Message, "out of luck") {
		t.Errorf("%+v", m)
	}
	if got := w.thread("a"); !strings.Contains(got, "code: AGENT_CRASHED") {
		t.Error(got)
	}
	for _, i := range w.items("a") {
		if i.Metadata.Type == wire.ThreadFailed {
			t.Error("the failure is in the thread itself")
		}
	}
	t.Run("failed to pending tries again", func(t *testing.T) {
		w.t = t
		_, err := w.user.Post(t.Context(), "a", "say better")
		ok(t, err)
		ok(t, w.user.SetState(t.Context(), "a", wire.Pending))
		stop := w.start()
		w.until("a fails again, of the same word", func() bool { return len(w.items(wire.WorkerAlias)) == 2 })
		ok(t, stop())
	})
}

type ctx = context.Context

// spy sees what is written to a wire.
type spy struct {
	wire.Wire
	before func(alias string)
}

func (s spy) Put(ctx ctx, alias string, revision uint64, value json.RawMessage) (uint64, error) {
	s.before(alias)
	return s.Wire.Put(ctx, alias, revision, value)
}

func (s spy) Post(ctx ctx, alias string, item wire.Item) (wire.Item, error) {
	s.before(alias)
	return s.Wire.Post(ctx, alias, item)
}

func TestLawW09_LocalFirst(t *testing.T) {
	for _, c := range []struct {
		say  string
		want string // of the local file at the writes to the thread
	}{
		{"say x", "active"}, {"crash", "failed"},
	} {
		t.Run(c.want, func(t *testing.T) {
			w := newWorld(t)
			w.hand("a", c.say)
			seen := ""
			stop := w.start(func(k *worker.Worker) {
				k.Open = func(root string) (wire.Wire, error) {
					return spy{w.wire, func(alias string) {
						b, _ := os.ReadFile(filepath.Join(string(w.tree), "jobs/session_agent_harness-s1/threads/a/thread.yaml"))
						section, _ := os.ReadFile(filepath.Join(string(w.tree), "jobs/session_agent_harness-s1/section.yaml"))
						state := "nothing"
						for _, s := range []string{"active", "failed"} {
							if strings.Contains(string(b), "state: "+s) {
								state = s
							}
						}
						if alias == "a" {
							seen += state + " "
						} else if !strings.Contains(string(section), "status: attached") {
							t.Errorf("the worker object came before section.yaml: %s", section)
						}
					}}, nil
				}
			})
			if c.want == "active" {
				w.await("a", wire.TurnEnd, 1)
			} else {
				w.failure("a")
			}
			ok(t, stop())
			if strings.Contains(seen, "nothing") || !strings.HasSuffix(seen, c.want+" ") {
				t.Error(seen)
			}
		})
	}
}

func TestLawW10_Approval(t *testing.T) {
	for _, c := range []struct{ name, reply, resolution, result string }{
		{"yes", "yes", "allowed", "→ done (1 line)"},
		{"no, with what is told to the agent", "no, not there", "denied", "→ A person said no: no, not there (1 line)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.hand("a", "run touch made; echo done")
			stop := w.start()
			q := w.await("a", wire.Prompt, 1)
			if _, err := os.Stat(filepath.Join(w.work, "made")); err == nil {
				t.Error("it ran before the answer")
			}
			if !strings.Contains(q.TextOf(), "Bash → touch made; echo done") || q.Metadata.Question == "" {
				t.Errorf("%+v", q)
			}
			_, err := w.user.Post(t.Context(), "a", c.reply)
			ok(t, err)
			w.await("a", wire.TurnEnd, 1)
			_, err = w.user.Post(t.Context(), "a", "say next")
			ok(t, err)
			w.await("a", wire.TurnEnd, 2)
			ok(t, stop())
			want := "ann run touch made; echo done\ntool_call Bash → touch made; echo done\npending_prompt " + q.TextOf() + "\nann " + c.reply +
				"\npending_prompt_resolved Bash → touch made; echo done: " + c.resolution + c.resolution + "\ntool_result " + c.result + "\nturn_end \nann say next\ntext next\nturn_end \n"
			if got := lines(w.items("a")); got != want {
				t.Errorf("%s\nwant\n%s", got, want)
			}
			if _, err := os.Stat(filepath.Join(w.work, "made")); (err == nil) != (c.resolution == "allowed") {
				t.Errorf("made: %v", err)
			}
		})
	}
	t.Run("nobody reachable denies", func(t *testing.T) {
		w := newWorld(t)
		w.hand("a", "run touch made")
		stop := w.start(func(k *worker.Worker) { k.Nobody = true })
		w.await("a", wire.TurnEnd, 1)
		ok(t, stop())
		if _, err := os.Stat(filepath.Join(w.work, "made")); err == nil {
			t.Error("it ran")
		}
		if m := w.await("a", wire.PromptResolved, 1).Metadata; m.Resolution != "denied" || m.By != "nobody" {
			t.Errorf("%+v", m)
		}
	})
	t.Run("autonomous has no gate", func(t *testing.T) {
		w := newWorld(t)
		w.hand("a", "run touch made", `,"permissions":"autonomous"`)
		stop := w.start(func(k *worker.Worker) { k.Nobody = true })
		w.await("a", wire.TurnEnd, 1)
		ok(t, stop())
		if _, err := os.Stat(filepath.Join(w.work, "made")); err != nil {
			t.Error(err)
		}
		if got := lines(w.items("a")); strings.Contains(got, "prompt") {
			t.Error(got)
		}
	})
	t.Run("the license answers, and is told who asks", func(t *testing.T) {
		w := newWorld(t)
		w.hand("a", "run touch made")
		stop := w.start(func(k *worker.Worker) { k.License = licensed{} })
		w.await("a", wire.TurnEnd, 1)
		ok(t, stop())
		if _, err := os.Stat(filepath.Join(w.work, "made")); err != nil {
			t.Error(err)
		}
		if m := w.await("a", wire.PromptResolved, 1).Metadata; m.Resolution != "allowed" || m.By != "s1 a claude_code Bash" {
			t.Errorf("%+v", m)
		}
	})
}

type licensed struct{}

func (licensed) Ask(_ ctx, r worker.Request, asking func()) (driver.Answer, string, error) {
	asking()
	return driver.Answer{Allow: true}, strings.Join([]string{r.Session, r.Alias, r.AgentType, r.Tool}, " "), nil
}

// process starts a worker as a process of its own.
func (w *world) process() *exec.Cmd {
	w.t.Helper()
	w.write()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "SCRIPTED=worker", "TREE="+string(w.tree))
	c.Stderr = os.Stderr
	ok(w.t, c.Start())
	w.t.Cleanup(func() { // where the test gave up: it ends its agents
		if c.ProcessState == nil {
			_ = c.Process.Signal(syscall.SIGTERM)
			_ = c.Wait()
		}
	})
	return c
}

// TestLoweredPermissions: what the thread permits holds from the next turn on, for an agent that goes on by its session id.
func TestLoweredPermissions(t *testing.T) {
	w := newWorld(t)
	w.hand("a", "run echo free", `,"permissions":"autonomous"`)
	stop := w.start()
	w.await("a", wire.TurnEnd, 1)
	for i, lowered := range []any{"approval", 7} {
		ok(t, w.user.Configure(t.Context(), "a", "agent", "permissions", lowered))
		_, err := w.user.Post(t.Context(), "a", "args\nrun echo asked")
		ok(t, err)
		w.await("a", wire.Prompt, i+1)
		_, err = w.user.Post(t.Context(), "a", "yes")
		ok(t, err)
		w.await("a", wire.TurnEnd, 2*i+2)
		ok(t, w.user.Configure(t.Context(), "a", "agent", "permissions", "autonomous"))
		_, err = w.user.Post(t.Context(), "a", "run echo free again")
		ok(t, err)
		w.await("a", wire.TurnEnd, 2*i+3)
	}
	ok(t, stop())
	if got := lines(w.items("a")); !strings.Contains(got, "--resume=session-new") {
		t.Error(got)
	}
}

func TestLawW11_Recovery(t *testing.T) {
	begun := func(t *testing.T, say string, kind wire.ItemType) *world {
		w := newWorld(t)
		_, err := w.tree.Identity("bot")
		ok(t, err)
		w.hand("a", "say first")
		c := w.process()
		w.await("a", wire.TurnEnd, 1)
		_, err = w.user.Post(t.Context(), "a", say)
		ok(t, err)
		w.await("a", kind, 1)
		ok(t, c.Process.Kill())
		_ = c.Wait()
		return w
	}
	t.Run("goes on by session id, tells the missed, ends what was left, cancels the stale question, doubles nothing", func(t *testing.T) {
		w := begun(t, "orphan\nrun echo late", wire.Prompt)
		orphan := w.await("a", wire.Text, 2).TextOf()
		if !alive(orphan) {
			t.Fatal("the orphan is gone too early")
		}
		before := lines(w.items("a"))
		_, err := w.user.Post(t.Context(), "a", "args")
		ok(t, err)
		stop := w.start()
		w.await("a", wire.PromptResolved, 1)
		if alive(orphan) {
			t.Error("what the dead agent started is still there")
		}
		w.await("a", wire.Prompt, 2)
		_, err = w.user.Post(t.Context(), "a", "yes")
		ok(t, err)
		w.await("a", wire.TurnEnd, 3) // what came meanwhile is a turn of its own
		ok(t, stop())
		got := lines(w.items("a"))
		if !strings.HasPrefix(got, before) || strings.Count(got, "text first\n") != 1 || !strings.Contains(got, "--resume=session-new") ||
			strings.Count(got, "cancelled\n") != 1 || strings.Count(got, "tool_call") != strings.Count(got, "tool_result") {
			t.Error(got)
		}
	})
	t.Run("a resume that fails is AGENT_CRASHED", func(t *testing.T) {
		w := begun(t, "hang", wire.TurnEnd)
		file := filepath.Join(string(w.tree), "jobs/session_agent_harness-s1/threads/a/thread.yaml")
		ok(t, os.WriteFile(file, []byte(strings.Replace(w.thread("a"), "session-new", "session-missing", 1)), 0o600))
		stop := w.start()
		if m := w.failure("a"); m.Code != "AGENT_CRASHED" || !strings.Contains(m.Message, "No conversation found") {
			t.Errorf("%+v", m)
		}
		ok(t, stop())
	})
	t.Run("both sides must be active", func(t *testing.T) {
		w := begun(t, "hang", wire.TurnEnd)
		ok(t, w.user.SetState(t.Context(), "a", wire.Completed))
		w.hand("b", "say other")
		stop := w.start()
		w.await("b", wire.TurnEnd, 1)
		ok(t, stop())
		if got := w.thread("a"); !strings.Contains(got, "state: completed") {
			t.Error(got)
		}
	})
	t.Run("the folder is checked again", func(t *testing.T) {
		w := begun(t, "hang", wire.TurnEnd)
		ok(t, os.RemoveAll(w.work))
		stop := w.start()
		if m := w.failure("a"); m.Code != "WORK_FOLDER_NOT_FOUND" {
			t.Errorf("%+v", m)
		}
		ok(t, stop())
	})
	t.Run("another worker does not take it up", func(t *testing.T) {
		w := begun(t, "hang", wire.TurnEnd)
		own := w.tree
		w.tree = worker.Tree(filepath.Join(w.root, "other"))
		w.hand("b", "say other")
		stop := w.start()
		w.await("b", wire.TurnEnd, 1)
		ok(t, stop())
		if w.state("a") != wire.Active || strings.Count(lines(w.items("a")), "turn_end") != 1 {
			t.Error(lines(w.items("a")))
		}
		w.tree = own // its own one ends the agent that was left
		ok(t, w.user.SetState(t.Context(), "a", wire.Completed))
		w.hand("c", "say other")
		stop = w.start()
		w.await("c", wire.TurnEnd, 1)
		ok(t, stop())
	})
}

func TestLawW12_Completed(t *testing.T) {
	w := newWorld(t)
	w.hand("a", "orphan\nrun echo $$ > pid; sleep 1000", `,"permissions":"autonomous"`)
	stop := w.start()
	orphan := w.await("a", wire.Text, 1).TextOf()
	w.await("a", wire.ToolCall, 1)
	ok(t, w.user.SetState(t.Context(), "a", wire.Completed))
	w.await("a", wire.ToolResult, 1) // the call that was cut short has one
	ok(t, stop())
	if alive(orphan) {
		t.Error("what left the group is still there")
	}
	if pid, err := os.ReadFile(filepath.Join(w.work, "pid")); err == nil && alive(strings.TrimSpace(string(pid))) {
		t.Error("the command is still there")
	}
	if w.state("a") != wire.Completed || !strings.Contains(w.thread("a"), "state: completed") {
		t.Errorf("%s\n%s", w.state("a"), w.thread("a"))
	}
	if got := lines(w.items(wire.WorkerAlias)); got != "" {
		t.Errorf("a failure: %s", got)
	}
}

func TestLawW13_OneWorker(t *testing.T) {
	t.Run("a second one is refused, a dead one's lock is taken over", func(t *testing.T) {
		w := newWorld(t)
		w.hand("a", "say x")
		_, err := w.tree.Identity("bot")
		ok(t, err)
		c := w.process()
		w.await("a", wire.TurnEnd, 1)
		var e *worker.Error
		if err := w.worker().Run(t.Context()); !errors.As(err, &e) || e.Code != worker.AlreadyRunning || !strings.Contains(e.Message, fmt.Sprint(c.Process.Pid)) {
			t.Errorf("%v", err)
		}
		ok(t, c.Process.Kill())
		_ = c.Wait()
		if r, alive := w.tree.Instance(); alive || r.PID != c.Process.Pid {
			t.Errorf("%+v %v", r, alive)
		}
		_, err = w.user.Post(t.Context(), "a", "say y")
		ok(t, err)
		stop := w.start()
		w.await("a", wire.TurnEnd, 2)
		if r, alive := w.tree.Instance(); !alive || r.PID != os.Getpid() {
			t.Errorf("%+v %v", r, alive)
		}
		ok(t, stop())
		if _, err := os.Stat(filepath.Join(string(w.tree), "instance.yaml")); err == nil {
			t.Error("a clean stop left instance.yaml")
		}
	})
	t.Run("a stop that is asked for", func(t *testing.T) {
		w := newWorld(t)
		w.hand("a", "say x")
		stop := w.start()
		w.await("a", wire.TurnEnd, 1)
		ok(t, w.tree.Stop())
		w.until("the worker says that it stopped", func() bool {
			o, err := w.wire.Get(t.Context(), wire.WorkerAlias)
			return err == nil && strings.Contains(string(o.Value), `"status":"stopped"`)
		})
		ok(t, stop())
	})
}

// TestCompletedWhileNobodyDrove: the next worker ends what was left: the agent, its call, its question.
func TestCompletedWhileNobodyDrove(t *testing.T) {
	w := newWorld(t)
	_, err := w.tree.Identity("bot")
	ok(t, err)
	w.hand("a", "orphan\nrun echo asked")
	c := w.process()
	w.await("a", wire.Prompt, 1)
	orphan := w.await("a", wire.Text, 1).TextOf()
	ok(t, c.Process.Kill())
	_ = c.Wait()
	ok(t, w.user.SetState(t.Context(), "a", wire.Completed))
	stop := w.start()
	w.await("a", wire.ToolResult, 1)
	ok(t, stop())
	if m := w.await("a", wire.PromptResolved, 1).Metadata; m.Resolution != "cancelled" {
		t.Errorf("%+v", m)
	}
	if alive(orphan) {
		t.Error("what the agent started is still there")
	}
	if got := w.thread("a"); !strings.Contains(got, "state: completed") {
		t.Error(got)
	}
}

// TestAnswerOfOneQuestion: an answer to a question is for no other, and is not told to the agent.
func TestAnswerOfOneQuestion(t *testing.T) {
	w := newWorld(t)
	w.hand("a", "run touch made")
	stop := w.start()
	w.await("a", wire.Prompt, 1)
	open, err := wire.Questions(t.Context(), w.wire)
	ok(t, err)
	if len(open) != 1 || open[0].Call.Name != "Bash" {
		t.Fatalf("%+v", open)
	}
	other := open[0]
	other.Item.Metadata.Question = "another"
	ok(t, w.user.Answer(t.Context(), other, "yes"))
	ok(t, w.user.Answer(t.Context(), open[0], "no"))
	w.await("a", wire.TurnEnd, 1)
	_, err = w.user.Post(t.Context(), "a", "say next")
	ok(t, err)
	w.await("a", wire.TurnEnd, 2)
	ok(t, stop())
	if _, err := os.Stat(filepath.Join(w.work, "made")); err == nil {
		t.Error("the answer to another question was taken")
	}
	if got := lines(w.items("a")); !strings.HasSuffix(got, "ann say next\ntext next\nturn_end \n") {
		t.Error(got)
	}
	if open, err = wire.Questions(t.Context(), w.wire); err != nil || len(open) > 0 {
		t.Errorf("%+v %v", open, err)
	}
}

// TestManyQuestionsAtOnce: replies that name no question answer those that are open in the order in which they were asked.
func TestManyQuestionsAtOnce(t *testing.T) {
	w := newWorld(t)
	w.hand("a", "Ask.")
	d := asks{most: 8, next: make(chan struct{})}
	stop := w.start(func(k *worker.Worker) { k.Drivers = map[string]driver.Driver{"claude_code": d} })
	for n := range d.most {
		w.await("a", wire.Prompt, n+1)
		d.next <- struct{}{}
	}
	for n := range d.most {
		_, err := w.user.Post(t.Context(), "a", []string{"yes", "no"}[n%2])
		ok(t, err)
	}
	w.await("a", wire.TurnEnd, 1)
	ok(t, stop())
	var got []string
	for _, i := range w.items("a") {
		if m := i.Metadata; m.Type == wire.PromptResolved {
			got = append(got, m.InvocationID+" "+m.Resolution)
		}
	}
	if want := "0 allowed, 1 denied, 2 allowed, 3 denied, 4 allowed, 5 denied, 6 allowed, 7 denied"; strings.Join(got, ", ") != want {
		t.Errorf("%s\n%s", strings.Join(got, ", "), lines(w.items("a")))
	}
}

// asks is a client that asks many questions at once, each when it is told to.
type asks struct {
	most  int
	next  chan struct{}
	hooks driver.Hooks
}

func (a asks) Start(_ ctx, _ driver.Spec, h driver.Hooks) (driver.Agent, error) {
	a.hooks = h
	return a, nil
}

func (a asks) Turn(c ctx, _ uint64, _ string) (driver.End, error) {
	var all sync.WaitGroup
	for n := range a.most {
		all.Go(func() { a.hooks.Ask(c, driver.Question{Tool: "Bash", InvocationID: fmt.Sprint(n)}) })
		<-a.next
	}
	all.Wait()
	return driver.End{}, nil
}

func (asks) Steer(string) error { return nil }
func (asks) Interrupt() error   { return nil }
func (asks) Close() error       { return nil }
