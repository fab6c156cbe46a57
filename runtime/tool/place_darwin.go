package tool

import (
	"syscall"

	"golang.org/x/sys/unix"
)

type sysStat = syscall.Stat_t

// openNoLinks opens an absolute path on which no component may be a link.
func openNoLinks(path string, flags int, mode uint32) (int, error) {
	return walkNoLinks(path, flags, mode)
}

// renameNew renames unless the new name exists.
func renameNew(from *folder, old string, to *folder, name string) error {
	return retry(func() error { return unix.RenameatxNp(from.fd, old, to.fd, name, unix.RENAME_EXCL) })
}
