package driver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"caper/runtime/model/modeltest"
	"caper/runtime/worker/driver"
	"caper/runtime/worker/driver/drivertest"
)

// client answers a real client, or skips.
func client(t *testing.T, kind string) string {
	t.Helper()
	path, err := drivertest.Real(kind)
	if err != nil {
		t.Skip(err)
	}
	return path
}

// environ is what a client needs to speak with a loopback model, and nothing else.
func environ(t *testing.T, url string) []string {
	t.Helper()
	home, err := os.MkdirTemp(os.Getenv("CAPER_AGENTS_HOME"), "home")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	vars, err := drivertest.Loopback(home, url)
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=" + os.Getenv("PATH")}
	for name, value := range vars {
		env = append(env, name+"="+value)
	}
	return env
}

// told is what hooks were told, as text.
type told struct {
	lines   []string
	session string
	answer  driver.Answer
	asked   []driver.Question
}

func (r *told) hooks() driver.Hooks {
	return driver.Hooks{
		Session: func(id string) { r.session = id },
		Event: func(e driver.Event) {
			r.lines = append(r.lines, strings.TrimSpace(fmt.Sprintf("%s %s %s", e.Kind, e.Tool, strings.ReplaceAll(strings.TrimSpace(e.Text), "\n", "|"))))
		},
		Ask: func(_ context.Context, q driver.Question) driver.Answer {
			r.asked = append(r.asked, q)
			return r.answer
		},
	}
}

type realCase struct {
	name   string
	driver driver.Driver
	use    func(command string) modeltest.Reply
	tool   string
}

var reals = []realCase{
	{"claude_code", driver.Claude{}, func(command string) modeltest.Reply {
		b, _ := json.Marshal(map[string]string{"command": command, "description": "writes"})
		return modeltest.Use("Bash", string(b))
	}, "Bash"},
	{"codex", driver.Codex{}, func(command string) modeltest.Reply {
		b, _ := json.Marshal(map[string]string{"cmd": command})
		return modeltest.Use("exec_command", string(b))
	}, "shell"},
}

// TestReal drives the real clients against a model on the loopback.
func TestReal(t *testing.T) {
	for _, c := range reals {
		t.Run(c.name, func(t *testing.T) {
			exe := client(t, c.name)
			for _, mode := range []struct {
				name       string
				autonomous bool
				allow      bool
				written    bool
				asked      int
			}{
				{"allowed", false, true, true, 1},
				{"denied", false, false, false, 1},
				{"autonomous", true, false, true, 0},
			} {
				t.Run(mode.name, func(t *testing.T) {
					work := t.TempDir()
					server := modeltest.New(modeltest.Steps(c.use("touch made.txt && echo done"), modeltest.Say("It is done."), modeltest.Say("Again.")))
					defer server.Close()
					r := &told{answer: driver.Answer{Allow: mode.allow, Message: "not today"}}
					spec := driver.Spec{WorkFolder: work, Executable: exe, Autonomous: mode.autonomous, Environ: environ(t, server.URL), Mark: "test." + strings.ReplaceAll(t.Name(), "/", "."), Silence: 60 * time.Second}
					if c.name == "claude_code" {
						spec.Model = "claude-sonnet-4-5"
					}
					a, err := c.driver.Start(t.Context(), spec, r.hooks())
					if err != nil {
						t.Fatal(err)
					}
					if r.session != "" {
						t.Errorf("%s is told of, with which nobody can go on yet", r.session)
					}
					end, err := a.Turn(t.Context(), 1, "Make a file.")
					if err != nil {
						t.Fatalf("%v\n%s", err, strings.Join(r.lines, "\n"))
					}
					text := strings.Join(r.lines, "\n")
					if _, err := os.Stat(filepath.Join(work, "made.txt")); (err == nil) != mode.written {
						t.Errorf("written: %v\n%s", err, text)
					}
					call, result := strings.Index(text, "tool_call "+c.tool), strings.Index(text, "tool_result")
					if call < 0 || result < call || !strings.Contains(text, "text  It is done.") || len(r.asked) != mode.asked || end.InputTokens == 0 || end.OutputTokens == 0 {
						t.Errorf("%+v, asked %d\n%s", end, len(r.asked), text)
					}
					for _, q := range r.asked {
						if q.Tool != c.tool || !strings.Contains(string(q.Input), "made.txt") {
							t.Errorf("%+v %s", q, q.Input)
						}
					}
					if err := a.Close(); err != nil {
						t.Error(err)
					}
					// The session goes on in another process.
					spec.SessionID = r.session
					if a, err = c.driver.Start(t.Context(), spec, r.hooks()); err != nil {
						t.Fatal(err)
					}
					defer a.Close()
					if _, err := a.Turn(t.Context(), 2, "And again."); err != nil {
						t.Fatal(err)
					}
					calls := server.Calls()
					if last := calls[len(calls)-1]; !strings.Contains(string(last.Body), "Make a file.") || r.session != spec.SessionID {
						t.Errorf("%s went on as %s", spec.SessionID, r.session)
					}
				})
			}
		})
	}
}
