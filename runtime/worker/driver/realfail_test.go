package driver_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"caper/runtime/model/modeltest"
	"caper/runtime/worker/driver"
)

// TestRealFailures: what goes wrong with the real clients ends the turn with a code and leaves no process.
func TestRealFailures(t *testing.T) {
	stopped := errors.New("stopped by a person")
	for _, c := range reals {
		t.Run(c.name, func(t *testing.T) {
			exe := client(t, c.name)
			for _, f := range []struct {
				name    string
				script  func(modeltest.Call) modeltest.Reply
				closed  bool
				stop    bool
				session string
				silence time.Duration
				codes   string // any of them: clients change what they wait for
			}{
				{name: "401", script: modeltest.Steps(modeltest.Fail(401, "authentication_error", "no such key")), codes: driver.CodeCrashed},
				{name: "500", script: modeltest.Steps(modeltest.Fail(500, "api_error", "broken")), codes: driver.CodeCrashed},
				{name: "refused", script: modeltest.Steps(modeltest.Say("x")), closed: true, silence: 5 * time.Second, codes: driver.CodeCrashed + driver.CodeTimedOut},
				// Claude refuses a command that only sleeps.
				{name: "a turn that never ends", script: modeltest.Steps(c.use("tail -f /dev/null"), modeltest.Say("it ended")), silence: 3 * time.Second, codes: driver.CodeTimedOut},
				{name: "stopped in a command", script: modeltest.Steps(c.use("touch begun; tail -f /dev/null")), stop: true},
				{name: "no such session", script: modeltest.Steps(modeltest.Say("x")), session: "00000000-0000-4000-8000-000000000000", codes: driver.CodeCrashed},
			} {
				t.Run(f.name, func(t *testing.T) {
					server := modeltest.New(f.script)
					defer server.Close()
					env := environ(t, server.URL)
					if f.closed {
						server.Close()
					}
					spec := driver.Spec{WorkFolder: t.TempDir(), Executable: exe, Autonomous: true, Environ: env, Mark: "test." + strings.ReplaceAll(t.Name(), "/", "."), SessionID: f.session, Silence: f.silence, Grace: time.Second}
					if c.name == "claude_code" {
						spec.Model = "claude-sonnet-4-5"
					}
					ctx, stop := context.WithCancelCause(t.Context())
					defer stop(nil)
					r := &told{}
					h := r.hooks()
					event := h.Event
					h.Event = func(e driver.Event) {
						event(e)
						if f.stop && e.Kind == driver.ToolCall {
							stop(stopped)
						}
					}
					a, err := c.driver.Start(ctx, spec, h)
					if err == nil {
						_, err = a.Turn(ctx, 1, "Do it.")
						defer a.Close()
					}
					var e *driver.Error
					switch {
					case f.stop:
						if !errors.Is(err, stopped) {
							t.Errorf("%v", err)
						}
					case !errors.As(err, &e) || !strings.Contains(f.codes, e.Code) || e.Message == "":
						t.Errorf("%v", err)
					}
					t.Log(err)
					if left := marked(spec.Mark); len(left) > 0 {
						t.Errorf("left: %q", left)
					}
				})
			}
		})
	}
}
