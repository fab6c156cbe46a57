package bench

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Every program is of one family, and every twin has a program.
func TestFamilies(t *testing.T) {
	var listed []string
	for _, f := range Families {
		listed = append(listed, f.Programs...)
	}
	slices.Sort(listed)
	entries, err := os.ReadDir("programs")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), filepath.Ext(e.Name()))
		if filepath.Ext(e.Name()) == ".scm" {
			found = append(found, name)
		} else if !slices.Contains(listed, name) {
			t.Errorf("%s is the twin of no program", e.Name())
		}
	}
	slices.Sort(found)
	if !slices.Equal(found, listed) {
		t.Errorf("programs: %v\nlisted: %v", found, listed)
	}
}
