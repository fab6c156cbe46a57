package tour_test

import (
	"path/filepath"
	"strings"
	"testing"

	"caper/examples/stage"
)

func TestMain(m *testing.M) { stage.Main(m) }

// workspace is a repository like ours, small.
func workspace(t *testing.T) (*stage.Stage, string) {
	s := stage.New(t).Clone()
	s.Write("README.md", "# A tree\n\nWith three lines.\n", 0o644)
	s.Write("examples/other/other.scm", "(display 1)\n", 0o644)
	return s, filepath.Join("examples", "tour", "tour.scm")
}

func expect(t *testing.T, what, text string, wanted ...string) {
	t.Helper()
	for _, w := range wanted {
		if !strings.Contains(text, w) {
			t.Errorf("%s does not say %q:\n%s", what, w, text)
		}
	}
}

// Every main idea in the tree that is drawn at the end.
var tree = []string{"read-file README.md", "bash rm -rf /", "denied", "glob examples/*/*.scm", "read-file examples/other/other.scm", "program", "write-file notes/tour.txt"}

func TestWithoutTerminalItSaysWhatItWouldHaveAsked(t *testing.T) {
	s, tour := workspace(t)
	expect(t, "the tour", s.Does("run", tour), "README.md has 3 lines.", "Denied, as it should be: bash rm -rf /",
		"Not written: write-file notes/tour.txt needs a person's yes and nobody can be asked")
	if text := s.Read("notes/tour.txt"); text != "" {
		t.Errorf("written without a yes: %q", text)
	}
	expect(t, "the tree", s.Does("tree"), tree...)
}

func TestAtATerminalItAsksAndWrites(t *testing.T) {
	s, tour := workspace(t)
	x := s.Open("run", tour)
	x.Answer("allow it?", "y", "Wrote notes/tour.txt")
	r := x.Wait()
	if r.Code != 0 {
		t.Fatal(r)
	}
	expect(t, "the question", r.Out, "? write-file notes/tour.txt", "new file, 3 lines", "y once", "n deny")
	expect(t, "the live tree", r.Out, tree...)
	expect(t, "the file", s.Read("notes/tour.txt"), "12  examples/other/other.scm", "in all")
	expect(t, "the tree", s.Does("tree"), tree...)
}

func TestRefusedItGoesOn(t *testing.T) {
	s, tour := workspace(t)
	x := s.Open("run", tour)
	x.Answer("allow it?", "n", "Not written:")
	if r := x.Wait(); r.Code != 0 {
		t.Fatal(r)
	}
	if text := s.Read("notes/tour.txt"); text != "" {
		t.Errorf("written after a no: %q", text)
	}
}
