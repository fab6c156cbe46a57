package tool

import (
	"errors"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"caper/interp/near"

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
	return e.meant(env.nearNames(dir, want))
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
	type candidate struct {
		name     string
		distance int
	}
	var all []candidate
	limit := max(2, len(want)/3)
	for _, name := range names {
		n := near.Distance(strings.ToLower(want), strings.ToLower(name), limit)
		if n > limit && len(want) >= 3 && (strings.HasPrefix(name, want) || strings.TrimSuffix(name, filepath.Ext(name)) == strings.TrimSuffix(want, filepath.Ext(want))) {
			n = limit
		}
		if n <= limit && (env.Skip == nil || !env.Skip(join(dir, name))) {
			all = append(all, candidate{name, n})
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

// isMissing reports whether err says that something does not exist.
func isMissing(err error) bool {
	return errors.Is(err, unix.ENOENT) || Code(err) == CodeNotFound
}
