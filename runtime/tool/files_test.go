package tool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"caper/runtime/graph"
)

const kw = graph.Keyword("")

func key(name string) graph.Keyword { return kw + graph.Keyword(name) }

// callTest is one call in a world of its own.
type callTest struct {
	name  string
	files []string // names and contents
	given []any
	value graph.Datum       // nil: not looked at
	code  string            // of the failure
	says  string            // part of its message
	want  map[string]string // some files afterwards
}

func runCalls(t *testing.T, tool *Tool, tests []callTest) {
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.write(c.files...)
			before := w.names()
			r, err := w.run(tool, c.given...)
			if Code(err) != c.code {
				t.Fatalf("failure %q (%v), want %q", Code(err), err, c.code)
			}
			if err != nil {
				says := err.Error()
				var e *Error
				if errors.As(err, &e) {
					says = strings.Join(append([]string{says}, e.Hints...), "\n")
				}
				if !strings.Contains(says, c.says) {
					t.Errorf("it says %q, not %q", says, c.says)
				}
				if !slices.Equal(before, w.names()) {
					t.Errorf("a failed call left %q", w.names())
				}
			}
			if c.value != nil && !reflect.DeepEqual(r.Value, c.value) {
				t.Errorf("answers %q, want %q", r.Value, c.value)
			}
			for name, text := range c.want {
				if got := w.read(name); got != text {
					t.Errorf("%s has %q, want %q", name, got, text)
				}
			}
		})
	}
}

func TestReadFile(t *testing.T) {
	five := []string{"f", "1\n2\r\n3\n4\n5"}
	runCalls(t, ReadFile(), []callTest{
		{"whole", five, []any{"f"}, "1\n2\r\n3\n4\n5", "", "", nil},
		{"empty", []string{"f", ""}, []any{"f"}, "", "", "", nil},
		{"a line", five, []any{"f", key("limit"), int64(1)}, "1\n", "", "", nil},
		{"from a line", five, []any{"f", key("offset"), int64(4)}, "4\n5", "", "", nil},
		{"some lines", five, []any{"f", key("offset"), int64(2), key("limit"), int64(2)}, "2\r\n3\n", "", "", nil},
		{"past the end", five, []any{"f", key("offset"), int64(9)}, "", "", "", nil},
		{"no lines", five, []any{"f", key("limit"), int64(0)}, "", "", "", nil},
		{"line 0", five, []any{"f", key("offset"), int64(0)}, nil, CodeArguments, "lines count from 1", nil},
		{"bytes", []string{"f", "\xff\x00"}, []any{"f", key("bytes"), true}, []byte("\xff\x00"), "", "", nil},
		{"no UTF-8", []string{"f", "a\nb\xff"}, []any{"f"}, nil, CodeNotUTF8, "byte 0xff in line 2", nil},
		{"UTF-8 in the part that is read", []string{"f", "a\nb\xff"}, []any{"f", key("limit"), int64(1)}, "a\n", "", "", nil},
		{"missing", []string{"README.md", ""}, []any{"readme.md"}, nil, CodeNotFound, "did you mean README.md?", nil},
		{"missing folder", []string{"docs/a", ""}, []any{"dosc/a"}, nil, CodeNotFound, "did you mean docs?", nil},
		{"a folder", []string{"d/f", ""}, []any{"d"}, nil, CodeIsDirectory, "list-dir", nil},
		{"below a file", []string{"f", ""}, []any{"f/g"}, nil, CodeNotDirectory, "not a folder", nil},
		{"dots", []string{"d/f", "x"}, []any{"./d/../d//f"}, "x", "", "", nil},
		{"a newline in the name", []string{"a\nb", "x"}, []any{"a\nb"}, "x", "", "", nil},
	})
}

func TestReadTooLarge(t *testing.T) {
	w := newWorld(t)
	w.write("f", "")
	if err := os.Truncate(filepath.Join(w.dir, "f"), maxRead+1); err != nil {
		t.Fatal(err)
	}
	if _, err := w.run(ReadFile(), "f"); Code(err) != CodeTooLarge {
		t.Error(err)
	}
}

func TestReadWhatIsNoFile(t *testing.T) {
	w := newWorld(t)
	if err := unix.Mkfifo(filepath.Join(w.dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := w.run(ReadFile(), "pipe"); Code(err) != CodeNotFile {
		t.Error(err)
	}
	if _, err := w.run(WriteFile(), "pipe", "x"); Code(err) != CodeNotFile {
		t.Error(err)
	}
	if _, err := w.run(ReadFile(), "/proc/self/status"); err != nil { // a file without a size
		t.Error(err)
	}
}

func TestWriteFile(t *testing.T) {
	runCalls(t, WriteFile(), []callTest{
		{"new", nil, []any{"f", "é"}, graph.Void{}, "", "", map[string]string{"f": "é"}},
		{"in new folders", nil, []any{"a/b/f", "x"}, nil, "", "", map[string]string{"a/b/f": "x"}},
		{"over", []string{"f", "long before"}, []any{"f", "x"}, nil, "", "", map[string]string{"f": "x"}},
		{"bytes", nil, []any{"f", []byte{0, 255}}, nil, "", "", map[string]string{"f": "\x00\xff"}},
		{"a number", nil, []any{"f", int64(3)}, nil, CodeArguments, "must be a string or a bytevector, found the number 3", nil},
		{"a folder", []string{"d/f", ""}, []any{"d", "x"}, nil, CodeIsDirectory, "is a folder", nil},
		{"below a file", []string{"f", ""}, []any{"f/g", "x"}, nil, CodeNotDirectory, "", nil},
	})
}

func TestWriteKeeps(t *testing.T) {
	w := newWorld(t)
	w.write("f", "before")
	path := filepath.Join(w.dir, "f")
	os.Chmod(path, 0o750)
	os.Symlink("f", filepath.Join(w.dir, "link"))
	r, err := w.run(WriteFile(), "link", "after")
	if err != nil {
		t.Fatal(err)
	}
	info, _ := os.Lstat(path)
	link, _ := os.Readlink(filepath.Join(w.dir, "link"))
	if w.read("f") != "after" || info.Mode() != 0o750 || link != "f" {
		t.Errorf("%q, mode %v, link to %q", w.read("f"), info.Mode(), link)
	}
	if string(w.blobs[r.Receipt.Preimage]) != "before" {
		t.Error("what was there is not kept")
	}
	w.env.Umask = 0o077
	w.run(WriteFile(), "new/file", "x")
	for name, mode := range map[string]os.FileMode{"new": 0o700 | os.ModeDir, "new/file": 0o600} {
		if info, _ := os.Stat(filepath.Join(w.dir, name)); info.Mode() != mode {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
	}
}

func TestAppendFile(t *testing.T) {
	runCalls(t, AppendFile(), []callTest{
		{"to a file", []string{"f", "a"}, []any{"f", "b"}, graph.Void{}, "", "", map[string]string{"f": "ab"}},
		{"to nothing", nil, []any{"d/f", "b"}, nil, "", "", map[string]string{"d/f": "b"}},
		{"nothing", []string{"f", "a"}, []any{"f", ""}, nil, "", "", map[string]string{"f": "a"}},
		{"a folder", []string{"d/f", ""}, []any{"d", "x"}, nil, CodeIsDirectory, "", nil},
	})
}

func TestEditFile(t *testing.T) {
	code := "func a() {\n\treturn 1\n}\n\nfunc b() {\n\treturn 1\n}\n"
	runCalls(t, EditFile(), []callTest{
		{"one match", []string{"f", "a b c"}, []any{"f", "b", "x"}, graph.Void{}, "", "", map[string]string{"f": "a x c"}},
		{"delete text", []string{"f", "a b c"}, []any{"f", " b", ""}, nil, "", "", map[string]string{"f": "a c"}},
		{"two matches", []string{"f", code}, []any{"f", "return 1", "return 2"}, nil, CodeManyMatches, "occurs 2 times (lines 2, 6)", nil},
		{"all", []string{"f", "x x"}, []any{"f", "x", "y", key("all"), true}, nil, "", "", map[string]string{"f": "y y"}},
		{"no match, other indent", []string{"f", code}, []any{"f", "{\n  return 1\n}\n\nfunc b", "x"}, nil, CodeNoMatch, "other white space", nil},
		{"no match, near line", []string{"f", code}, []any{"f", "retrun 1", "x"}, nil, CodeNoMatch, "2: return 1", nil},
		{"no match at all", []string{"f", code}, []any{"f", "qqqqqqqqqqqqqqqq", "x"}, nil, CodeNoMatch, "does not occur", nil},
		{"empty", []string{"f", "a"}, []any{"f", "", "x"}, nil, CodeArguments, "is empty", nil},
		{"the same", []string{"f", "a"}, []any{"f", "a", "a"}, nil, CodeArguments, "the same", nil},
		{"missing", nil, []any{"f", "a", "b"}, nil, CodeNotFound, "", nil},
		{"bytes around", []string{"f", "\xffa\xff"}, []any{"f", "a", "b"}, nil, "", "", map[string]string{"f": "\xffb\xff"}},
	})
}

func TestMoveFile(t *testing.T) {
	runCalls(t, MoveFile(), []callTest{
		{"rename", []string{"f", "x"}, []any{"f", "g"}, graph.Void{}, "", "", map[string]string{"g": "x", "f": "(not-found)"}},
		{"to new folders", []string{"f", "x"}, []any{"f", "a/b/g"}, nil, "", "", map[string]string{"a/b/g": "x"}},
		{"a folder", []string{"d/f", "x"}, []any{"d", "e"}, nil, "", "", map[string]string{"e/f": "x"}},
		{"over a file", []string{"f", "x", "g", "y"}, []any{"f", "g"}, nil, CodeExists, "delete it first", map[string]string{"g": "y"}},
		{"into a folder", []string{"f", "x", "d/g", "y"}, []any{"f", "d"}, nil, CodeExists, "/d/f", nil},
		{"missing", nil, []any{"f", "g"}, nil, CodeNotFound, "", nil},
		{"into itself", []string{"d/f", "x"}, []any{"d", "d/e"}, nil, CodeBadPath, "into itself", nil},
	})
}

func TestDeleteFile(t *testing.T) {
	runCalls(t, DeleteFile(), []callTest{
		{"a file", []string{"f", "x"}, []any{"f"}, graph.Void{}, "", "", map[string]string{"f": "(not-found)"}},
		{"a full folder", []string{"d/f", "x"}, []any{"d"}, nil, CodeNotEmpty, "not empty", nil},
		{"missing", nil, []any{"f"}, nil, CodeNotFound, "", nil},
	})
	w := newWorld(t)
	w.write("f", "x")
	os.Symlink("f", filepath.Join(w.dir, "link"))
	os.Symlink("nowhere", filepath.Join(w.dir, "dangling"))
	for _, name := range []string{"link", "dangling"} {
		if _, err := w.run(DeleteFile(), name); err != nil {
			t.Error(err)
		}
	}
	r, err := w.run(DeleteFile(), "f")
	if err != nil || string(w.blobs[r.Receipt.Preimage]) != "x" || len(w.names()) != 0 {
		t.Errorf("%v, left %q, kept %q", err, w.names(), w.blobs[r.Receipt.Preimage])
	}
}

func TestMakeDir(t *testing.T) {
	runCalls(t, MakeDir(), []callTest{
		{"new", nil, []any{"a/b"}, graph.Void{}, "", "", nil},
		{"there", []string{"d/f", ""}, []any{"d"}, graph.Void{}, "", "", nil},
		{"a file", []string{"f", ""}, []any{"f"}, nil, CodeExists, "a file of that name", nil},
	})
}

func TestListDir(t *testing.T) {
	w := newWorld(t)
	w.write("b", "four", "a/x", "", ".h", "", "bad\xff", "")
	os.Symlink("b", filepath.Join(w.dir, "l"))
	r, err := w.run(ListDir(), ".")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range r.Value.(graph.List) {
		size := field(t, e, "size")
		if field(t, e, "type") != graph.Symbol("file") {
			size = "?"
		}
		got = append(got, fmt.Sprint(field(t, e, "name"), " ", field(t, e, "type"), " ", size))
	}
	want := []string{".h file 0", "a dir ?", "b file 4", `bad\xff file 0`, "l link ?"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if _, err := w.run(ListDir(), "b"); Code(err) != CodeNotDirectory {
		t.Error(err)
	}
}

// A path that leads elsewhere than what was judged is refused, and nothing is done.
func TestPathChanged(t *testing.T) {
	swaps := map[string]func(w *world){
		"the file is another": func(w *world) {
			w.write("d/g", "secret")
			os.Rename(filepath.Join(w.dir, "d/g"), filepath.Join(w.dir, "d/f"))
		},
		"the file is a link": func(w *world) {
			os.Remove(filepath.Join(w.dir, "d/f"))
			os.Symlink(filepath.Join(w.dir, "secret"), filepath.Join(w.dir, "d/f"))
		},
		"the folder is a link": func(w *world) {
			os.Rename(filepath.Join(w.dir, "d"), filepath.Join(w.dir, "old"))
			os.Symlink("e", filepath.Join(w.dir, "d"))
		},
	}
	calls := map[string]Args{
		"read-file":   {"path": "d/f"},
		"write-file":  {"path": "d/f", "data": "x"},
		"append-file": {"path": "d/f", "data": "x"},
		"edit-file":   {"path": "d/f", "old": "x", "new": "y"},
		"move-file":   {"from": "d/f", "to": "d/new"},
		"delete-file": {"path": "d/f"},
	}
	for what, swap := range swaps {
		for _, tool := range All() {
			args, ok := calls[tool.Name]
			if !ok {
				continue
			}
			w := newWorld(t)
			w.write("d/f", "x", "e/f", "x", "secret", "x")
			f := w.prepare(tool, args)
			swap(w)
			before := w.names()
			_, err := tool.Perform(context.Background(), w.env, args, f)
			if code := Code(err); code != CodePathChanged {
				t.Errorf("%s, %s: %v", tool.Name, what, err)
			}
			if !slices.Equal(before, w.names()) || w.read("secret") != "x" || w.read("e/f") != "x" {
				t.Errorf("%s, %s: it left %q", tool.Name, what, w.names())
			}
		}
	}
}

// Content that changed between the facts and the effect is said to be stale, and nothing is done.
func TestStale(t *testing.T) {
	for name, args := range map[string]Args{
		"write-file":  {"path": "f", "data": "x"},
		"append-file": {"path": "f", "data": "x"},
		"edit-file":   {"path": "f", "old": "a", "new": "b"},
		"delete-file": {"path": "f"},
	} {
		set, _ := NewSet(All()...)
		tool, _ := set.Get(name)
		w := newWorld(t)
		w.write("f", "a")
		f := w.prepare(tool, args)
		file, _ := os.OpenFile(filepath.Join(w.dir, "f"), os.O_WRONLY|os.O_APPEND, 0)
		file.WriteString("foreign")
		file.Close()
		if _, err := tool.Perform(context.Background(), w.env, args, f); !Stale(err) {
			t.Errorf("%s: %v", name, err)
		}
		if got := w.read("f"); got != "aforeign" || len(w.names()) != 1 {
			t.Errorf("%s: left %q, %q", name, got, w.names())
		}
	}
}

func TestRecoverSeesForeignChanges(t *testing.T) {
	replace := func(w *world) {
		w.write("g", "other")
		os.Rename(filepath.Join(w.dir, "g"), filepath.Join(w.dir, "f"))
	}
	for _, c := range []struct {
		tool   string
		args   Args
		change func(w *world)
	}{
		{"write-file", Args{"path": "f", "data": "x"}, func(w *world) { w.write("f", "foreign") }},
		{"write-file", Args{"path": "f", "data": "x"}, func(w *world) { os.Remove(filepath.Join(w.dir, "f")) }},
		{"append-file", Args{"path": "f", "data": "x"}, func(w *world) { w.write("f", "aforeign") }},
		{"append-file", Args{"path": "f", "data": "x"}, func(w *world) { w.write("f", "") }},
		{"append-file", Args{"path": "f", "data": "x"}, replace},
		{"edit-file", Args{"path": "f", "old": "a", "new": "b"}, replace},
		{"move-file", Args{"from": "f", "to": "h"}, replace},
		{"move-file", Args{"from": "f", "to": "h"}, func(w *world) { os.Remove(filepath.Join(w.dir, "f")) }},
		{"delete-file", Args{"path": "f"}, replace},
		{"delete-file", Args{"path": "f"}, func(w *world) { w.write("f", "changed") }},
		{"make-dir", Args{"path": "h"}, func(w *world) { w.write("h", "") }},
	} {
		set, _ := NewSet(All()...)
		tool, _ := set.Get(c.tool)
		w := newWorld(t)
		w.write("f", "a")
		f := w.prepare(tool, c.args)
		c.change(w)
		if r := w.recover(tool, c.args, f); r.Outcome != Conflict || r.Reason == "" {
			t.Errorf("%s: %v %s", c.tool, r.Outcome, r.Reason)
		}
	}
}

func TestErrnoCodes(t *testing.T) {
	for no, code := range map[syscall.Errno]string{
		syscall.ENOSPC: CodeDiskFull, syscall.EDQUOT: CodeDiskFull, syscall.EROFS: CodeReadOnly, syscall.EACCES: CodePermission, syscall.EXDEV: CodeOtherDevice,
	} {
		err := fileError("cannot write", "f", fmt.Errorf("wrapped: %w", no))
		if Code(err) != code || !strings.HasPrefix(err.Error(), "cannot write f: ") {
			t.Errorf("%v: %v", no, err)
		}
	}
}
