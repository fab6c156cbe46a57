package command_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"caper/runtime/model/modeltest"
)

// TestWorkerOfOurOwn drives our own agent: a thread, a question that caper approve answers, a turn that ends.
func TestWorkerOfOurOwn(t *testing.T) {
	server := modeltest.New(modeltest.Steps(modeltest.Use("write-file", `{"path":"made.txt","data":"x"}`), modeltest.Say("It is made.")))
	defer server.Close()
	dir := t.TempDir()
	work := filepath.Join(dir, "work")
	for name, text := range map[string]string{
		"home/models.yaml":                "connections:\n  mock: {kind: anthropic, key_env: MOCK_KEY, base_url: " + server.URL + "}\n",
		"home/worker/default/config.yaml": fmt.Sprintf("wire: %s/wire\npolling: {interval_idle_ms: 100, interval_active_ms: 100}\nsections:\n- {name: one, job_type: session_agent_harness, session: {session_id: s1}}\n", dir),
		"work/.keep":                      "",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	caper := func(args ...string) *exec.Cmd {
		c := exec.Command("caper", args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "CAPER_HOME="+filepath.Join(dir, "home"), "HOME="+dir, "MOCK_KEY=dummy")
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
	run("thread", "create", "one", "--wire", "wire/s1", "--folder", work, "--agent", "caper", "--model", "mock:m", "--say", "Make it.", "--state", "pending")
	w := caper("worker", "start", "--user", "bot")
	w.Stderr = os.Stderr
	if err := w.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Process.Kill(); _ = w.Wait() }()
	run("thread", "watch", "one", "--wire", "wire/s1", "--until", "status")
	fields := strings.Fields(run("approvals"))
	id := ""
	for _, f := range fields {
		if strings.Count(f, ".") >= 2 && id == "" {
			id = f
		}
	}
	run("approve", id)
	out := run("thread", "watch", "one", "--wire", "wire/s1", "--until", "turn_end")
	for _, want := range []string{"status", "tool_call     write-file → ", "tool_result   →", "text          It is made."} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if _, err := os.Stat(filepath.Join(work, "made.txt")); err != nil {
		t.Error(err)
	}
	if err := w.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := w.Wait(); err != nil {
		t.Error(err)
	}
}
