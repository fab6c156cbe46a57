package blob

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
)

func folder(t *testing.T, sync bool) *Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "blob"), sync)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPutAndGet(t *testing.T) {
	for _, sync := range []bool{false, true} {
		s := folder(t, sync)
		for _, text := range []string{"", "a", strings.Repeat("long ", 100_000)} {
			name, err := s.Put([]byte(text))
			if err != nil || name != Name([]byte(text)) {
				t.Fatalf("put: %s, %v", name, err)
			}
			again, err := s.Put([]byte(text))
			if err != nil || again != name {
				t.Errorf("put again: %s, %v", again, err)
			}
			read, size, err := s.PutReader(iotest.OneByteReader(io.LimitReader(strings.NewReader(text), 1000)), 1000)
			if want := text[:min(len(text), 1000)]; err != nil || read != Name([]byte(want)) || size != int64(len(want)) {
				t.Errorf("put from a reader: %s, %d, %v", read, size, err)
			}
			b, err := s.Get(name, 1<<20)
			if err != nil || string(b) != text {
				t.Errorf("get: %d bytes, %v", len(b), err)
			}
			r, err := s.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			b, err = io.ReadAll(r)
			r.Close()
			if err != nil || string(b) != text {
				t.Errorf("read: %d bytes, %v", len(b), err)
			}
			if has, err := s.Has(name); !has || err != nil {
				t.Errorf("has: %v, %v", has, err)
			}
			if n, err := s.Size(name); n != int64(len(text)) || err != nil {
				t.Errorf("size: %v, %v", n, err)
			}
			if err := s.Remove(name); err != nil {
				t.Error(err)
			}
			if err := s.Remove(name); err != nil {
				t.Error(err)
			}
			if _, err := s.Get(name, 1<<20); !errors.Is(err, ErrNotFound) {
				t.Errorf("get of what was removed: %v", err)
			}
		}
	}
}

func TestDamagedBlob(t *testing.T) {
	s := folder(t, false)
	name, err := s.Put([]byte("what was written"))
	if err != nil {
		t.Fatal(err)
	}
	path, _ := s.path(name)
	for _, now := range []string{"what was Written", "what was", "", "what was written and more"} {
		if err := os.WriteFile(path, []byte(now), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Get(name, 100); !errors.Is(err, ErrDamaged) {
			t.Errorf("%q: get: %v", now, err)
		}
		r, err := s.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(r); !errors.Is(err, ErrDamaged) {
			t.Errorf("%q: read: %v", now, err)
		}
		r.Close()
	}
	if _, err := s.Put([]byte("what was written")); err != nil {
		t.Fatal(err)
	}
	if b, err := s.Get(name, 100); err != nil || string(b) != "what was written" {
		t.Errorf("written anew: %q, %v", b, err)
	}
}

func TestNamesFromOutside(t *testing.T) {
	s := folder(t, false)
	for _, name := range []string{"", "..", "../../etc/passwd", strings.Repeat("A", 64), strings.Repeat("/", 64), strings.Repeat("a", 63), strings.Repeat(".", 64)} {
		if _, err := s.Get(name, 1); !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", name, err)
		}
		if _, err := s.Has(name); !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", name, err)
		}
	}
	name, _ := s.Put([]byte("x"))
	path, _ := s.path(name)
	os.Remove(path)
	if err := os.Symlink("/dev/zero", path); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(name, 1<<10); err == nil {
		t.Error("a link was followed")
	}
}

func TestLimits(t *testing.T) {
	s := folder(t, false)
	if _, _, err := s.PutReader(strings.NewReader("12345"), 4); !errors.Is(err, ErrTooBig) {
		t.Errorf("put: %v", err)
	}
	if _, _, err := s.PutReader(iotest.ErrReader(io.ErrClosedPipe), 4); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("put: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(s.dir, ".tmp-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	name, err := s.Put([]byte("12345"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(name, 4); !errors.Is(err, ErrTooBig) {
		t.Errorf("get: %v", err)
	}
}

func TestManyPutTheSame(t *testing.T) {
	s := folder(t, true)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if _, err := s.Put([]byte("the same")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if b, err := s.Get(Name([]byte("the same")), 100); err != nil || string(b) != "the same" {
		t.Errorf("%q, %v", b, err)
	}
}

func TestSweep(t *testing.T) {
	s := folder(t, false)
	f, err := s.temp()
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if fi, err := os.Stat(f.Name()); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("mode of a new file: %v, %v", fi.Mode(), err)
	}
	if err := s.Sweep(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(f.Name()); err == nil {
		t.Error("it is still there")
	}
}

func TestSeals(t *testing.T) {
	dir := t.TempDir()
	a, err := OpenSealer(dir)
	if err != nil {
		t.Fatal(err)
	}
	b, err := OpenSealer(dir)
	if err != nil {
		t.Fatal(err)
	}
	other, err := OpenSealer(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	data := []byte("a machine")
	sealed := a.Seal("snapshot 1.2", data)
	if got, err := b.Unseal("snapshot 1.2", sealed); err != nil || !bytes.Equal(got, data) {
		t.Errorf("unseal: %q, %v", got, err)
	}
	for what, f := range map[string]func() ([]byte, error){
		"another key":     func() ([]byte, error) { return other.Unseal("snapshot 1.2", sealed) },
		"another purpose": func() ([]byte, error) { return a.Unseal("snapshot 1.3", sealed) },
		"fewer bytes":     func() ([]byte, error) { return a.Unseal("snapshot 1.2", sealed[:len(sealed)-1]) },
		"hardly any":      func() ([]byte, error) { return a.Unseal("snapshot 1.2", sealed[:5]) },
		"none":            func() ([]byte, error) { return a.Unseal("snapshot 1.2", nil) },
		"a changed byte": func() ([]byte, error) {
			c := bytes.Clone(sealed)
			c[len(c)-1] ^= 1
			return a.Unseal("snapshot 1.2", c)
		},
	} {
		if _, err := f(); !errors.Is(err, ErrSeal) {
			t.Errorf("%s: %v", what, err)
		}
	}
	path := filepath.Join(dir, "seal.key")
	if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("the key file: %v, %v", fi, err)
	}
	if err := os.WriteFile(path, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	fresh, err := OpenSealer(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fresh.Unseal("snapshot 1.2", sealed); !errors.Is(err, ErrSeal) {
		t.Errorf("a new key opens an old seal: %v", err)
	}
}
