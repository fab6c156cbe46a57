package todoreport_test

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"caper/examples/stage"
)

func TestMain(m *testing.M) { stage.Main(m) }

var marks = []string{"TODO", "FIXME", "XXX"}

// grepped counts with the system's grep.
func grepped(t *testing.T, dir string, flags ...string) []int {
	t.Helper()
	if _, err := exec.LookPath("grep"); err != nil {
		t.Skip("compares with grep: install it (apt-get install grep)")
	}
	var counts []int
	for _, mark := range marks {
		out, err := exec.Command("grep", append(append([]string{"-rnI"}, flags...), "-e", mark, dir)...).Output()
		if e, ok := err.(*exec.ExitError); ok && e.ExitCode() == 1 {
			err = nil // no line matched
		}
		if err != nil {
			t.Fatal(err)
		}
		counts = append(counts, strings.Count(string(out), "\n"))
	}
	return counts
}

// reported counts with the example, and checks that nothing but grep ran.
func reported(t *testing.T, s *stage.Stage, dir string) ([]int, time.Duration) {
	t.Helper()
	r := s.Run("run", "--unattended", s.Example("todo.scm"), "--", dir)
	if r.Code != 0 {
		t.Fatalf("exit %d: %s", r.Code, r.Err)
	}
	counts := make([]int, len(marks))
	for i, line := range strings.SplitN(r.Out, "\n", len(marks)+1)[:len(marks)] {
		if _, err := fmt.Sscanf(line, marks[i]+" %d", &counts[i]); err != nil {
			t.Fatalf("line %q: %v", line, err)
		}
	}
	if tree := s.Run("tree").Out; strings.Contains(tree, "bash") {
		t.Errorf("bash was used:\n%s", tree)
	}
	return counts, r.Took
}

func TestCountsEqualGrep(t *testing.T) {
	s := stage.New(t)
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{"TODO", "FIXME", "XXX", "todo", "a", "TODOS", "über", "XXXX", "", "\t", "x TODO y TODO"}
	for i := range 300 {
		var text strings.Builder
		for range r.IntN(40) {
			for range r.IntN(6) {
				text.WriteString(words[r.IntN(len(words))] + " ")
			}
			text.WriteString("\n")
		}
		text.WriteString(words[r.IntN(len(words))]) // no newline at the end
		if i%40 == 0 {
			text.WriteString("\x00TODO\n")
		}
		s.Write(fmt.Sprintf("tree/d%d/.h%d/f%d.txt", i%7, i%3, i), text.String(), 0o644)
	}
	s.Write("tree/.gitignore", "*.txt\n", 0o644)
	dir := filepath.Join(s.Dir, "tree")
	want := grepped(t, dir)
	if got, _ := reported(t, s, "tree"); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v are %v, grep counts %v", marks, got, want)
	}
}

func TestGoSourceTree(t *testing.T) {
	if testing.Short() {
		t.Skip("reads thousands of files: run without -short")
	}
	dir, err := filepath.EvalSymlinks(filepath.Join(goRoot(t), "src"))
	if err != nil {
		t.Skip("the source of Go is missing: install Go with its src folder: ", err)
	}
	s := stage.New(t)
	want := grepped(t, dir)
	got, took := reported(t, s, dir)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v are %v, grep counts %v", marks, got, want)
	}
	begin := time.Now()
	if err := exec.Command("grep", "-rn", "TODO", dir).Run(); err != nil {
		t.Fatal(err)
	}
	one := time.Since(begin)
	t.Logf("%v: the report with its three searches took %v, one grep -rn %v: ratio %.2f", got, took, one, float64(took)/float64(one))
}

// goRoot is where the go command keeps its own source.
func goRoot(t testing.TB) string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("reads Go's own source: put the go command on PATH: ", err)
	}
	return strings.TrimSpace(string(out))
}
