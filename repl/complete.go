package repl

import (
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// maxCandidates bounds what is looked at of a folder.
const maxCandidates = 2000

// Complete is the Completer of the session.
func (s *Shell) Complete(text string, at int) (from int, all []Candidate) {
	head := text[:at]
	var sc scanner
	sc.scan(head)
	if begun := strings.TrimLeft(head, " \t\n"); begun != "" && Command(text) {
		name, rest, argument := strings.Cut(begun[1:], " ")
		if !argument {
			return at - len(name), commandsWith(name)
		}
		for _, c := range commands {
			if c.name != name {
				continue
			}
			switch c.takes {
			case aJob:
				return matching(rest, at, s.jobs())
			case aFile:
				return files(rest, at)
			case nothing:
				return at, nil
			case aWord:
				return matching(rest, at, wordsOf(name))
			}
		}
	}
	if sc.state == '"' {
		return files(head[strings.LastIndexByte(head, '"')+1:], at)
	}
	begin := strings.LastIndexAny(head, " \t\n()[]'`,\"") + 1
	word := head[begin:]
	if key, ok := strings.CutPrefix(word, "#:"); ok {
		if n := len(sc.open); n > 0 {
			for _, c := range s.Host.Keywords(sc.open[n-1].head) {
				if strings.HasPrefix(c.Text, key) {
					all = append(all, Candidate{Text: "#:" + c.Text, Doc: c.Doc})
				}
			}
		}
		return begin, all
	}
	if word == "" {
		return at, nil
	}
	return begin, s.names(word)
}

// names are those of programs, and of what was defined here, that begin with a text; in order.
func (s *Shell) names(prefix string) (all []Candidate) {
	names := s.Host.Names()
	names = names[sort.Search(len(names), func(i int) bool { return names[i].Text >= prefix }):]
	names = names[:sort.Search(len(names), func(i int) bool { return !strings.HasPrefix(names[i].Text, prefix) })]
	all = make([]Candidate, 0, len(names))
	for _, c := range names {
		if !s.defined[c.Text] {
			all = append(all, c)
		}
	}
	for name := range s.defined {
		if strings.HasPrefix(name, prefix) {
			all = append(all, Candidate{Text: name, Doc: "defined in this session"})
		}
	}
	slices.SortFunc(all, func(a, b Candidate) int { return strings.Compare(a.Text, b.Text) })
	return all
}

func commandsWith(prefix string) (all []Candidate) {
	for _, c := range commands {
		if strings.HasPrefix(c.name, prefix) {
			all = append(all, Candidate{Text: c.name, Doc: c.doc})
		}
	}
	return all
}

// matching are the candidates that the last word of a text begins.
func matching(rest string, at int, of []Candidate) (from int, all []Candidate) {
	word := rest[strings.LastIndexByte(rest, ' ')+1:]
	for _, c := range of {
		if strings.HasPrefix(c.Text, word) {
			all = append(all, c)
		}
	}
	return at - len(word), all
}

// jobs are the ids that the session knows, the newest first.
func (s *Shell) jobs() (all []Candidate) {
	if s.job != "" {
		all = append(all, Candidate{Text: s.job, Doc: "the newest job"})
	}
	for _, p := range slices.Backward(s.inputs) {
		if p.id != "" && p.id != s.job {
			text, _, _ := strings.Cut(strings.TrimSpace(p.text), "\n")
			all = append(all, Candidate{Text: p.id, Doc: text})
		}
	}
	return all
}

func wordsOf(name string) (all []Candidate) {
	if name == "help" {
		return commandsWith("")
	}
	for _, w := range Choices[name] {
		all = append(all, Candidate{Text: w})
	}
	return all
}

// files are those that a path may go on to; at is where it ends.
func files(path string, at int) (from int, all []Candidate) {
	dir, base := filepath.Split(path)
	look := dir
	if look == "" {
		look = "."
	}
	f, err := os.Open(look)
	if err != nil {
		return at, nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(maxCandidates) // what can be read is offered
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, base) || base == "" && strings.HasPrefix(name, ".") || clean(name) != name {
			continue
		}
		if e.IsDir() {
			name += "/"
		}
		all = append(all, Candidate{Text: name})
	}
	sort.Slice(all, func(i, k int) bool { return all[i].Text < all[k].Text })
	return at - len(base), all
}
