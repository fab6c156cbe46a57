package tool

import (
	"context"
	"errors"
	"io"
	"os"
	"sort"

	"golang.org/x/sys/unix"

	"caper/runtime/graph"
)

// maxEntries bounds what list-dir and glob answer.
const maxEntries = 100_000

// ListDir is the tool list-dir.
func ListDir() *Tool {
	return &Tool{
		Name: "list-dir", Version: "1", Effect: Read, Doc: doc("list-dir"),
		Summary:  "List what is in a folder: names, types, sizes.",
		Keywords: "directory ls contents entries",
		Params: []Param{
			{Name: "path", Kind: String, Required: true, Access: ListAccess, Doc: "the folder"},
		},
		Prepare: noFacts,
		Perform: listPerform,
		Recover: runAgain,
	}
}

func listPerform(_ context.Context, env *Env, _ Args, _ Facts) (Result, error) {
	const did = "cannot list"
	t, err := env.target("path")
	if err != nil {
		return Result{}, err
	}
	fd, m, err := env.open(did, t, unix.O_RDONLY)
	if err != nil {
		return Result{}, err
	}
	f := os.NewFile(uintptr(fd), t.Path)
	defer f.Close()
	if !m.isDir() {
		return Result{}, fail(CodeNotDirectory, "%s %s: it is not a folder", did, showPath(t.Path))
	}
	names, err := f.Readdirnames(maxEntries + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return Result{}, fileError(did, t.Path, err)
	}
	r := Result{}
	if len(names) > maxEntries {
		return Result{}, fail(CodeTooLarge, "%s %s: it has more than 100,000 entries; glob answers those that match a pattern", did, showPath(t.Path))
	}
	sort.Strings(names)
	list := make(graph.List, 0, len(names))
	d := &folder{fd, t.Path}
	for _, name := range names {
		m, err := d.stat(name)
		if err != nil {
			if !isMissing(err) {
				r.Receipt.Unreadable++
			}
			continue
		}
		list = append(list, record("name", showName(name), "type", typeOf(m), "size", m.size))
	}
	r.Value = list
	r.Receipt.Files = int64(len(list))
	return r, nil
}

func typeOf(m meta) graph.Symbol {
	switch {
	case m.isDir():
		return "dir"
	case m.isLink():
		return "link"
	case m.regular():
		return "file"
	}
	return "other"
}
