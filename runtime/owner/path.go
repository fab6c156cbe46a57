package owner

import (
	"fmt"
	"os"
	"path/filepath"
)

// maxAddress is the longest path that fits into a socket's address (sun_path) everywhere.
const maxAddress = 103

// address answers a name of the socket that fits into an address: a long path is reached through its open folder. done
// gives the folder back.
func address(path string) (short string, done func(), err error) {
	if len(path) <= maxAddress {
		return path, func() {}, nil
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("/proc/self/fd/%d/%s", dir.Fd(), filepath.Base(path)), func() { dir.Close() }, nil
}
