package license

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// State is how a path ended when it was walked.
type State string

const (
	Exists   State = "exists"
	Missing  State = "missing"  // nothing there, and no link was involved in its not being there
	Dangling State = "dangling" // a link leads to nothing
	Looping  State = "looping"  // links lead in a circle, or through too many
	Unknown  State = "unknown"  // it cannot be looked at
	BadName  State = "bad"      // no path at all: a NUL byte, too long
)

// PathFact is what a path was when it was judged. An opener compares Dev and Inode with what it opened.
type PathFact struct {
	Lexical   string // absolute and clean, links not followed
	Canonical string // absolute, every link followed; what is missing at the end is kept as given
	State     State
	Entry     Entry  // of what Canonical names, where State is Exists
	Digest    string // of a file that would be changed
	// ParentDev and ParentInode are the folder that holds the entry, where it exists: what a creation must be made in.
	ParentDev, ParentInode uint64
}

const (
	maxLinks      = 40
	maxPathLength = 4096
	maxParts      = 512
)

// absolute makes a path absolute against dir and home without looking at the file system.
func absolute(p, dir, home string) string {
	switch {
	case p == "~" || strings.HasPrefix(p, "~/"):
		if home != "" {
			return path.Clean(home + p[1:])
		}
	case path.IsAbs(p):
		return path.Clean(p)
	}
	return path.Clean(path.Join(dir, p))
}

// rawAbsolute is absolute without cleaning: `..` after a link must be walked as the kernel walks it.
func rawAbsolute(p, dir, home string) string {
	switch {
	case (p == "~" || strings.HasPrefix(p, "~/")) && home != "":
		return home + p[1:]
	case path.IsAbs(p):
		return p
	}
	return dir + "/" + p
}

// step is one part of a path still to be walked; linked parts came out of a link's text.
type step struct {
	name   string
	linked bool
}

// walkPath follows a path as the kernel would. When follow is false a link in last place is not followed: that is how
// a removal sees it.
func walkPath(w World, raw string, follow bool) PathFact {
	f := PathFact{Lexical: path.Clean(raw), State: Exists}
	if strings.IndexByte(raw, 0) >= 0 || len(raw) > maxPathLength || !path.IsAbs(raw) {
		f.State, f.Canonical = BadName, f.Lexical
		return f
	}
	k := walker{w: w, at: "/", entry: Entry{Kind: Dir}, state: Exists}
	if e, err := w.Lstat("/"); err == nil {
		k.entry = e
	}
	k.push(raw, false)
	for len(k.todo) > 0 && k.next(follow) {
	}
	f.Canonical, f.State, f.Entry = k.at, k.state, k.entry
	f.ParentDev, f.ParentInode = k.parent.Dev, k.parent.Inode
	if k.state != Exists {
		f.Entry = Entry{}
	}
	return f
}

type walker struct {
	w      World
	todo   []step // in reverse order
	at     string
	entry  Entry
	parent Entry
	state  State
	links  int
	parts  int
}

func (k *walker) push(text string, linked bool) {
	parts := strings.Split(text, "/")
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i] != "" && parts[i] != "." {
			k.todo = append(k.todo, step{parts[i], linked})
		}
	}
}

// next walks one part; false means that the walk cannot go on.
func (k *walker) next(follow bool) bool {
	s := k.todo[len(k.todo)-1]
	k.todo = k.todo[:len(k.todo)-1]
	if k.parts++; k.parts > maxParts {
		k.state = Looping
		return false
	}
	if s.name == ".." {
		k.at = path.Dir(k.at)
		if k.state == Exists {
			k.look(k.at)
		}
		return true
	}
	to := path.Join(k.at, s.name)
	if k.state != Exists { // below what is missing, only names
		k.at = to
		return true
	}
	if k.entry.Kind != Dir {
		k.at, k.state = to, Missing
		return true
	}
	before := k.entry
	e, err := k.w.Lstat(to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		k.at, k.parent, k.state = to, before, Missing
		if s.linked {
			k.state = Dangling
		}
		return true
	case err != nil:
		k.at, k.parent, k.state = to, before, Unknown
		return true
	case e.Kind == Link && (follow || len(k.todo) > 0):
		if k.links++; k.links > maxLinks {
			k.at, k.state = to, Looping
			return false
		}
		if strings.HasPrefix(k.at, "/proc/") { // what leads there is this process, not the one that will look
			k.at, k.state = to, Unknown
			return true
		}
		text, err := k.w.Readlink(to)
		if err != nil || text == "" {
			k.at, k.state = to, Unknown
			return true
		}
		if path.IsAbs(text) {
			k.at = "/"
			k.look("/")
		}
		k.push(text, true)
		return true
	}
	k.at, k.entry, k.parent = to, e, before
	return true
}

// look sets the entry of a folder that the walk has come back to.
func (k *walker) look(dir string) {
	e, err := k.w.Lstat(dir)
	if err != nil {
		k.state = Unknown
		if dir == "/" {
			k.state, k.entry = Exists, Entry{Kind: Dir}
		}
		return
	}
	k.entry = e
}

// Verify says whether what was opened is what was judged. It is for the opener, after it opened and before it acts: a
// path that was swapped in between fails here.
func (f PathFact) Verify(opened Entry) error {
	switch {
	case f.State == Missing:
		return fmt.Errorf("%s was not there when it was judged, and is now: decide again", f.Canonical)
	case f.State != Exists:
		return fmt.Errorf("%s was never judged to be safe (%s): decide again", f.Canonical, f.State)
	case f.Entry.Dev != opened.Dev || f.Entry.Inode != opened.Inode:
		return fmt.Errorf("%s was replaced after it was judged: decide again", f.Canonical)
	}
	return nil
}

// VerifyParent is Verify for a creation: the folder that is about to receive the entry must be the one judged.
func (f PathFact) VerifyParent(opened Entry) error {
	if f.ParentDev != opened.Dev || f.ParentInode != opened.Inode {
		return fmt.Errorf("the folder of %s was replaced after it was judged: decide again", f.Canonical)
	}
	return nil
}

// within says that p is root or below it.
func within(p, root string) bool {
	if root == "" {
		return false
	}
	return p == root || root == "/" || strings.HasPrefix(p, strings.TrimSuffix(root, "/")+"/")
}
