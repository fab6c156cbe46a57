package tool

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// binaryPrefix is how much of a file is looked at to say that it is no text: a NUL there.
const binaryPrefix = 8 << 10

// walk visits the files below root from several goroutines, in no order. It never follows a link below root.
type walk struct {
	env  *Env
	root string // canonical
	all  bool   // hidden and ignored files too
	// depth is how many folders below root are entered one in the other; negative means any.
	depth int
	// hidden, if set, lets in single hidden names.
	hidden func(name string) bool
	// file is called for each file and link; worker counts from 0 and is never in two calls at once.
	file func(worker int, d *walkDir, name string, mode fs.FileMode)

	unreadable, protected atomic.Int64
}

// walkDir is a folder on the way.
type walkDir struct {
	fd      int    // open while file is called
	path    string // canonical
	rel     string // below root: "" or "a/b/"
	ignores *ignores
}

// walkTask is a folder to read, or some files of one.
type walkTask struct {
	dir   walkDir
	files []fs.DirEntry
}

// walkBatch is how many files of one folder a worker takes before it offers the rest to others.
const walkBatch = 128

type walkQueue struct {
	sync.Mutex
	ready *sync.Cond
	tasks []walkTask
	open  int // tasks given out or waiting
}

func walkers() int { return min(max(runtime.GOMAXPROCS(0), 1), 8) }

func (w *walk) run(ctx context.Context) error {
	q := &walkQueue{open: 1}
	q.ready = sync.NewCond(q)
	top := walkDir{path: w.root}
	if !w.all {
		top.ignores = ignoresAbove(w.env, w.root)
	}
	q.tasks = append(q.tasks, walkTask{dir: top})
	var group sync.WaitGroup
	for i := range walkers() {
		group.Go(func() { w.work(ctx, i, q) })
	}
	group.Wait()
	return ctx.Err()
}

func (w *walk) work(ctx context.Context, worker int, q *walkQueue) {
	for {
		q.Lock()
		for len(q.tasks) == 0 && q.open > 0 {
			q.ready.Wait()
		}
		if q.open == 0 {
			q.Unlock()
			return
		}
		task := q.tasks[len(q.tasks)-1]
		q.tasks = q.tasks[:len(q.tasks)-1]
		q.Unlock()
		var more []walkTask
		if ctx.Err() == nil {
			more = w.do(worker, task)
		}
		q.Lock()
		q.tasks = append(q.tasks, more...)
		q.open += len(more) - 1
		if q.open == 0 || len(more) > 1 {
			q.ready.Broadcast()
		} else if len(more) == 1 {
			q.ready.Signal()
		}
		q.Unlock()
	}
}

// do visits one task and answers what it found to do.
func (w *walk) do(worker int, task walkTask) []walkTask {
	dir, err := openFolder(task.dir.path)
	if err != nil {
		w.unreadable.Add(1)
		return nil
	}
	f := os.NewFile(uintptr(dir.fd), dir.path)
	defer f.Close()
	d := task.dir
	d.fd = dir.fd
	if task.files != nil {
		for _, e := range task.files {
			w.file(worker, &d, e.Name(), e.Type())
		}
		return nil
	}
	entries, err := f.ReadDir(-1)
	if err != nil {
		w.unreadable.Add(1)
	}
	if !w.all {
		for _, e := range entries {
			if e.Name() == ".gitignore" {
				d.ignores = d.ignores.with(d.fd, ".gitignore", d.path)
			}
		}
	}
	var more []walkTask
	files := entries[:0]
	for _, e := range entries {
		name, isDir := e.Name(), e.IsDir()
		if !w.admits(&d, name, isDir) {
			continue
		}
		if isDir {
			if w.depth >= 0 && strings.Count(d.rel, "/") >= w.depth {
				continue
			}
			more = append(more, walkTask{dir: walkDir{path: join(d.path, name), rel: d.rel + name + "/", ignores: d.ignores}})
		} else {
			files = append(files, e)
		}
	}
	for len(files) > 2*walkBatch {
		rest := task.dir
		rest.ignores = d.ignores
		more = append(more, walkTask{dir: rest, files: files[len(files)-walkBatch:]})
		files = files[:len(files)-walkBatch]
	}
	for _, e := range files {
		w.file(worker, &d, e.Name(), e.Type())
	}
	return more
}

func (w *walk) admits(d *walkDir, name string, isDir bool) bool {
	if !w.all {
		if name[0] == '.' && (name == ".git" || w.hidden == nil || !w.hidden(name)) {
			return false
		}
		if d.ignores.ignored(d.path, name, isDir) {
			return false
		}
	}
	if w.env.Skip != nil && w.env.Skip(join(d.path, name)) {
		w.protected.Add(1)
		return false
	}
	return true
}

// isFile reports whether an entry is a file, or a link to one.
func (d *walkDir) isFile(name string, mode fs.FileMode) bool {
	if mode.IsRegular() {
		return true
	}
	if mode&fs.ModeSymlink == 0 {
		return false
	}
	var s unix.Stat_t
	return unix.Fstatat(d.fd, name, &s, 0) == nil && metaOf(&s).regular()
}

func join(dir, name string) string {
	if dir == "/" {
		return dir + name
	}
	return dir + "/" + name
}

// shownPrefix is what stands before a path below a root that a program called given: nothing for the current folder.
func shownPrefix(given string) string {
	given = filepath.Clean(given)
	switch {
	case given == ".":
		return ""
	case strings.HasSuffix(given, "/"):
		return given
	}
	return given + "/"
}

// splitPattern cuts a glob pattern into the folder that is certain and the pattern below it, as doublestar does, but takes a
// pattern without wildcards as a file of its folder.
func splitPattern(pattern string) (dir, rest string) {
	rest = pattern
	for {
		name, tail, more := strings.Cut(rest, "/")
		if !more || strings.ContainsAny(name, `*?[{\`) {
			break
		}
		dir += name + "/"
		rest = tail
	}
	if dir == "" {
		return ".", rest
	}
	return dir, rest
}
