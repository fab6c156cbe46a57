package policyascode_test

import (
	"testing"

	"caper/examples/stage"
)

func TestMain(m *testing.M) { stage.Main(m) }

func TestThePolicyHolds(t *testing.T) {
	s := stage.New(t)
	out := s.Does("run", "--policy", "yolo", "--unattended", s.Example("policy.scm"))
	want := `write out/report.txt: done
write notes.txt: denied
write out/../notes.txt: denied
delete out/report.txt: denied
run date: done
run rm: denied
rm would be: ask
a loop: ask
a policy that calls a tool: ask
`
	if out != want {
		t.Error(out)
	}
	if got := s.Read("out/report.txt"); got != "all is well\n" {
		t.Errorf("the report is %q", got)
	}
	if got := s.Read("notes.txt"); got != "" {
		t.Errorf("notes.txt was written: %q", got)
	}
}
