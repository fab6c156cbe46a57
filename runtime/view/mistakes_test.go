package view_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caper/runtime/assembly"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/program"
	"caper/runtime/store"
	"caper/runtime/store/mem"
	"caper/runtime/view"
)

// TestMistakes runs the wrong programs of testdata/mistakes as caper run does, and compares what a person, or a model,
// then reads: message, place and hints to the letter. In a file, ==== ends a case, ---- its program.
func TestMistakes(t *testing.T) {
	engine, err := assembly.NewEngine(assembly.Tools())
	if err != nil {
		t.Fatal(err)
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
	runner := &program.Runner{Engine: engine, Open: func() (*call.Service, error) { return system.Calls, nil }}
	files, err := filepath.Glob("testdata/mistakes/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	cases := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for c := range strings.SplitSeq(strings.TrimSuffix(string(text), "====\n"), "====\n") {
			source, want, _ := strings.Cut(c, "\n----\n")
			cases++
			got := mistake(t, runner, strings.TrimSuffix(source, "\n"))
			if got != want && !*view.Update {
				t.Errorf("%s\n%s\n got\n%swant\n%s", file, source, got, want)
			}
			all.WriteString(strings.TrimSuffix(source, "\n") + "\n----\n" + got + "====\n")
		}
		if *view.Update {
			if err := os.WriteFile(file, []byte(all.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Log(cases, "wrong programs")
}

// mistake is what is shown of a wrong program.
func mistake(t *testing.T, runner *program.Runner, source string) string {
	var out strings.Builder
	dir := t.TempDir()
	r, err := runner.Run(t.Context(), program.Spec{
		Name: "p.scm", Source: source, Dir: dir, Budget: kind.Budget{Fuel: 100_000_000, Memory: 32 << 20},
		Context: call.Context{Workspace: dir, Cwd: dir, Posture: license.Yolo},
	}, &out, nil)
	r.ID = graph.ID{}
	s := view.Style{Width: 300}
	shown := "no error: " + graph.Write(r.Value) + "\n"
	if err != nil {
		shown = view.Error(s, err)
	} else if r.Error != nil {
		shown = view.Failure(s, r)
	}
	return strings.ReplaceAll(shown, dir, "/project")
}
