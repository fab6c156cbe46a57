package sim

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// The store's own room damages its files one by one and asks the store (runtime/store/badger). Here a person looks: what
// the command line says of a home in which one file is not what it was.

// looks are what a person would type; each must answer as over the whole home, or say loudly what is wrong.
var looks = [][]string{
	{"jobs"}, {"tree", "1.1.0"}, {"tree", "2.1.0"}, {"show", "2.2.0"}, {"log", "1"}, {"approvals"}, {"resume", "--value", "2.1.0"}, {"resume", "--value", "3.1.0"},
}

// lived makes a home with three sessions: one that ended, one with values in blobs, one that waits for an approval. With
// killed its last owner died, else it closed the store.
func lived(t testing.TB, killed bool) *world {
	t.Helper()
	w := newWorld(t, "sync")
	program(t, w.work, "a.scm", "(write-file \"a.txt\" \"1\\n\") (write-file \"a.txt\" \"2\\n\") (bash \"echo a\") (display \"said\\n\") 'a")
	program(t, w.work, "b.scm", "(string-length (read-file \"big.txt\"))")
	program(t, w.work, "c.scm", "(write-file \"c.txt\" \"c\\n\") 'c")
	w.write("big.txt", strings.Repeat("0123456789abcde\n", 20_000))
	w.ok("run", "--policy", "yolo", "a.scm")
	w.ok("run", "--policy", "yolo", "b.scm")
	if r := w.caper(nil, "run", "--park", "c.scm"); r.code != 7 {
		t.Fatal(r)
	}
	w.ok("policy", "set", "manual")
	if killed {
		if r := w.caper([]string{"CAPER_FAULT=before-clean:1"}, "jobs"); !r.killed {
			t.Fatal(r)
		}
	}
	return w
}

// copyOf is the same home and workspace in a world of their own.
func (w *world) copyOf(t testing.TB) *world {
	t.Helper()
	c := newWorld(t, w.durability)
	for _, d := range [][2]string{{w.home, c.home}, {w.work, c.work}} {
		if out, err := exec.Command("cp", "-a", "--sparse=always", d[0]+"/.", d[1]).CombinedOutput(); err != nil {
			t.Fatalf("copy: %v: %s", err, out)
		}
	}
	return c
}

// seen is what a look showed, without what differs between copies of one home.
func (w *world) seen(r result) string {
	return strings.ReplaceAll(r.stdout, w.root, "") + fmt.Sprintf("exit %d\n", r.code)
}

// harm is one kind of damage to a file; false when it would change nothing.
type harm struct {
	name string
	do   func(path string, content []byte) bool
}

func flip(part, parts int) func(string, []byte) bool {
	return func(path string, b []byte) bool {
		n := len(bytes.TrimRight(b, "\x00")) // preallocated zeros hold nothing
		if n == 0 {
			return false
		}
		b = bytes.Clone(b)
		b[(n-1)*part/parts] ^= 4
		return os.WriteFile(path, b, 0o600) == nil
	}
}

var harms = []harm{
	{"removed", func(p string, _ []byte) bool { return os.Remove(p) == nil }},
	{"emptied", func(p string, b []byte) bool { return len(b) > 0 && os.Truncate(p, 0) == nil }},
	{"cut to half", func(p string, b []byte) bool { return len(b) > 1 && os.Truncate(p, int64(len(b)/2)) == nil }},
	{"cut by 3 bytes", func(p string, b []byte) bool { return len(b) > 3 && os.Truncate(p, int64(len(b)-3)) == nil }},
	{"cut inside what it holds", func(p string, b []byte) bool {
		n := len(bytes.TrimRight(b, "\x00"))
		return n > 1 && os.Truncate(p, int64(n/2)) == nil
	}},
	{"a bit at its begin", flip(0, 4)}, {"a bit in the first quarter", flip(1, 4)}, {"a bit in the middle", flip(2, 4)},
	{"a bit in the last quarter", flip(3, 4)}, {"a bit at its end", flip(4, 4)},
}

// loud is an error that says what is wrong: exit 6 for the store, another for a value that lies beside it.
var (
	loud  = regexp.MustCompile(`damage|lost|cannot be|missing|corrupt|not there|does not|invalid|changed`)
	crash = regexp.MustCompile(`panic:|goroutine \d+|runtime error|SIGSEGV|SIGBUS`)
)

func TestDamage(t *testing.T) {
	for _, killed := range []bool{false, true} {
		t.Run(map[bool]string{false: "closed", true: "killed"}[killed], func(t *testing.T) {
			w := lived(t, killed)
			whole := w.copyOf(t)
			var want []string
			for _, look := range looks {
				want = append(want, whole.seen(whole.caper(nil, look...)))
			}
			var mu sync.Mutex
			outcomes := map[string]int{}
			t.Run("file", func(t *testing.T) {
				for i, file := range w.homeFiles() {
					for j, h := range harms {
						if !full() && (i+3*j)%9 != 0 {
							continue
						}
						t.Run(file+" "+h.name, func(t *testing.T) {
							t.Parallel()
							c := w.copyOf(t)
							b, err := os.ReadFile(filepath.Join(c.home, file))
							if err != nil {
								t.Fatal(err)
							}
							if !h.do(filepath.Join(c.home, file), b) {
								return // an empty file has nothing to damage
							}
							how := c.look(t, want)
							mu.Lock()
							defer mu.Unlock()
							outcomes[how]++
						})
					}
				}
			})
			t.Logf("%v", outcomes)
		})
	}
}

// look types every look and answers the worst that it met: the same as over the whole home, or an error that says so.
func (w *world) look(t *testing.T, want []string) string {
	how := "nothing was lost"
	for i, look := range looks {
		r := w.caper(nil, look...)
		switch {
		case crash.MatchString(r.stderr) || r.killed || r.code < 0:
			t.Fatalf("caper %v: %v", look, r)
		case w.seen(r) == want[i]:
		case r.code == 6 && loud.MatchString(r.stderr):
			how = "exit 6"
		case r.code != 0 && loud.MatchString(r.stderr):
			if how == "nothing was lost" {
				how = "an error of one value"
			}
		default:
			t.Fatalf("caper %v lost something in silence:\nwant:\n%s\ngot: %v", look, want[i], r)
		}
	}
	return how
}

// homeFiles are all files of the home, relative to it.
func (w *world) homeFiles() (files []string) {
	w.t.Helper()
	err := filepath.WalkDir(w.home, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && d.Name() != "owner.lock" && d.Name() != "balloon" {
			files = append(files, strings.TrimPrefix(path, w.home+"/"))
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return files
}
