package worker_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"caper/runtime/worker"

	"golang.org/x/sys/unix"
)

// TestLawW05_NotReadable: a folder that may not be read is told apart from one that is not there. Root may read all, so its
// thread looks as another user does.
func TestLawW05_NotReadable(t *testing.T) {
	locked := t.TempDir()
	ok(t, os.Chmod(filepath.Dir(locked), 0o755))
	ok(t, os.Chmod(locked, 0))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if os.Geteuid() == 0 {
		ok(t, unix.Setfsuid(65534))
		defer func() { ok(t, unix.Setfsuid(0)) }()
	}
	if e := worker.CheckFolder(locked); e == nil || e.Code != worker.WorkFolderNotReadable {
		t.Errorf("%v", e)
	}
	if e := worker.CheckFolder(filepath.Dir(locked)); e != nil {
		t.Errorf("beside it: %v", e)
	}
}
