package license

import (
	"strconv"
	"strings"
	"unicode"
)

// pathCandidates answers what in a word could be a path: the word, what follows = : , @ or an option letter.
func pathCandidates(text string) []string {
	if text == "" || len(text) > maxPathLength {
		return nil
	}
	var out []string
	add := func(s string) {
		s = strings.TrimPrefix(s, "file://")
		if s == "" || len(out) > 16 {
			return
		}
		for _, have := range out {
			if have == s {
				return
			}
		}
		out = append(out, s)
	}
	if !strings.HasPrefix(text, "-") {
		add(text)
		add(strings.TrimLeft(text, "@<"))
	} else if len(text) > 2 && text[1] != '-' {
		add(strings.TrimLeft(text[2:], "@<")) // -Ipath, -d@path
		if i := strings.IndexAny(text, "/~@"); i > 2 {
			add(strings.TrimLeft(text[i:], "@<")) // -rf/path
		}
	}
	if strings.ContainsAny(text, "=:,") {
		for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("=:,", r) }) {
			if !strings.HasPrefix(part, "-") {
				add(strings.TrimLeft(part, "@<"))
			}
		}
	}
	if name, file, ok := strings.Cut(text, "@"); ok && name != "" && !strings.ContainsAny(name, " /'\"") {
		add(file) // of curl: name@path
	}
	return out
}

// dirs answers all folders of the command line where those of a part are not known.
func (sh *Shell) dirs(own []string) []string {
	if len(own) == 0 {
		return sh.Dirs
	}
	return own
}

// searchDirs are the folders that relative words of a command may start from: where it runs, and where -C sends it.
func (c Simple) searchDirs(sh *Shell) []string {
	dirs := sh.dirs(c.Dirs)
	for i, w := range c.Words {
		option, value, glued := strings.Cut(w.Text, "=")
		if glued && option == "--git-dir" {
			continue // its words are not of that folder
		}
		if strings.HasPrefix(w.Text, "-C") && len(w.Text) > 2 {
			option, value, glued = "-C", w.Text[2:], true
		}
		switch option {
		case "-C", "--directory", "--chdir", "--work-tree", "--cwd", "--prefix", "--git-dir":
			next := Word{Text: value, Known: w.Known, Glob: w.Glob}
			if !glued {
				if i+1 >= len(c.Words) {
					break
				}
				next = c.Words[i+1]
			}
			if next.Known && !next.Glob {
				for _, d := range sh.dirs(c.Dirs) {
					if len(dirs) < 2*maxDirs {
						dirs = append(dirs[:len(dirs):len(dirs)], absolute(next.Text, d, ""))
					}
				}
			}
		}
	}
	return dirs
}

// show makes a text safe to print: what cannot be seen is escaped.
func show(s string) string {
	if len(s) > 300 {
		return clean(strings.ToValidUTF8(s[:300], "")) + "…"
	}
	return clean(s)
}

// clean is show without shortening.
func clean(s string) string {
	for _, r := range s {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar || unicode.IsSpace(r) && r != ' ' {
			return strconv.QuoteToASCII(s)
		}
	}
	return s
}

// showWord shows a word as it would be typed.
func showWord(w Word) string {
	t := show(w.Text)
	if t == "" {
		return "''"
	}
	if w.Known && !w.Glob && strings.ContainsAny(t, " '\"$&;|<>()*?[\\`#~") && !strings.HasPrefix(t, `"`) {
		return "'" + strings.ReplaceAll(t, "'", `'\''`) + "'"
	}
	return t
}
