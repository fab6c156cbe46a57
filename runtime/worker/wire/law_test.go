package wire_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"caper/runtime/worker/wire"
	"caper/runtime/worker/wire/dir"

	"github.com/google/go-cmp/cmp"
)

func session(t *testing.T) wire.Wire {
	t.Helper()
	d, err := dir.Make(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, w wire.Wire, alias string) wire.Object {
	t.Helper()
	o, err := w.Get(t.Context(), alias)
	ok(t, err)
	return o
}

// full is an envelope with keys that nobody here knows, at every level.
const full = `{"v":2,"thread":{"title":"<b>","metadata":{"x":[1.0,{"y":null}],
	"workspace":{"work_folder":"/w","branch":"main"},"agent":{"type":"codex","temperature":0.10,"big":123456789012345678901},
	"instance":{"state":"pending","note":"keep"}}}}`

// without answers an envelope less the members that a worker may write.
func without(t *testing.T, value json.RawMessage) any {
	t.Helper()
	var v map[string]any
	d := json.NewDecoder(strings.NewReader(string(value)))
	d.UseNumber()
	ok(t, d.Decode(&v))
	in, _ := v["thread"].(map[string]any)["metadata"].(map[string]any)["instance"].(map[string]any)
	delete(in, "state")
	delete(in, "worker")
	return v
}

func TestLawW01_Envelope(t *testing.T) {
	t.Run("the blocks are under value.thread.metadata", func(t *testing.T) {
		w := session(t)
		typ, model := "claude_code", "m"
		ok(t, wire.NewUser(w, "u").Create(t.Context(), "a", "/w", wire.AgentSettings{Type: &typ, Model: &model}))
		ok(t, wire.NewUser(w, "u").SetState(t.Context(), "a", wire.Pending))
		want := `{"thread":{"metadata":{"agent":{"type":"claude_code","model":"m"},"instance":{"state":"pending"},"workspace":{"work_folder":"/w"}}}}`
		if got := string(get(t, w, "a").Value); got != want {
			t.Error(got)
		}
		th, err := wire.Read(get(t, w, "a").Value)
		ok(t, err)
		if *th.Workspace.WorkFolder != "/w" || *th.Agent.Type != typ || *th.Agent.Model != model || th.Agent.Effort != nil || th.Instance.State != wire.Pending {
			t.Errorf("%+v", th)
		}
	})
	t.Run("unknown keys survive every write of both sides", func(t *testing.T) {
		w := session(t)
		u, h := wire.NewUser(w, "u"), wire.NewWorker(w, "w", "tree")
		ok(t, u.CreateValue(t.Context(), "a", json.RawMessage(full)))
		for _, step := range []func() error{
			func() error { return h.Activate(t.Context(), "a") },
			func() error { return h.Fail(t.Context(), "a") },
			func() error { return u.SetState(t.Context(), "a", wire.Pending) },
			func() error { return u.SetState(t.Context(), "a", wire.Completed) },
		} {
			ok(t, step())
			if d := cmp.Diff(without(t, json.RawMessage(full)), without(t, get(t, w, "a").Value)); d != "" {
				t.Fatal(d)
			}
		}
		ok(t, u.Configure(t.Context(), "a", "agent", "model", "other"))
		if got := string(wire.Metadata(get(t, w, "a").Value, "agent")); got != `{"big":123456789012345678901,"model":"other","temperature":0.10,"type":"codex"}` {
			t.Error(got)
		}
	})
}

func TestLawW03_Ownership(t *testing.T) {
	w := session(t)
	u, h := wire.NewUser(w, "u"), wire.NewWorker(w, "w", "tree")
	ok(t, u.CreateValue(t.Context(), "a", json.RawMessage(full)))
	t.Run("the worker's type has no way to write workspace or agent", func(t *testing.T) {
		var names []string
		typ := reflect.TypeOf(h)
		for i := range typ.NumMethod() {
			names = append(names, typ.Method(i).Name)
		}
		if got := strings.Join(names, " "); got != "Activate Announce Attach Fail Mine Own Post" {
			t.Errorf("a new method of Worker needs a look at what it writes: %s", got)
		}
		for i := range typ.Elem().NumField() {
			if f := typ.Elem().Field(i); f.IsExported() {
				t.Errorf("%s lets others write", f.Name)
			}
		}
	})
	t.Run("what it writes leaves them as they are", func(t *testing.T) {
		before := get(t, w, "a").Value
		ok(t, h.Activate(t.Context(), "a"))
		ok(t, h.Fail(t.Context(), "a"))
		after := get(t, w, "a").Value
		if d := cmp.Diff(without(t, before), without(t, after)); d != "" {
			t.Error(d)
		}
	})
	t.Run("the user writes neither active nor failed", func(t *testing.T) {
		for _, s := range []wire.State{wire.Active, wire.Failed} {
			var refused *wire.TransitionError
			if err := u.SetState(t.Context(), "a", s); !errors.As(err, &refused) {
				t.Errorf("%s: %v", s, err)
			}
			value := json.RawMessage(fmt.Sprintf(`{"thread":{"metadata":{"instance":{"state":%q}}}}`, s))
			if err := u.CreateValue(t.Context(), "new-"+string(s), value); !errors.As(err, &refused) {
				t.Errorf("made as %s: %v", s, err)
			}
		}
	})
	t.Run("the user writes no instance as a setting", func(t *testing.T) {
		for _, block := range []string{"instance", "user", ""} {
			if u.Configure(t.Context(), "a", block, "state", "active") == nil {
				t.Errorf("%q was written", block)
			}
		}
	})
	t.Run("the user does not make the worker's object", func(t *testing.T) {
		if u.CreateValue(t.Context(), wire.WorkerAlias, json.RawMessage(`{}`)) == nil {
			t.Error("it was made")
		}
	})
}

// legal is the law's table, written out once more.
const legal = `
user   none→pending pending→completed active→completed failed→completed failed→pending
worker pending→active pending→failed active→failed`

func TestLawW04_Transitions(t *testing.T) {
	for _, side := range []wire.Side{wire.UserSide, wire.WorkerSide} {
		for _, from := range wire.States {
			for _, to := range wire.States {
				name := fmt.Sprintf("%s→%s", from, to)
				if from == wire.None {
					name = "none" + name
				}
				t.Run(string(side)+" "+name, func(t *testing.T) {
					may := false
					for _, line := range strings.Split(legal, "\n") {
						may = may || strings.HasPrefix(line, string(side)) && strings.Contains(line+" ", " "+name+" ")
					}
					w := session(t)
					value := fmt.Sprintf(`{"thread":{"metadata":{"instance":{"state":%q,"worker":"tree"}}}}`, from)
					_, err := w.Put(t.Context(), "a", 0, json.RawMessage(value))
					ok(t, err)
					switch {
					case side == wire.UserSide:
						err = wire.NewUser(w, "u").SetState(t.Context(), "a", to)
					case to == wire.Active:
						err = wire.NewWorker(w, "w", "tree").Activate(t.Context(), "a")
					case to == wire.Failed:
						err = wire.NewWorker(w, "w", "tree").Fail(t.Context(), "a")
					default: // its type has no method that writes this
						if may {
							t.Error("the worker cannot make it")
						}
						return
					}
					after, _ := wire.StateOf(get(t, w, "a").Value)
					var refused *wire.TransitionError
					switch {
					case may && (err != nil || after != to):
						t.Errorf("%v, and it is %q", err, after)
					case !may && (!errors.As(err, &refused) || after != from):
						t.Errorf("%v, and it is %q", err, after)
					}
				})
			}
		}
	}
	t.Run("the data is the law", func(t *testing.T) {
		if n := strings.Count(legal, "→"); n != len(wire.Transitions) {
			t.Errorf("%d transitions, the law has %d", len(wire.Transitions), n)
		}
	})
	t.Run("of two workers one takes a thread, and the other does not fail it", func(t *testing.T) {
		w := session(t)
		ok(t, wire.NewUser(w, "u").CreateValue(t.Context(), "a", json.RawMessage(full)))
		one, two := wire.NewWorker(w, "w", "one"), wire.NewWorker(w, "w", "two")
		ok(t, one.Activate(t.Context(), "a"))
		var refused *wire.TransitionError
		if err := two.Activate(t.Context(), "a"); !errors.As(err, &refused) {
			t.Error(err)
		}
		var other *wire.NotOursError
		if err := two.Fail(t.Context(), "a"); !errors.As(err, &other) {
			t.Error(err)
		}
	})
}

func TestLawW14_WorkerObject(t *testing.T) {
	in := wire.Instance{ID: "i", Version: "1", Status: "running"}
	t.Run("it is made, and found again by the same user", func(t *testing.T) {
		w := session(t)
		ok(t, wire.NewWorker(w, "ann", "one").Attach(t.Context(), in))
		ok(t, wire.NewWorker(w, "ann", "two").Attach(t.Context(), in))
	})
	t.Run("another user's is refused, whatever its heartbeat says", func(t *testing.T) {
		for _, status := range []string{"running", "stopped", "anything"} {
			w := session(t)
			ok(t, wire.NewWorker(w, "ann", "one").Attach(t.Context(), wire.Instance{Status: status})) // last seen in year 1
			var owned *wire.OwnedError
			if err := wire.NewWorker(w, "bob", "two").Attach(t.Context(), in); !errors.As(err, &owned) || owned.User != "ann" {
				t.Errorf("%s: %v", status, err)
			}
		}
	})
	t.Run("one that is malformed is left alone", func(t *testing.T) {
		for _, value := range []string{`{}`, `[]`, `{"thread":{"metadata":{"user":{"user_id":7}}}}`, `{"thread":{"metadata":{"user":{"user_id":""}}}}`} {
			w := session(t)
			_, err := w.Put(t.Context(), wire.WorkerAlias, 0, json.RawMessage(value))
			ok(t, err)
			var malformed *wire.MalformedError
			if err := wire.NewWorker(w, "ann", "one").Attach(t.Context(), in); !errors.As(err, &malformed) {
				t.Errorf("%s: %v", value, err)
			}
			if got := get(t, w, wire.WorkerAlias); string(got.Value) != value {
				t.Errorf("%s became %s", value, got.Value)
			}
		}
	})
}
