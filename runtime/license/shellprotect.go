package license

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// shellProtections is step 1 for a command line: running Caper, naming what is protected, removing what must stay.
func (j *judgement) shellProtections() (rule, reason, subject string) {
	for _, c := range j.f.Shell.Commands {
		for _, check := range []func(Simple) string{j.runsSelf, j.namesProtected, j.removesRoot, j.carriesProtected, j.codeNames} {
			if reason := check(c); reason != "" {
				return "protections", reason, c.Text()
			}
		}
	}
	access := Write
	if j.onlyReaders() {
		access = Read
	}
	for _, w := range j.f.Shell.Mentions {
		if why := j.wordProtected(w, j.f.Shell.Dirs, access); why != "" {
			return "protections", fmt.Sprintf("it names %s: %s", show(w.Text), why), show(w.Text)
		}
	}
	for _, file := range j.f.Shell.Files {
		if isSink(file) {
			continue
		}
		if why := j.wordProtected(file.Word, file.Dirs, file.Access); why != "" {
			return "protections", fmt.Sprintf("a redirection touches %s: %s", show(file.Word.Text), why), show(file.Word.Text)
		}
		for _, p := range j.factsOf(file.Word, file.Dirs) {
			if reason := badState(UseFact{Use{Path: file.Word.Text}, p}); reason != "" {
				return "protections", "a redirection: " + reason, show(file.Word.Text)
			}
		}
	}
	return "", "", ""
}

func (j *judgement) onlyReaders() bool {
	for _, c := range j.f.Shell.Commands {
		if !c.Transparent && !readsOnlyProgram(c) {
			return false
		}
	}
	return true
}

// runsSelf: a command line of Caper's own would answer questions, change rules, or run programs unlicensed.
func (j *judgement) runsSelf(c Simple) string {
	const reason = "it runs Caper itself, and no program may do that"
	for _, e := range j.execsOf(c) {
		if e.Self {
			return reason
		}
	}
	if path.Base(c.Name()) == "caper" && !c.Function {
		return reason
	}
	return ""
}

// namesProtected looks at every word, for any program may open what it is given.
func (j *judgement) namesProtected(c Simple) string {
	if len(c.Words) == 0 {
		return ""
	}
	access := Write
	if readsOnlyProgram(c) || opensNothing(c.Name()) || c.Transparent && c.Name() != "exec" || j.wrapsFind(c) {
		access = Read
	}
	dirs := c.searchDirs(j.f.Shell)
	skip := false
	for i, w := range c.Words[1:] {
		if skip {
			skip = false
			continue
		}
		if c.Name() == "git" {
			if w.Text == "-m" || w.Text == "--message" || w.Text == "--git-dir" {
				skip = true // a message, or git's own folder given to git
				continue
			}
			if strings.HasPrefix(w.Text, "--message=") || strings.HasPrefix(w.Text, "--git-dir=") {
				continue
			}
		}
		a := access
		if excludes(w.Text) || excludes(c.Words[i].Text) && !strings.Contains(c.Words[i].Text, "=") {
			a = Read // a name to leave out is not written to
		}
		why := j.wordProtected(w, dirs, a)
		if c.Dirs == nil && why == "" && j.f.isCredential(path.Clean(w.Text)) {
			why = "it holds credentials if the folder is a home folder"
		}
		if why != "" {
			return fmt.Sprintf("it names %s: %s", show(w.Text), why)
		}
	}
	return ""
}

// wrapsFind says that what find does with what it finds is judged as commands of its own.
func (j *judgement) wrapsFind(c Simple) bool { return path.Base(c.Name()) == "find" }

func excludes(option string) bool {
	for _, p := range []string{"--exclude", "--ignore", "--iglob", "--skip", "-not", "-prune"} {
		if strings.HasPrefix(option, p) {
			return true
		}
	}
	return false
}

// wordProtected says why what a word names is closed. What is not wholly known is judged by the text that is.
func (j *judgement) wordProtected(w Word, dirs []string, access Access) string {
	certain, same := w.Known && !w.Glob, samePart
	if !certain {
		same = globPart
	}
	for _, candidate := range pathCandidates(w.Text) {
		for _, d := range j.f.Shell.dirs(dirs) {
			if why := processWay(rawAbsolute(candidate, d, j.f.Home), same); why != "" {
				return why
			}
			abs := absolute(candidate, d, j.f.Home)
			found := j.f.Links[abs]
			if certain {
				p, ok := j.f.Paths[abs]
				if !ok {
					p = PathFact{Lexical: abs}
				}
				found = []PathFact{p}
			} else if why := j.globProtected(abs, candidate, w.Known, access); why != "" {
				return why
			}
			for _, p := range found {
				if why := j.f.protects(p, access, j.p.Protected); why != "" {
					return why
				}
			}
		}
	}
	return ""
}

// removesRoot: the root, the home folder, the workspace, a folder of the system.
func (j *judgement) removesRoot(c Simple) string {
	base := j.programName(c)
	words := c.Words
	tree := false
	switch base {
	case "rm", "rmdir", "unlink", "shred", "srm", "trash", "rimraf", "del":
	case "mv":
		words = append(words[:1:1], j.sources(c)...)
	case "chmod", "chown", "chgrp", "setfacl":
		if !recursive(base, c) {
			return ""
		}
		tree = true
	default:
		if strings.HasPrefix(base, "mkfs") || base == "wipefs" || base == "fdisk" || base == "parted" {
			for _, w := range words[1:] {
				if strings.HasPrefix(w.Text, "/dev/") {
					return "it makes a file system on a device"
				}
			}
		}
		return ""
	}
	dirs := c.searchDirs(j.f.Shell)
	for _, w := range words[1:] {
		if what := j.wholeFolder(w, dirs, tree); what != "" {
			if tree {
				return "it would change the rights of " + what
			}
			return "removes " + what
		}
	}
	return ""
}

// wholeFolder says which weighty folder a word names, alone or by all that is in it.
func (j *judgement) wholeFolder(w Word, dirs []string, tree bool) string {
	if strings.HasPrefix(w.Text, "-") || w.Text == "" || !w.Known {
		return ""
	}
	text := w.Text
	if w.Glob { // /* and ~/* and * take everything in a folder
		base := path.Base(text)
		if base != "*" && base != ".*" && base != "?*" && base != "*.*" && base != ".[!.]*" {
			return ""
		}
		text = path.Dir(text)
		if text == "." && strings.HasPrefix(w.Text, "/") {
			text = "/"
		}
	}
	for _, d := range j.f.Shell.dirs(dirs) {
		abs := absolute(text, d, j.f.Home)
		p, ok := j.f.Paths[abs]
		if !ok {
			p = PathFact{Lexical: abs}
		}
		what := j.removes(p)
		if what == "the workspace" && (tree || w.Glob && !j.isWorkspace(abs)) {
			what = ""
		}
		if what != "" {
			return what
		}
	}
	return ""
}

func (j *judgement) isWorkspace(p string) bool {
	return p == path.Clean(j.c.Workspace) || p == j.f.Workspace
}

func recursive(base string, c Simple) bool {
	if isGrep(base) {
		base = "grep"
	}
	for _, t := range normalise(base, c.Words[1:]) {
		for _, f := range t.flags {
			if t.flag && (f == "recursive" || f == "dereference-recursive" || f == "archive" || f == "directories") {
				return true
			}
		}
		if t.flag && (t.text == "-R" || t.text == "-r" || t.text == "-a") {
			return true
		}
	}
	return false
}

// carriesProtected: a command that takes a whole tree with a protected place in it.
func (j *judgement) carriesProtected(c Simple) string {
	writes, ok := j.carries(c)
	if !ok {
		return ""
	}
	dirs := c.searchDirs(j.f.Shell)
	for _, w := range append(j.sources(c), j.searchesHere(c, dirs)...) {
		if strings.HasPrefix(w.Text, "-") {
			continue
		}
		for _, p := range j.factsOf(w, dirs) {
			if p.State != Exists || p.Entry.Kind != Dir {
				continue
			}
			if inside := j.f.holdsGuard(p, writes, j.p.Protected); inside != "" {
				return fmt.Sprintf("it takes all of %s, and in it lies %s", show(w.Text), show(inside))
			}
		}
	}
	return ""
}

// sources are the words of a command without the place that it copies or moves things to.
func (j *judgement) sources(c Simple) []Word {
	words := c.Words[1:]
	switch base := j.programName(c); base {
	case "cp", "mv":
		var options []string
		if words, options = operands(base, words); slices.Contains(options, "target-directory") {
			return words // it stands in front
		}
	case "rsync", "scp":
	default:
		return slices.Clip(words)
	}
	return slices.Clip(words[:max(len(words)-1, 0)])
}

// patterns are programs that search, and how many operands stand before what they go through.
var patterns = map[string]int{"grep": 1, "egrep": 1, "fgrep": 1, "rg": 1, "ag": 1, "ack": 1, "git": 2}

// searchesHere is the folder that a search of trees goes through when it names none after its pattern.
func (j *judgement) searchesHere(c Simple, dirs []string) []Word {
	base := j.programName(c)
	before, searches := patterns[base]
	if _, tree := j.carries(c); !searches || !tree {
		return nil
	}
	words, options := operands(base, c.Words[1:])
	if isGrep(base) && (slices.Contains(options, "regexp") || slices.Contains(options, "file")) {
		before = 0
	}
	for _, w := range words[min(before, len(words)):] {
		if slices.ContainsFunc(j.factsOf(w, dirs), func(p PathFact) bool { return p.State == Exists }) {
			return nil
		}
	}
	return []Word{here}
}

// here is the folder that a command runs in.
var here = Word{Text: ".", Known: true}

func gitGrep(c Simple) bool {
	words, _ := operands("git", c.Words[1:])
	return len(words) > 0 && words[0].Text == "grep"
}

func isGrep(base string) bool { return base == "grep" || base == "egrep" || base == "fgrep" }

// operands are the words after a command's name that are neither options nor their values, and the options in long words.
func operands(base string, words []Word) (operands []Word, options []string) {
	if isGrep(base) {
		base = "grep"
	}
	for _, t := range normalise(base, words) {
		if t.flag {
			options = append(options, t.flags...)
		} else if !t.argOf {
			operands = append(operands, Word{Text: t.text, Known: !t.unknown, Glob: t.wild, Found: t.found})
		}
	}
	return operands, options
}

// carries says that a command takes whole trees, and whether it changes them.
func (j *judgement) carries(c Simple) (writes, ok bool) {
	switch base := j.programName(c); base {
	case "rm", "rimraf", "mv", "srm", "trash":
		return true, true
	case "cp", "scp", "grep", "chmod", "chown", "chgrp", "egrep", "fgrep", "zip", "diff":
		return false, recursive(base, c)
	case "git":
		return false, gitGrep(c)
	case "rg", "ag", "ack", "tar", "gtar", "bsdtar", "rsync", "7z", "rclone":
		return false, true
	}
	return false, false
}

// codeNames: a program text in a word that names a protected place in so many letters.
func (j *judgement) codeNames(c Simple) string {
	if base := j.programName(c); !runsScripts(base) || isShell(base) {
		return ""
	}
	for _, w := range c.Words[1:] {
		if !strings.ContainsAny(w.Text, " ('\"") {
			continue
		}
		for _, cred := range credentials {
			if at := strings.Index(w.Text, "/"+cred); at >= 0 && len(cred) >= 4 {
				if after := w.Text[at+1+len(cred):]; after == "" || strings.ContainsAny(after[:1], "/'\") ,;") {
					return "its program text names " + cred + ": it holds credentials"
				}
			}
		}
		for _, root := range j.p.Protected {
			if strings.Contains(w.Text, path.Clean(root)) {
				return "its program text names what belongs to Caper itself"
			}
		}
	}
	return ""
}

// riskyRemoval finds rm -r of a word that becomes / or /* when its unknown part is empty.
func (j *judgement) riskyRemoval() string {
	if j.f.Shell == nil {
		return ""
	}
	for _, c := range j.f.Shell.Commands {
		if base := j.programName(c); base != "rm" || !recursive(base, c) {
			continue
		}
		for _, w := range c.Words[1:] {
			if rest := strings.TrimLeft(w.Text, "*"); !w.Known && (rest == "/" || rest == "/*" || rest == "/." || rest == "/..") {
				return c.Text()
			}
		}
	}
	return ""
}
