package tool

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"testing"

	"caper/runtime/graph"
)

// memBlobs keeps blobs by hash.
type memBlobs map[string][]byte

func (b memBlobs) Put(pieces ...[]byte) (string, error) {
	data := bytes.Join(pieces, nil)
	ref := hashOf(data)
	b[ref] = append([]byte(nil), data...)
	return ref, nil
}

func (b memBlobs) Get(ref string) ([]byte, error) {
	data, ok := b[ref]
	if !ok {
		return nil, fmt.Errorf("no blob %s", ref)
	}
	return data, nil
}

// world is a workspace and an environment for calls.
type world struct {
	t     testing.TB
	dir   string
	env   *Env
	blobs memBlobs
}

func newWorld(t testing.TB) *world {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	spool, _ := filepath.EvalSymlinks(t.TempDir())
	blobs := memBlobs{}
	return &world{t, dir, &Env{
		Workspace: dir, Cwd: dir, Environ: os.Environ(), Spool: filepath.Join(spool, "call"), CallID: "store." + hashOf([]byte(dir))[:16],
		Blobs: blobs, Umask: 0o022,
	}, blobs}
}

// write makes files from names and contents in turn.
func (w *world) write(files ...string) {
	w.t.Helper()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(w.dir, files[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o644); err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w *world) read(name string) string {
	data, err := os.ReadFile(filepath.Join(w.dir, name))
	if err != nil {
		return "(" + Code(fileError("", "", err)) + ")"
	}
	return string(data)
}

// names lists all entries of the workspace.
func (w *world) names() []string {
	var names []string
	filepath.WalkDir(w.dir, func(path string, d os.DirEntry, err error) error {
		if rel, _ := filepath.Rel(w.dir, path); rel != "." {
			names = append(names, rel)
		}
		return nil
	})
	sort.Strings(names)
	return names
}

func (w *world) prepare(tool *Tool, args Args) Facts {
	w.t.Helper()
	var err error
	if w.env.Resolved, err = Resolve(w.env, tool, args); err != nil {
		w.t.Fatal(err)
	}
	f, err := tool.Prepare(context.Background(), w.env, args)
	if err != nil {
		w.t.Fatal(err)
	}
	return f
}

func (w *world) recover(tool *Tool, args Args, f Facts) Recovery {
	w.t.Helper()
	r, err := tool.Recover(context.Background(), w.env, args, f)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// call runs a tool as its caller does.
func (w *world) call(tool *Tool, args Args) (Result, error) {
	var err error
	if w.env.Resolved, err = Resolve(w.env, tool, args); err != nil {
		return Result{}, err
	}
	f, err := tool.Prepare(context.Background(), w.env, args)
	if err != nil {
		return Result{}, err
	}
	defer w.env.Close()
	return tool.Perform(context.Background(), w.env, args, f)
}

// run binds positional arguments, then keywords after their names, and calls.
func (w *world) run(tool *Tool, given ...any) (Result, error) {
	var positional []graph.Datum
	keywords := map[string]graph.Datum{}
	for i := 0; i < len(given); i++ {
		if k, ok := given[i].(graph.Keyword); ok {
			i++
			keywords[string(k)] = given[i]
		} else {
			positional = append(positional, given[i])
		}
	}
	args, err := Bind(tool, positional, keywords)
	if err != nil {
		return Result{}, err
	}
	return w.call(tool, args)
}
