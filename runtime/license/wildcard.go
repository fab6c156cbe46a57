package license

import (
	"io/fs"
	"os"
	"path"
	"strings"
)

// This file judges words with wildcards: by their text, and by the links that they match, for a link makes a word lead
// where its text does not say.

// lister is a World that can read folders; without it only the text of wildcards is judged.
type lister interface {
	ReadDir(path string) ([]fs.DirEntry, error)
}

// ReadDir lists a folder.
func (OS) ReadDir(path string) ([]fs.DirEntry, error) { return os.ReadDir(path) }

const (
	maxGlobNames = 20_000 // names read for one word
	maxGlobLinks = 200    // links followed for one word
)

// reached is a path that the first parts of a word match.
type reached struct {
	path   string
	linked bool // a link is on it
}

func (s *surveyor) wildcards(w Word, dirs []string) {
	for _, candidate := range pathCandidates(w.Text) {
		for _, d := range dirs {
			key := absolute(candidate, d, s.f.Home)
			if _, seen := s.f.Links[key]; !seen && strings.ContainsAny(key, "*?[") {
				s.f.Links[key] = s.links(key)
			}
		}
	}
}

// links answers where a pattern leads through links.
func (s *surveyor) links(pattern string) []PathFact {
	parts := strings.Split(strings.TrimPrefix(pattern, "/"), "/")
	at := 0
	for at < len(parts) && !strings.ContainsAny(parts[at], `*?[\`) {
		at++
	}
	static := "/" + strings.Join(parts[:at], "/")
	start := s.walk(static)
	out := []PathFact{{Lexical: start.Lexical, Canonical: start.Canonical}} // what is in it is judged as what is below it
	list, ok := s.w.World.(lister)
	if !ok || start.State != Exists {
		return out
	}
	front, names := []reached{{path: static}}, 0
	for _, part := range parts[at:] {
		var next []reached
		for _, r := range front {
			if !strings.ContainsAny(part, `*?[\`) {
				p := path.Join(r.path, part)
				if e, err := s.w.Lstat(p); err == nil {
					next = append(next, reached{p, r.linked || e.Kind == Link})
				}
				names++
				continue
			}
			entries, _ := list.ReadDir(r.path)
			if names += len(entries) + 1; names > maxGlobNames {
				s.f.Shell.Soft = addReason(s.f.Shell.Soft, "its wildcards match more names than are looked at")
				return out
			}
			for _, e := range entries {
				if globPart(part, e.Name()) {
					next = append(next, reached{path.Join(r.path, e.Name()), r.linked || e.Type()&fs.ModeSymlink != 0})
				}
			}
		}
		front = next
	}
	for _, r := range front {
		if !r.linked {
			continue
		}
		if len(out) > maxGlobLinks {
			s.f.Shell.Soft = addReason(s.f.Shell.Soft, "its wildcards match more links than are looked at")
			return out
		}
		out = append(out, s.walk(r.path))
	}
	return out
}

// globProtected: wildcards that can become a protected name, and unknown words with a tell-tale rest.
func (j *judgement) globProtected(abs, text string, known bool, access Access) string {
	for _, why := range []string{processSecret(abs, globPart), processFile(abs, globPart)} {
		if why != "" {
			return why
		}
	}
	static, _, _ := strings.Cut(abs, "*")
	if i := strings.IndexAny(static, "?["); i >= 0 {
		static = static[:i]
	}
	if !strings.HasPrefix(text, "*") && strings.HasSuffix(static, "/") {
		if why := j.f.protects(PathFact{Lexical: path.Clean(static)}, access, j.p.Protected); why != "" {
			return why
		}
	}
	if known {
		for _, g := range j.f.Guards {
			if (access != Read || !g.WritesOnly) && (reaches(abs, g.Path) || reaches(abs, g.Canonical)) {
				return g.Why
			}
		}
		for _, root := range j.p.Protected {
			if reaches(abs, root) {
				return "it belongs to Caper itself (" + root + ")"
			}
		}
		for _, h := range []string{j.f.Home, j.f.HomeCanonical, "/root", "/home/user"} {
			if h == "" || !couldReach(abs, h) {
				continue
			}
			for _, c := range credentials {
				if reaches(abs, h+"/"+c) {
					return "it holds credentials"
				}
			}
		}
	}
	for _, c := range credentials {
		if (strings.Contains(c, "/") || len(c) >= 4) && (strings.Contains(text, "*/"+c+"/") || strings.HasSuffix(text, "*/"+c)) {
			return "it holds credentials"
		}
	}
	if access == Write || access == Delete {
		for _, part := range strings.Split(abs, "/") {
			if ok, err := path.Match(part, ".git"); err == nil && ok && strings.HasPrefix(part, ".") {
				return "it lies in the internals of git, where a file can run programs later"
			}
		}
	}
	return ""
}

// globPart says that a part of a path with wildcards can be a name.
func globPart(part, name string) bool {
	ok, err := path.Match(part, name)
	return err == nil && ok || strings.Contains(part, "**") || err != nil && strings.ContainsAny(part, "*?[")
}

// reaches says that a glob can name a place or something below it. A leading wildcard does not stand for a dot, as in
// shells.
func reaches(glob, place string) bool {
	if place == "" || !couldReach(glob, place) {
		return false
	}
	g, p := strings.Split(glob, "/"), strings.Split(path.Clean(place), "/")
	if len(g) < len(p) {
		return false
	}
	for i, part := range p {
		ok, err := path.Match(g[i], part)
		if err != nil {
			ok = g[i] == part
		}
		if !ok || strings.HasPrefix(part, ".") && g[i] != "" && strings.ContainsRune("*?[", rune(g[i][0])) {
			return false
		}
	}
	return true
}

// couldReach compares what stands before the first wildcard: most globs are far from every guard.
func couldReach(glob, place string) bool {
	for i := 0; i < len(glob) && i < len(place); i++ {
		switch {
		case strings.IndexByte(`*?[\`, glob[i]) >= 0:
			return true
		case glob[i] != place[i]:
			return false
		}
	}
	return true
}
