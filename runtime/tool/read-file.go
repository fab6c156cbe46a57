package tool

import (
	"bytes"
	"context"
	"errors"
	"math"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/sys/unix"
)

// maxRead bounds a file that is read whole, and a pre-image that is kept.
const maxRead = 64 << 20

// ReadFile is the tool read-file.
func ReadFile() *Tool {
	return &Tool{
		Name: "read-file", Version: "1", Effect: Read, Doc: doc("read-file"),
		Summary:  "Read a text file, or some of its lines, as a string.",
		Keywords: "open load show contents text parse lines rows columns table data csv json log markdown config source document count convert", Often: 8,
		Params: []Param{
			{Name: "path", Kind: String, Required: true, Access: ReadAccess, Doc: "the file"},
			{Name: "offset", Kind: Int, Keyword: true, Doc: "the first line to read; lines count from 1"},
			{Name: "limit", Kind: Int, Keyword: true, Doc: "how many lines to read"},
			{Name: "bytes", Kind: Bool, Keyword: true, Doc: "answer a bytevector; any content is possible"},
		},
		Prepare: noFacts,
		Perform: readPerform,
		Recover: runAgain,
	}
}

func noFacts(context.Context, *Env, Args) (Facts, error) { return Facts{}, nil }

func runAgain(context.Context, *Env, Args, Facts) (Recovery, error) {
	return Recovery{Outcome: NotDone}, nil
}

func readPerform(_ context.Context, env *Env, args Args, _ Facts) (Result, error) {
	const did = "cannot read"
	offset, limit := args.int("offset", 1), args.int("limit", math.MaxInt64)
	if offset < 1 || limit < 0 {
		return Result{}, fail(CodeArguments, "read-file: lines count from 1 and a limit is not negative; found offset %d, limit %d", offset, limit)
	}
	t, err := env.target("path")
	if err != nil {
		return Result{}, err
	}
	fd, m, err := env.open(did, t, unix.O_RDONLY)
	if err != nil {
		return Result{}, err
	}
	defer unix.Close(fd)
	if err := mustBeFile(did, t.Path, m); err != nil {
		return Result{}, err
	}
	data, err := readAll(fd, m.size, maxRead)
	if err != nil {
		return Result{}, fileError(did, t.Path, err)
	}
	data = lines(data, offset, limit)
	r := Result{Receipt: Receipt{Bytes: int64(len(data)), Files: 1}}
	if args.flag("bytes") {
		r.Value = data
		return r, nil
	}
	if !utf8.Valid(data) {
		at, line := badByte(data)
		return Result{}, fail(CodeNotUTF8, "%s %s: it is not UTF-8 text (byte %#02x in line %d); #:bytes #t reads it as a bytevector",
			did, showPath(t.Path), data[at], int64(line)+offset-1)
	}
	r.Value = unsafe.String(unsafe.SliceData(data), len(data)) // nobody changes it any more
	return r, nil
}

func mustBeFile(did, path string, m meta) error {
	switch {
	case m.isDir():
		return fail(CodeIsDirectory, "%s %s: it is a folder; list-dir shows what is in it", did, showPath(path))
	case !m.regular():
		return fail(CodeNotFile, "%s %s: it is neither a file nor a folder", did, showPath(path))
	}
	return nil
}

// lines cuts data to limit lines from the line offset on. Line ends stay as they are.
func lines(data []byte, offset, limit int64) []byte {
	for ; offset > 1; offset-- {
		i := bytes.IndexByte(data, '\n')
		if i < 0 {
			return nil
		}
		data = data[i+1:]
	}
	end := 0
	for ; limit > 0 && end < len(data); limit-- {
		i := bytes.IndexByte(data[end:], '\n')
		if i < 0 {
			return data
		}
		end += i + 1
	}
	return data[:end:end]
}

// badByte answers where data stops being UTF-8, and in which line.
func badByte(data []byte) (at, line int) {
	line = 1
	for at < len(data) {
		r, n := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && n == 1 {
			return at, line
		}
		if r == '\n' {
			line++
		}
		at += n
	}
	return at, line
}

// errLarge is the answer of readAll for a file over its limit; fileError words it.
var errLarge = errors.New("the file has more than 64 MiB; take a part of it with bash (head, tail, sed -n)")

// readAll reads a file from its start. A file of more than limit bytes is too large; one that grows meanwhile is read to its end.
func readAll(fd int, size int64, limit int64) ([]byte, error) {
	if size > limit {
		return nil, errLarge
	}
	data := make([]byte, 0, size+1)
	for {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		var n int
		err := retry(func() (err error) {
			n, err = unix.Pread(fd, data[len(data):cap(data)], int64(len(data)))
			return err
		})
		if err != nil {
			return nil, err
		}
		if n == 0 {
			return data, nil
		}
		data = data[:len(data)+n]
		if int64(len(data)) > limit {
			return nil, errLarge
		}
	}
}
