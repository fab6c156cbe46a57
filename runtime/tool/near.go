package tool

import (
	"errors"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"golang.org/x/sys/unix"
)

// maxNear bounds the names looked at for a suggestion.
const maxNear = 2000

// notFound says that path does not exist, and, inside the workspace, which names near it do that are not protected.
func (env *Env) notFound(did, path string) error {
	dir := filepath.Dir(path)
	e := fail(CodeNotFound, "%s %s: it does not exist", did, showPath(path))
	e.Err = os.ErrNotExist
	for dir != "/" {
		if _, err := os.Lstat(dir); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	if dir != filepath.Dir(path) {
		e.Message += "; the folder " + showPath(dir) + " exists, what is below it does not"
	}
	want := strings.TrimPrefix(strings.TrimPrefix(path, dir), "/")
	want, _, _ = strings.Cut(want, "/")
	if near := env.nearNames(dir, want); len(near) > 0 {
		e.Message += "; near names: " + strings.Join(near, ", ")
	}
	return e
}

// nearNames answers up to three names in dir that are most like want.
func (env *Env) nearNames(dir, want string) []string {
	if !env.inWorkspace(dir) {
		return nil
	}
	d, err := openFolder(dir)
	if err != nil {
		return nil
	}
	f := os.NewFile(uintptr(d.fd), dir)
	defer f.Close()
	names, _ := f.Readdirnames(maxNear)
	type near struct {
		name     string
		distance int
	}
	var all []near
	limit := max(2, len(want)/3)
	for _, name := range names {
		n := distance(strings.ToLower(want), strings.ToLower(name), limit)
		if n > limit && len(want) >= 3 && (strings.HasPrefix(name, want) || strings.TrimSuffix(name, filepath.Ext(name)) == strings.TrimSuffix(want, filepath.Ext(want))) {
			n = limit
		}
		if n <= limit && (env.Skip == nil || !env.Skip(join(dir, name))) {
			all = append(all, near{name, n})
		}
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].distance != all[j].distance {
			return all[i].distance < all[j].distance
		}
		return all[i].name < all[j].name
	})
	var found []string
	for _, n := range all[:min(3, len(all))] {
		found = append(found, showPath(n.name))
	}
	return found
}

// inWorkspace reports whether a canonical path is the workspace or lies in it.
func (env *Env) inWorkspace(path string) bool {
	return path == env.Workspace || strings.HasPrefix(path, strings.TrimSuffix(env.Workspace, "/")+"/")
}

// distance is the edit distance of a and b in bytes, or something greater than limit.
func distance(a, b string, limit int) int {
	if len(a) > 255 || len(b) > 255 || max(len(a), len(b))-min(len(a), len(b)) > limit {
		return limit + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

// isMissing reports whether err says that something does not exist.
func isMissing(err error) bool {
	return errors.Is(err, unix.ENOENT) || Code(err) == CodeNotFound
}
