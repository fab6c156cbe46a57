package sim

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestARecoveredCallIsLicensedAgain: what a call was allowed to touch when its process died is not what a link names
// afterwards.
func TestARecoveredCallIsLicensedAgain(t *testing.T) {
	for _, c := range []struct{ name, program, point string }{
		{"a read runs again", `(display (guard (e ((denied? e) "denied")) (read-file "link")))`, "performed:1"},
		{"a write was not done", `(display (guard (e ((denied? e) "denied")) (append-file "link" "more")))`, "minted:1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, "fast")
			w.write("inside", "inside")
			w.write("p.scm", c.program)
			w.write("rules.yaml", "allow:\n  - append-file(**)\n")
			outside := filepath.Join(w.root, "outside")
			if err := os.WriteFile(outside, []byte("outside"), 0o644); err != nil {
				t.Fatal(err)
			}
			link := filepath.Join(w.work, "link")
			if err := os.Symlink("inside", link); err != nil {
				t.Fatal(err)
			}
			if r := w.caper([]string{"CAPER_FAULT=" + c.point}, "run", "--rules", "rules.yaml", "p.scm"); !r.killed {
				t.Fatalf("the point was not passed: %v", r)
			}
			if err := os.Remove(link); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(outside, link); err != nil {
				t.Fatal(err)
			}
			r := w.caper(nil, "resume", "1.1.0")
			if got := w.read(outside); got != "outside" || strings.Contains(r.stdout, "outside") || !strings.Contains(r.stdout, "denied") {
				t.Errorf("%v\noutside: %q", r, got)
			}
		})
	}
}
