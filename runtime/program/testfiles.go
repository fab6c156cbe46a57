package program

import (
	"io/fs"
	"os"
	"strings"
)

// TestSuffix is how the files of tests end.
const TestSuffix = "-test.scm"

// TestFiles finds the files of tests in a folder and below, seen from there, in order. Folders whose names begin with a
// dot are left out.
func TestFiles(dir string) ([]string, error) {
	var files []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.Type().IsRegular() && strings.HasSuffix(path, TestSuffix):
			files = append(files, path)
		}
		return nil
	})
	return files, err
}
