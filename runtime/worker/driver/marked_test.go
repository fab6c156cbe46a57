package driver_test

import (
	"bytes"
	"os"
	"path/filepath"
)

// marked are the command lines of living processes with a mark, as /proc shows them.
func marked(mark string) (left []string) {
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range all {
		env, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(append(env, 0), []byte("CAPER_CALL="+mark+"\x00")) {
			continue
		}
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		if len(line) > 0 {
			left = append(left, string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
		}
	}
	return left
}
