package offlineagent_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caper/examples/stage"
)

func TestMain(m *testing.M) { stage.Main(m) }

func TestTheLongestText(t *testing.T) {
	s := stage.New(t)
	s.Write("a.txt", "one two three", 0o644)
	s.Write("deep/b.txt", "one two three four five", 0o644)
	s.Write("bytes.txt", strings.Repeat("no text \xff ", 100), 0o644) // cannot be read, and is not counted
	s.Write("c.md", strings.Repeat("no text ", 100), 0o644)
	out := s.Does("ask", "--unattended", "--model", "scheme:"+s.Example("model.scm"), "Which text is the longest?")
	if !strings.Contains(out, "I read 2 texts. The longest is deep/b.txt, with 5 words.") {
		t.Fatal(out)
	}
	tree := s.Does("tree")
	for _, want := range []string{"glob **/*.txt", "read-file a.txt", "read-file deep/b.txt"} {
		if !strings.Contains(tree, want) {
			t.Errorf("the tree does not show %s:\n%s", want, tree)
		}
	}
}

func TestAsAConnection(t *testing.T) {
	s := stage.New(t)
	yaml := "connections:\n  library:\n    kind: scheme\n    file: " + s.Example("model.scm") + "\n"
	home := filepath.Join(s.Home, ".caper")
	if err := errors.Join(os.MkdirAll(home, 0o700), os.WriteFile(filepath.Join(home, "models.yaml"), []byte(yaml), 0o600)); err != nil {
		t.Fatal(err)
	}
	if out := s.Does("ask", "--unattended", "--model", "library", "Which text is the longest?"); !strings.Contains(out, "There are no texts here.") {
		t.Error(out)
	}
}
