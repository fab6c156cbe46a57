package timetravel_test

import (
	"regexp"
	"strings"
	"testing"

	"caper/examples/stage"
)

func TestMain(m *testing.M) { stage.Main(m) }

// As the README says it, command by command.
func TestReadme(t *testing.T) {
	s := stage.New(t).Clone()
	var seen []string // what each command printed, and the plan after it
	for _, args := range s.Readme() {
		seen = append(seen, s.Does(args...)+"|"+s.Read("plan.txt"))
	}
	for i, want := range []string{"done\n|walk", "done\n|run", "head", "put back: .*plan.txt\n|walk", "write plan.txt walk, recall\n|walk", "|run", "session 2 goes on from 1.1.2"} {
		if i >= len(seen) || !regexp.MustCompile(strings.ReplaceAll(want, "|", `\|`)).MatchString(seen[i]) {
			t.Errorf("command %d: %q, wanted %q", i+1, seen[i:min(i+1, len(seen))], want)
		}
	}
}
