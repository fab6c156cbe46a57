package badger

import (
	"encoding/binary"
	"errors"
	"os"

	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/badger/v4/y"
	"google.golang.org/protobuf/proto"
)

var errTableEnd = errors.New("its end is not the end of a table")

// checkTable looks at the end of a table before Badger does: on one that was cut it panics in a goroutine of its own, which
// ends the process without a sentence. It reads from behind: the length of the checksum, the checksum, the length of the
// index, the index.
func checkTable(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	at := fi.Size()
	back := func(n int64) ([]byte, error) {
		if at -= n; at < 0 {
			return nil, errTableEnd
		}
		b := make([]byte, n)
		_, err := f.ReadAt(b, at)
		return b, err
	}
	length := func(limit int64) (int64, error) {
		b, err := back(4)
		if err != nil {
			return 0, err
		}
		n := int64(binary.BigEndian.Uint32(b))
		if n > limit || n > at {
			return 0, errTableEnd
		}
		return n, nil
	}
	n, err := length(64)
	if err != nil {
		return err
	}
	b, err := back(n)
	if err != nil {
		return err
	}
	var sum pb.Checksum
	if err := proto.Unmarshal(b, &sum); err != nil {
		return errTableEnd
	}
	if sum.Algo != pb.Checksum_CRC32C && sum.Algo != pb.Checksum_XXHash64 {
		return errTableEnd
	}
	if n, err = length(fi.Size()); err != nil {
		return err
	}
	if n == 0 {
		return errTableEnd
	}
	if b, err = back(n); err != nil {
		return err
	}
	return y.VerifyChecksum(b, &sum)
}
