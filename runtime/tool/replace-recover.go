package tool

import (
	"bytes"
	"errors"

	"golang.org/x/sys/unix"
)

// This file defines how a replacement that a crash interrupted is decided, and what recoveries of other tools share with it.

// recoverReplace decides what became of a replacement. after makes the new content from the old, for the torn case.
func recoverReplace(env *Env, f Facts, after func(before []byte) ([]byte, error)) (Recovery, error) {
	const did = "cannot look after a crash at"
	path := f.text("path")
	d, base, err := env.parent(path, false)
	if isMissing(err) {
		if f.flag("exists") {
			return conflict("the folder of %s is gone", path), nil
		}
		return Recovery{Outcome: NotDone}, nil
	}
	if err != nil {
		if Code(fileError(did, path, err)) == CodePathChanged {
			return conflict("a link or another file stands on the way to %s", path), nil
		}
		return Recovery{}, fileError(did, path, err)
	}
	defer d.close()
	if err := unix.Unlinkat(d.fd, env.tempName(), 0); err != nil && !errors.Is(err, unix.ENOENT) {
		return Recovery{}, fileError("cannot remove the temporary file beside", path, err)
	}
	c, err := d.look(did, base)
	if err != nil {
		if Code(err) == CodeIO {
			return Recovery{}, err
		}
		return conflict("%v", err), nil
	}
	switch {
	case c.exists && c.hash == f.text("after"):
		if err := env.settle(d, base); err != nil {
			return Recovery{}, fileError(did, path, err)
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
	if ref := f.text("preimage"); ref != "" {
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

// settle makes an effect that was found done as durable as if it had been done now.
func (e *Env) settle(d *folder, base string) error {
	if !e.Sync {
		return nil
	}
	if base != "" {
		fd, err := unix.Openat(d.fd, base, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		if err := unix.Fsync(fd); err != nil {
			return err
		}
	}
	return d.sync()
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
