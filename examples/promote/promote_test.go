package promote_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caper/examples/stage"
)

func TestMain(m *testing.M) { stage.Main(m) }

// As the README says it, from the program that the agent wrote to the tool that it calls.
func TestReadme(t *testing.T) {
	s := stage.New(t).Clone()
	s.Write("LICENSE", "one two three\nfour\n", 0o644)
	s.Write("README.md", "five six\n", 0o644)
	said := s.Readme()
	last := said[len(said)-1]
	for i, want := range []string{"value: 4\n", `"id":"1.5.0","kind":"ProgrammaticJob"`, "with the parameters path", "", "1 passed"} {
		if out := s.Does(said[i]...); !strings.Contains(out, want) {
			t.Errorf("caper %s: %q, wanted %q", strings.Join(said[i], " "), out, want)
		}
	}
	tools := filepath.Join(s.Dir, ".caper", "tools")
	err := os.MkdirAll(tools, 0o755)
	for _, name := range []string{"count-words.scm", "count-words-test.scm"} {
		err = errors.Join(err, os.Rename(filepath.Join(s.Dir, name), filepath.Join(tools, name)))
	}
	if err != nil {
		t.Fatal(err)
	}
	x := s.Open(last...)
	x.Answer("allow it?", "y", "\n2\n")
	if r := x.Wait(); r.Code != 0 {
		t.Fatal(r)
	}
	tree := s.Does("tree")
	if !strings.Contains(tree, " count-words ") || strings.Contains(tree, " scheme ") {
		t.Errorf("the tool was not called in a program's stead:\n%s", tree)
	}
}

// The tool of a project is asked about: where nobody can be asked it does not run.
func TestNobodyToAsk(t *testing.T) {
	s := stage.New(t).Clone()
	s.Write(".caper/tools/count-words.scm", `(define-tool count-words "Counts." '((path string "a path")) (lambda (path) 2))`, 0o644)
	ask := append(s.Readme()[0], "--unattended")
	if out := s.Does(ask...); !strings.Contains(out, "an ask rule names it") {
		t.Error(out)
	}
}
