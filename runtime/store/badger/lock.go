package badger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"caper/runtime/store"

	"golang.org/x/sys/unix"
)

// lockName is the file whose lock makes a process the owner of a store. It is never removed: a waiter may hold it open.
const lockName = "owner.lock"

// Lock is the right to own a store. The kernel takes it back when the process ends, however it ends.
type Lock struct{ f *os.File }

// Acquire takes the lock of a store's folder, which it makes if need be. With wait it sleeps in the kernel until the owner
// is gone; without, it answers ErrLocked.
func Acquire(dir string, wait bool) (*Lock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, unreadable(dir, err)
	}
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, unreadable(dir, err)
	}
	how := unix.LOCK_EX
	if !wait {
		how |= unix.LOCK_NB
	}
	for {
		err = unix.Flock(int(f.Fd()), how)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if err == nil {
		return &Lock{f}, nil
	}
	f.Close()
	if errors.Is(err, unix.EWOULDBLOCK) {
		return nil, fmt.Errorf("%s: %w", dir, store.ErrLocked)
	}
	return nil, unreadable(dir, err)
}

// Release gives the lock back. Once is enough, twice is no error.
func (l *Lock) Release() error {
	if err := l.f.Close(); !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}
