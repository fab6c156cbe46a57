package blob

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestCacheKeepsTheNewest(t *testing.T) {
	dir := t.TempDir()
	c := NewCache(dir, nil)
	get := func(c *Cache, name, want string, fails error) {
		t.Helper()
		b, err := c.Get(name, 100)
		if string(b) != want || !errors.Is(err, fails) {
			t.Errorf("%s: %q, %v; want %q, %v", name, b, err, want, fails)
		}
	}
	put := func(name, text string) {
		t.Helper()
		if err := c.Put(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	get(c, "1/1.0", "", ErrNotFound)
	if all, _ := os.ReadDir(dir); len(all) > 0 {
		t.Errorf("looking made %v", all)
	}
	put("1/1.0", "one")
	put("1/1.0", "two")
	put("1/1.1", "three")
	put("2/1.0", "")
	get(c, "1/1.0", "two", nil)
	get(NewCache(dir, nil), "1/1.0", "two", nil) // another process
	get(c, "2/1.0", "", nil)
	for path, mode := range map[string]os.FileMode{"1/1.0": 0o600, "seal.key": 0o600, "1": 0o700} {
		if info, err := os.Stat(filepath.Join(dir, path)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
	// The seal holds for one name, and for bytes of any length.
	if err := os.Rename(filepath.Join(dir, "1/1.1"), filepath.Join(dir, "1/1.2")); err != nil {
		t.Fatal(err)
	}
	get(c, "1/1.2", "", ErrSeal)
	for n := range int64(35) {
		if err := os.Truncate(filepath.Join(dir, "1/1.2"), 34-n); err != nil {
			t.Fatal(err)
		}
		get(c, "1/1.2", "", ErrSeal)
	}
	put("3/1", string(make([]byte, 101)))
	get(c, "3/1", "", ErrTooBig)
	if err := c.Remove("1/1.0"); err != nil {
		t.Error(err)
	}
	get(c, "1/1.0", "", ErrNotFound)
	if err := errors.Join(c.Remove("1/1.0"), c.RemoveGroup("2"), c.RemoveGroup("77")); err != nil {
		t.Error(err)
	}
	get(c, "2/1.0", "", ErrNotFound)
	for _, name := range []string{"", "1", "1/", "/1", "../1", "1/..", "1/2/3", "1/a", "1/\x00"} {
		if c.Put(name, nil) == nil || c.Remove(name) == nil {
			t.Errorf("%q is no name", name)
		}
		if _, err := c.Get(name, 1); err == nil {
			t.Errorf("%q is no name", name)
		}
	}
	for _, group := range []string{"", ".", "..", "1/2"} {
		if c.RemoveGroup(group) == nil {
			t.Errorf("%q is no group", group)
		}
	}
}
