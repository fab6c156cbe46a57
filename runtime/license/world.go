package license

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Kind is what a path leads to.
type Kind string

const (
	File  Kind = "file"
	Dir   Kind = "dir"
	Link  Kind = "link"
	Other Kind = "other"
)

// Entry is one name in the file system, not followed when it is a link.
type Entry struct {
	Kind       Kind
	Executable bool
	Dev, Inode uint64
	Size       int64
	ModTime    int64 // nanoseconds since 1970
}

// World is the part of the file system that a survey looks at. Paths are absolute. An error that is fs.ErrNotExist
// means that nothing is there; every other error means that it cannot be known.
type World interface {
	Lstat(path string) (Entry, error)
	Readlink(path string) (string, error)
	// Digest is a hash of a file's bytes.
	Digest(path string) (string, error)
	// Self is the path of the running Caper, empty when unknown.
	Self() string
}

// OS is the world of this machine. Its zero value knows no Caper of its own: give SelfPath, os.Executable's answer.
type OS struct{ SelfPath string }

// Lstat implements World.
func (OS) Lstat(path string) (Entry, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return Entry{}, err
	}
	return EntryOf(info), nil
}

// EntryOf turns a file's info into an entry, for an opener that verifies what it opened.
func EntryOf(info fs.FileInfo) Entry {
	e := Entry{Kind: Other, Size: info.Size(), ModTime: info.ModTime().UnixNano()}
	switch mode := info.Mode(); {
	case mode.IsRegular():
		e.Kind, e.Executable = File, mode.Perm()&0o111 != 0
	case mode.IsDir():
		e.Kind = Dir
	case mode&fs.ModeSymlink != 0:
		e.Kind = Link
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		e.Dev, e.Inode = uint64(st.Dev), uint64(st.Ino)
	}
	return e
}

// Readlink implements World.
func (OS) Readlink(path string) (string, error) { return os.Readlink(path) }

// maxDigest bounds what a survey reads of one file; a larger file is known by its size and time alone.
const maxDigest = 64 << 20

// Digest implements World.
func (OS) Digest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(f, maxDigest)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Self implements World.
func (w OS) Self() string { return w.SelfPath }
