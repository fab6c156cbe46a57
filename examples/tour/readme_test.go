package tour_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"caper/examples/stage"
)

// step is a command of the README, and what is typed to it.
type step struct {
	command string
	typed   []string
}

// minutes are the commands of the README's first block: what stands further in belongs to the command above it.
func minutes(t *testing.T) (steps []step) {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "\n## The first ten minutes\n")
	if !ok {
		t.Fatal("README.md has no first ten minutes")
	}
	block, _, _ := strings.Cut(rest, "\n## ")
	for line := range strings.Lines(block) {
		line, _, _ = strings.Cut(strings.TrimRight(line, "\n"), "  # ")
		line = strings.TrimRight(line, " ")
		if typed, ok := strings.CutPrefix(line, "        "); ok && len(steps) > 0 {
			last := &steps[len(steps)-1]
			last.typed = append(last.typed, typed)
		} else if command, ok := strings.CutPrefix(line, "    "); ok {
			steps = append(steps, step{command: command})
		}
	}
	return steps
}

// What the README tells a newcomer, in its own words: each command in a shell at a terminal, with the program that the
// first of them installs.
func TestFirstTenMinutes(t *testing.T) {
	s := stage.New(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(s.Home, "bin")
	t.Setenv("GOBIN", bin)
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, dir := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} { // the newcomer of this test has a home of its own
		out, err := exec.Command("go", "env", dir).Output()
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv(dir, strings.TrimSpace(string(out)))
	}
	// Programs run in a copy of what they look at, so that the repository stays as it is; what is built is built there.
	if err := os.CopyFS(filepath.Join(s.Dir, "examples"), os.DirFS(filepath.Join(root, "examples"))); err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	s.Write("README.md", string(readme), 0o644)

	// What each command shows, in order: after what was typed, where something is.
	const asks, waits = "allow it?", "caper> "
	shows := []struct {
		begin  string // of the command
		prompt string // before each thing that is typed
		then   []string
		code   int
	}{
		{begin: "CGO_ENABLED=0 go install ."},
		{begin: "caper run examples/tour/tour.scm", prompt: asks, then: []string{"Wrote notes/tour.txt"}},
		{begin: "caper tree", then: []string{"write-file notes/tour.txt"}},
		{begin: "caper", prompt: waits, then: []string{"$1 = ", "$2 = ", "(string-length string)", ""}},
		{begin: "caper new tally", then: []string{"made tally/tally-test.scm"}},
		{begin: "caper test tally", then: []string{"1 file: 4 passed"}},
		{begin: "echo "},
		{begin: "caper check tally/tally.scm", then: []string{`ask      (write-file "counts.txt" _)`}},
		{begin: "caper run --park tally/tally.scm", then: []string{"caper resume"}, code: 7},
		{begin: "caper approvals", then: []string{"write-file  counts.txt"}},
		{begin: "caper approve ID"},
		{begin: "caper resume"},
		{begin: "timeout -s KILL ", then: []string{asks}, code: 137},
		{begin: "caper resume", prompt: asks, then: []string{"✓ write-file counts.txt"}},
		{begin: "caper timeline", then: []string{"write-file counts.txt"}},
	}
	steps := minutes(t)
	if len(steps) != len(shows) {
		t.Fatalf("README.md has %d commands, this test knows %d", len(steps), len(shows))
	}
	waiting := regexp.MustCompile(`(?m)^(\S+) +approve `)
	id := ""
	for i, step := range steps {
		want := shows[i]
		if !strings.HasPrefix(step.command, want.begin) || want.prompt != "" && len(step.typed) != len(want.then) {
			t.Fatalf("command %d of README.md is %q with %q, not %q", i+1, step.command, step.typed, want.begin)
		}
		where := s.Dir
		if i == 0 {
			where = root
		}
		// A machine may be so slow that a program is killed before it asks: then it was not what the README tells.
		for try := 1; ; try++ {
			x := s.Shell(where, strings.ReplaceAll(step.command, " ID", " "+id))
			for k, typed := range step.typed {
				x.Answer(want.prompt, typed, want.then[k])
			}
			r := x.Wait()
			if want.begin == "timeout -s KILL " && !strings.Contains(r.Out, asks) && try < 20 {
				continue
			}
			if r.Code != want.code {
				t.Fatalf("%s: %v", step.command, r)
			}
			expect(t, step.command, r.Out, want.then...)
			if m := waiting.FindStringSubmatch(r.Out); m != nil {
				id = m[1]
			}
			break
		}
		switch want.begin {
		case "caper run --park tally/tally.scm":
			if s.Read("counts.txt") != "" {
				t.Fatal("written before it was approved")
			}
		case "caper resume":
			if text := s.Read("counts.txt"); !strings.Contains(text, "README.md\n") {
				t.Fatalf("the resumed program wrote %q", text)
			}
			if err := os.Remove(filepath.Join(s.Dir, "counts.txt")); err != nil { // the next writes it anew
				t.Fatal(err)
			}
		}
	}
}
