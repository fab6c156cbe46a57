package tool

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"caper/runtime/graph"
)

// This file defines how the whole content of a file is replaced at once (write-file, edit-file), and how a crash in the middle of
// that is decided from hashes. Facts:
//
//	path                 canonical
//	exists, dev, ino     of the file before
//	mode                 permission bits that the file has or will have
//	before, size         hash and length of the content before; "" and 0 if there was none
//	after                hash of the content to be
//	preimage             blob of the content before; "" if it was empty or too large to keep
//	in-place             the file has other names (hard links), which a rename would cut off
//	torn                 hash of what a write in place left when it was killed

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// content is a file as it is now.
type content struct {
	exists bool
	meta   meta
	hash   string
	data   []byte // nil if it does not exist or is too large to hold
}

// look reads the entry base of d, and holds what is there if it has at most so many bytes. Only regular files have content.
func (d *folder) look(did, base string, most int64) (content, error) {
	path := filepath.Join(d.path, base)
	var fd int
	err := retry(func() (err error) {
		fd, err = unix.Openat(d.fd, base, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
		return err
	})
	if errors.Is(err, unix.ENOENT) {
		return content{}, nil
	}
	if err != nil {
		return content{}, fileError(did, path, err)
	}
	defer unix.Close(fd)
	c := content{exists: true}
	if c.meta, err = statFd(fd); err != nil {
		return content{}, fileError(did, path, err)
	}
	if err := mustBeFile(did, path, c.meta); err != nil {
		return content{}, err
	}
	if c.meta.size > most {
		c.hash, err = hashFd(fd, c.meta.size)
	} else if c.data, err = readAll(fd, c.meta.size, maxRead); err == nil {
		c.hash = hashOf(c.data)
	}
	if err != nil {
		return content{}, fileError(did, path, err)
	}
	return c, nil
}

// hashFd hashes a file of about size bytes without holding it.
func hashFd(fd int, size int64) (string, error) {
	h := sha256.New()
	buf := make([]byte, min(size+1, 1<<20))
	for at := int64(0); ; {
		var n int
		err := retry(func() (err error) {
			n, err = unix.Pread(fd, buf, at)
			return err
		})
		if err != nil {
			return "", err
		}
		if n == 0 {
			return hex.EncodeToString(h.Sum(nil)), nil
		}
		h.Write(buf[:n])
		at += int64(n)
	}
}

// lookAt reads the file that the target names; a missing folder means a missing file.
func (e *Env) lookAt(did string, t Target) (content, error) {
	d, base, err := e.parent(t.Path, false)
	if isMissing(err) && !t.Exists {
		return content{}, nil
	}
	if err != nil {
		return content{}, fileError(did, t.Path, err)
	}
	defer d.close()
	c, err := d.look(did, base, maxRead)
	if err != nil {
		return content{}, err
	}
	return c, sameFile(did, t, c)
}

// sameFile checks that c is what the license judged.
func sameFile(did string, t Target, c content) error {
	if c.exists != t.Exists || c.exists && !c.meta.is(t) {
		return pathChanged(did, t.Path)
	}
	return nil
}

// prepareReplace measures the facts of giving the target the content after, where it has the content c now.
func prepareReplace(env *Env, did string, t Target, c content, after []byte) (Facts, error) {
	f := Facts{
		"path": t.Path, "exists": c.exists, "dev": int64(c.meta.dev), "ino": int64(c.meta.ino),
		"mode": int64(0o666 &^ env.Umask), "before": c.hash, "size": c.meta.size, "after": hashOf(after), "preimage": "",
	}
	if c.exists {
		f["mode"] = int64(c.meta.mode & 0o7777)
	}
	if env.Mode != 0 {
		f["mode"] = env.Mode
	}
	if !c.exists {
		return f, nil
	}
	if c.meta.nlink > 1 {
		f["in-place"] = true
	}
	d, base, err := env.parent(t.Path, false)
	if err != nil {
		return nil, fileError(did, t.Path, err)
	}
	defer d.close()
	// A rename would succeed on a file that may not be written; a person who made it read-only means it.
	if err := unix.Faccessat(d.fd, base, unix.W_OK, 0); err != nil {
		return nil, fileError(did, t.Path, err)
	}
	if len(c.data) > 0 && env.Blobs != nil {
		ref, err := env.Blobs.Put(c.data)
		if err != nil {
			return nil, &Error{Code: CodeIO, Message: did + " " + showPath(t.Path) + ": what is there now cannot be kept: " + err.Error(), Err: err}
		}
		f["preimage"] = ref
	}
	return f, nil
}

// replace gives the file the content after, at once, if it still is what facts say.
func replace(env *Env, did string, t Target, f Facts, after []byte) (Result, error) {
	if f.text("path") != t.Path {
		return Result{}, pathChanged(did, t.Path)
	}
	if hashOf(after) != f.text("after") {
		return Result{}, fail(CodeStale, "%s %s: what is to be written is not what was measured; nothing was done", did, showPath(t.Path))
	}
	env.fault("before-temp")
	d, base, err := env.parent(t.Path, true)
	if err != nil {
		return Result{}, fileError(did, t.Path, err)
	}
	defer d.close()
	r := replacing{env: env, did: did, target: t, facts: f, dir: d, base: base, after: after}
	if f.flag("in-place") {
		err = r.inPlace()
	} else if err = r.byRename(); errors.Is(err, unix.EBUSY) && t.Exists {
		// A file that is itself a mount point cannot be renamed over.
		err = r.inPlace()
	}
	if err != nil {
		return Result{}, fileError(did, t.Path, err)
	}
	return replaced(f, int64(len(after))), nil
}

func replaced(f Facts, size int64) Result {
	r := Result{Value: graph.Void{}, Receipt: Receipt{Bytes: size, Files: 1, Matches: f.int("matches"), Preimage: f.text("preimage")}}
	r.Blobs = blobs(f.text("preimage"))
	r.Receipt.noteUnkept(f)
	return r
}

// noteUnkept says that what was there cannot be got back.
func (r *Receipt) noteUnkept(f Facts) {
	if f.int("size") > 0 && f.text("preimage") == "" {
		r.Notes = append(r.Notes, "what was there is not kept: it has more than 64 MiB or cannot be read")
	}
}

// replacing is one replacement under way.
type replacing struct {
	env    *Env
	did    string
	target Target
	facts  Facts
	dir    *folder
	base   string
	after  []byte
}

// check makes sure that the file is as judged and as measured.
func (r *replacing) check() error {
	c, err := r.dir.look(r.did, r.base, 0)
	if err != nil {
		return err
	}
	if err := sameFile(r.did, r.target, c); err != nil {
		return err
	}
	want := r.facts.text("before")
	if torn := r.facts.text("torn"); torn != "" {
		want = torn
	}
	if c.exists != r.facts.flag("exists") || c.exists && int64(c.meta.ino) != r.facts.int("ino") || c.hash != want {
		return fail(CodeStale, "%s %s: it has changed since it was measured; nothing was done", r.did, showPath(r.target.Path))
	}
	return nil
}

func (r *replacing) byRename() (err error) {
	temp := r.env.tempName()
	fd, err := r.dir.create(temp)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			unix.Unlinkat(r.dir.fd, temp, 0)
		}
	}()
	err = r.fill(fd)
	if e := unix.Close(fd); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	r.env.fault("after-temp")
	if err = r.check(); err != nil {
		return err
	}
	r.env.fault("before-rename")
	if r.target.Exists {
		err = retry(func() error { return unix.Renameat(r.dir.fd, temp, r.dir.fd, r.base) })
	} else if err = renameNew(r.dir, temp, r.dir, r.base); errors.Is(err, unix.EEXIST) {
		err = fail(CodeStale, "%s %s: another program has just made it; nothing was done", r.did, showPath(r.target.Path))
	}
	if err != nil {
		return err
	}
	r.env.fault("after-rename")
	if r.env.Sync {
		if e := r.dir.sync(); e != nil {
			return partial(r.did, r.target.Path, e)
		}
	}
	return nil
}

// partial is the error of an effect that is there but perhaps not durable.
func partial(did, path string, err error) error {
	wrapped := fileError(did, path, err)
	var e *Error
	if errors.As(wrapped, &e) {
		e.Partial = true
	}
	return wrapped
}

// create makes a temporary file; one of that name is this call's own, left by an earlier attempt.
func (d *folder) create(temp string) (fd int, err error) {
	for range 2 {
		err = retry(func() (err error) {
			fd, err = unix.Openat(d.fd, temp, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
			return err
		})
		if !errors.Is(err, unix.EEXIST) {
			break
		}
		if err := unix.Unlinkat(d.fd, temp, 0); err != nil {
			return -1, err
		}
	}
	return fd, err
}

// fill writes the new content and gives the file the owner and mode of the one it replaces.
func (r *replacing) fill(fd int) error {
	if err := writeAt(r.env, fd, r.after, 0, "mid-write"); err != nil {
		return err
	}
	if r.target.Exists {
		if m, err := r.dir.stat(r.base); err == nil && (m.uid != unix.Geteuid() || m.gid != unix.Getegid()) {
			_ = unix.Fchown(fd, m.uid, m.gid) // only root may; else the file becomes ours, as with any editor
		}
	}
	if err := unix.Fchmod(fd, uint32(r.facts.int("mode"))); err != nil {
		return err
	}
	if r.env.Sync {
		return unix.Fsync(fd)
	}
	return nil
}

// inPlace overwrites the file itself, from its start, and cuts it last: a kill leaves a beginning of the new content followed by
// the end of the old, which recovery knows.
func (r *replacing) inPlace() error {
	fd, m, err := r.env.open(r.did, r.target, unix.O_WRONLY|unix.O_NOFOLLOW)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	if err := mustBeFile(r.did, r.target.Path, m); err != nil {
		return err
	}
	if err := r.check(); err != nil {
		return err
	}
	r.env.fault("before-pwrite")
	if err := writeAt(r.env, fd, r.after, 0, "mid-write"); err != nil {
		return partial(r.did, r.target.Path, err)
	}
	r.env.fault("before-truncate")
	if err := retry(func() error { return unix.Ftruncate(fd, int64(len(r.after))) }); err != nil {
		return partial(r.did, r.target.Path, err)
	}
	r.env.fault("after-truncate")
	if r.env.Sync {
		if err := unix.Fsync(fd); err != nil {
			return partial(r.did, r.target.Path, err)
		}
	}
	return nil
}

// writeAt writes data at an offset. The fault point lies in the middle.
func writeAt(env *Env, fd int, data []byte, at int64, point string) error {
	half := len(data)
	if env.Fault != nil {
		half /= 2
	}
	for done := 0; done < len(data); {
		end := len(data)
		if done < half {
			end = half
		}
		var n int
		err := retry(func() (err error) {
			n, err = unix.Pwrite(fd, data[done:end], at+int64(done))
			return err
		})
		if err != nil {
			return err
		}
		done += n
		if done == half {
			env.fault(point)
		}
	}
	return nil
}

// tempName is a hidden name that only this call uses.
func (e *Env) tempName() string {
	id := e.CallID
	plain := strings.IndexFunc(id, func(r rune) bool {
		return !(r == '.' || r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	}) < 0
	if !plain || len(id) > 100 || id == "" {
		id = hashOf([]byte(id))[:32]
	}
	return ".caper-" + id + ".tmp"
}
