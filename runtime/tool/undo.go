package tool

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// Overlay is files as they would be: what calls did to them is taken back, or done again, in memory, beginning with what
// lies on the disk. Nothing is written. What another has changed since is left alone, and said.
type Overlay struct {
	blobs Blobs
	files map[string]*overlaid
}

type overlaid struct {
	now, then []byte // on the disk, and as it would be
	was, is   bool   // there
	mode      int64  // its permission bits, as they would be
	left      string // why it is left alone, "" when it is not
}

// NewOverlay reads kept contents from blobs.
func NewOverlay(blobs Blobs) *Overlay { return &Overlay{blobs: blobs, files: map[string]*overlaid{}} }

func (o *Overlay) at(path string) *overlaid {
	f := o.files[path]
	if f != nil {
		return f
	}
	f = &overlaid{}
	o.files[path] = f
	info, err := os.Lstat(path)
	switch {
	case behindLink(path):
		f.left = "a link stands in its way now"
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		f.left = "it cannot be looked at"
	case !info.Mode().IsRegular():
		f.left = "it is no plain file"
	case info.Size() > maxRead:
		f.left = "it is too large"
	default:
		data, err := os.ReadFile(path)
		if err != nil {
			f.left = "it cannot be read"
		}
		f.now, f.then, f.was, f.is, f.mode = data, data, true, true, int64(info.Sys().(*syscall.Stat_t).Mode&0o7777)
	}
	return f
}

// behindLink reports whether one of the folders of a path, which had none when the call was made, is a link by now: what lies
// behind it is another's.
func behindLink(path string) bool {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if info, err := os.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// Restored is a file that is to be as it would be.
type Restored struct {
	Path   string
	Data   []byte
	Exists bool
	Mode   int64  // permission bits, 0 where they are not known
	Was    string // hash of what lay there when it was planned, "" for nothing
}

// Changed reports whether the file is no longer what it was when its restoring was planned.
func (r Restored) Changed() bool {
	now := NewOverlay(nil).at(r.Path)
	return now.left != "" || now.hash() != r.Was
}

// Changes are the files that differ from what lies on the disk, and why others are left alone, both in order of path.
func (o *Overlay) Changes() (changed []Restored, left []string) {
	paths := make([]string, 0, len(o.files))
	for p := range o.files {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	for _, p := range paths {
		f := o.files[p]
		switch {
		case f.left != "":
			left = append(left, p+": "+f.left)
		case f.is != f.was || !bytes.Equal(f.then, f.now):
			was := ""
			if f.was {
				was = hashOf(f.now)
			}
			changed = append(changed, Restored{p, f.then, f.is, f.mode, was})
		}
	}
	return changed, left
}

const changedSince = "it was changed since by something else"

// set makes a file what it would be, if it is what the call left or found.
func (o *Overlay) set(path string, fits func(*overlaid) bool, to func(*overlaid) error) {
	f := o.at(path)
	if f.left != "" {
		return
	}
	if !fits(f) {
		f.left = changedSince
		return
	}
	if err := to(f); err != nil {
		f.left = err.Error()
	}
}

func (o *Overlay) kept(hash string) ([]byte, error) {
	if hash == "" {
		return nil, errors.New("what was there was not kept")
	}
	data, err := o.blobs.Get(hash)
	if err != nil {
		return nil, errors.New("what was there cannot be read any more")
	}
	return data, nil
}

func (f *overlaid) hash() string {
	if !f.is {
		return ""
	}
	return hashOf(f.then)
}

// before gives the content that facts call before.
func (o *Overlay) before(facts Facts) func(*overlaid) error {
	return func(f *overlaid) error {
		if f.is = facts.flag("exists"); !f.is {
			f.then = nil
			return nil
		}
		if facts.int("size") == 0 {
			f.then = nil
			return nil
		}
		data, err := o.kept(facts.text("preimage"))
		f.then = data
		return err
	}
}

// Undo takes back what a call did that has ended well. args are those of the call, facts what was measured before it.
func (o *Overlay) Undo(tool string, args Args, facts Facts) {
	switch tool {
	case "write-file", "edit-file":
		o.set(facts.text("path"), func(f *overlaid) bool { return f.hash() == facts.text("after") }, o.before(facts))
	case "append-file":
		size, length := facts.int("size"), facts.int("length")
		o.set(facts.text("path"), func(f *overlaid) bool {
			return f.is && int64(len(f.then)) == size+length && hashOf(f.then[size:]) == facts.text("data")
		}, func(f *overlaid) error {
			f.then, f.is = f.then[:size:size], facts.flag("exists")
			return nil
		})
	case "delete-file":
		if facts.text("kind") != "file" {
			o.leave(facts.text("path"), "a "+facts.text("kind")+" was deleted, which is not made again")
			return
		}
		o.set(facts.text("path"), func(f *overlaid) bool { return !f.is }, func(f *overlaid) error {
			f.is, f.then, f.mode = true, nil, facts.int("mode")
			if facts.int("size") == 0 {
				return nil
			}
			var err error
			f.then, err = o.kept(facts.text("preimage"))
			return err
		})
	case "move-file":
		o.move(facts, facts.text("to"), facts.text("from"))
	}
}

// Redo does again what Undo takes back.
func (o *Overlay) Redo(tool string, args Args, facts Facts) {
	switch tool {
	case "write-file", "edit-file":
		o.set(facts.text("path"), func(f *overlaid) bool { return f.hash() == facts.text("before") }, func(f *overlaid) (err error) {
			if tool == "edit-file" {
				f.then, _, err = edited(facts.text("path"), f.then, args)
				return err
			}
			if !f.is {
				f.mode = facts.int("mode")
			}
			f.then, err = args.bytes(tool, "data")
			f.is = true
			return err
		})
	case "append-file":
		o.set(facts.text("path"), func(f *overlaid) bool {
			return f.is == facts.flag("exists") && int64(len(f.then)) == facts.int("size")
		}, func(f *overlaid) error {
			data, err := args.bytes(tool, "data")
			if !f.is {
				f.mode = facts.int("mode")
			}
			f.then, f.is = slices.Concat(f.then, data), true
			return err
		})
	case "delete-file":
		o.set(facts.text("path"), func(f *overlaid) bool {
			return f.is && int64(len(f.then)) == facts.int("size") && (len(f.then) == 0 || f.hash() == facts.text("preimage"))
		}, func(f *overlaid) error {
			f.is, f.then = false, nil
			return nil
		})
	case "move-file":
		o.move(facts, facts.text("from"), facts.text("to"))
	}
}

func (o *Overlay) move(facts Facts, from, to string) {
	if facts.text("kind") != "file" {
		o.leave(from, fmt.Sprintf("a %s was moved (the other place is %s), which is not moved back", facts.text("kind"), to))
		return
	}
	a, b := o.at(from), o.at(to)
	switch {
	case a.left != "" || b.left != "":
	case !a.is || b.is:
		a.left = changedSince
	default:
		b.is, b.then, b.mode, a.is, a.then = true, a.then, a.mode, false, nil
	}
}

func (o *Overlay) leave(path, why string) { o.at(path).left = why }
