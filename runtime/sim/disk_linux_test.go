package sim

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// smallDisk mounts a file system of its own for the home, and one for the workspace.
func smallDisk(t *testing.T, dir, size string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("run it as root, where a small disk can be mounted")
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("run it where root may mount a small disk (docker run --privileged): %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
}

// TestFullDisk: the disk of the store fills up while a program runs. No new call begins; with room again it goes on and
// every effect happened once.
func TestFullDisk(t *testing.T) {
	w := newWorld(t, "sync")
	smallDisk(t, w.home, "120m")
	program(t, w.work, "fill.scm", `(append-file "a.txt" "a\n")
(bash "[ -e filled ] || { head -c 90000000 /dev/zero > \"$COUNTER.fill\"; }; printf 'x\\n' >> \"$COUNTER\"")
(par-map (lambda (name) (append-file name "b\n")) '("a.txt" "b.txt" "c.txt" "d.txt"))
(append-file "a.txt" "c\n")
'ended
`)
	// The filler lies on the store's disk: nothing may write there but Caper, so the test links it from outside.
	filler := filepath.Join(w.home, "filler")
	if err := os.Symlink(filler, w.counter+".fill"); err != nil {
		t.Fatal(err)
	}
	r := w.caper(nil, "run", "--policy", "yolo", "--value", "fill.scm")
	if r.code != 6 || !strings.Contains(r.stderr, "disk") {
		t.Fatalf("the run on a full disk: %v", r)
	}
	w.mustHave(filepath.Join(w.work, "a.txt"), "a\n")
	// Still full: looking works, beginning anew is refused with the reason.
	if r := w.caper(nil, "tree"); r.code != 0 && !strings.Contains(r.stderr, "disk") {
		t.Fatalf("tree on a full disk: %v", r)
	}
	if r := w.caper(nil, "run", "--policy", "yolo", "fill.scm"); r.code != 6 || !strings.Contains(r.stderr, "disk") {
		t.Fatalf("a second run on a full disk: %v", r)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if r := w.caper(nil, "resume", "--value", "1.1.0"); r.code != 0 || r.stdout != "ended\n" {
		t.Fatalf("resume with room again: %v", r)
	}
	w.mustHave(filepath.Join(w.work, "a.txt"), "a\nb\nc\n")
	w.mustHave(filepath.Join(w.work, "d.txt"), "b\n")
	w.mustHave(w.counter, "x\n")
}

// TestFullWorkspace: the disk of the workspace is full: the call fails and leaves what was there; the program sees it.
func TestFullWorkspace(t *testing.T) {
	w := newWorld(t, "sync")
	smallDisk(t, w.work, "1m")
	w.write("big.txt", "small\n")
	program(t, w.work, "fill.scm", `(define big (make-string 3000000 #\x))
(define (try thunk) (guard (e ((tool-error? e) (display (tool-error-code e)) (newline))) (thunk) (display "done\n")))
(try (lambda () (write-file "big.txt" big)))
(try (lambda () (append-file "big.txt" big)))
(try (lambda () (append-file "new.txt" big)))
(display (read-file "big.txt"))
`)
	r := w.caper(nil, "run", "--policy", "yolo", "fill.scm")
	if r.code != 0 || strings.Contains(r.stdout, "done") || !strings.HasSuffix(r.stdout, "small\n") {
		t.Fatalf("%v", r)
	}
	left, err := exec.Command("sh", "-c", "ls -A "+w.work).Output()
	if err != nil || strings.Contains(string(left), ".caper-") {
		t.Fatalf("left in the workspace: %v %s", err, left)
	}
}
