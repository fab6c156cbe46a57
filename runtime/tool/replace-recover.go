package tool

import (
	"bytes"
	"errors"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// This file defines how a replacement that a crash interrupted is decided, and what recoveries of other tools share with it.

// recoverReplace decides what became of a replacement. after makes the new content from the old, for the torn case.
func recoverReplace(env *Env, f Facts, after func(before []byte) ([]byte, error)) (Recovery, error) {
	path := f.text("path")
	if err := env.syncAbove(path); err != nil {
		return Recovery{}, err
	}
	d, base, err := env.parent(path, false)
	if isMissing(err) {
		if f.flag("exists") {
			return conflict("the folder of %s is gone", path), nil
		}
		return Recovery{Outcome: NotDone}, nil
	}
	if err != nil {
		return undecided(path, err)
	}
	defer d.close()
	if err := unix.Unlinkat(d.fd, env.tempName(), 0); err != nil && !errors.Is(err, unix.ENOENT) {
		return Recovery{}, fileError("cannot remove the temporary file beside", path, err)
	}
	c, err := d.look(cannotLook, base, maxRead)
	if err != nil {
		return undecided(path, err)
	}
	switch {
	case c.exists && c.hash == f.text("after"):
		if err := env.settle(d, base); err != nil {
			return undecided(path, err)
		}
		return Recovery{Outcome: Done, Result: replaced(f, c.meta.size)}, nil
	case c.exists == f.flag("exists") && c.hash == f.text("before"):
		return Recovery{Outcome: NotDone}, nil
	case c.exists && f.flag("exists") && int64(c.meta.ino) == f.int("ino") && torn(env, f, c.data, after):
		return Recovery{Outcome: Redo, Facts: f.with("torn", c.hash).with("in-place", true)}, nil
	}
	return conflict("%s has neither the content it had nor the content it was to get", path), nil
}

// torn reports whether now is what a killed write in place leaves.
func torn(env *Env, f Facts, now []byte, after func([]byte) ([]byte, error)) bool {
	var before []byte
	if ref := f.text("preimage"); ref != "" && env.Blobs != nil {
		var err error
		if before, err = env.Blobs.Get(ref); err != nil {
			return false
		}
	}
	if hashOf(before) != f.text("before") {
		return false
	}
	next, err := after(before)
	if err != nil || hashOf(next) != f.text("after") {
		return false
	}
	n := 0
	for n < len(now) && n < len(next) && now[n] == next[n] {
		n++
	}
	if n >= len(before) {
		return n == len(now)
	}
	return len(now) == len(before) && bytes.Equal(now[n:], before[n:])
}

// settle makes the content of a file that was found done as durable as if it had been written now; syncAbove did its name.
func (e *Env) settle(d *folder, base string) error {
	if !e.Sync {
		return nil
	}
	fd, err := unix.Openat(d.fd, base, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return unix.Fsync(fd)
}

const cannotLook = "cannot look after a crash at"

// undecided is the answer of a recovery that could not look: a conflict where something else stands in the way, else an error.
func undecided(path string, err error) (Recovery, error) {
	err = fileError(cannotLook, path, err)
	switch Code(err) {
	case CodePathChanged:
		return conflict("a link or another file stands on the way to %s", path), nil
	case CodeNotDirectory, CodeIsDirectory, CodeNotFile:
		return conflict("%v", err), nil
	}
	return Recovery{}, err
}

// syncAbove makes the names of all folders above path, as far as they exist and lie in the workspace, durable: which of them the
// call has made, and not synced when it was killed, is not known.
func (e *Env) syncAbove(path string) error {
	if !e.Sync {
		return nil
	}
	for path != "/" && path != e.Workspace {
		path = filepath.Dir(path)
		d, err := openFolder(path)
		if err != nil {
			continue
		}
		err = d.sync()
		d.close()
		if err != nil {
			return fileError("cannot sync the folder", path, err)
		}
	}
	return nil
}

func blobs(refs ...string) []string {
	var list []string
	for _, ref := range refs {
		if ref != "" {
			list = append(list, ref)
		}
	}
	return list
}

func conflict(format string, a ...any) Recovery {
	for i, v := range a {
		if path, ok := v.(string); ok {
			a[i] = showPath(path)
		}
	}
	return Recovery{Outcome: Conflict, Reason: fail("", format, a...).Message}
}
