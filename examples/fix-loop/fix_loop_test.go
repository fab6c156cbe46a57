package fixloop_test

import (
	"strings"
	"testing"

	"caper/examples/stage"
)

func TestMain(m *testing.M) { stage.Main(m) }

// The test command counts its runs and passes when the fix command has run often enough.
func workshop(t *testing.T) *stage.Stage {
	s := stage.New(t)
	s.Write("check.sh", "#!/bin/sh\necho run >> runs\nn=$(cat fixes 2>/dev/null | wc -l)\nif [ $n -ge 2 ]; then exit 0; fi\necho \"only $n fixes\" >&2\nexit 1\n", 0o755)
	s.Write("fix.sh", "#!/bin/sh\necho fix >> fixes\n", 0o755)
	s.Write("allow.yaml", "allow:\n  - bash(./check.sh)\n  - bash(./fix.sh)\n  - bash(true)\n", 0o644)
	return s
}

func TestFailsTwiceThenPasses(t *testing.T) {
	s := workshop(t)
	out := s.Does("run", "--rules", "allow.yaml", s.Example("fix-loop.scm"), "--", "./check.sh", "./fix.sh")
	if want := "round 1 fails, fixing\nround 2 fails, fixing\npasses in round 3\n"; out != want {
		t.Fatalf("%q, want %q", out, want)
	}
	if runs, fixes := s.Read("runs"), s.Read("fixes"); runs != "run\nrun\nrun\n" || fixes != "fix\nfix\n" {
		t.Errorf("ran %q, fixed %q", runs, fixes)
	}
}

func TestGivesUpAfterFiveRounds(t *testing.T) {
	s := workshop(t)
	r := s.Run("run", "--rules", "allow.yaml", s.Example("fix-loop.scm"), "--", "./check.sh", "true")
	if r.Code != 1 || !strings.Contains(r.Err, "still failing after five rounds") || !strings.Contains(r.Err, "only 0 fixes") {
		t.Error(r)
	}
	if runs := strings.Count(s.Read("runs"), "run"); runs != 5 {
		t.Errorf("%d runs", runs)
	}
}

// As the README says it, from the root of a tree.
func TestDemo(t *testing.T) {
	s := stage.New(t).Clone()
	if out := s.Does("run", "--policy", "yolo", "examples/fix-loop/fix-loop.scm", "--", "sh examples/fix-loop/demo/check.sh", "sh examples/fix-loop/demo/fix.sh"); !strings.Contains(out, "passes in round 3") {
		t.Error(out)
	}
}

func TestUsage(t *testing.T) {
	s := workshop(t)
	if r := s.Run("run", s.Example("fix-loop.scm"), "--", "./check.sh"); r.Code != 1 || !strings.Contains(r.Err, "-- 'TEST COMMAND' 'FIX COMMAND'") {
		t.Error(r)
	}
}

func TestNothingRunsUnasked(t *testing.T) {
	s := workshop(t)
	r := s.Run("run", s.Example("fix-loop.scm"), "--", "./check.sh", "./fix.sh")
	if r.Code != 3 || !strings.Contains(r.Err, "./check.sh") || s.Read("runs") != "" {
		t.Errorf("exit %d, ran %q: %s", r.Code, s.Read("runs"), r.Err)
	}
}
