package assembly

import (
	"os"
	"path/filepath"
)

// RuleFiles are the places where rules may stand for a workspace, and which of them are there.
func RuleFiles(h Home, workspace string, extra []string) (there, absent []string) {
	for _, path := range append([]string{h.PolicyFile(), filepath.Join(workspace, RepositoryPolicy)}, extra...) {
		if _, err := os.Stat(path); err != nil {
			absent = append(absent, path)
		} else {
			there = append(there, path)
		}
	}
	return there, absent
}
