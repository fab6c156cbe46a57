package tool

import (
	"context"
	"errors"
	"os"

	"golang.org/x/sys/unix"

	"caper/runtime/graph"
)

// DeleteFile is the tool delete-file. Facts: path, dev, ino, kind (file, dir, link, other), size, mtime, mode (permission bits),
// link (where a link points), preimage.
func DeleteFile() *Tool {
	return &Tool{
		Name: "delete-file", Version: "1", Effect: Write, Doc: doc("delete-file"),
		Summary:  "Delete a file, a link or an empty folder.",
		Keywords: "remove erase rm clean",
		Params: []Param{
			{Name: "path", Kind: String, Required: true, Access: DeleteAccess, Entry: true, Doc: "the file, link or empty folder"},
		},
		Prepare: deletePrepare,
		Perform: deletePerform,
		Recover: deleteRecover,
		Preview: deletePreview,
	}
}

const cannotDelete = "cannot delete"

func deletePrepare(_ context.Context, env *Env, _ Args) (Facts, error) {
	t, err := env.target("path")
	if err != nil {
		return nil, err
	}
	if !t.Exists {
		return nil, env.notFound(cannotDelete, t.Path)
	}
	m, exists, err := env.entry(t.Path)
	if err != nil {
		return nil, fileError(cannotDelete, t.Path, err)
	}
	if !exists || !m.is(t) {
		return nil, pathChanged(cannotDelete, t.Path)
	}
	f := Facts{"path": t.Path, "dev": int64(m.dev), "ino": int64(m.ino), "size": m.size, "mtime": m.mtime, "mode": int64(m.mode & 0o7777), "kind": "other"}
	switch {
	case m.isDir():
		f["kind"] = "dir"
	case m.isLink():
		f["kind"] = "link"
		to, err := os.Readlink(t.Path)
		if err != nil {
			return nil, fileError(cannotDelete, t.Path, err)
		}
		f["link"] = showName(to)
	case m.regular():
		f["kind"] = "file"
		if m.size == 0 || m.size > maxRead || env.Blobs == nil {
			break
		}
		now, err := env.lookAt(cannotDelete, t)
		if err != nil && Code(err) != CodePermission { // what may be deleted need not be readable
			return nil, err
		}
		if len(now.data) > 0 {
			if f["preimage"], err = env.Blobs.Put(now.data); err != nil {
				return nil, &Error{Code: CodeIO, Message: cannotDelete + " " + showPath(t.Path) + ": its content cannot be kept: " + err.Error(), Err: err}
			}
			f["size"], f["mtime"] = now.meta.size, now.meta.mtime
		}
	}
	return f, nil
}

// deleted reports whether m is what the facts describe.
func deleted(m meta, f Facts) (same, unchanged bool) {
	same = int64(m.ino) == f.int("ino") && int64(m.dev) == f.int("dev")
	same = same && string(typeOf(m)) == f.text("kind")
	return same, same && (m.isDir() || m.size == f.int("size") && m.mtime == f.int("mtime"))
}

func deletePerform(_ context.Context, env *Env, _ Args, f Facts) (Result, error) {
	t, err := env.target("path")
	if err != nil {
		return Result{}, err
	}
	if t.Path != f.text("path") {
		return Result{}, pathChanged(cannotDelete, t.Path)
	}
	if !t.Exists {
		return Result{}, env.notFound(cannotDelete, t.Path)
	}
	d, base, err := env.parent(t.Path, false)
	if err != nil {
		return Result{}, fileError(cannotDelete, t.Path, err)
	}
	defer d.close()
	m, err := d.stat(base)
	if err != nil && !isMissing(err) {
		return Result{}, fileError(cannotDelete, t.Path, err)
	}
	if err != nil || !m.is(t) {
		return Result{}, pathChanged(cannotDelete, t.Path)
	}
	if _, unchanged := deleted(m, f); !unchanged {
		return Result{}, fail(CodeStale, "%s %s: it has changed since it was measured; nothing was done", cannotDelete, showPath(t.Path))
	}
	flags := 0
	if m.isDir() {
		flags = unix.AT_REMOVEDIR
	}
	env.fault("before-unlink")
	if err := retry(func() error { return unix.Unlinkat(d.fd, base, flags) }); err != nil {
		if errors.Is(err, unix.ENOTEMPTY) {
			return Result{}, fail(CodeNotEmpty, "%s %s: the folder is not empty; delete what is in it first", cannotDelete, showPath(t.Path))
		}
		return Result{}, fileError(cannotDelete, t.Path, err)
	}
	env.fault("after-unlink")
	if env.Sync {
		if err := d.sync(); err != nil {
			return Result{}, partial(cannotDelete, t.Path, err)
		}
	}
	return deleteResult(f), nil
}

func deleteResult(f Facts) Result {
	r := Result{
		Value:   graph.Void{},
		Receipt: Receipt{Files: 1, Bytes: f.int("size"), Preimage: f.text("preimage")},
		Blobs:   blobs(f.text("preimage")),
	}
	if f.text("kind") == "file" {
		r.Receipt.noteUnkept(f)
	}
	return r
}

func deleteRecover(_ context.Context, env *Env, _ Args, f Facts) (Recovery, error) {
	path := f.text("path")
	m, exists, err := env.entry(path)
	if err != nil {
		return undecided(path, err)
	}
	if !exists {
		if err := env.syncAbove(path); err != nil {
			return Recovery{}, err
		}
		return Recovery{Outcome: Done, Result: deleteResult(f)}, nil
	}
	same, unchanged := deleted(m, f)
	switch {
	case unchanged:
		return Recovery{Outcome: NotDone}, nil
	case same:
		return conflict("%s has changed since it was to be deleted", path), nil
	}
	return conflict("%s is another file now", path), nil
}

func deletePreview(_ context.Context, env *Env, _ Args) (Preview, error) {
	t, err := env.target("path")
	if err != nil {
		return Preview{}, err
	}
	if !t.Exists {
		return Preview{}, env.notFound(cannotDelete, t.Path)
	}
	if !t.Type.IsRegular() {
		note := "deletes the link, not what it points to"
		if t.Type.IsDir() {
			note = "deletes the folder, which must be empty"
		}
		return Preview{Path: t.Path, Note: note}, nil
	}
	now, err := env.lookAt(cannotDelete, t)
	if err != nil {
		return Preview{}, err
	}
	return diffPreview(env, t.Path, now, nil), nil
}
