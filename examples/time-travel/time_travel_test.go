package timetravel_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"caper/examples/stage"
)

func TestMain(m *testing.M) { stage.Main(m) }

// As the README says it, command by command.
func TestReadme(t *testing.T) {
	s := stage.New(t)
	program, err := os.ReadFile("writer.scm")
	if err != nil {
		t.Fatal(err)
	}
	s.Write("examples/time-travel/writer.scm", string(program), 0o644)
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var seen []string // what each command printed, and the plan after it
	for _, m := range regexp.MustCompile(`(?m)^    caper (.*)$`).FindAllStringSubmatch(string(readme), -1) {
		line, _, _ := strings.Cut(m[1], " #")
		r := s.Run(words(line)...)
		if r.Code != 0 {
			t.Fatalf("caper %s: exit %d\n%s%s", line, r.Code, r.Out, r.Err)
		}
		seen = append(seen, r.Out+"|"+s.Read("plan.txt"))
	}
	for i, want := range []string{"done\n|walk", "done\n|run", "head", "put back: .*plan.txt\n|walk", "write plan.txt walk, recall\n|walk", "|run", "session 2 goes on from 1.1.2"} {
		if i >= len(seen) || !regexp.MustCompile(strings.ReplaceAll(want, "|", `\|`)).MatchString(seen[i]) {
			t.Errorf("command %d: %q, wanted %q", i+1, seen[i:min(i+1, len(seen))], want)
		}
	}
}

// words splits a command line at spaces outside of quotes.
func words(line string) (out []string) {
	for _, m := range regexp.MustCompile(`'([^']*)'|(\S+)`).FindAllStringSubmatch(line, -1) {
		out = append(out, m[1]+m[2])
	}
	return out
}
