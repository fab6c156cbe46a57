package rename_test

import (
	"strings"
	"testing"

	"caper/examples/stage"
)

func TestMain(m *testing.M) { stage.Main(m) }

func tree(t *testing.T) *stage.Stage {
	s := stage.New(t)
	s.Write("src/a.go", "package a\n\nfunc oldName() {}\n", 0o644)
	s.Write("src/b.go", "package a\n\nvar x = oldName() // not oldNames\n", 0o644)
	s.Write("src/c.go", "package a // oldNames only\n", 0o644)
	s.Write("notes.txt", "oldName\n", 0o644)
	return s
}

func TestOneYesForTheSession(t *testing.T) {
	s := tree(t)
	x := s.Open("run", s.Example("rename.scm"), "--", "oldName", "newName", "*.go")
	x.Answer("allow it?", "s", "renamed  src/b.go")
	if r := x.Wait(); r.Code != 0 {
		t.Fatal(r)
	} else if strings.Contains(r.Out, "? write-file src/b.go") {
		t.Errorf("asked again:\n%s", r.Out)
	} else if !strings.Contains(r.Out, "-func oldName() {}") || !strings.Contains(r.Out, "+func newName() {}") {
		t.Errorf("no diff:\n%s", r.Out)
	}
	for name, want := range map[string]string{
		"src/a.go": "package a\n\nfunc newName() {}\n", "src/b.go": "package a\n\nvar x = newName() // not oldNames\n",
		"src/c.go": "package a // oldNames only\n", "notes.txt": "oldName\n",
	} {
		if got := s.Read(name); got != want {
			t.Errorf("%s holds %q, want %q", name, got, want)
		}
	}
}

func TestWithNobodyToAskNothingChanges(t *testing.T) {
	s := tree(t)
	r := s.Run("run", s.Example("rename.scm"), "--", "oldName", "newName")
	if r.Code != 0 || strings.Count(r.Out, "kept  ") != 3 {
		t.Error(r)
	}
	if got := s.Read("src/a.go"); !strings.Contains(got, "oldName") {
		t.Errorf("src/a.go holds %q", got)
	}
}

func TestUsage(t *testing.T) {
	s := tree(t)
	if r := s.Run("run", s.Example("rename.scm"), "--", "nowhere", "here"); r.Code != 0 || !strings.Contains(r.Out, "nothing matches") {
		t.Error(r)
	}
	if r := s.Run("run", s.Example("rename.scm")); r.Code != 1 || !strings.Contains(r.Err, "-- OLD NEW [GLOB]") {
		t.Error(r)
	}
}
