// Package blob keeps bytes under the SHA-256 of what they are: large outcomes, pre-images of files, snapshots with their
// seal. It never knows what the bytes mean and never deletes what it was not told to; rooms above store may import it.
package blob

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Errors of a store of blobs.
var (
	ErrNotFound = errors.New("no such blob")
	ErrDamaged  = errors.New("blob is damaged: its bytes are not those that its name promises")
	ErrName     = errors.New("a blob's name is 64 hex digits")
	ErrTooBig   = errors.New("blob is larger than was allowed")
)

// Store is a folder of blobs, in subfolders named by the first two digits.
type Store struct {
	dir  string
	sync bool
}

// Open opens or makes the folder. With sync a blob is on the disk when Put returns; without, it survives the process.
func Open(dir string, sync bool) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("open blobs: %w", err)
	}
	return &Store{dir: dir, sync: sync}, nil
}

// Name is the name of bytes: their SHA-256 in hex.
func Name(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func (s *Store) path(name string) (string, error) {
	if len(name) != 2*sha256.Size {
		return "", ErrName
	}
	for _, c := range []byte(name) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return "", ErrName
		}
	}
	return filepath.Join(s.dir, name[:2], name[2:]), nil
}

// Put keeps bytes, given in one piece or several, and answers their name. What is there already is read: a damaged blob is
// written anew.
func (s *Store) Put(pieces ...[]byte) (string, error) {
	h, size := sha256.New(), int64(0)
	readers := make([]io.Reader, len(pieces))
	for i, b := range pieces {
		h.Write(b)
		size += int64(len(b))
		readers[i] = bytes.NewReader(b)
	}
	name := hex.EncodeToString(h.Sum(nil))
	if s.check(name) == nil {
		if !s.sync {
			return name, nil
		}
		// Somebody else may have given it its name just now.
		return name, syncFolder(filepath.Join(s.dir, name[:2]))
	}
	name, _, err := s.PutReader(io.MultiReader(readers...), size)
	return name, err
}

// check reads a blob to its end.
func (s *Store) check(name string) error {
	r, err := s.Open(name)
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = io.Copy(io.Discard, r)
	return err
}

// PutReader keeps what r gives, at most limit bytes of it, and answers its name and size.
func (s *Store) PutReader(r io.Reader, limit int64) (name string, size int64, err error) {
	f, err := s.temp()
	if err != nil {
		return "", 0, fmt.Errorf("put blob: %w", err)
	}
	defer func() {
		f.Close()
		if err != nil {
			os.Remove(f.Name())
			err = fmt.Errorf("put blob: %w", err)
		}
	}()
	h := sha256.New()
	size, err = io.Copy(io.MultiWriter(f, h), io.LimitReader(r, limit))
	if err != nil {
		return "", 0, err
	}
	if size == limit {
		var one [1]byte
		if n, _ := io.ReadFull(r, one[:]); n > 0 {
			return "", 0, fmt.Errorf("%w: %d bytes", ErrTooBig, limit)
		}
	}
	name = hex.EncodeToString(h.Sum(nil))
	return name, size, s.settle(f, name)
}

func (s *Store) temp() (*os.File, error) {
	var b [8]byte
	rand.Read(b[:])
	path := filepath.Join(s.dir, ".tmp-"+hex.EncodeToString(b[:]))
	return os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
}

// settle gives a written file its name. Under sync the order is: the bytes, the name, the folder that holds it.
func (s *Store) settle(f *os.File, name string) error {
	path, err := s.path(name)
	if err != nil {
		return err
	}
	if s.sync {
		if err := f.Sync(); err != nil {
			return err
		}
	}
	folder := filepath.Dir(path)
	made := false
	if err := os.Mkdir(folder, 0o700); err == nil {
		made = true
	} else if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	if !s.sync {
		return nil
	}
	if err := syncFolder(folder); err != nil || !made {
		return err
	}
	return syncFolder(s.dir)
}

func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// Has reports that there is a blob of that name. It does not read it.
func (s *Store) Has(name string) (bool, error) {
	path, err := s.path(name)
	if err != nil {
		return false, err
	}
	fi, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && fi.Mode().IsRegular(), err
}

// Size is the length of a blob.
func (s *Store) Size(name string) (int64, error) {
	f, err := s.file(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return fi.Size(), nil
}

func (s *Store) file(name string) (*os.File, error) {
	path, err := s.path(name)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%.12s…: %w", name, ErrNotFound)
	}
	return f, err
}

// readAll reads a file of at most limit bytes and closes it.
func readAll(f *os.File, limit int64) ([]byte, error) {
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("%w: %d bytes", ErrTooBig, limit)
	}
	b := make([]byte, info.Size())
	_, err = io.ReadFull(f, b)
	return b, err
}

// Get reads a whole blob of at most limit bytes and checks it.
func (s *Store) Get(name string, limit int64) ([]byte, error) {
	f, err := s.file(name)
	if err != nil {
		return nil, err
	}
	b, err := readAll(f, limit)
	if err != nil {
		return nil, fmt.Errorf("%.12s…: %w", name, err)
	}
	if Name(b) != name {
		return nil, fmt.Errorf("%.12s…: %w", name, ErrDamaged)
	}
	return b, nil
}

// Open reads a blob as it goes. The end of the file comes only after the bytes were found right: a reader that stops
// earlier has checked nothing.
func (s *Store) Open(name string) (io.ReadCloser, error) {
	f, err := s.file(name)
	if err != nil {
		return nil, err
	}
	return &reader{f: f, name: name, sum: sha256.New()}, nil
}

type reader struct {
	f    *os.File
	name string
	sum  hash.Hash
}

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.f.Read(p)
	r.sum.Write(p[:n])
	if err == io.EOF && hex.EncodeToString(r.sum.Sum(nil)) != r.name {
		err = fmt.Errorf("%.12s…: %w", r.name, ErrDamaged)
	}
	return n, err
}

func (r *reader) Close() error { return r.f.Close() }

// Remove deletes a blob; one that is not there is no error.
func (s *Store) Remove(name string) error {
	path, err := s.path(name)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Sweep deletes what a kill left half written. Only the owner may call it, before it puts anything.
func (s *Store) Sweep() error {
	left, err := filepath.Glob(filepath.Join(s.dir, ".tmp-*"))
	for _, p := range left {
		if rerr := os.Remove(p); err == nil {
			err = rerr
		}
	}
	return err
}
