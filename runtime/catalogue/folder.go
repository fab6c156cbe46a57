package catalogue

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"caper/runtime/kind"
)

// Where recipes lie: below a workspace, and in Caper's configuration folder.
const (
	ProjectFolder = ".caper/agents"
	UserFolder    = "agents"
)

// Recipe is a recipe of a file.
type Recipe struct {
	kind.AgentSpec
	File    string
	Project bool   // the repository carries it
	Ignored string // why it is not used, "" when it is
	Err     error  // why it cannot be read
}

const maxFiles = 500

// Read reads the recipes of the user and of a project, by name. A name that the user has is the user's: a recipe of the
// repository never takes its place.
func Read(config, workspace string) ([]Recipe, error) {
	user, err := folder(config, UserFolder, false)
	if err != nil {
		return nil, err
	}
	project, err := folder(workspace, ProjectFolder, true)
	if err != nil {
		return nil, err
	}
	all := append(user, project...)
	first := map[string]string{}
	for i := range all {
		r := &all[i]
		if r.Err != nil {
			continue
		}
		if other, twice := first[r.Name]; twice {
			r.Ignored = "the name is that of " + other
			continue
		}
		first[r.Name] = r.File
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all, nil
}

// folder reads the files of one folder. Nothing outside of root is read, whatever links say.
func folder(root, below string, project bool) ([]Recipe, error) {
	if root == "" {
		return nil, nil
	}
	r, err := os.OpenRoot(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	d, err := r.Open(below)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	names, err := d.Readdirnames(maxFiles)
	if err = errors.Join(err, d.Close()); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	slices.Sort(names)
	var out []Recipe
	for _, name := range names {
		base, ok := strings.CutSuffix(name, ".md")
		if !ok || strings.HasPrefix(name, ".") || strings.EqualFold(base, "readme") {
			continue
		}
		rec := Recipe{File: filepath.Join(root, below, name), Project: project}
		text, err := whole(r, filepath.Join(below, name))
		if err == nil {
			rec.AgentSpec, err = Parse(rec.File, base, text)
		}
		if rec.Err = err; err != nil {
			rec.Name = base
		}
		switch {
		case project: // whatever it says of itself
			rec.Nature = kind.NatureProject
		case rec.Nature == "":
			rec.Nature = kind.NatureGlobal
		}
		out = append(out, rec)
	}
	return out, nil
}

// whole reads a plain file, bounded.
func whole(r *os.Root, path string) ([]byte, error) {
	info, err := r.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &Error{path, 1, 1, "it is no plain file"}
	}
	f, err := r.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxFile+1))
}
