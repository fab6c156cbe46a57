package license

import (
	"fmt"
	"math/big"
	"path"
	"strconv"
	"strings"
	"unicode"

	"caper/runtime/graph"

	"github.com/bmatcuk/doublestar/v4"
)

// toolName is the name that rules speak of: mcp-call is judged as the tool that it calls.
func (j *judgement) toolName() string {
	if j.c.Tool == "mcp-call" {
		server, okS := argText(j.c.Args["server"])
		tool, okT := argText(j.c.Args["tool"])
		if okS && okT {
			return server + "/" + tool
		}
	}
	return j.c.Tool
}

func (j *judgement) namesTool(r Rule) bool {
	name := j.toolName()
	if r.tool == name || r.tool == j.c.Tool {
		return true
	}
	server, star := strings.CutSuffix(r.tool, "/*")
	return star && strings.HasPrefix(name, server+"/")
}

// speaks says whether a denying or asking rule means this call: any of its paths, any of its commands is enough.
func (j *judgement) speaks(r Rule) (answer, string) {
	if !j.namesTool(r) {
		if j.f.Shell != nil && isFileTool(r.tool) {
			return j.shellTouches(r)
		}
		if r.form == formPath && r.readsFor(j.c.Tool) { // of a folder it leaves out what is denied
			for _, u := range j.f.Uses {
				if u.Fact.Entry.Kind != Dir && j.pathDenied(r.glob, u.Fact) {
					return yes, show(u.Path)
				}
			}
		}
		return no, ""
	}
	switch r.form {
	case formPath:
		for _, u := range j.f.Uses {
			if j.pathDenied(r.glob, u.Fact) {
				return yes, show(u.Path)
			}
		}
		return no, ""
	case formWords:
		return j.speaksShell(r)
	case formArgs:
		for _, a := range r.args {
			if !argMatches(a.glob, j.c.Args[a.name], false) {
				return no, ""
			}
		}
	}
	return yes, show(j.toolName())
}

func (j *judgement) speaksShell(r Rule) (answer, string) {
	best, subject := no, ""
	if j.f.Shell == nil {
		return no, ""
	}
	for _, c := range j.f.Shell.Commands {
		got := matchDeny(r.words, c, j.denyName(c))
		if got == no && j.codeSays(r, c) {
			got = maybe
		}
		if got > best {
			best, subject = got, c.Text()
		}
	}
	return best, subject
}

// codeSays: a program text on the command line, for an interpreter that is not read here, has the program that a rule
// names as one of its words.
func (j *judgement) codeSays(r Rule, c Simple) bool {
	if len(r.words) == 0 || r.words[0].glob {
		return false
	}
	if base := j.programName(c); !runsScripts(base) || isShell(base) {
		return false
	}
	name := path.Base(r.words[0].text)
	for _, w := range c.Words[1:] {
		if !strings.ContainsAny(w.Text, " ('\"") {
			continue
		}
		for _, part := range strings.FieldsFunc(w.Text, func(r rune) bool { return r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if part == name {
				return true
			}
		}
	}
	return false
}

// covers says whether allowing rules together let the whole call through: every path and every command of it.
func (j *judgement) covers(rules []Rule) bool {
	if j.c.Tool == BashTool {
		return j.coversShell(rules)
	}
	paths := make([]bool, len(j.f.Uses))
	for _, r := range rules {
		if !j.namesTool(r) {
			continue
		}
		switch r.form {
		case formWhole:
			return true
		case formArgs:
			all := true
			for _, a := range r.args {
				all = all && argMatches(a.glob, j.c.Args[a.name], true)
			}
			if all {
				return true
			}
		case formPath:
			for i, u := range j.f.Uses {
				paths[i] = paths[i] || j.pathAllowed(r.glob, u.Fact)
			}
		}
	}
	for _, ok := range paths {
		if !ok {
			return false
		}
	}
	return len(paths) > 0
}

// takesPart says that a rule is one of those that let the call through.
func (j *judgement) takesPart(r Rule) bool {
	if j.c.Tool != BashTool {
		if r.form != formPath {
			return j.covers([]Rule{r})
		}
		for _, u := range j.f.Uses {
			if j.namesTool(r) && j.pathAllowed(r.glob, u.Fact) {
				return true
			}
		}
		return false
	}
	if r.tool == BashTool && r.form == formWhole {
		return true
	}
	for _, file := range j.f.Shell.Files {
		if len(j.f.Shell.Commands) > 0 {
			break
		}
		for _, p := range j.factsOf(file.Word, file.Dirs) {
			if j.allowsFile(r, file, p) {
				return true
			}
		}
	}
	for _, c := range j.f.Shell.Commands {
		if r.form == formWords && !c.Supposed && matchAllow(r.words, c, j.allowName(c), j.otherNames(c)) {
			return true
		}
	}
	return false
}

// globs answers a path pattern as absolute globs: of the workspace as named and where it leads.
func (j *judgement) globs(pattern string) []string {
	join := func(root, p string) string { return strings.TrimSuffix(escapeGlob(root), "/") + "/" + p }
	switch {
	case strings.HasPrefix(pattern, "//"):
		return []string{"/" + strings.TrimLeft(pattern, "/")}
	case pattern == "~" || strings.HasPrefix(pattern, "~/"):
		rest := strings.TrimPrefix(strings.TrimPrefix(pattern, "~"), "/")
		var out []string
		for _, h := range []string{j.f.Home, j.f.HomeCanonical} {
			if h != "" {
				out = append(out, strings.TrimSuffix(join(h, rest), "/"))
			}
		}
		return out
	}
	pattern = strings.TrimPrefix(pattern, "./")
	out := []string{join(j.c.Workspace, pattern)}
	if j.f.Workspace != "" && j.f.Workspace != j.c.Workspace {
		out = append(out, join(j.f.Workspace, pattern))
	}
	return out
}

func escapeGlob(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`*?[]{}\`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func (j *judgement) globMatches(globs []string, p string) bool {
	for _, g := range globs {
		if ok, err := doublestar.Match(g, p); err == nil && ok {
			return true
		}
	}
	return false
}

// pathDenied: deny wins on either form of the path, and on either case where the file system has none.
func (j *judgement) pathDenied(pattern string, p PathFact) bool {
	globs := j.globs(pattern)
	for _, form := range []string{p.Lexical, p.Canonical} {
		if form == "" {
			continue
		}
		if j.globMatches(globs, form) {
			return true
		}
		if j.f.Folds {
			for _, g := range globs {
				if j.globMatches([]string{strings.ToLower(g)}, strings.ToLower(form)) {
					return true
				}
			}
		}
	}
	return false
}

// pathAllowed: the path must be allowed as named and where it leads.
func (j *judgement) pathAllowed(pattern string, p PathFact) bool {
	if p.State != Exists && p.State != Missing {
		return false
	}
	globs := j.globs(pattern)
	return j.globMatches(globs, p.Lexical) && j.globMatches(globs, p.Canonical)
}

// argText is how an argument reads in an arg=glob pair.
func argText(d graph.Datum) (string, bool) {
	switch d := d.(type) {
	case string:
		return d, true
	case graph.Symbol:
		return string(d), true
	case graph.Keyword:
		return string(d), true
	case bool:
		return strconv.FormatBool(d), true
	case int64:
		return strconv.FormatInt(d, 10), true
	case *big.Int:
		return d.String(), true
	case float64:
		return strconv.FormatFloat(d, 'g', -1, 64), true
	}
	return "", false
}

// argMatches compares an argument; of a list, every item must match to allow, any to deny.
func argMatches(glob string, d graph.Datum, every bool) bool {
	var items []graph.Datum
	switch d := d.(type) {
	case graph.List:
		items = d
	case graph.Vector:
		items = d
	default:
		text, ok := argText(d)
		return ok && wildcard(glob, text)
	}
	for _, item := range items {
		text, ok := argText(item)
		hit := ok && wildcard(glob, text)
		if hit != every {
			return hit
		}
	}
	return every && len(items) > 0
}

// coversShell: nothing unknown, every command covered, every file that a redirection touches covered.
func (j *judgement) coversShell(rules []Rule) bool {
	sh := j.f.Shell
	if sh == nil || len(sh.Hard) > 0 || len(sh.Soft) > 0 || j.f.Limit != "" || len(sh.Commands) == 0 && len(sh.Files) == 0 {
		return false
	}
	whole := false
	for _, r := range rules {
		whole = whole || r.tool == BashTool && r.form == formWhole
	}
	for _, c := range sh.Commands {
		if !c.Supposed && (len(c.Soft) > 0 || !whole && !j.coversCommand(rules, c)) {
			return false
		}
	}
	for _, file := range sh.Files {
		if !whole && !j.coversFile(rules, file) {
			return false
		}
	}
	return true
}

func (j *judgement) coversCommand(rules []Rule, c Simple) bool {
	if (c.Transparent || c.Query) && j.plainProgram(c) {
		return true
	}
	if !j.atHome(c) {
		return false
	}
	for _, r := range rules {
		if r.form == formWords && r.tool == BashTool && matchAllow(r.words, c, j.allowName(c), j.otherNames(c)) {
			return true
		}
	}
	return false
}

// atHome says that a command runs in the workspace: elsewhere the same words may do anything, as make does what the
// Makefile of its folder says.
func (j *judgement) atHome(c Simple) bool {
	for _, d := range j.f.Shell.dirs(c.Dirs) {
		if !j.f.within(d, j.c.Workspace) && !j.f.within(d, j.f.Workspace) {
			return false
		}
		if p, ok := j.f.Paths[d]; ok && !j.f.within(p.Canonical, j.f.Workspace) {
			return false
		}
	}
	return true
}

// plainProgram says that a command is what its plain name says: a builtin, or found on the recorded PATH.
func (j *judgement) plainProgram(c Simple) bool {
	name := c.Name()
	return name != "" && !strings.Contains(name, "/") && !c.Function && (isBuiltin(name) || j.f.Execs[name].Found)
}

func (j *judgement) coversFile(rules []Rule, file ShellFile) bool {
	if isSink(file) {
		return true
	}
	facts := j.factsOf(file.Word, file.Dirs)
	if len(facts) == 0 {
		return false
	}
	for _, p := range facts {
		ok := file.Access == Read && j.readablePath(p)
		for _, r := range rules {
			ok = ok || j.allowsFile(r, file, p)
		}
		if !ok {
			return false
		}
	}
	return true
}

// allowsFile says that a rule by itself lets a redirection touch the path.
func (j *judgement) allowsFile(r Rule, file ShellFile, p PathFact) bool {
	named := false
	switch file.Access {
	case Read:
		named = r.tool == "read-file"
	case Write:
		named = r.tool == "write-file" || r.tool == "append-file" && file.Append
	}
	return named && (r.form == formWhole || r.form == formPath && j.pathAllowed(r.glob, p))
}

// isSink says that a redirection goes to nothing or to the command's own streams.
func isSink(file ShellFile) bool {
	switch file.Word.Text {
	case "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/zero", "/dev/fd/63", "/dev/tty":
		return file.Word.Known && !file.Word.Glob
	}
	return false
}

// factsOf are what a word is as a path, in every folder where it may be read.
func (j *judgement) factsOf(w Word, dirs []string) []PathFact {
	var out []PathFact
	if !w.Known || w.Glob {
		return nil
	}
	for _, d := range j.f.Shell.dirs(dirs) {
		p, ok := j.f.Paths[absolute(w.Text, d, j.f.Home)]
		if !ok {
			return nil
		}
		out = append(out, p)
	}
	return out
}

func (d Decision) String() string {
	return fmt.Sprintf("%s at step %d (%s) by %s: %s", d.Verdict, d.Step, d.Step, d.Rule, d.Reason)
}
