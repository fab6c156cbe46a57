package badger

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"

	db "github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/ristretto/v2/z"
	"google.golang.org/protobuf/proto"
)

// What follows is done only to a store whose owner accepts the loss, and after all of it was salvaged.

// readable sorts tables into those that can be read to the end and those that cannot.
func readable(folder string, names []string) (good, bad []string) {
	for _, name := range names {
		path := filepath.Join(folder, name)
		err := checkTable(path)
		if err == nil {
			err = readTable(path)
		}
		if err != nil {
			bad = append(bad, name)
			continue
		}
		good = append(good, name)
	}
	return good, bad
}

// readTable lets Badger check all blocks of a table, here, where its panics can be caught.
func readTable(path string) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	f, err := z.OpenMmapFile(path, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	t, err := table.OpenTable(f, table.Options{ReadOnly: true, ChkMode: options.OnTableRead, Compression: options.None, BlockSize: 4 << 10})
	if err != nil {
		return err
	}
	return t.Close(-1)
}

// repair makes the database's files such that it opens: a new MANIFEST with all readable tables on the first level, where
// tables may overlap and the newest version of a key counts, and none of the files that hold nothing.
func repair(folder string, tables []string) error {
	var set pb.ManifestChangeSet
	for _, name := range tables {
		var id uint64
		if _, err := fmt.Sscanf(strings.TrimSuffix(name, ".sst"), "%d", &id); err != nil {
			continue
		}
		set.Changes = append(set.Changes, &pb.ManifestChange{Id: id, Op: pb.ManifestChange_CREATE})
	}
	body, err := proto.Marshal(&set)
	if err != nil {
		return err
	}
	b := []byte{'B', 'd', 'g', 'r', 0, 0, 0, 8}
	b = binary.BigEndian.AppendUint32(b, uint32(len(body)))
	b = binary.BigEndian.AppendUint32(b, crc32.Checksum(body, castagnoli))
	if err := os.WriteFile(filepath.Join(folder, db.ManifestFilename), append(b, body...), 0o600); err != nil {
		return err
	}
	// The value log is always empty, nothing is encrypted, and there is nothing to discard.
	for _, pattern := range []string{"*.vlog", db.KeyRegistryFileName, "DISCARD"} {
		if err := removeAll(folder, pattern); err != nil {
			return err
		}
	}
	return nil
}

func removeAll(folder, pattern string) error {
	paths, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil {
		return err
	}
	for _, p := range paths {
		if err := os.Remove(p); err != nil {
			return err
		}
	}
	return nil
}
