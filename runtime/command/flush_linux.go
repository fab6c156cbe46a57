package command

import "golang.org/x/sys/unix"

// flushTyped drops what was typed at a terminal and not read yet.
func flushTyped(fd int) error { return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH) }
