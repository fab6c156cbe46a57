package tool

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"caper/runtime/graph"
)

// linked is a world with links of all sorts.
func linked(t testing.TB) *world {
	w := newWorld(t)
	w.write("d/e/f", "x", "g", "y")
	for name, to := range map[string]string{
		"to-f": "d/e/f", "to-d": "d", "to-e": "to-d/e", "absolute": filepath.Join(w.dir, "g"), "dangling": "d/none", "loop": "pool", "pool": "loop", "self/up": "..",
	} {
		path := filepath.Join(w.dir, name)
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func TestResolvePath(t *testing.T) {
	w := linked(t)
	for _, c := range []struct {
		path, want string
		entry      bool
		code       string
		missing    bool
		dangling   bool
	}{
		{path: "g", want: "g"},
		{path: "./d//e/../e/f", want: "d/e/f"},
		{path: w.dir + "/g", want: "g"},
		{path: ".", want: ""},
		{path: "to-f", want: "d/e/f"},
		{path: "to-e/f", want: "d/e/f"},
		{path: "to-e/..", want: "d"}, // after the link, as the kernel does
		{path: "absolute", want: "g"},
		{path: "self/up/g", want: "g"},
		{path: "to-f", want: "to-f", entry: true},
		{path: "to-e/f", want: "d/e/f", entry: true},
		{path: "loop", want: "loop", entry: true},
		{path: "loop", code: CodeBadPath},
		{path: "loop/x", code: CodeBadPath, entry: true},
		{path: "dangling", want: "d/none", missing: true, dangling: true},
		{path: "dangling", want: "dangling", entry: true},
		{path: "new/a/b", want: "new/a/b", missing: true},
		{path: "to-d/new", want: "d/new", missing: true},
		{path: "new/../g", code: CodeNotFound},
		{path: "g/x", code: CodeNotDirectory},
		{path: strings.Repeat("to-d/../", 50) + "g", code: CodeBadPath},
	} {
		got, err := ResolvePath(w.dir, c.path, c.entry)
		if Code(err) != c.code {
			t.Errorf("%s: %v", c.path, err)
		}
		if err != nil {
			continue
		}
		if want := filepath.Join(w.dir, c.want); got.Path != want || got.Exists == c.missing || got.Dangling != c.dangling {
			t.Errorf("%s: %+v, want %s", c.path, got, want)
		}
		if got.Exists && got.Ino == 0 {
			t.Errorf("%s: no identity", c.path)
		}
	}
}

func TestOpenRefusesLinks(t *testing.T) {
	w := linked(t)
	opens := map[string]func(string, int, uint32) (int, error){"the kernel": openNoLinks, "the walk": walkNoLinks}
	for path, want := range map[string]error{
		"d/e/f": nil, "d": nil, "": nil, "to-f": unix.ELOOP, "to-d/e/f": unix.ELOOP, "to-d/e": unix.ELOOP, "none": unix.ENOENT, "g/x": unix.ENOTDIR, "dangling": unix.ELOOP,
		"self/up/g": unix.ELOOP,
	} {
		for who, open := range opens {
			fd, err := open(filepath.Join(w.dir, path), unix.O_RDONLY|unix.O_CLOEXEC, 0)
			if !errors.Is(err, want) {
				t.Errorf("%s opens %q: %v, want %v", who, path, err, want)
			}
			if err == nil {
				unix.Close(fd)
			}
		}
	}
}

func TestShownNames(t *testing.T) {
	for name, want := range map[string]string{"a": "a", "é": "é", "a\xffb": `a\xffb`, "\x80": `\x80`, "\xed\xa0\x80": `\xed\xa0\x80`} {
		if got := showName(name); got != want {
			t.Errorf("%q is shown as %q", name, got)
		}
	}
	if got := showPath("a\nb"); got != `"a\nb"` {
		t.Errorf("%s", got)
	}
}

// A file that may not be written is not replaced, though its folder could be. Root may do everything, so another user runs
// this.
func TestReadOnlyFileIsNotReplaced(t *testing.T) {
	if os.Geteuid() == 0 {
		c := exec.Command("/proc/self/exe", "-test.v", "-test.run=^TestReadOnlyFileIsNotReplaced$")
		c.Dir, c.Env = "/", append(os.Environ(), "TMPDIR=/tmp")
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS") {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	w := newWorld(t)
	w.write("f", "a")
	if err := os.Chmod(filepath.Join(w.dir, "f"), 0o444); err != nil {
		t.Fatal(err)
	}
	if _, err := w.run(WriteFile(), "f", "x"); Code(err) != CodePermission || w.read("f") != "a" {
		t.Error(err)
	}
}

// A full disk leaves what was there, and nothing beside it.
func TestFullDisk(t *testing.T) {
	w := newWorld(t)
	if err := unix.Mount("tmpfs", w.dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("run it as root, where file systems can be mounted: ", err)
	}
	defer unix.Unmount(w.dir, unix.MNT_DETACH)
	w.write("f", "before")
	long := strings.Repeat("x", 100_000)
	for _, given := range [][]any{{WriteFile(), "f", long}, {WriteFile(), "new", long}, {AppendFile(), "f", long}} {
		_, err := w.run(given[0].(*Tool), given[1:]...)
		if e := (*Error)(nil); !errors.As(err, &e) || e.Code != CodeDiskFull || e.Partial {
			t.Errorf("%v", err)
		}
		if names := w.names(); len(names) != 1 || w.read("f") != "before" {
			t.Errorf("left %q, %.20q", names, w.read("f"))
		}
	}
}

// A file that is a mount point cannot be renamed over; it is written in place.
func TestFileThatIsAMountPoint(t *testing.T) {
	w := newWorld(t)
	w.write("f", "before", "under", "")
	path := filepath.Join(w.dir, "under")
	if err := unix.Mount(filepath.Join(w.dir, "f"), path, "", unix.MS_BIND, ""); err != nil {
		t.Skip("run it as root, where file systems can be mounted: ", err)
	}
	defer unix.Unmount(path, unix.MNT_DETACH)
	if _, err := w.run(WriteFile(), "under", "after"); err != nil {
		t.Fatal(err)
	}
	if w.read("f") != "after" || len(w.names()) != 2 {
		t.Errorf("%q, %q", w.read("f"), w.names())
	}
}

func BenchmarkReadFile(b *testing.B) {
	w := newWorld(b)
	w.write("d/f", strings.Repeat("line\n", 100))
	for b.Loop() {
		if _, err := w.run(ReadFile(), "d/f"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteFile(b *testing.B) {
	w := newWorld(b)
	var data graph.Datum = strings.Repeat("line\n", 100)
	for b.Loop() {
		if _, err := w.run(WriteFile(), "f", data); err != nil {
			b.Fatal(err)
		}
	}
}
