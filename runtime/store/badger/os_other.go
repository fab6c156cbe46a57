//go:build unix && !linux

package badger

import "os"

func syncData(f *os.File) error { return f.Sync() }

// allocate writes the blocks: what is only promised is no reserve.
func allocate(f *os.File, size int64) error {
	b := make([]byte, 1<<20)
	for at := int64(0); at < size; at += int64(len(b)) {
		if _, err := f.WriteAt(b[:min(size-at, int64(len(b)))], at); err != nil {
			return err
		}
	}
	return nil
}
