package license

import (
	"path"
	"strings"
)

// readers are programs that change nothing, with the options that would make them: short letters and long words.
var readers = map[string]string{
	"ls": "", "cat": "", "head": "", "tail": "", "wc": "files0-from", "grep": "R dereference-recursive", "egrep": "R dereference-recursive", "fgrep": "R dereference-recursive", "nl": "", "tac": "", "rev": "",
	"cut": "", "tr": "", "comm": "", "join": "", "paste": "", "fold": "", "column": "", "cmp": "", "stat": "", "du": "L dereference files0-from D H", "basename": "",
	"dirname": "", "realpath": "", "readlink": "", "md5sum": "c check", "sha1sum": "c check", "sha256sum": "c check", "sha512sum": "c check", "cksum": "c check", "od": "",
	"hexdump": "", "strings": "", "echo": "", "printf": "v", "pwd": "", "true": "", "false": "", ":": "", "test": "", "[": "", "seq": "",
	"which": "", "type": "", "uname": "", "whoami": "", "id": "", "sleep": "",
	"sort": "o output compress-program T temporary-directory files0-from", "diff": "output r recursive",
	"rg": "pre pre-glob hostname-bin search-zip z L follow", "tree": "o R l", "file": "C compile z Z m f files-from magic-file uncompress uncompress-noreport", "date": "s set r f file",
	"fd": "x exec X exec-batch L follow", "git": "", "find": "",
}

// finders are actions of find that do something.
const findActions = " -exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -files0-from -follow -L "

// gitReaders are subcommands of git that change nothing, with the options that would.
var gitReaders = map[string]string{
	"status": "", "diff": "output ext-diff textconv O", "log": "output ext-diff textconv O", "show": "output ext-diff textconv O",
	"rev-parse": "", "ls-files": "", "ls-tree": "", "blame": "", "shortlog": "output", "describe": "", "merge-base": "", "grep": "O open-files-in-pager textconv",
	"rev-list": "", "cat-file": "textconv filters", "name-rev": "", "show-ref": "", "for-each-ref": "", "count-objects": "",
}

// readsOnlyProgram says that a command changes nothing, whatever it reads.
func readsOnlyProgram(c Simple) bool {
	name := c.Name()
	if strings.Contains(name, "/") || c.Function || c.Open && name != "grep" && name != "cat" && name != "ls" && name != "wc" && name != "head" && name != "tail" {
		return c.Query
	}
	if c.Query {
		return true
	}
	bad, ok := readers[name]
	if !ok {
		return false
	}
	switch name {
	case "find":
		for _, w := range c.Words[1:] {
			if strings.Contains(findActions, " "+w.Text+" ") {
				return false
			}
		}
		return true
	case "git":
		return readsOnlyGit(c)
	case "strings": // @FILE is a list of further words
		for _, w := range c.Words[1:] {
			if strings.HasPrefix(w.Text, "@") {
				return false
			}
		}
	case "date", "uname", "whoami", "id":
		for _, w := range c.Words[1:] {
			if !strings.HasPrefix(w.Text, "+") && !strings.HasPrefix(w.Text, "-") {
				return name == "id"
			}
		}
	}
	return !hasOption(c.Words[1:], bad)
}

func readsOnlyGit(c Simple) bool {
	if len(c.Words) < 2 {
		return false
	}
	i := 1
	for i < len(c.Words) && (c.Words[i].Text == "--no-pager" || c.Words[i].Text == "--no-optional-locks") {
		i++
	}
	if i >= len(c.Words) {
		return false
	}
	bad, ok := gitReaders[c.Words[i].Text]
	return ok && !hasOption(c.Words[i+1:], bad)
}

// hasOption looks for options, also in clusters and as abbreviations; in doubt it finds one: a -- may be an option's value.
func hasOption(words []Word, bad string) bool {
	for _, w := range words {
		if !strings.HasPrefix(w.Text, "-") {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimLeft(w.Text, "-"), "=")
		for _, b := range strings.Fields(bad) {
			if len(b) > 1 && name != "" && strings.HasPrefix(b, name) && strings.HasPrefix(w.Text, "--") || name == b {
				return true
			}
			if len(b) == 1 && !strings.HasPrefix(w.Text, "--") && strings.Contains(name, b) {
				return true
			}
		}
	}
	return false
}

// autoReads says that the whole call only reads inside the read allowlist.
func (j *judgement) autoReads() bool {
	if j.c.Tool != BashTool {
		return j.c.Effect == EffectRead && len(j.f.Uses) > 0 && j.readsOnly() && j.readable()
	}
	sh := j.f.Shell
	if sh == nil || j.mustAsk() || len(sh.Soft) > 0 || len(sh.Commands) == 0 {
		return false
	}
	rules := j.p.allows()
	for _, c := range sh.Commands {
		if !c.Supposed && (len(c.Soft) > 0 || !j.commandReads(c) && !j.coversCommand(rules, c)) {
			return false
		}
	}
	for _, file := range sh.Files {
		if !j.coversFile(rules, file) {
			return false
		}
	}
	for _, w := range sh.Mentions {
		if !j.wordReadable(w, sh.Dirs) {
			return false
		}
	}
	return true
}

// commandReads: a known reader, found under its own name, whose every word stays below the read allowlist.
func (j *judgement) commandReads(c Simple) bool {
	if c.Transparent && j.plainProgram(c) {
		return true
	}
	name := c.Name()
	if name == "cd" {
		return j.wordsReadable(c)
	}
	if !readsOnlyProgram(c) || !j.plainProgram(c) {
		return false
	}
	for _, d := range c.Dirs {
		if !j.readableDir(d) {
			return false
		}
	}
	return opensNothing(name) && name != "test" && name != "[" || j.wordsReadable(c)
}

func (j *judgement) wordsReadable(c Simple) bool {
	dirs := c.searchDirs(j.f.Shell)
	for _, w := range c.Words[1:] {
		if !j.wordReadable(w, dirs) {
			return false
		}
	}
	return true
}

// wordReadable: as a path, in every folder where it may be read, the word stays below the read allowlist.
func (j *judgement) wordReadable(w Word, dirs []string) bool {
	if !w.Known || w.Glob && strings.Contains(w.Text, "/") && path.IsAbs(w.Text) || strings.HasPrefix(w.Text, "~") && !w.Glob {
		return false
	}
	if w.Glob {
		return false // what it becomes may be a link that leads elsewhere
	}
	for _, candidate := range pathCandidates(w.Text) {
		for _, d := range j.f.Shell.dirs(dirs) {
			p, ok := j.f.Paths[absolute(candidate, d, j.f.Home)]
			if !ok || !j.readablePath(p) {
				return false
			}
		}
	}
	return true
}

func (j *judgement) readableDir(d string) bool {
	for _, root := range j.p.ReadAllow {
		if within(d, path.Clean(root)) {
			return true
		}
	}
	return false
}
