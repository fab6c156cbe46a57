package tool

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"
)

// keptBlobs keeps bytes in memory by their hash.
type memoryBlobs map[string][]byte

func (m memoryBlobs) Put(pieces ...[]byte) (string, error) {
	b := bytes.Join(pieces, nil)
	m[hashOf(b)] = b
	return hashOf(b), nil
}

func (m memoryBlobs) Get(name string) ([]byte, error) {
	b, ok := m[name]
	if !ok {
		return nil, os.ErrNotExist
	}
	return b, nil
}

// TestUndoOfCalls does calls to files at random; taken back in memory they give what was there before, and done again
// what is there now.
func TestUndoOfCalls(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"a", "b", "c/d"}
	read := func() map[string]string {
		out := map[string]string{}
		for _, n := range names {
			if text, err := os.ReadFile(filepath.Join(dir, n)); err == nil {
				out[n] = string(text)
			}
		}
		return out
	}
	rapid.Check(t, func(rt *rapid.T) {
		for _, n := range names {
			os.Remove(filepath.Join(dir, n))
		}
		os.MkdirAll(filepath.Join(dir, "c"), 0o700)
		for _, n := range names {
			if rapid.Bool().Draw(rt, "there") {
				os.WriteFile(filepath.Join(dir, n), []byte(rapid.StringN(0, 8, 20).Draw(rt, "text")), 0o600)
			}
		}
		blobs := memoryBlobs{}
		type made struct {
			tool  string
			args  Args
			facts Facts
		}
		var calls []made
		before := read()
		for range rapid.IntRange(0, 8).Draw(rt, "calls") {
			name := rapid.SampledFrom(names)
			text := rapid.StringN(0, 5, 12)
			var tl *Tool
			var args Args
			switch rapid.IntRange(0, 4).Draw(rt, "tool") {
			case 0:
				tl, args = WriteFile(), Args{"path": name.Draw(rt, "path"), "data": text.Draw(rt, "data")}
			case 1:
				tl, args = AppendFile(), Args{"path": name.Draw(rt, "path"), "data": text.Draw(rt, "data")}
			case 2:
				tl, args = EditFile(), Args{"path": name.Draw(rt, "path"), "old": text.Draw(rt, "old"), "new": text.Draw(rt, "new"), "all": true}
			case 3:
				tl, args = DeleteFile(), Args{"path": name.Draw(rt, "path")}
			case 4:
				tl, args = MoveFile(), Args{"from": name.Draw(rt, "from"), "to": name.Draw(rt, "to")}
			}
			env := &Env{Workspace: dir, Cwd: dir, Blobs: blobs, CallID: "t"}
			if env.Resolved, err = Resolve(env, tl, args); err != nil {
				continue
			}
			facts, err := tl.Prepare(context.Background(), env, args)
			if err != nil {
				continue
			}
			if _, err := tl.Perform(context.Background(), env, args, facts); err != nil {
				rt.Fatal(err)
			}
			calls = append(calls, made{tl.Name, args, facts})
		}
		after := read()
		o := NewOverlay(blobs)
		would := func() map[string]string {
			out := map[string]string{}
			for _, n := range names {
				if f := o.at(filepath.Join(dir, n)); f.left != "" {
					rt.Fatalf("%s is left alone: %s", n, f.left)
				} else if f.is {
					out[n] = string(f.then)
				}
			}
			return out
		}
		for i := len(calls) - 1; i >= 0; i-- {
			o.Undo(calls[i].tool, calls[i].args, calls[i].facts)
		}
		same(rt, "taken back", before, would())
		for _, c := range calls {
			o.Redo(c.tool, c.args, c.facts)
		}
		same(rt, "done again", after, would())
	})
}

func same(t *rapid.T, what string, want, got map[string]string) {
	if len(want) != len(got) {
		t.Fatalf("%s: %q, wanted %q", what, got, want)
	}
	for k, v := range want {
		if got[k] != v {
			t.Fatalf("%s: %s has %q, wanted %q", what, k, got[k], v)
		}
	}
}

func TestUndoLeavesWhatOthersChanged(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	if err := os.WriteFile(path, []byte("edited by a person"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := NewOverlay(memoryBlobs{})
	o.Undo("write-file", Args{}, Facts{"path": path, "exists": false, "size": int64(0), "after": hashOf([]byte("by the tool"))})
	changed, left := o.Changes()
	if len(changed) != 0 || len(left) != 1 || left[0] != path+": "+changedSince {
		t.Errorf("it would change %v and leaves %v", changed, left)
	}
}

// TestUndoKeepsPermissions: a file that is made again may be read and run by those who could before.
func TestUndoKeepsPermissions(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		tl   *Tool
		args Args
	}{
		{DeleteFile(), Args{"path": "a"}},
		{MoveFile(), Args{"from": "a", "to": "b"}},
	} {
		path, blobs := filepath.Join(dir, "a"), memoryBlobs{}
		if err := errors.Join(os.WriteFile(path, []byte("text"), 0o750), os.Chmod(path, 0o750|fs.ModeSetgid)); err != nil {
			t.Fatal(err)
		}
		env := &Env{Workspace: dir, Cwd: dir, Blobs: blobs, CallID: "t"}
		facts := perform(t, env, tt.tl, tt.args)
		o := NewOverlay(blobs)
		o.Undo(tt.tl.Name, tt.args, facts)
		changed, left := o.Changes()
		if len(left) != 0 || len(changed) == 0 || changed[0].Path != path || changed[0].Mode != 0o2750 {
			t.Fatalf("%s: it would change %v and leaves %v", tt.tl.Name, changed, left)
		}
		env.Mode = changed[0].Mode
		perform(t, env, WriteFile(), Args{"path": "a", "data": changed[0].Data})
		if info, err := os.Stat(path); err != nil || info.Mode() != 0o750|fs.ModeSetgid {
			t.Errorf("%s: what was put back has %v, %v", tt.tl.Name, info.Mode(), err)
		}
	}
}

func perform(t *testing.T, env *Env, tl *Tool, args Args) Facts {
	t.Helper()
	var err error
	if env.Resolved, err = Resolve(env, tl, args); err != nil {
		t.Fatal(err)
	}
	facts, err := tl.Prepare(context.Background(), env, args)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tl.Perform(context.Background(), env, args, facts); err != nil {
		t.Fatal(err)
	}
	return facts
}

// TestUndoGoesThroughNoLink: where a folder became a link, what lies behind it belongs to another.
func TestUndoGoesThroughNoLink(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "sub")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "sub", "a")
	o := NewOverlay(memoryBlobs{})
	o.Undo("delete-file", Args{"path": "sub/a"}, Facts{"path": path, "kind": "file", "size": int64(0)})
	changed, left := o.Changes()
	if len(changed) != 0 || len(left) != 1 || left[0] != path+": a link stands in its way now" {
		t.Errorf("it would change %v and leaves %v", changed, left)
	}
}
