package blob

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// Cache keeps sealed bytes under names that its user gives, of each name the newest: what can be made again when it is
// lost. So nothing waits for the disk: what an accident tore has a broken seal.
type Cache struct {
	dir  string
	hook func(point string) // nil in production

	mu   sync.Mutex
	seal *Sealer // made with the first use: most processes never need the key
}

// NewCache keeps a cache and the key of its seals in a folder, which is made when something is put into it.
func NewCache(dir string, hook func(string)) *Cache { return &Cache{dir: dir, hook: hook} }

func (c *Cache) sealer() (*Sealer, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seal != nil {
		return c.seal, nil
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return nil, err
	}
	var err error
	c.seal, err = OpenSealer(c.dir)
	return c.seal, err
}

// path is where a name's bytes lie. A name has two parts, a group and a member, of digits and dots.
func (c *Cache) path(name string) (string, error) {
	group, member, ok := strings.Cut(name, "/")
	if !ok || !plain(group) || !plain(member) {
		return "", fmt.Errorf("cache: %q cannot be a name", name)
	}
	return filepath.Join(c.dir, group, member), nil
}

func plain(s string) bool {
	return strings.Trim(s, "0123456789.") == "" && strings.Trim(s, ".") != ""
}

// Put seals bytes and replaces what the name held. Two must not put the same name at once.
func (c *Cache) Put(name string, b []byte) error {
	path, err := c.path(name)
	if err != nil {
		return err
	}
	s, err := c.sealer()
	if err != nil {
		return err
	}
	tmp := path + ".tmp"
	f, err := create(tmp)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		f, err = create(tmp)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(s.mac(name, b))
	if err == nil {
		_, err = f.Write(b)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if c.hook != nil {
		c.hook("mid-snapshot")
	}
	if err == nil {
		// A rename onto a file makes some file systems write the new one to the disk at once, and wait.
		if err = c.Remove(name); err == nil {
			err = os.Rename(tmp, path)
		}
	}
	if err != nil {
		os.Remove(tmp)
	}
	return err
}

func create(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
}

// Get answers what was put last under a name: ErrNotFound, ErrTooBig beyond a limit, ErrSeal when it is not what this
// cache wrote there.
func (c *Cache) Get(name string, limit int64) ([]byte, error) {
	path, err := c.path(name)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	b, err := readAll(f, limit)
	if err != nil {
		return nil, err
	}
	s, err := c.sealer()
	if err != nil {
		return nil, err
	}
	return s.Unseal(name, b)
}

// Remove deletes what a name holds; nothing is no error.
func (c *Cache) Remove(name string) error {
	path, err := c.path(name)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// RemoveGroup deletes all names of a group.
func (c *Cache) RemoveGroup(group string) error {
	if !plain(group) {
		return fmt.Errorf("cache: %q cannot be a group", group)
	}
	return os.RemoveAll(filepath.Join(c.dir, group))
}
