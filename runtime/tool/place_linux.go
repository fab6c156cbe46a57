package tool

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

type sysStat = syscall.Stat_t

// openNoLinks opens an absolute path on which no component may be a link.
func openNoLinks(path string, flags int, mode uint32) (fd int, err error) {
	how := &unix.OpenHow{Flags: uint64(flags), Mode: uint64(mode), Resolve: unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS}
	err = retry(func() error {
		fd, err = unix.Openat2(unix.AT_FDCWD, path, how)
		return err
	})
	// Old kernels do not have the call and some seccomp filters refuse it.
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) {
		return walkNoLinks(path, flags, mode)
	}
	return fd, err
}

// renameNew renames unless the new name exists.
func renameNew(from *folder, old string, to *folder, name string) error {
	err := retry(func() error { return unix.Renameat2(from.fd, old, to.fd, name, unix.RENAME_NOREPLACE) })
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP) {
		// Some file systems (NFS, FUSE) do not know the flag; there a moment stays between the look and the rename.
		if _, err := to.stat(name); err == nil {
			return unix.EEXIST
		}
		return retry(func() error { return unix.Renameat(from.fd, old, to.fd, name) })
	}
	return err
}
