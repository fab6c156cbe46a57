package tool

import (
	"bytes"
	"context"
	"errors"

	"golang.org/x/sys/unix"

	"caper/runtime/graph"
)

// AppendFile is the tool append-file. Facts: path, exists, dev, ino, size (where the new bytes begin), length, data (their hash),
// mode (of a new file), torn (an earlier attempt wrote some of them), made (and made the file).
func AppendFile() *Tool {
	return &Tool{
		Name: "append-file", Version: "1", Effect: Write, Doc: doc("append-file"),
		Summary:  "Add to the end of a file; a missing file and missing folders are made.",
		Keywords: "add line end log journal",
		Params: []Param{
			{Name: "path", Kind: String, Required: true, Access: WriteAccess, Doc: "the file"},
			{Name: "data", Kind: Data, Required: true, Doc: "a string, or a bytevector"},
		},
		Prepare: appendPrepare,
		Perform: appendPerform,
		Recover: appendRecover,
		Preview: appendPreview,
	}
}

const cannotAppend = "cannot append to"

func appendArgs(env *Env, args Args) ([]byte, Target, error) {
	data, err := args.bytes("append-file", "data")
	if err != nil {
		return nil, Target{}, err
	}
	t, err := env.target("path")
	return data, t, err
}

func appendPrepare(_ context.Context, env *Env, args Args) (Facts, error) {
	data, t, err := appendArgs(env, args)
	if err != nil {
		return nil, err
	}
	f := Facts{
		"path": t.Path, "exists": t.Exists, "dev": int64(0), "ino": int64(0), "size": int64(0),
		"length": int64(len(data)), "data": hashOf(data), "mode": int64(0o666 &^ env.Umask),
	}
	if !t.Exists {
		return f, nil
	}
	fd, m, err := env.open(cannotAppend, t, unix.O_WRONLY)
	if err != nil {
		return nil, err
	}
	unix.Close(fd)
	if err := mustBeFile(cannotAppend, t.Path, m); err != nil {
		return nil, err
	}
	f["dev"], f["ino"], f["size"] = int64(m.dev), int64(m.ino), m.size
	return f, nil
}

func appendPerform(_ context.Context, env *Env, args Args, f Facts) (Result, error) {
	data, t, err := appendArgs(env, args)
	if err != nil {
		return Result{}, err
	}
	if f.text("path") != t.Path {
		return Result{}, pathChanged(cannotAppend, t.Path)
	}
	if f.text("data") != hashOf(data) {
		return Result{}, fail(CodeStale, "%s %s: the data is not what was measured; nothing was done", cannotAppend, showPath(t.Path))
	}
	d, base, err := env.parent(t.Path, true)
	if err != nil {
		return Result{}, fileError(cannotAppend, t.Path, err)
	}
	defer d.close()
	fd, err := appendOpen(env, d, base, t, f)
	if err != nil {
		return Result{}, err
	}
	defer unix.Close(fd)
	env.fault("before-pwrite")
	// Other programs are only kept out by this look right before the write.
	now, err := statFd(fd)
	if err != nil {
		return Result{}, fileError(cannotAppend, t.Path, err)
	}
	at, torn := f.int("size"), f.flag("torn")
	if !torn && now.size != at || torn && !(now.size >= at && now.size <= at+int64(len(data)) && endsWith(fd, at, now.size, data)) {
		return Result{}, fail(CodeStale, "%s %s: it has %d bytes now, not %d as measured; nothing was done", cannotAppend, showPath(t.Path), now.size, at)
	}
	if err := writeAt(env, fd, data, at, "mid-write"); err != nil {
		return Result{}, appendUndo(fd, t, f, err)
	}
	env.fault("after-pwrite")
	if env.Sync {
		if err := unix.Fsync(fd); err != nil {
			return Result{}, partial(cannotAppend, t.Path, err)
		}
		if !f.flag("exists") || f.flag("made") {
			if err := d.sync(); err != nil {
				return Result{}, partial(cannotAppend, t.Path, err)
			}
		}
	}
	return Result{Value: graph.Void{}, Receipt: Receipt{Bytes: int64(len(data)), Files: 1}}, nil
}

// appendUndo takes back what a failed write (a full disk) has added.
func appendUndo(fd int, t Target, f Facts, err error) error {
	if e := retry(func() error { return unix.Ftruncate(fd, f.int("size")) }); e != nil {
		return partial(cannotAppend, t.Path, err)
	}
	return fileError(cannotAppend, t.Path, err)
}

// appendOpen opens the file, or makes it where facts say that there is none.
func appendOpen(env *Env, d *folder, base string, t Target, f Facts) (int, error) {
	if f.flag("exists") {
		fd, m, err := env.open(cannotAppend, t, unix.O_RDWR)
		if errors.Is(err, unix.EACCES) { // write-only for us
			fd, m, err = env.open(cannotAppend, t, unix.O_WRONLY)
		}
		if err != nil {
			return -1, err
		}
		if int64(m.ino) != f.int("ino") || int64(m.dev) != f.int("dev") {
			unix.Close(fd)
			return -1, pathChanged(cannotAppend, t.Path)
		}
		if f.flag("made") {
			if err := unix.Fchmod(fd, uint32(f.int("mode"))); err != nil {
				unix.Close(fd)
				return -1, fileError(cannotAppend, t.Path, err)
			}
		}
		return fd, nil
	}
	env.fault("before-create")
	var fd int
	err := retry(func() (err error) {
		fd, err = unix.Openat(d.fd, base, unix.O_RDWR|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
		return err
	})
	if errors.Is(err, unix.EEXIST) {
		return -1, fail(CodeStale, "%s %s: another program has just made it; nothing was done", cannotAppend, showPath(t.Path))
	}
	if err != nil {
		return -1, fileError(cannotAppend, t.Path, err)
	}
	if err := unix.Fchmod(fd, uint32(f.int("mode"))); err != nil {
		unix.Close(fd)
		return -1, fileError(cannotAppend, t.Path, err)
	}
	env.fault("after-create")
	return fd, nil
}

// endsWith reports whether the bytes from at to end are how data begins.
func endsWith(fd int, at, end int64, data []byte) bool {
	have := make([]byte, min(end-at, int64(len(data))))
	for done := 0; done < len(have); {
		n, err := unix.Pread(fd, have[done:], at+int64(done))
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil || n == 0 {
			return false
		}
		done += n
	}
	return bytes.HasPrefix(data, have)
}

func appendRecover(_ context.Context, env *Env, args Args, f Facts) (Recovery, error) {
	data, err := args.bytes("append-file", "data")
	if err != nil {
		return Recovery{}, err
	}
	path := f.text("path")
	if err := env.syncAbove(path); err != nil {
		return Recovery{}, err
	}
	d, base, err := env.parent(path, false)
	var m meta
	if err == nil {
		defer d.close()
		m, err = d.stat(base)
	}
	if isMissing(err) {
		if f.flag("exists") {
			return conflict("%s is gone", path), nil
		}
		return Recovery{Outcome: NotDone}, nil
	}
	if err != nil {
		return undecided(path, err)
	}
	if !m.regular() || f.flag("exists") && (int64(m.ino) != f.int("ino") || int64(m.dev) != f.int("dev")) {
		return conflict("%s is another file now", path), nil
	}
	fd, err := unix.Openat(d.fd, base, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return undecided(path, err)
	}
	defer unix.Close(fd)
	at := f.int("size")
	end := at + int64(len(data))
	switch {
	case m.size < at:
		return conflict("%s is shorter than it was", path), nil
	case m.size >= end && len(data) > 0 && endsWith(fd, at, end, data):
		if err := env.settle(d, base); err != nil {
			return undecided(path, err)
		}
		return Recovery{Outcome: Done, Result: Result{Value: graph.Void{}, Receipt: Receipt{Bytes: int64(len(data)), Files: 1}}}, nil
	case m.size == at && f.flag("exists"):
		return Recovery{Outcome: NotDone}, nil
	case m.size <= end && endsWith(fd, at, m.size, data):
		g := f.with("torn", true).with("exists", true).with("dev", int64(m.dev)).with("ino", int64(m.ino))
		if !f.flag("exists") {
			g["made"] = true
		}
		return Recovery{Outcome: Redo, Facts: g}, nil
	}
	return conflict("something else was added to %s", path), nil
}

func appendPreview(_ context.Context, env *Env, args Args) (Preview, error) {
	data, t, err := appendArgs(env, args)
	if err != nil {
		return Preview{}, err
	}
	now, err := env.lookAt(cannotAppend, t)
	if err != nil {
		return Preview{}, err
	}
	if now.exists && now.data == nil {
		return Preview{Path: t.Path, Before: now.hash, Note: "the file is too large to show"}, nil
	}
	after := append(now.data[:len(now.data):len(now.data)], data...)
	return diffPreview(env, t.Path, now, after), nil
}
