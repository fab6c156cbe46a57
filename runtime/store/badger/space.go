package badger

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// A full disk is a death by SIGBUS for a database that writes through mappings, and again at each opening. So no new call
// begins when little is left, and a file of reserve, the balloon, is let go when even that is used up.
const (
	balloonName = "balloon"

	defaultBalloon = 32 << 20
	roomForCalls   = 64 << 20 // below this no new call begins
	roomToOpen     = 48 << 20 // below this the balloon goes before the database opens
	roomToSettle   = 16 << 20 // below this the balloon goes while the store runs
)

type space struct {
	dir  string
	size int64
	free func(dir string) (uint64, error)
}

func freeBytes(dir string) (uint64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, err
	}
	return uint64(st.Bavail) * uint64(st.Bsize), nil
}

func (s *space) left() uint64 {
	n, err := s.free(s.dir)
	if err != nil {
		return ^uint64(0) // what cannot be measured must not stop the store
	}
	return n
}

// prepare lets the balloon go when the disk is nearly full, and else makes sure that there is one.
func (s *space) prepare() {
	left := s.left()
	if left < roomToOpen {
		s.release()
		return
	}
	path := filepath.Join(s.dir, balloonName)
	if s.size <= 0 {
		s.release()
		return
	}
	if fi, err := os.Lstat(path); err == nil && fi.Size() == s.size {
		return
	}
	if left < uint64(s.size)+2*roomForCalls {
		return
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	if f.Truncate(s.size) != nil || allocate(f, s.size) != nil {
		s.release() // a file system without fallocate: a balloon of holes is none
	}
}

func (s *space) release() { os.Remove(filepath.Join(s.dir, balloonName)) }
