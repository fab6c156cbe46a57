package worker_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"caper/runtime/worker"
	"caper/runtime/worker/wire"
)

// TestCodesOfProcess: what keeps a worker from starting.
func TestCodesOfProcess(t *testing.T) {
	section := "- {name: one, job_type: session_agent_harness, session: {session_id: s1}}\n"
	for _, c := range []struct {
		name  string
		spoil func(w *world, k *worker.Worker)
		code  worker.Code
	}{
		{"no identity", func(_ *world, k *worker.Worker) { k.User = "" }, worker.IdentityNotFound},
		{"an identity without a name", func(w *world, k *worker.Worker) { w.put("identity.yaml", "user_id: bot\n") }, worker.IdentityNotFound},
		{"another identity", func(w *world, k *worker.Worker) { w.put("identity.yaml", "user_id: eve\nworker_id: x\n") }, worker.IdentityMismatch},
		{"no config", func(w *world, _ *worker.Worker) { ok(w.t, os.Remove(filepath.Join(string(w.tree), "config.yaml"))) }, worker.InvalidConfig},
		{"no YAML", func(w *world, _ *worker.Worker) { w.put("config.yaml", "a: [") }, worker.InvalidConfig},
		{"a member of another name", func(w *world, _ *worker.Worker) { w.put("config.yaml", w.config+"more: 1\n") }, worker.InvalidConfig},
		{"a wrong type", func(w *world, _ *worker.Worker) {
			w.put("config.yaml", strings.Replace(w.config, "max_agents: 4", "max_agents: many", 1))
		}, worker.InvalidConfig},
		{"no agents at all", func(w *world, _ *worker.Worker) {
			w.put("config.yaml", strings.Replace(w.config, "max_agents: 4", "max_agents: 0", 1))
		}, worker.InvalidConfig},
		{"an agent of no type", func(w *world, _ *worker.Worker) {
			w.put("config.yaml", strings.Replace(w.config, "claude_code:", "gpt:", 1))
		}, worker.InvalidConfig},
		{"no sections", func(w *world, _ *worker.Worker) { w.put("config.yaml", strings.Split(w.config, "sections:")[0]) }, worker.InvalidConfig},
		{"a relative wire", func(w *world, _ *worker.Worker) {
			w.put("config.yaml", strings.Replace(w.config, "wire: /", "wire: ", 1))
		}, worker.InvalidConfig},
		{"a session outside", func(w *world, _ *worker.Worker) {
			w.put("config.yaml", strings.Replace(w.config, "session_id: s1", "session_id: ../s1", 1))
		}, worker.InvalidConfig},
		{"a bomb of aliases", func(w *world, _ *worker.Worker) {
			w.put("config.yaml", "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b]\n")
		}, worker.InvalidConfig},
		{"a huge file", func(w *world, _ *worker.Worker) { w.put("config.yaml", w.config+"#"+strings.Repeat("x", 1<<20)) }, worker.InvalidConfig},
		{"a job of another type", func(w *world, _ *worker.Worker) {
			w.put("config.yaml", strings.Replace(w.config, "session_agent_harness", "other", 1))
		}, worker.UnknownJobType},
		{"no session", func(w *world, _ *worker.Worker) {
			w.put("config.yaml", strings.Replace(w.config, "session_id: s1", "org_id: o", 1))
		}, worker.MissingSessionKeys},
		{"a session twice", func(w *world, _ *worker.Worker) { w.put("config.yaml", w.config+section) }, worker.DuplicateSection},
		{"no credentials", func(w *world, _ *worker.Worker) {
			w.put("config.yaml", strings.Replace(w.config, "    env:", "    credentials: /none\n    env:", 1))
		}, worker.CredentialsNotFound},
		{"credentials for all to see", func(w *world, _ *worker.Worker) {
			w.put("keys", "KEY: x\n")
			ok(w.t, os.Chmod(filepath.Join(string(w.tree), "keys"), 0o644))
			w.put("config.yaml", strings.Replace(w.config, "    env:", "    credentials: "+string(w.tree)+"/keys\n    env:", 1))
		}, worker.InsecureCredentials},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.write()
			k := w.worker()
			c.spoil(w, k)
			var e *worker.Error
			if err := k.Run(t.Context()); !errors.As(err, &e) || e.Code != c.code || e.Message == "" {
				t.Errorf("%v", err)
			}
			if _, alive := w.tree.Instance(); alive {
				t.Error("the tree is still locked")
			}
		})
	}
}

func (w *world) put(name, text string) {
	w.t.Helper()
	ok(w.t, os.WriteFile(filepath.Join(string(w.tree), name), []byte(text), 0o600))
}

// TestCodesOfSection: one section stops, the other goes on.
func TestCodesOfSection(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(w *world)
		code  worker.Code
	}{
		{"another user's", func(w *world) {
			ok(w.t, wire.NewWorker(w.wire, "eve", "x").Attach(w.t.Context(), wire.Instance{}))
		}, worker.SessionOwned},
		{"malformed", func(w *world) {
			_, err := w.wire.Put(w.t.Context(), wire.WorkerAlias, 0, json.RawMessage(`{"thread":7}`))
			ok(w.t, err)
		}, worker.WorkerMalformed},
		{"no such session", func(w *world) { ok(w.t, os.RemoveAll(filepath.Join(w.root, "wire", "s1"))) }, worker.SessionNotFound},
		{"detached while an agent runs", nil, worker.SessionDetached},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			other := newWorld(t)
			ok(t, os.Rename(filepath.Join(other.root, "wire", "s1"), filepath.Join(w.root, "wire", "s2")))
			ok(t, os.Symlink(filepath.Join(w.root, "wire", "s2"), filepath.Join(other.root, "wire", "s1")))
			other.hand("b", "say x")
			w.config += "- {name: two, job_type: session_agent_harness, session: {session_id: s2}}\n"
			if c.spoil != nil {
				c.spoil(w)
			} else {
				w.hand("a", "orphan\nhang")
			}
			stop := w.start()
			if c.spoil == nil {
				orphan := w.await("a", wire.Text, 1).TextOf()
				ok(t, w.wire.Delete(t.Context(), wire.WorkerAlias))
				other.hand("c", "say y")
				for alive(orphan) {
				}
			}
			other.await("b", wire.TurnEnd, 1)
			ok(t, stop())
			b, err := os.ReadFile(w.tree.SectionFile("s1"))
			ok(t, err)
			if text := string(b); !strings.Contains(text, "status: refused") || !strings.Contains(text, "code: "+string(c.code)) {
				t.Error(text)
			}
			if b, _ := os.ReadFile(w.tree.SectionFile("s2")); !strings.Contains(string(b), "status: attached") {
				t.Errorf("%s", b)
			}
		})
	}
}

// TestHostileAgents: each fails its own thread with a readable message, and another thread goes on.
func TestHostileAgents(t *testing.T) {
	for _, c := range []struct{ say, code, message string }{
		{"crash", "AGENT_CRASHED", "out of luck"},
		{"nothing", "AGENT_CRASHED", "in the middle of its work"},
		{"garbage", "AGENT_PROTOCOL", "no JSON"},
		{"long", "AGENT_PROTOCOL", "more than 16 MB"},
		{"half", "AGENT_PROTOCOL", "in the middle of a line"},
		{"wrong", "AGENT_PROTOCOL", "another form"},
		{"hang", "AGENT_TIMED_OUT", "said nothing for 2s"},
		{"error 500 from the model", "AGENT_CRASHED", "500 from the model"},
	} {
		t.Run(strings.Fields(c.say)[0], func(t *testing.T) {
			w := newWorld(t)
			if c.say == "hang" {
				w.config = strings.Replace(w.config, "    env:", "    silence_ms: 2000\n    env:", 1)
			}
			w.hand("other", "say still here")
			w.hand("a", "say before\n"+c.say)
			stop := w.start()
			m := w.failure("a")
			if m.Code != c.code || !strings.Contains(m.Message, c.message) || len(m.Message) > 700 {
				t.Errorf("%+v", m)
			}
			_, err := w.user.Post(t.Context(), "other", "say and again")
			ok(t, err)
			w.await("other", wire.TurnEnd, 2)
			ok(t, stop())
		})
	}
}

// TestHostileObjects: they are edited, wrong and huge while others are driven.
func TestHostileObjects(t *testing.T) {
	w := newWorld(t)
	objects := filepath.Join(w.root, "wire", "s1", "objects")
	ok(t, os.WriteFile(filepath.Join(objects, "torn.json"), []byte(`{"revision":1,`), 0o600))
	ok(t, os.WriteFile(filepath.Join(objects, "latin.json"), []byte("{\"revision\":1,\"value\":{\"thread\":{\"metadata\":{\"instance\":{\"state\":\"pending\"},\"x\":\"\xff\"}}}}"), 0o600))
	ok(t, os.WriteFile(filepath.Join(objects, "huge.json"), []byte(`{"revision":1,"value":{"x":"`+strings.Repeat("x", 2<<20)+`"}}`), 0o600))
	w.raw("odd", `{"thread":{"metadata":{"instance":{"state":"pending","x":[]},"agent":[1]}}}`, "")
	w.hand("a", "say "+strings.Repeat("x", 1000)+"\nbig")
	stop := w.start()
	if m := w.failure("odd"); m.Code != "METADATA_MALFORMED" {
		t.Errorf("%+v", m)
	}
	w.await("a", wire.TurnEnd, 1)
	if big := w.await("a", wire.Text, 2); !big.Metadata.Truncated || len(big.TextOf()) > 512<<10 || len(big.TextOf()) < 500<<10 {
		t.Errorf("%d %+v", len(big.TextOf()), big.Metadata)
	}
	// A thread that is edited while it runs goes on as it began.
	ok(t, w.user.Configure(t.Context(), "a", "workspace", "work_folder", "/none"))
	ok(t, w.user.Configure(t.Context(), "a", "agent", "type", 7))
	_, err := w.user.Post(t.Context(), "a", "say on")
	ok(t, err)
	w.await("a", wire.TurnEnd, 2)
	// One that is deleted leaves.
	ok(t, w.wire.Delete(t.Context(), "a"))
	w.hand("b", "say b")
	w.await("b", wire.TurnEnd, 1)
	ok(t, stop())
}

// TestWorkFolderVanishes: the agent finds out, or the next one does.
func TestWorkFolderVanishes(t *testing.T) {
	w := newWorld(t)
	w.hand("a", "say x")
	stop := w.start()
	w.await("a", wire.TurnEnd, 1)
	ok(t, os.RemoveAll(w.work))
	_, err := w.user.Post(t.Context(), "a", "crash")
	ok(t, err)
	if m := w.failure("a"); !strings.Contains(m.Message, "the work folder is gone") {
		t.Errorf("%+v", m)
	}
	ok(t, stop())
}

// TestEnvironment: an agent gets what its entry names and nothing else of ours.
func TestEnvironment(t *testing.T) {
	w := newWorld(t)
	ok(t, os.MkdirAll(string(w.tree), 0o700))
	w.put("keys", "AGENT_KEY: sk-agent\n")
	w.config = strings.Replace(w.config, "    env:", "    credentials: "+string(w.tree)+"/keys\n    inherit: [PASSED]\n    env:", 1)
	w.hand("a", "env")
	stop := w.start(func(k *worker.Worker) { k.Environ = append(k.Environ, "PASSED=on") })
	text := w.await("a", wire.Text, 1).TextOf()
	ok(t, stop())
	for _, want := range []string{"AGENT_KEY=sk-agent", "PASSED=on", "SCRIPTED=agent", "PATH=", "PWD=" + w.work} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(text, "SECRET_KEY") {
		t.Error("it got a secret of ours")
	}
}

// TestEveryCode: each code has a cause that a test produces, or is reserved.
func TestEveryCode(t *testing.T) {
	var tests strings.Builder
	files, err := filepath.Glob("*_test.go")
	ok(t, err)
	for _, f := range files {
		b, err := os.ReadFile(f)
		ok(t, err)
		tests.Write(b)
	}
	total := 0
	for _, name := range []string{"codes.go", "driver/driver.go"} {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		ok(t, err)
		for _, d := range f.Decls {
			g, isGen := d.(*ast.GenDecl)
			if !isGen || g.Tok != token.CONST || !strings.HasPrefix(g.Doc.Text(), "Codes ") {
				continue
			}
			reserved := strings.HasPrefix(g.Doc.Text(), "Codes that are reserved.")
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				code := strings.Trim(v.Values[0].(*ast.BasicLit).Value, `"`)
				produced := regexp.MustCompile(`worker\.` + v.Names[0].Name + `\b|"` + code + `"`).MatchString(tests.String())
				if produced == reserved {
					t.Errorf("%s: produced by a test: %v, reserved: %v", code, produced, reserved)
				}
				total++
			}
		}
	}
	if total != 27 {
		t.Errorf("%d codes", total)
	}
}
