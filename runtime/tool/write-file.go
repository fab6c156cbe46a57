package tool

import "context"

// WriteFile is the tool write-file.
func WriteFile() *Tool {
	return &Tool{
		Name: "write-file", Version: "1", Effect: Write, Doc: doc("write-file"),
		Summary:  "Write a whole file, new or instead of what is there; missing folders are made.",
		Keywords: "save store create output generate convert report put changes", Often: 5,
		Params: []Param{
			{Name: "path", Kind: String, Required: true, Access: WriteAccess, Doc: "the file"},
			{Name: "data", Kind: Data, Required: true, Doc: "a string, or a bytevector"},
		},
		Prepare: writePrepare,
		Perform: writePerform,
		Recover: writeRecover,
		Preview: writePreview,
	}
}

const cannotWrite = "cannot write"

func writePrepare(_ context.Context, env *Env, args Args) (Facts, error) {
	data, err := args.bytes("write-file", "data")
	if err != nil {
		return nil, err
	}
	t, err := env.target("path")
	if err != nil {
		return nil, err
	}
	now, err := env.lookAt(cannotWrite, t)
	if err != nil {
		return nil, err
	}
	return prepareReplace(env, cannotWrite, t, now, data)
}

func writePerform(_ context.Context, env *Env, args Args, f Facts) (Result, error) {
	data, err := args.bytes("write-file", "data")
	if err != nil {
		return Result{}, err
	}
	t, err := env.target("path")
	if err != nil {
		return Result{}, err
	}
	return replace(env, cannotWrite, t, f, data)
}

func writeRecover(_ context.Context, env *Env, args Args, f Facts) (Recovery, error) {
	data, err := args.bytes("write-file", "data")
	if err != nil {
		return Recovery{}, err
	}
	return recoverReplace(env, f, func([]byte) ([]byte, error) { return data, nil })
}

func writePreview(_ context.Context, env *Env, args Args) (Preview, error) {
	data, err := args.bytes("write-file", "data")
	if err != nil {
		return Preview{}, err
	}
	t, err := env.target("path")
	if err != nil {
		return Preview{}, err
	}
	now, err := env.lookAt(cannotWrite, t)
	if err != nil {
		return Preview{}, err
	}
	return diffPreview(env, t.Path, now, data), nil
}
