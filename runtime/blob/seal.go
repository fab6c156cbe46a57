package blob

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Sealer puts a MAC on bytes that come back from the disk to be run, such as a machine's snapshot: their content name is
// no proof that this program wrote them.
type Sealer struct{ key []byte }

const keySize = 32

// ErrSeal means that the bytes were not sealed with this key.
var ErrSeal = errors.New("seal is broken: these bytes were not written by this store")

// OpenSealer reads the key file of a store's folder, or makes one. A key that is lost makes old seals void and no more.
func OpenSealer(dir string) (*Sealer, error) {
	path := filepath.Join(dir, "seal.key")
	for range 2 {
		b, err := os.ReadFile(path)
		switch {
		case err == nil && len(b) == keySize:
			return &Sealer{key: b}, nil
		case err == nil:
			if err := os.Remove(path); err != nil {
				return nil, fmt.Errorf("open seal: %w", err)
			}
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("open seal: %w", err)
		}
		if err := makeKey(dir, path); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("make the key of seals: %w", err)
		}
	}
	return nil, fmt.Errorf("open seal: %s cannot be kept", path)
}

// makeKey writes the key under another name first: nobody reads half a key.
func makeKey(dir, path string) error {
	b := make([]byte, keySize)
	rand.Read(b)
	tmp := fmt.Sprintf("%s.tmp-%x", path, b[:4])
	f, err := os.OpenFile(tmp, os.O_CREATE|os.O_EXCL|os.O_WRONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	defer os.Remove(tmp)
	rand.Read(b)
	_, err = f.Write(b)
	if serr := f.Sync(); err == nil {
		err = serr
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	if err := os.Link(tmp, path); err != nil { // unlike a rename, it lets another's key stand
		return err
	}
	return syncFolder(dir)
}

func (s *Sealer) mac(purpose string, b []byte) []byte {
	h := hmac.New(sha256.New, s.key)
	fmt.Fprintf(h, "%d:%s", len(purpose), purpose)
	h.Write(b)
	return h.Sum(nil)
}

// Seal answers b with its MAC in front. What was sealed for one purpose cannot be unsealed for another.
func (s *Sealer) Seal(purpose string, b []byte) []byte {
	return append(s.mac(purpose, b), b...)
}

// Unseal answers the bytes that Seal was given.
func (s *Sealer) Unseal(purpose string, sealed []byte) ([]byte, error) {
	if len(sealed) < sha256.Size || !hmac.Equal(sealed[:sha256.Size], s.mac(purpose, sealed[sha256.Size:])) {
		return nil, ErrSeal
	}
	return sealed[sha256.Size:], nil
}
