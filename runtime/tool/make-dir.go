package tool

import (
	"context"

	"caper/runtime/graph"
)

// MakeDir is the tool make-dir. Facts: path, exists.
func MakeDir() *Tool {
	return &Tool{
		Name: "make-dir", Version: "1", Effect: Write, Doc: doc("make-dir"),
		Summary:  "Make a folder, and the folders above it; one that exists is left as it is.",
		Keywords: "create directory mkdir new",
		Params: []Param{
			{Name: "path", Kind: String, Required: true, Access: WriteAccess, Doc: "the folder"},
		},
		Prepare: makeDirPrepare,
		Perform: makeDirPerform,
		Recover: makeDirRecover,
	}
}

const cannotMakeDir = "cannot make the folder"

func makeDirPrepare(_ context.Context, env *Env, _ Args) (Facts, error) {
	t, err := env.target("path")
	if err != nil {
		return nil, err
	}
	if t.Exists && !t.Type.IsDir() {
		return nil, fail(CodeExists, "%s %s: a file of that name exists", cannotMakeDir, showPath(t.Path))
	}
	return Facts{"path": t.Path, "exists": t.Exists}, nil
}

func makeDirPerform(_ context.Context, env *Env, _ Args, f Facts) (Result, error) {
	t, err := env.target("path")
	if err != nil {
		return Result{}, err
	}
	if t.Path != f.text("path") {
		return Result{}, pathChanged(cannotMakeDir, t.Path)
	}
	env.fault("before-mkdir")
	d, err := openFolder(t.Path)
	if isMissing(err) {
		d, err = env.makeFolders(t.Path)
	}
	if err != nil {
		return Result{}, fileError(cannotMakeDir, t.Path, err)
	}
	d.close()
	env.fault("after-mkdir")
	return Result{Value: graph.Void{}}, nil
}

func makeDirRecover(_ context.Context, env *Env, _ Args, f Facts) (Recovery, error) {
	path := f.text("path")
	m, exists, err := env.entry(path)
	switch {
	case err != nil:
		return undecided(path, err)
	case !exists:
		return Recovery{Outcome: NotDone}, nil
	case !m.isDir():
		return conflict("something that is no folder stands at %s", path), nil
	}
	if err := env.syncAbove(path); err != nil {
		return Recovery{}, err
	}
	return Recovery{Outcome: Done, Result: Result{Value: graph.Void{}}}, nil
}
