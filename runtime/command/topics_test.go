package command_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTopics runs what the help topics show: programs, commands and rules stand in blocks that are indented by four columns.
func TestTopics(t *testing.T) {
	for _, topic := range []string{"tools", "language", "policy"} {
		t.Run(topic, func(t *testing.T) {
			dir := t.TempDir()
			env := append(os.Environ(), "CAPER_HOME="+filepath.Join(dir, "home"), "HOME="+dir)
			write := func(name, text string) {
				t.Helper()
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			run := func(name string, args ...string) string {
				t.Helper()
				c := exec.Command(name, args...)
				c.Dir, c.Env = dir, env
				out, err := c.CombinedOutput()
				if err != nil {
					t.Fatalf("%s %q: %v\n%s", name, args, err, out)
				}
				return string(out)
			}
			write("a.scm", "(define x 1)\n(display x)\n")
			text := run("caper", "help", topic)
			for _, block := range blocks(text) {
				switch first := block[0]; {
				case strings.HasPrefix(first, "("):
					write("b.scm", strings.Join(block, "\n"))
					t.Log(run("caper", "run", "--policy", "yolo", "b.scm"))
				case strings.HasPrefix(first, "caper "):
					for _, l := range block {
						t.Log(run("sh", "-c", l))
					}
				default:
					write("rules.yaml", strings.Join(block, "\n")+"\n")
					run("caper", "policy", "check", "rules.yaml")
				}
			}
		})
	}
}

// blocks are the runs of lines of a help text that are indented by four columns, up to the usage that follows it.
func blocks(text string) (out [][]string) {
	text, _, _ = strings.Cut(text, "\nUsage:")
	var at []string
	for _, l := range append(strings.Split(text, "\n"), "") {
		body, ok := strings.CutPrefix(l, "    ")
		if ok && (len(at) > 0 || !strings.HasPrefix(body, " ")) {
			at = append(at, body)
			continue
		}
		if len(at) > 0 {
			out, at = append(out, at), nil
		}
	}
	return out
}
