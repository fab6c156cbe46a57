package command

import "golang.org/x/sys/unix"

// read is FREAD of sys/fcntl.h: what goes in.
const read = 1

// flushTyped drops what was typed at a terminal and not read yet.
func flushTyped(fd int) error { return unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, read) }
