package badger

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	db "github.com/dgraph-io/badger/v4"
)

// files is what lies in the database's folder before it is opened.
type files struct {
	tables, memtables, logs []string
	manifest                bool
}

func (f files) any() bool {
	return f.manifest || len(f.tables)+len(f.memtables)+len(f.logs) > 0
}

// named are the tables but for the strays: a stray may be one whose making was cut short.
func (f files) named(strays []string) (names []string) {
	for _, t := range f.tables {
		if !slices.Contains(strays, t) {
			names = append(names, t)
		}
	}
	return names
}

// look lists the database's files, and removes those that a kill inside Badger's own creation or deletion of a file left
// empty: they hold nothing, and Badger does not open beside them. Only the owner may do so.
func look(folder string) (f files, err error) {
	list, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, err
	}
	for _, e := range list {
		name := e.Name()
		ext := filepath.Ext(name)
		if ext == ".mem" || ext == ".vlog" {
			fi, err := e.Info()
			if err != nil {
				return f, err
			}
			if fi.Mode().IsRegular() && fi.Size() == 0 {
				if err := os.Remove(filepath.Join(folder, name)); err != nil {
					return f, err
				}
				continue
			}
		}
		switch {
		case ext == ".sst":
			f.tables = append(f.tables, name)
		case ext == ".mem":
			f.memtables = append(f.memtables, name)
		case ext == ".vlog":
			f.logs = append(f.logs, name)
		case name == db.ManifestFilename:
			f.manifest = true
		}
	}
	return f, nil
}

// checkManifest looks at MANIFEST as Badger would, but believes nothing: Badger cuts a torn end off and then deletes
// every table that is not named any more. strays are tables that MANIFEST does not name.
func checkManifest(folder string, f files, a *anchor, o db.Options, forgiving bool) (strays []string, err error) {
	if !f.manifest {
		if f.any() {
			return nil, errors.New("its MANIFEST is gone, and with it the list of its tables")
		}
		return nil, nil
	}
	path := filepath.Join(folder, db.ManifestFilename)
	if a.clean != nil {
		b, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if uint64(len(b)) != a.clean.size || crc32.Checksum(b, castagnoli) != a.clean.sum {
			return nil, errors.New("its MANIFEST is not the one that was there when the store was closed")
		}
	}
	fp, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer fp.Close()
	m, end, err := replay(fp, o)
	if err != nil {
		return nil, fmt.Errorf("its MANIFEST cannot be read: %v", err)
	}
	if size, err := fp.Seek(0, io.SeekEnd); err != nil {
		return nil, err
	} else if size != end && !forgiving {
		return nil, fmt.Errorf("its MANIFEST ends in the middle of an entry, at byte %d of %d", end, size)
	}
	for _, t := range f.tables {
		var id uint64
		if _, err := fmt.Sscanf(strings.TrimSuffix(t, ".sst"), "%d", &id); err != nil {
			continue
		}
		if _, ok := m.Tables[id]; !ok {
			strays = append(strays, t)
		}
	}
	for id := range m.Tables {
		if !slices.Contains(f.tables, fmt.Sprintf("%06d.sst", id)) {
			return nil, fmt.Errorf("its table %06d.sst is gone", id)
		}
	}
	return strays, nil
}

func replay(fp *os.File, o db.Options) (m db.Manifest, end int64, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return db.ReplayManifestFile(fp, 0, o)
}
