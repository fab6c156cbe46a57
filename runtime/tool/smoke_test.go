package tool

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"caper/runtime/graph"
)

func TestSmoke(t *testing.T) {
	dir, _ := filepath.EvalSymlinks(t.TempDir())
	env := &Env{Workspace: dir, Cwd: dir, CallID: "1.2.3", Umask: 022, Sync: true}
	w := WriteFile()
	args, err := Bind(w, []graph.Datum{"a/b/c.txt", "hello\nworld\n"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if env.Resolved, err = Resolve(env, w, args); err != nil {
			t.Fatal(err)
		}
		f, err := w.Prepare(context.Background(), env, args)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Perform(context.Background(), env, args, f); err != nil {
			t.Fatal(err)
		}
	}
	b, _ := os.ReadFile(filepath.Join(dir, "a/b/c.txt"))
	if string(b) != "hello\nworld\n" {
		t.Fatal(string(b))
	}
}
