package tool

import (
	"bytes"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/sys/unix"
)

// This file defines what a repository wants to be left out of searches: gitignore(5), one level a folder, the deepest deciding first.
//
// Why our own: sabhiram/go-gitignore turns every rule of one file into a regular expression, knows neither nested files nor that a
// file below an ignored folder cannot be taken back, and is asked about whole paths. A walk asks about one name at a time, has
// pruned the ignored folders already, and mostly meets rules that are a plain name or "*.ext".

const (
	maxIgnoreFile  = 1 << 20
	maxIgnoreRules = 20_000
)

type ignoreRule struct {
	pattern string
	negate  bool
	dirOnly bool
	path    bool // matched against the path below its folder, not against the name alone
	kind    byte // 'n' a plain name, 's' "*" and a plain ending, 0 a pattern
}

// ignores is one folder's rules, and those of the folders above it.
type ignores struct {
	above *ignores
	dir   string // absolute; rules match what is below
	rules []ignoreRule
}

// parseIgnore reads the text of one file. A line that is no valid pattern is left out.
func parseIgnore(text []byte) []ignoreRule {
	text = bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF"))
	var rules []ignoreRule
	for line := range strings.SplitSeq(string(text), "\n") {
		if r, ok := parseIgnoreLine(strings.TrimSuffix(line, "\r")); ok {
			if rules = append(rules, r); len(rules) == maxIgnoreRules {
				break
			}
		}
	}
	return rules
}

func parseIgnoreLine(line string) (r ignoreRule, ok bool) {
	// Spaces at the end count only after a backslash.
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	if line == "" || line[0] == '#' {
		return r, false
	}
	if line[0] == '!' {
		r.negate = true
		line = line[1:]
	}
	if strings.HasSuffix(line, "/") {
		r.dirOnly = true
		line = line[:len(line)-1]
	}
	if strings.Contains(line, "/") {
		r.path = true
		line = strings.TrimPrefix(line, "/")
	}
	if line == "" {
		return r, false
	}
	if rest, deep := strings.CutPrefix(line, "**/"); deep && !strings.Contains(rest, "/") {
		r.path = false // the same as the bare name
		line = rest
	}
	if strings.HasSuffix(line, "/**") {
		line += "/*" // what is inside, not the folder itself
	}
	// Braces mean nothing here, but do to doublestar.
	r.pattern = strings.NewReplacer(`\{`, `\{`, `\}`, `\}`, "{", `\{`, "}", `\}`).Replace(oneStar(line))
	switch {
	case !strings.ContainsAny(line, `*?[\{}`):
		r.kind = 'n'
	case !r.path && line[0] == '*' && !strings.ContainsAny(line[1:], `*?[\{}`):
		r.kind = 's'
	default:
		if !doublestar.ValidatePattern(r.pattern) {
			return r, false
		}
	}
	return r, true
}

// oneStar makes stars that are only a part of a name one star, as which they count.
func oneStar(line string) string {
	if !strings.Contains(line, "**") {
		return line
	}
	parts := strings.Split(line, "/")
	for i, part := range parts {
		for part != "**" && strings.Contains(part, "**") && !strings.Contains(part, `\`) {
			part = strings.ReplaceAll(part, "**", "*")
			parts[i] = part
			if part == "*" { // three stars alone
				break
			}
		}
	}
	return strings.Join(parts, "/")
}

func (r *ignoreRule) match(path, name string, dir bool) bool {
	if r.dirOnly && !dir {
		return false
	}
	s := name
	if r.path {
		s = path
	}
	switch r.kind {
	case 'n':
		return s == r.pattern
	case 's':
		return strings.HasSuffix(s, r.pattern[1:])
	}
	ok, _ := doublestar.Match(r.pattern, s)
	return ok
}

// ignored reports whether the entry name of the folder at dir is left out. The folder itself is not.
func (g *ignores) ignored(dir, name string, isDir bool) bool {
	for ; g != nil; g = g.above {
		path := ""
		for i := len(g.rules) - 1; i >= 0; i-- {
			r := &g.rules[i]
			if r.path && path == "" {
				path = below(g.dir, dir, name)
			}
			if r.match(path, name, isDir) {
				return !r.negate
			}
		}
	}
	return false
}

// below answers dir/name as a path below top.
func below(top, dir, name string) string {
	rest := strings.TrimPrefix(strings.TrimPrefix(dir, top), "/")
	if rest == "" {
		return name
	}
	return rest + "/" + name
}

// with adds the rules of a file in the open folder fd, which is dir.
func (g *ignores) with(fd int, file, dir string) *ignores {
	text := readSmall(fd, file, maxIgnoreFile)
	if rules := parseIgnore(text); len(rules) > 0 {
		return &ignores{above: g, dir: dir, rules: rules}
	}
	return g
}

// readSmall reads at most limit bytes of a file below an open folder; what cannot be read is empty.
func readSmall(dirfd int, name string, limit int) []byte {
	fd, err := unix.Openat(dirfd, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	m, err := statFd(fd)
	if err != nil || !m.regular() {
		return nil
	}
	data := make([]byte, min(m.size, int64(limit)))
	n := 0
	for n < len(data) {
		k, err := unix.Pread(fd, data[n:], int64(n))
		if err == unix.EINTR {
			continue
		}
		if err != nil || k <= 0 {
			break
		}
		n += k
	}
	return data[:n]
}

// ignoresAbove collects the rules that hold in root because of the folders above it: from the top of the repository, but not from
// outside the workspace.
func ignoresAbove(env *Env, root string) *ignores {
	if !env.inWorkspace(root) {
		return nil
	}
	var g *ignores
	names := strings.Split(strings.Trim(strings.TrimPrefix(root, env.Workspace), "/"), "/")
	dir := env.Workspace
	for i := 0; ; i++ {
		if d, err := openFolder(dir); err == nil {
			if env.Skip == nil || !env.Skip(strings.TrimSuffix(dir, "/")+"/.git/info/exclude") {
				if !isLinkAt(d.fd, ".git") {
					if ex := g.with(d.fd, ".git/info/exclude", dir); ex != g {
						ex.above = nil // a repository begins here: what is above it does not count
						g = ex
					}
				}
			}
			if dir != root { // the walk reads the root's own
				g = g.with(d.fd, ".gitignore", dir)
			}
			d.close()
		}
		if dir == root || i >= len(names) {
			return g
		}
		dir = strings.TrimSuffix(dir, "/") + "/" + names[i]
	}
}

func isLinkAt(fd int, name string) bool {
	m, err := (&folder{fd: fd}).stat(name)
	return err == nil && m.isLink()
}
