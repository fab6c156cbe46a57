package command_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"caper/runtime/command"
	"caper/runtime/model/modeltest"
	"caper/runtime/worker/driver/drivertest"
)

// TestDriveRealClients: a program drives each real client. What the client asks parks it, a person allows the one and denies
// the other, and it goes on in its own session.
func TestDriveRealClients(t *testing.T) {
	for kind, uses := range map[string][2]modeltest.Reply{
		"claude_code": {modeltest.Use("Bash", `{"command":"echo one > one.txt"}`), modeltest.Use("Write", `{"file_path":"WORK/two.txt","content":"two\n"}`)},
		"codex": {modeltest.Use("exec_command", `{"cmd":"echo one > one.txt"}`),
			modeltest.Use("exec_command", `{"cmd":"apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: two.txt\n+two\n*** End Patch\nEOF"}`)},
	} {
		t.Run(kind, func(t *testing.T) {
			exe, err := drivertest.Real(kind)
			if err != nil {
				t.Skip(err)
			}
			folder, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			first, second := uses[0], uses[1]
			second.Blocks[0].Input = bytes.ReplaceAll(second.Blocks[0].Input, []byte("WORK"), []byte(filepath.Join(folder, "work")))
			// Interrupted by the second question, the client had not yet asked again for what is allowed.
			server := modeltest.New(modeltest.Steps(first, second, first, modeltest.Say("One is made, two is not.")))
			defer server.Close()
			env, err := drivertest.Loopback(filepath.Join(folder, "client"), server.URL)
			if err != nil {
				t.Fatal(err)
			}
			agents, err := json.Marshal(map[string]any{kind: map[string]any{"executable": exe, "model": "claude-sonnet-4-5", "env": env, "silence_ms": 60000}})
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{
				"home/agents.yaml": string(agents),
				"work/rules.yaml":  "allow: [drive-agent]\n",
				"work/ask.scm":     fmt.Sprintf("(write (drive-agent '%s \"Make two files.\")) (newline)\n", kind),
			} {
				path := filepath.Join(folder, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			caper := func(code int, args ...string) string {
				t.Helper()
				c := exec.Command("caper", args...)
				c.Dir = filepath.Join(folder, "work")
				c.Env = append(os.Environ(), "CAPER_HOME="+filepath.Join(folder, "home"), "PWD="+c.Dir)
				out, err := c.CombinedOutput()
				var exit *exec.ExitError
				if err != nil && !errors.As(err, &exit) || c.ProcessState.ExitCode() != code {
					t.Fatalf("caper %q: %v, want the exit code %d\n%s", args, err, code, out)
				}
				return string(out)
			}
			waits := func(text string) string {
				t.Helper()
				var a struct{ Call string }
				out := caper(0, "approvals", "--json")
				if err := json.Unmarshal([]byte(out), &a); err != nil || !strings.Contains(out, text) {
					t.Fatalf("%v: what waits is\n%s", err, out)
				}
				return a.Call
			}
			caper(command.ExitParked, "run", "--park", "--rules", "rules.yaml", "ask.scm")
			caper(0, "approve", waits("one.txt"))
			caper(command.ExitParked, "resume")
			caper(0, "deny", waits("two.txt"))
			if out := caper(0, "resume"); !strings.Contains(out, `"One is made, two is not."`) {
				t.Error(out)
			}
			for name, made := range map[string]bool{"one.txt": true, "two.txt": false} {
				if _, err := os.Stat(filepath.Join(folder, "work", name)); (err == nil) != made {
					t.Errorf("%s: %v", name, err)
				}
			}
			tree := caper(0, "tree")
			for _, line := range []string{`✓ bash echo one > one.txt`, `✗ write-file .*two.txt +denied`} {
				if len(regexp.MustCompile(line).FindAllString(tree, -1)) != 1 {
					t.Errorf("not once %q in\n%s", line, tree)
				}
			}
			calls := server.Calls()
			if last := string(calls[len(calls)-1].Body); len(calls) != 4 || !strings.Contains(last, "Make two files.") || !strings.Contains(last, "two.txt was denied") {
				t.Errorf("%d requests; the last:\n%s", len(calls), last)
			}
			if l := drivertest.Left(folder); len(l) > 0 {
				t.Errorf("left behind: %s", strings.Join(l, ", "))
			}
		})
	}
}
