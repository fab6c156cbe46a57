package driver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"caper/runtime/model/modeltest"
	"caper/runtime/worker/driver"
)

// client answers a real client that CAPER_AGENTS names (a node_modules folder), or skips.
func client(t *testing.T, name string) string {
	t.Helper()
	dir := os.Getenv("CAPER_AGENTS")
	if dir == "" {
		t.Skip("npm install @anthropic-ai/claude-code @openai/codex in a folder, and set CAPER_AGENTS to its node_modules")
	}
	for _, p := range map[string][]string{
		"claude": {".bin/claude", "@anthropic-ai/claude-code-linux-x64/claude"},
		"codex":  {"@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"},
	}[name] {
		if path := filepath.Join(dir, p); exec.Command(path, "--version").Run() == nil {
			return path
		}
	}
	t.Skipf("%s cannot be run from %s, which CAPER_AGENTS names: npm install it there for this system (linux, x64)", name, dir)
	return ""
}

// environ is what a client needs to speak with a loopback model, and nothing else.
func environ(t *testing.T, url string) []string {
	t.Helper()
	home, err := os.MkdirTemp(os.Getenv("CAPER_AGENTS_HOME"), "home")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	config := fmt.Sprintf(`model = "mock-model"
model_provider = "mock"
check_for_update_on_startup = false
[model_providers.mock]
name = "mock"
base_url = "%s/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
[features]
plugins = false
[sandbox_workspace_write]
exclude_slash_tmp = true
`, url)
	for name, text := range map[string]string{"codex/config.toml": config, "tmp/.keep": ""} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(home, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "CLAUDE_CONFIG_DIR=" + home + "/.claude", "ANTHROPIC_BASE_URL=" + url, "ANTHROPIC_API_KEY=sk-dummy",
		"CODEX_HOME=" + home + "/codex", "MOCK_KEY=dummy", "TMPDIR=" + home + "/tmp", "CLAUDE_CODE_MAX_RETRIES=1"}
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
	name, exe string
	driver    driver.Driver
	use       func(command string) modeltest.Reply
	tool      string
}

var reals = []realCase{
	{"claude_code", "claude", driver.Claude{}, func(command string) modeltest.Reply {
		b, _ := json.Marshal(map[string]string{"command": command, "description": "writes"})
		return modeltest.Use("Bash", string(b))
	}, "Bash"},
	{"codex", "codex", driver.Codex{}, func(command string) modeltest.Reply {
		b, _ := json.Marshal(map[string]string{"cmd": command})
		return modeltest.Use("exec_command", string(b))
	}, "shell"},
}

// TestReal drives the real clients against a model on the loopback.
func TestReal(t *testing.T) {
	for _, c := range reals {
		t.Run(c.name, func(t *testing.T) {
			exe := client(t, c.exe)
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
					if c.exe == "claude" {
						spec.Model = "claude-sonnet-4-5"
					}
					a, err := c.driver.Start(t.Context(), spec, r.hooks())
					if err != nil {
						t.Fatal(err)
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
