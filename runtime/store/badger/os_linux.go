package badger

import (
	"os"

	"golang.org/x/sys/unix"
)

// syncData makes a file's bytes durable, and of its metadata only what reading them needs.
func syncData(f *os.File) error { return unix.Fdatasync(int(f.Fd())) }

// allocate gives a file real blocks.
func allocate(f *os.File, size int64) error { return unix.Fallocate(int(f.Fd()), 0, 0, size) }
