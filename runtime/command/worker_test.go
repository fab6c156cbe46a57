package command_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"caper/runtime/model/modeltest"
	"caper/runtime/worker/wire"
	"caper/runtime/worker/wire/dir"
)

// TestWorkerOfOurOwn drives our own agent: a thread whose permissions are lowered, a worker that dies while a question waits
// that caper approve answers, a turn that ends.
func TestWorkerOfOurOwn(t *testing.T) {
	server := modeltest.New(modeltest.Steps(modeltest.Use("write-file", `{"path":"free.txt","data":"x"}`), modeltest.Say("It is made."),
		modeltest.Use("write-file", `{"path":"made.txt","data":"x"}`), modeltest.Say("Both are made.")))
	defer server.Close()
	folder := t.TempDir()
	work := filepath.Join(folder, "work")
	for name, text := range map[string]string{
		"home/models.yaml":                "connections:\n  mock: {kind: anthropic, key_env: MOCK_KEY, base_url: " + server.URL + "}\n",
		"home/worker/default/config.yaml": fmt.Sprintf("wire: %s/wire\npolling: {interval_idle_ms: 100, interval_active_ms: 100}\nsections:\n- {name: one, job_type: session_agent_harness, session: {session_id: s1}}\n", folder),
		"work/.keep":                      "",
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	caper := func(args ...string) *exec.Cmd {
		c := exec.Command("caper", args...)
		c.Dir = folder
		c.Env = append(os.Environ(), "CAPER_HOME="+filepath.Join(folder, "home"), "HOME="+folder, "MOCK_KEY=dummy")
		return c
	}
	run := func(args ...string) string {
		t.Helper()
		out, err := caper(args...).CombinedOutput()
		if err != nil {
			t.Fatalf("caper %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run("thread", "create", "one", "--wire", "wire/s1", "--folder", work, "--agent", "caper", "--model", "mock:m", "--permissions", "autonomous", "--say", "Make it.", "--state", "pending")
	var w *exec.Cmd
	start := func() {
		w = caper("worker", "start", "--user", "bot")
		w.Stderr = os.Stderr
		if err := w.Start(); err != nil {
			t.Fatal(err)
		}
	}
	start()
	defer func() { _ = w.Process.Kill(); _ = w.Wait() }()
	run("thread", "watch", "one", "--wire", "wire/s1", "--until", "turn_end")
	if _, err := os.Stat(filepath.Join(work, "free.txt")); err != nil {
		t.Error(err)
	}
	// From now on it asks; and what it was told when its worker died it is not told again.
	d, err := dir.Open(filepath.Join(folder, "wire/s1"))
	if err != nil {
		t.Fatal(err)
	}
	if err := wire.NewUser(d, "ann").Configure(t.Context(), "one", "agent", "permissions", "approval"); err != nil {
		t.Fatal(err)
	}
	run("thread", "post", "one", "Make another.", "--wire", "wire/s1")
	run("thread", "watch", "one", "--wire", "wire/s1", "--until", "status")
	if err := w.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = w.Wait()
	fields := strings.Fields(run("approvals"))
	id := ""
	for _, f := range fields {
		if strings.Count(f, ".") >= 2 && id == "" {
			id = f
		}
	}
	run("approve", id)
	start()
	out := run("thread", "watch", "one", "--wire", "wire/s1", "--until", "turn_end")
	for _, want := range []string{"status", "tool_call     write-file → ", "tool_result   →", "text          Both are made."} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if _, err := os.Stat(filepath.Join(work, "made.txt")); err != nil {
		t.Error(err)
	}
	for _, c := range server.Calls() {
		text, err := json.Marshal(c.Request.Messages)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), "Make another."); n > 1 {
			t.Errorf("it was told %d times: %s", n, text)
		}
	}
	if err := w.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := w.Wait(); err != nil {
		t.Error(err)
	}
}
