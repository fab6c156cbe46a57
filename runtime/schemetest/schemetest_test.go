package schemetest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"caper/runtime/license"
	"caper/runtime/schemetest"
)

func TestFolder(t *testing.T) { schemetest.Options{Posture: license.Yolo}.Run(t, "testdata") }

// TestFailing runs this package's tests once more, in a process of their own, over a file that must fail.
func TestFailing(t *testing.T) {
	if dir := os.Getenv("SCHEMETEST_DIR"); dir != "" {
		schemetest.Run(t, dir)
		return
	}
	for name, c := range map[string]struct{ text, want string }{
		"a test fails":          {`(test-begin "x") (test-equal "sum" 4 (+ 2 3)) (test-end)`, "got: 5"},
		"a passing one should":  {`(test-begin "x") (test-expect-fail 1) (test-assert "sum" #t) (test-end)`, "expected to fail"},
		"the program raises":    {`(test-begin "x") (test-assert #t) (car 1)`, "car"},
		"it is no program":      {`(test-begin "x"`, "closing"},
		"tests are missing":     {`(test-begin "x" 2) (test-assert #t) (test-end)`, "2 tests were to run, 1 did"},
		"there is none":         {`1`, "it ran no tests"},
		"it leaves with a code": {`(test-begin "x") (test-assert #t) (exit 3)`, "exited 3"},
		"it may not write":      {`(test-begin "x") (test-assert "write" (write-file "a" "b")) (test-end)`, "raised:"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "a-test.scm"), []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFailing$", "-test.v")
			cmd.Env = append(os.Environ(), "SCHEMETEST_DIR="+dir)
			out, err := cmd.CombinedOutput()
			if err == nil || !strings.Contains(string(out), c.want) {
				t.Errorf("err %v, want %q in\n%s", err, c.want, out)
			}
		})
	}
}
