package assembly_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caper/runtime/assembly"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/license"
	"caper/runtime/program"
	"caper/runtime/store"
	"caper/runtime/store/mem"
)

// TestPrompt: the text is short by a rule that no tokenizer for English and code exceeds, names what it must, and its
// examples run.
func TestPrompt(t *testing.T) {
	text := assembly.Prompt()
	if tokens := len(text) * 2 / 7; tokens > 700 {
		t.Errorf("%d bytes are %d tokens at 3.5 bytes each", len(text), tokens)
	}
	for _, word := range []string{"find-tools", "tool-doc", "par-map", "parallel", "no await", "denied?", "tool-error?", "guard", "value:", "output:", "caret"} {
		if !strings.Contains(text, word) {
			t.Errorf("it does not speak of %s", word)
		}
	}
	_, examples, ok := strings.Cut(text, "Examples:\n")
	all := strings.Split(strings.TrimSpace(examples), "\n\n")
	if !ok || len(all) != 3 {
		t.Fatalf("examples: %q", all)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"a.py": "# TODO\n", "b.py": "", "docs/x.md": "1\n2\n", "a.txt": "old\n", "Makefile": "test:\n\t@echo tested\n"} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	st, err := mem.New().Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	system, err := assembly.New(st, assembly.Options{Home: assembly.Home{Data: home, Config: home}})
	if err != nil {
		t.Fatal(err)
	}
	defer system.Close()
	engine, err := assembly.NewEngine(assembly.Tools())
	if err != nil {
		t.Fatal(err)
	}
	runner := &program.Runner{Engine: engine, Open: func() (*call.Service, error) { return system.Calls, nil }}
	for i, want := range []string{`("a.py")`, `(("docs/x.md" . 2))`, "0"} {
		env := map[string]string{"PATH": os.Getenv("PATH")}
		r, err := runner.Run(t.Context(), program.Spec{Name: "example", Source: all[i], Context: call.Context{Workspace: dir, Cwd: dir, Posture: license.Yolo,
			Env: env, Environ: []string{"PATH=" + env["PATH"]}}}, io.Discard, nil)
		if err != nil || graph.Write(r.Value) != want {
			t.Errorf("%s\n is %s %+v %v, wanted %s", all[i], graph.Write(r.Value), r.Error, err, want)
		}
	}
}
