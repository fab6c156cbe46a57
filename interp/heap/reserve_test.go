//go:build linux && !race

package heap

import (
	"errors"
	"os"
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"
)

// TestLittleAddressSpace holds that a system that gives no 4 GiB of addresses is told of, in a process of its own whose
// addresses are limited.
func TestLittleAddressSpace(t *testing.T) {
	const limited = "CAPER_TEST_LIMITED"
	if os.Getenv(limited) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestLittleAddressSpace$")
		cmd.Env = append(os.Environ(), limited+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	if err := unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: 3 << 30, Max: 3 << 30}); err != nil {
		t.Fatal(err)
	}
	if c, err := NewCage(nil); !errors.Is(err, ErrReserve) {
		t.Errorf("a cage of %v, %v", c, err)
	}
}
