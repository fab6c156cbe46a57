package reviewfanout_test

import (
	"fmt"
	"strings"
	"testing"

	"caper/examples/stage"
)

func TestMain(m *testing.M) { stage.Main(m) }

func TestEachFileHasItsReview(t *testing.T) {
	s := stage.New(t)
	var want strings.Builder
	for i := range 12 {
		text := "package a\n\nfunc f() {\n\tf()\n}\n"
		if i%4 == 0 {
			text = "package a\n\nfunc f() {\n\t_ = g()\n}\n"
			fmt.Fprintf(&want, "src/f%02d.go:4: an error is thrown away\n", i)
		}
		s.Write(fmt.Sprintf("src/f%02d.go", i), text, 0o644)
	}
	want.WriteString("12 files, 3 of them with findings, ")
	out := s.Does("run", "--policy", "auto", "--unattended", s.Example("review.scm"), "--", "src/*.go")
	if !strings.HasPrefix(out, want.String()) {
		t.Errorf("%s\nwanted\n%s", out, want.String())
	}
}

func TestManualAsksBeforeItSpends(t *testing.T) {
	s := stage.New(t)
	s.Write("a.go", "package a\n", 0o644)
	if r := s.Run("run", "--unattended", s.Example("review.scm"), "--", "*.go"); r.Code != 3 || !strings.Contains(r.Err, "spawn-agent") {
		t.Error(r)
	}
}
