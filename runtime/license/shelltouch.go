package license

import (
	"path"
	"slices"
	"strings"
)

// shellTouches says whether a command line does to a path what a rule of a file tool forbids, so that no rule about
// files is passed by way of the shell.
func (j *judgement) shellTouches(r Rule) (answer, string) {
	access := fileTools[r.tool]
	reads := access == Read || access == List
	for _, file := range j.f.Shell.Files {
		if isSink(file) || reads != (file.Access == Read) {
			continue
		}
		if r.form == formWhole {
			return yes, show(file.Word.Text)
		}
		for _, p := range j.factsOf(file.Word, file.Dirs) {
			if j.pathDenied(r.glob, p) {
				return yes, show(file.Word.Text)
			}
		}
	}
	if r.form != formPath {
		return no, ""
	}
	best, subject := no, ""
	for _, c := range j.f.Shell.Commands {
		if got := j.commandTouches(r, c, reads); got > best {
			best, subject = got, c.Text()
		}
	}
	return best, subject
}

func (j *judgement) commandTouches(r Rule, c Simple, reads bool) answer {
	name := path.Base(c.Name())
	if len(c.Words) == 0 || c.Transparent || opensNothing(name) || !reads && readsOnlyProgram(c) {
		return no
	}
	best := no
	_, tree := j.carries(c)
	dirs, globs := c.searchDirs(j.f.Shell), j.globs(r.glob)
	for _, w := range append(slices.Clip(c.Words[1:]), j.searchesHere(c, dirs)...) {
		best = max(best, j.wordTouches(r, globs, w, dirs, tree))
	}
	return best
}

func (j *judgement) wordTouches(r Rule, globs []string, w Word, dirs []string, tree bool) answer {
	best := no
	for _, candidate := range pathCandidates(w.Text) {
		for _, d := range j.f.Shell.dirs(dirs) {
			abs := absolute(candidate, d, j.f.Home)
			p, ok := j.f.Paths[abs]
			if !ok {
				p = PathFact{Lexical: abs}
			}
			if w.Known && j.pathDenied(r.glob, p) {
				return yes
			}
			for _, g := range globs {
				static := globBase(g)
				switch {
				case tree && w.Known && !w.Glob && (within(static, p.Lexical) || within(static, p.Canonical)):
					best = maybe
				case (w.Glob || !w.Known) && sharesPrefix(g, abs):
					if w.Known || strings.Contains(candidate, "/") {
						best = maybe
					}
				}
			}
		}
	}
	return best
}

// globBase is the folder that a glob surely starts from.
func globBase(g string) string {
	if i := strings.IndexAny(g, `*?[{\`); i >= 0 {
		return path.Dir(g[:i] + "x")
	}
	return g
}

// opensNothing are programs that only print or compare their words.
func opensNothing(name string) bool {
	switch name {
	case "echo", "printf", "true", "false", ":", "pwd", "test", "[", "cd", "basename", "dirname", "sleep", "exit", "return", "export":
		return true
	}
	return false
}
