package tool

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// This file defines how a path that a program gave becomes the one place that the license judges and the effect touches.

// maxLinks bounds the links followed in one path, as the kernel does.
const maxLinks = 40

// Resolve measures every path argument of a call, given or meant by default: the targets that the license judges and that
// Perform will touch.
func Resolve(env *Env, t *Tool, args Args) (map[string]Target, error) {
	targets := map[string]Target{}
	for _, p := range t.Params {
		if !p.Access.Path() {
			continue
		}
		path, given := args[p.Name].(string)
		if !given {
			path = p.Default
		}
		if path == "" {
			continue
		}
		if p.Pattern {
			path, _ = splitPattern(path)
		}
		target, err := ResolvePath(env.Cwd, path, p.Entry)
		if err != nil {
			return nil, err
		}
		if target.Lexical = filepath.Clean(path); !filepath.IsAbs(path) {
			target.Lexical = filepath.Join(env.Cwd, path)
		}
		targets[p.Name] = target
	}
	return targets, nil
}

// component is one name of a path on its way through ResolvePath.
type component struct {
	name string
	link bool // came from the text of a link
}

// ResolvePath follows path from cwd, which is canonical, as the kernel would: link by link, ".." after links. What does not exist
// is taken as it is written. With entry a link in the last place is not followed.
func ResolvePath(cwd, path string, entry bool) (Target, error) {
	at := cwd
	if filepath.IsAbs(path) {
		at = "/"
	}
	pending := push(nil, path, false)
	links := 0
	var last fs.FileInfo
	for len(pending) > 0 {
		c := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if c.name == ".." {
			at, last = filepath.Dir(at), nil
			continue
		}
		next := filepath.Join(at, c.name)
		info, err := os.Lstat(next)
		if errors.Is(err, fs.ErrNotExist) {
			return missing(at, path, append(pending, c))
		}
		if err != nil {
			return Target{}, fileError("cannot reach", path, err)
		}
		if info.Mode()&fs.ModeSymlink != 0 && !(entry && len(pending) == 0 && !c.link) {
			if links++; links > maxLinks {
				return Target{}, fail(CodeBadPath, "cannot reach %s: its links go round in a circle", showPath(path))
			}
			to, err := os.Readlink(next)
			if err != nil {
				return Target{}, fileError("cannot reach", path, err)
			}
			if filepath.IsAbs(to) {
				at = "/"
			}
			last = nil
			pending = push(pending, to, true)
			continue
		}
		if len(pending) > 0 && !info.IsDir() {
			return Target{}, fail(CodeNotDirectory, "cannot reach %s: %s is not a folder", showPath(path), showPath(next))
		}
		at, last = next, info
	}
	if last == nil {
		info, err := os.Lstat(at)
		if err != nil {
			return Target{}, fileError("cannot reach", path, err)
		}
		last = info
	}
	t := Target{Path: at, Exists: true, Type: last.Mode().Type()}
	t.Dev, t.Ino = identity(last)
	return t, nil
}

// push puts the names of path on the stack of what is still to be followed, the first on top.
func push(pending []component, path string, link bool) []component {
	names := strings.Split(path, "/")
	for i := len(names) - 1; i >= 0; i-- {
		if names[i] != "" && names[i] != "." {
			pending = append(pending, component{names[i], link})
		}
	}
	return pending
}

// missing ends a path whose next component, the top of pending, does not exist below at.
func missing(at, path string, pending []component) (Target, error) {
	t := Target{}
	for i := len(pending) - 1; i >= 0; i-- {
		if pending[i].name == ".." {
			return Target{}, fail(CodeNotFound, "cannot reach %s: %s does not exist, so its .. means nothing", showPath(path), showPath(at))
		}
		if pending[i].link {
			t.Dangling = true
		}
		at = filepath.Join(at, pending[i].name)
	}
	t.Path = at
	return t, nil
}

// target answers what the license judged for the parameter called name.
func (e *Env) target(name string) (Target, error) {
	t, ok := e.Resolved[name]
	if !ok {
		return Target{}, fail(CodePathChanged, "the argument %s was not resolved before the call", name)
	}
	return t, nil
}

// open opens exactly the target: no link anywhere on its path, and the same file that was judged.
func (e *Env) open(did string, t Target, flags int) (int, meta, error) {
	if !t.Exists {
		return -1, meta{}, e.notFound(did, t.Path)
	}
	fd, err := openNoLinks(t.Path, flags|unix.O_CLOEXEC|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return -1, meta{}, fileError(did, t.Path, err)
	}
	m, err := statFd(fd)
	if err != nil {
		unix.Close(fd)
		return -1, meta{}, fileError(did, t.Path, err)
	}
	if !m.is(t) {
		unix.Close(fd)
		return -1, meta{}, pathChanged(did, t.Path)
	}
	return fd, m, nil
}

func pathChanged(did, path string) error {
	return fail(CodePathChanged, "%s %s: it is not the file that was judged any more; nothing was done", did, showPath(path))
}

// folder is an open directory.
type folder struct {
	fd   int
	path string
}

func (d *folder) close() { unix.Close(d.fd) }

func (d *folder) sync() error { return unix.Fsync(d.fd) }

func openFolder(path string) (*folder, error) {
	fd, err := openNoLinks(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return &folder{fd, path}, nil
}

// parent opens the folder of path. With create it makes missing folders, each synced into its own parent under Env.Sync.
func (e *Env) parent(path string, create bool) (*folder, string, error) {
	dir, base := filepath.Split(path)
	dir = filepath.Clean(dir)
	if base == "" {
		return nil, "", fail(CodeIsDirectory, "%s is the root folder", path)
	}
	d, err := openFolder(dir)
	if errors.Is(err, unix.ENOENT) && create {
		d, err = e.makeFolders(dir)
	}
	if err != nil {
		return nil, "", err
	}
	return d, base, nil
}

// makeFolders makes dir and what is missing above it, and opens it.
func (e *Env) makeFolders(dir string) (*folder, error) {
	above := dir
	var names []string
	var d *folder
	for {
		var err error
		if d, err = openFolder(above); err == nil {
			break
		}
		if !errors.Is(err, unix.ENOENT) || above == "/" {
			return nil, err
		}
		names = append(names, filepath.Base(above))
		above = filepath.Dir(above)
	}
	for i := len(names) - 1; i >= 0; i-- {
		next, err := e.makeFolder(d, names[i])
		d.close()
		if err != nil {
			return nil, err
		}
		d = next
	}
	return d, nil
}

func (e *Env) makeFolder(d *folder, name string) (*folder, error) {
	mode := uint32(0o777 &^ e.Umask)
	err := unix.Mkdirat(d.fd, name, mode)
	if err != nil && !errors.Is(err, unix.EEXIST) {
		return nil, err
	}
	made := err == nil
	fd, err := unix.Openat(d.fd, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	next := &folder{fd, filepath.Join(d.path, name)}
	if !made {
		return next, nil
	}
	// The process may run under a tighter umask than the caller's.
	if err := unix.Fchmod(fd, mode); err != nil {
		next.close()
		return nil, err
	}
	e.fault("made-folder")
	if e.Sync {
		if err := d.sync(); err != nil {
			next.close()
			return nil, err
		}
	}
	return next, nil
}

// meta is what stat says.
type meta struct {
	dev, ino uint64
	mode     uint32
	uid, gid int
	nlink    uint64
	size     int64
	mtime    int64 // nanoseconds
}

func (m meta) regular() bool { return m.mode&unix.S_IFMT == unix.S_IFREG }
func (m meta) isDir() bool   { return m.mode&unix.S_IFMT == unix.S_IFDIR }
func (m meta) isLink() bool  { return m.mode&unix.S_IFMT == unix.S_IFLNK }

// is reports whether m is what the target was. Inode numbers are given away again at once, so the type has to be the same too.
func (m meta) is(t Target) bool {
	return m.dev == t.Dev && m.ino == t.Ino &&
		m.isDir() == t.Type.IsDir() && m.isLink() == (t.Type&fs.ModeSymlink != 0) && m.regular() == t.Type.IsRegular()
}

func metaOf(s *unix.Stat_t) meta {
	return meta{
		dev: uint64(s.Dev), ino: uint64(s.Ino), mode: uint32(s.Mode), uid: int(s.Uid), gid: int(s.Gid),
		nlink: uint64(s.Nlink), size: s.Size, mtime: s.Mtim.Nano(),
	}
}

func statFd(fd int) (meta, error) {
	var s unix.Stat_t
	err := retry(func() error { return unix.Fstat(fd, &s) })
	return metaOf(&s), err
}

// statEntry looks at a directory entry itself.
func (d *folder) stat(base string) (meta, error) {
	var s unix.Stat_t
	err := retry(func() error { return unix.Fstatat(d.fd, base, &s, unix.AT_SYMLINK_NOFOLLOW) })
	return metaOf(&s), err
}

func identity(info fs.FileInfo) (dev, ino uint64) {
	s, ok := info.Sys().(*sysStat)
	if !ok {
		return 0, 0
	}
	return uint64(s.Dev), uint64(s.Ino)
}

func retry(f func() error) error {
	for {
		if err := f(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// showName makes a file name fit for a string: bytes that are not UTF-8 are written as \xNN. Such a name cannot be given back.
func showName(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRuneInString(name[i:])
		if r == utf8.RuneError && n == 1 {
			b.WriteString(`\x` + strconv.FormatUint(uint64(name[i])+0x100, 16)[1:])
		} else {
			b.WriteString(name[i : i+n])
		}
		i += n
	}
	return b.String()
}

// showPath makes a path fit for one line of a message.
func showPath(path string) string {
	path = showName(path)
	for _, r := range path {
		if r < ' ' || r == 0x7f {
			return strconv.Quote(path)
		}
	}
	return path
}

const openDirectory = unix.O_RDONLY | unix.O_DIRECTORY

func closeFd(fd int) { unix.Close(fd) }

// PatternRoot is the deepest folder of a glob pattern that has no wildcards: what the license judges.
func PatternRoot(pattern string) string {
	dir, _ := splitPattern(pattern)
	return dir
}
