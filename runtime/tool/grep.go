package tool

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/sys/unix"

	"caper/runtime/graph"
)

const (
	maxHits     = 100_000
	maxHitBytes = 32 << 20
	maxHitText  = 64 << 10 // of one line
	grepBuffer  = 256 << 10
	maxLine     = 64 << 20 // a longer line is searched in pieces
)

// Grep is the tool grep.
func Grep() *Tool {
	return &Tool{
		Name: "grep", Version: "1", Effect: Read, Doc: doc("grep"),
		Summary:  "Find the lines of files that match a regular expression.",
		Keywords: "search occurrences mentions uses contains regex word text identifier functions definitions todo count where", Often: 5,
		Params: []Param{
			{Name: "regex", Kind: String, Required: true, Doc: "RE2 syntax; matched line by line"},
			{Name: "path", Kind: String, Keyword: true, Access: ReadAccess, Default: ".", Doc: "a folder or one file; the current folder if not given"},
			{Name: "glob", Kind: String, Keyword: true, Doc: "only files whose name matches, or whose path does if it has a slash"},
			{Name: "all", Kind: Bool, Keyword: true, Doc: "hidden and ignored files too"},
		},
		Prepare: noFacts,
		Perform: grepPerform,
		Recover: runAgain,
	}
}

type hit struct {
	line int
	text string
	cut  bool // the line goes on
}

// fileHits are the matching lines of one file.
type fileHits struct {
	path  string // below the root
	hits  []hit
	bytes int
}

// grepWorker is what one goroutine of a search has.
type grepWorker struct {
	ctx    context.Context
	finder *finder
	buf    []byte
	found  []fileHits
	hits   int
	bytes  int

	files, binary, unreadable, read int64
}

func grepPerform(ctx context.Context, env *Env, args Args, _ Facts) (Result, error) {
	const did = "cannot search"
	if len(args.text("regex")) > maxPattern {
		return Result{}, fail(CodeArguments, "grep: the expression is longer than %d bytes", maxPattern)
	}
	m, err := newMatcher(args.text("regex"))
	if err != nil {
		return Result{}, fail(CodeArguments, "grep: %v; the syntax is that of RE2", err)
	}
	given := "."
	if p := args.text("path"); p != "" {
		given = p
	}
	admits, err := fileFilter(args.text("glob"), shownPrefix(given))
	if err != nil {
		return Result{}, err
	}
	t, err := env.target("path")
	if err != nil {
		return Result{}, err
	}
	fd, meta, err := env.open(did, t, unix.O_RDONLY)
	if err != nil {
		return Result{}, err
	}
	defer unix.Close(fd)
	workers := make([]grepWorker, walkers())
	if !meta.isDir() {
		if err := mustBeFile(did, t.Path, meta); err != nil {
			return Result{}, err
		}
		w := &workers[0]
		w.ctx, w.finder = ctx, m.finder()
		if err := w.search(fd, ""); ctx.Err() != nil {
			return Result{}, cancelled("grep", err)
		} else if err != nil {
			return Result{}, fileError(did, t.Path, err)
		}
		return grepResult(workers, filepath.Clean(given), nil)
	}
	for i := range workers {
		workers[i].ctx, workers[i].finder = ctx, m.finder()
	}
	w := &walk{env: env, root: t.Path, all: args.flag("all"), depth: -1}
	w.file = func(n int, d *walkDir, name string, mode fs.FileMode) {
		if mode.IsRegular() && admits(d.rel, name) {
			workers[n].entry(d, name)
		}
	}
	if err := w.run(ctx); err != nil {
		return Result{}, cancelled("grep", err)
	}
	return grepResult(workers, shownPrefix(given), w)
}

// fileFilter answers what #:glob admits.
func fileFilter(glob, prefix string) (func(rel, name string) bool, error) {
	if glob == "" {
		return func(string, string) bool { return true }, nil
	}
	if err := checkPattern("grep", glob); err != nil {
		return nil, err
	}
	if !strings.Contains(glob, "/") {
		return func(_, name string) bool {
			ok, _ := doublestar.Match(glob, name)
			return ok
		}, nil
	}
	glob = strings.TrimPrefix(glob, "./")
	return func(rel, name string) bool {
		// Both readings are in use: below #:path, and below the current folder.
		if ok, _ := doublestar.Match(glob, rel+name); ok {
			return true
		}
		ok, _ := doublestar.Match(glob, prefix+rel+name)
		return ok && prefix != ""
	}, nil
}

// entry searches one file of a folder.
func (w *grepWorker) entry(d *walkDir, name string) {
	if w.over() {
		return
	}
	path := d.rel + name
	var fd int
	err := retry(func() (err error) {
		fd, err = unix.Openat(d.fd, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		return err
	})
	if err == nil {
		err = w.search(fd, path)
		unix.Close(fd)
	}
	if err != nil {
		w.unreadable++
	}
}

// search reads a file in pieces that end with a line.
func (w *grepWorker) search(fd int, path string) error {
	if w.buf == nil {
		w.buf = make([]byte, grepBuffer)
	}
	f := fileHits{path: path}
	line := 1 // of the start of the buffer
	have := 0
	for first := true; ; first = false {
		n, err := w.fill(fd, have)
		if err != nil {
			return err
		}
		have += n
		atEnd := have < len(w.buf)
		data := w.buf[:have]
		if first {
			w.files++
			if bytes.IndexByte(data[:min(len(data), binaryPrefix)], 0) >= 0 {
				w.binary++
				return nil
			}
		}
		if !atEnd {
			if i := bytes.LastIndexByte(data, '\n'); i >= 0 {
				data = data[:i+1]
			} else if len(w.buf) < maxLine {
				w.buf = append(w.buf, make([]byte, len(w.buf))...)
				continue
			}
		}
		more := w.piece(&f, data, line)
		if atEnd || !more {
			w.keep(f)
			return nil
		}
		if err := w.ctx.Err(); err != nil {
			return err
		}
		line += bytes.Count(data, newline)
		have = copy(w.buf, w.buf[len(data):have])
	}
}

var newline = []byte{'\n'}

// fill reads until the buffer is full or the file ends.
func (w *grepWorker) fill(fd, have int) (int, error) {
	total := 0
	for have+total < len(w.buf) {
		want := len(w.buf) - have - total
		n, err := unix.Read(fd, w.buf[have+total:])
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return total, err
		}
		total += n
		w.read += int64(n)
		if n < want { // a file gives less only at its end
			break
		}
	}
	return total, nil
}

// piece collects the matching lines of data, whose first line has the number line. It answers false when the file has enough.
func (w *grepWorker) piece(f *fileHits, data []byte, line int) bool {
	counted := 0
	more := true
	w.finder.lines(data, func(start, end int) bool {
		line += bytes.Count(data[counted:start], newline)
		counted = start
		text, cut := lineText(data[start:end])
		f.hits = append(f.hits, hit{line, text, cut})
		f.bytes += len(text)
		more = len(f.hits) <= maxHits && f.bytes <= maxHitBytes
		return more
	})
	return more
}

// lineText makes a line fit for a string, and says whether it is cut.
func lineText(line []byte) (text string, cut bool) {
	if len(line) > maxHitText {
		end := maxHitText
		for end > maxHitText-utf8.UTFMax && !utf8.RuneStart(line[end]) {
			end--
		}
		return showName(string(line[:end])) + "…", true
	}
	return showName(string(line)), false
}

// keep adds the hits of a file.
func (w *grepWorker) keep(f fileHits) {
	if len(f.hits) == 0 {
		return
	}
	w.found = append(w.found, f)
	w.hits += len(f.hits)
	w.bytes += f.bytes
}

// over reports that there is too much to answer.
func (w *grepWorker) over() bool { return w.hits > maxHits || w.bytes > maxHitBytes }

func grepResult(workers []grepWorker, prefix string, walked *walk) (Result, error) {
	var r Result
	var all grepWorker
	for i := range workers {
		w := &workers[i]
		all.found = append(all.found, w.found...)
		all.hits += w.hits
		all.bytes += w.bytes
		r.Receipt.Files += w.files
		r.Receipt.Binary += w.binary
		r.Receipt.Unreadable += w.unreadable
		r.Receipt.Bytes += w.read
	}
	if all.over() {
		return Result{}, fail(CodeTooLarge, "grep: more than 100,000 lines or 32 MiB of them match, which is no answer: narrow the expression, #:path or #:glob")
	}
	if walked != nil {
		r.Receipt.Unreadable += walked.unreadable.Load()
		r.Receipt.Protected = walked.protected.Load()
	}
	sort.Slice(all.found, func(i, j int) bool { return all.found[i].path < all.found[j].path })
	list := make(graph.List, 0, all.hits)
	for _, f := range all.found {
		path := showName(prefix + f.path)
		for _, h := range f.hits {
			found := record("path", path, "line", int64(h.line), "text", h.text)
			if h.cut {
				found = append(found, pair("truncated", true))
			}
			list = append(list, found)
		}
	}
	r.Receipt.Matches = int64(len(list))
	r.Value = list
	return r, nil
}
