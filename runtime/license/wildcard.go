package license

import (
	"io/fs"
	"os"
	"path"
	"strings"
)

// This file follows wildcards to the links that they match: a link is what makes a word lead where its text does not say.

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
