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
	for _, candidate := range pathCandidates(w.Text) {
		for _, d := range j.f.Shell.dirs(dirs) {
			raw := withoutDots(rawAbsolute(candidate, d, j.f.Home))
			same := samePart
			if w.Glob || !w.Known {
				same = globPart
			}
			if why := processSecret(raw, same); why != "" {
				return why
			}
			if strings.HasPrefix(raw, "/dev/fd/..") || strings.HasPrefix(raw, "/dev/std") && strings.Contains(raw, "/..") {
				return "it leads wherever a process is"
			}
		}
	}
	if w.Known && !w.Glob {
		for _, candidate := range pathCandidates(w.Text) {
			for _, d := range j.f.Shell.dirs(dirs) {
				p, ok := j.f.Paths[absolute(candidate, d, j.f.Home)]
				if !ok {
					p = PathFact{Lexical: absolute(candidate, d, j.f.Home)}
				}
				if why := j.f.protects(p, access, j.p.Protected); why != "" {
					return why
				}
			}
		}
		return ""
	}
	for _, candidate := range pathCandidates(w.Text) {
		for _, d := range j.f.Shell.dirs(dirs) {
			abs := absolute(candidate, d, j.f.Home)
			if why := j.globProtected(abs, candidate, w.Known, access); why != "" {
				return why
			}
			for _, p := range j.f.Links[abs] {
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
	if base == "egrep" || base == "fgrep" {
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
		var operands []Word
		for _, t := range normalise(base, words) {
			if t.flag && slices.Contains(t.flags, "target-directory") {
				words = nil // it stands in front
			} else if !t.flag && !t.argOf {
				operands = append(operands, Word{Text: t.text, Known: !t.unknown, Glob: t.wild, Found: t.found})
			}
		}
		if words == nil {
			return operands
		}
		words = operands
	case "rsync", "scp":
	default:
		return words[:len(words):len(words)]
	}
	return words[:max(len(words)-1, 0):max(len(words)-1, 0)]
}

// searchesHere is the folder that a search of trees goes through when it names none after its pattern.
func (j *judgement) searchesHere(c Simple, dirs []string) []Word {
	base, before := j.programName(c), 1
	switch base {
	case "grep", "egrep", "fgrep":
		if !recursive(base, c) {
			return nil
		}
		base = "grep"
	case "rg", "ag", "ack":
	case "git":
		if !gitGrep(c) {
			return nil
		}
		before = 2
	default:
		return nil
	}
	for _, t := range normalise(base, c.Words[1:]) {
		if t.flag && base == "grep" && (slices.Contains(t.flags, "regexp") || slices.Contains(t.flags, "file")) {
			before = 0
		}
	}
	for _, t := range normalise(base, c.Words[1:]) {
		if t.flag || t.argOf {
			continue
		}
		if before--; before >= 0 {
			continue
		}
		for _, p := range j.factsOf(Word{Text: t.text, Known: !t.unknown, Glob: t.wild}, dirs) {
			if p.State == Exists {
				return nil
			}
		}
	}
	return []Word{here}
}

// here is the folder that a command runs in.
var here = Word{Text: ".", Known: true}

func gitGrep(c Simple) bool {
	for _, t := range normalise("git", c.Words[1:]) {
		if !t.flag && !t.argOf {
			return t.text == "grep"
		}
	}
	return false
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
