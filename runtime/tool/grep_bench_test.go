package tool

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"caper/runtime/graph"
)

// grepPatterns are expressions that system grep (-E) and we read alike.
var grepPatterns = []string{
	"errors.New", `func [A-Z]\w*\(`, "TODO|FIXME", `\bpanic\(`, `[0-9]{4}-[0-9]{2}`, `^import`, `(?i)deadlock`, `zzzzqqq`, `return .*, err$`, `\s+$`, `[a-z]+_[a-z]+\(`,
}

func goSource(t testing.TB) string {
	src, err := filepath.EvalSymlinks(filepath.Join(goRoot(t), "src"))
	if err != nil {
		t.Skip("the source of Go is missing: install Go with its src folder")
	}
	return src
}

func grepTree(t testing.TB, dir, pattern string, all bool) Result {
	env := &Env{Workspace: dir, Cwd: dir}
	g := Grep()
	keywords := map[string]graph.Datum{"all": all}
	args, err := Bind(g, []graph.Datum{pattern}, keywords)
	if err != nil {
		t.Fatal(err)
	}
	if env.Resolved, err = Resolve(env, g, args); err != nil {
		t.Fatal(err)
	}
	r, err := g.Perform(context.Background(), env, args, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func systemGrep(t testing.TB, dir, pattern string) []byte {
	flags := "-rnIE"
	if rest, ok := strings.CutPrefix(pattern, "(?i)"); ok {
		pattern = rest
		flags += "i"
	}
	cmd := exec.Command("grep", flags, "--", pattern, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		t.Skip("compares with GNU grep: install it: ", err)
	}
	return out
}

func TestGrepCountsAsSystemGrep(t *testing.T) {
	dir := goSource(t)
	if testing.Short() {
		t.Skip("reads all of Go's source: run without -short")
	}
	for _, pattern := range grepPatterns {
		start := time.Now()
		out := systemGrep(t, dir, pattern)
		theirs := time.Since(start)
		start = time.Now()
		r := grepTree(t, dir, pattern, true)
		ours := time.Since(start)
		if n := strings.Count(string(out), "\n"); n != len(r.Value.(graph.List)) {
			t.Errorf("%s: %d lines, grep finds %d", pattern, len(r.Value.(graph.List)), n)
		}
		t.Logf("%-22s %7d lines  ours %v, grep %v: ratio %.2f", pattern, r.Receipt.Matches, ours.Round(time.Millisecond), theirs.Round(time.Millisecond), float64(ours)/float64(theirs))
	}
}

// BenchmarkGrep reports the wall time in units of system grep's, over Go's source.
func BenchmarkGrep(b *testing.B) {
	dir := goSource(b)
	for _, pattern := range grepPatterns {
		b.Run(pattern, func(b *testing.B) {
			var ours, theirs time.Duration
			for b.Loop() {
				start := time.Now()
				systemGrep(b, dir, pattern)
				theirs += time.Since(start)
				start = time.Now()
				grepTree(b, dir, pattern, true)
				ours += time.Since(start)
			}
			b.ReportMetric(float64(ours)/float64(theirs), "of-grep")
		})
	}
}

// goRoot is where the go command keeps its own source.
func goRoot(t testing.TB) string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("reads Go's own source: put the go command on PATH: ", err)
	}
	return strings.TrimSpace(string(out))
}
