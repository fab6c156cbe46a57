package badger

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	db "github.com/dgraph-io/badger/v4"

	"golang.org/x/sys/unix"
)

const salvageName = "salvage"

// salvage keeps what is there before a database that was not closed is opened: Badger rewrites and deletes as it opens.
// Tables never change, so a second name is enough for them. What an earlier opening kept, and found wanting, stays.
func salvage(dir, folder string, f files) error {
	to := filepath.Join(dir, salvageName)
	if _, err := os.Lstat(to); err == nil {
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	making := to + ".tmp"
	if err := os.RemoveAll(making); err != nil {
		return err
	}
	if err := os.Mkdir(making, 0o700); err != nil {
		return err
	}
	for _, name := range f.tables {
		if err := os.Link(filepath.Join(folder, name), filepath.Join(making, name)); err != nil && !errors.Is(err, unix.EPERM) && !errors.Is(err, unix.EOPNOTSUPP) {
			return err
		}
	}
	copies := append([]string{}, f.memtables...)
	if f.manifest {
		copies = append(copies, db.ManifestFilename)
	}
	for _, name := range copies {
		if err := copySparse(filepath.Join(folder, name), filepath.Join(making, name)); err != nil {
			return err
		}
	}
	return os.Rename(making, to)
}

func unsalvage(dir string) {
	os.RemoveAll(filepath.Join(dir, salvageName))
	os.RemoveAll(filepath.Join(dir, salvageName+".tmp"))
}

// copySparse copies the parts of a file that hold data: a memtable's file is mostly a hole.
func copySparse(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer out.Close()
	fi, err := in.Stat()
	if err != nil {
		return err
	}
	if err := out.Truncate(fi.Size()); err != nil {
		return err
	}
	for at := int64(0); at < fi.Size(); {
		data, err := unix.Seek(int(in.Fd()), at, unix.SEEK_DATA)
		if errors.Is(err, unix.ENXIO) {
			break
		}
		hole := fi.Size()
		if err != nil {
			data = at // no such seek here: all of it is data
		} else if hole, err = unix.Seek(int(in.Fd()), data, unix.SEEK_HOLE); err != nil {
			hole = fi.Size()
		}
		if _, err := io.Copy(io.NewOffsetWriter(out, data), io.NewSectionReader(in, data, hole-data)); err != nil {
			return err
		}
		at = hole
	}
	return nil
}
