package tool

import (
	"context"
	"errors"
	"path/filepath"

	"golang.org/x/sys/unix"

	"caper/runtime/graph"
)

// MoveFile is the tool move-file. Facts: from, to; dev, ino and kind (file, dir, link, other) of what moves.
func MoveFile() *Tool {
	return &Tool{
		Name: "move-file", Version: "1", Effect: Write, Doc: doc("move-file"),
		Summary:  "Move or rename a file or folder; never over something that exists.",
		Keywords: "rename mv",
		Params: []Param{
			{Name: "from", Kind: String, Required: true, Access: DeleteAccess, Entry: true, Doc: "what to move"},
			{Name: "to", Kind: String, Required: true, Access: WriteAccess, Entry: true, Doc: "its new path, name included"},
		},
		Prepare: movePrepare,
		Perform: movePerform,
		Recover: moveRecover,
	}
}

const cannotMove = "cannot move"

func moveTargets(env *Env) (from, to Target, err error) {
	if from, err = env.target("from"); err != nil {
		return from, to, err
	}
	if to, err = env.target("to"); err != nil {
		return from, to, err
	}
	if !from.Exists {
		return from, to, env.notFound(cannotMove, from.Path)
	}
	if to.Exists {
		return from, to, moveExists(from.Path, to.Path, to.Type.IsDir())
	}
	return from, to, nil
}

func moveExists(from, to string, dir bool) error {
	if dir {
		return fail(CodeExists, "%s %s to %s: that is a folder; give the whole new path, as in %s",
			cannotMove, showPath(from), showPath(to), showPath(filepath.Join(to, filepath.Base(from))))
	}
	return fail(CodeExists, "%s %s to %s: it exists; delete it first if it is to go", cannotMove, showPath(from), showPath(to))
}

func movePrepare(_ context.Context, env *Env, _ Args) (Facts, error) {
	from, to, err := moveTargets(env)
	if err != nil {
		return nil, err
	}
	m, exists, err := env.entry(from.Path)
	if err != nil {
		return nil, fileError(cannotMove, from.Path, err)
	}
	if !exists || !m.is(from) {
		return nil, pathChanged(cannotMove, from.Path)
	}
	return Facts{"from": from.Path, "to": to.Path, "dev": int64(from.Dev), "ino": int64(from.Ino), "kind": string(typeOf(m))}, nil
}

func movePerform(_ context.Context, env *Env, _ Args, f Facts) (Result, error) {
	from, to, err := moveTargets(env)
	if err != nil {
		return Result{}, err
	}
	if f.text("from") != from.Path || f.text("to") != to.Path || f.int("ino") != int64(from.Ino) || f.int("dev") != int64(from.Dev) {
		return Result{}, pathChanged(cannotMove, from.Path)
	}
	old, oldName, err := env.parent(from.Path, false)
	if err != nil {
		return Result{}, fileError(cannotMove, from.Path, err)
	}
	defer old.close()
	m, err := old.stat(oldName)
	if err != nil && !isMissing(err) {
		return Result{}, fileError(cannotMove, from.Path, err)
	}
	if err != nil || !m.is(from) || string(typeOf(m)) != f.text("kind") {
		return Result{}, pathChanged(cannotMove, from.Path)
	}
	next, name, err := env.parent(to.Path, true)
	if err != nil {
		return Result{}, fileError(cannotMove, from.Path, err)
	}
	defer next.close()
	env.fault("before-rename")
	if err := renameNew(old, oldName, next, name); err != nil {
		switch {
		case errors.Is(err, unix.EEXIST):
			return Result{}, moveExists(from.Path, to.Path, false)
		case errors.Is(err, unix.EXDEV):
			return Result{}, fail(CodeOtherDevice, "%s %s to %s: it lies on another file system; copy it with bash (cp -a), then delete the old one",
				cannotMove, showPath(from.Path), showPath(to.Path))
		case errors.Is(err, unix.EINVAL):
			return Result{}, fail(CodeBadPath, "%s %s to %s: a folder cannot go into itself", cannotMove, showPath(from.Path), showPath(to.Path))
		}
		return Result{}, fileError(cannotMove, from.Path, err)
	}
	env.fault("after-rename")
	if env.Sync {
		if err := errors.Join(next.sync(), old.sync()); err != nil {
			return Result{}, partial(cannotMove, from.Path, err)
		}
	}
	return Result{Value: graph.Void{}, Receipt: Receipt{Files: 1}}, nil
}

// entry looks at the entry that path names; a missing one, or a missing folder, is no error.
func (e *Env) entry(path string) (m meta, exists bool, err error) {
	d, base, err := e.parent(path, false)
	if err == nil {
		m, err = d.stat(base)
		d.close()
	}
	if isMissing(err) {
		return meta{}, false, nil
	}
	return m, err == nil, err
}

func moveRecover(_ context.Context, env *Env, _ Args, f Facts) (Recovery, error) {
	is := func(m meta, exists bool) bool {
		return exists && int64(m.ino) == f.int("ino") && int64(m.dev) == f.int("dev") && string(typeOf(m)) == f.text("kind")
	}
	from, to := f.text("from"), f.text("to")
	m, fromExists, err := env.entry(from)
	if err != nil {
		return undecided(from, err)
	}
	atFrom := is(m, fromExists)
	m, toExists, err := env.entry(to)
	if err != nil {
		return undecided(to, err)
	}
	atTo := is(m, toExists)
	switch {
	case atFrom && !atTo:
		return Recovery{Outcome: NotDone}, nil
	case atTo && !fromExists:
		if err := errors.Join(env.syncAbove(to), env.syncAbove(from)); err != nil {
			return Recovery{}, err
		}
		return Recovery{Outcome: Done, Result: Result{Value: graph.Void{}, Receipt: Receipt{Files: 1}}}, nil
	case atTo:
		return conflict("%s arrived at %s, but something stands at its old place", from, to), nil
	}
	return conflict("what was to be moved is neither at %s nor at %s", from, to), nil
}
