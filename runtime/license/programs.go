package license

import (
	"path"
	"strings"
)

// This file tells which program a command's name runs, and whether a rule's first word means it.

// denyName says whether a denying pattern's first word means the program of a command: by its name, by where it lies,
// by where a link of another name leads.
func (j *judgement) denyName(c Simple) func(token) bool {
	name := c.Name()
	execs := j.execsOf(c)
	equal := func(p, s string) bool {
		if j.f.Folds {
			p, s = strings.ToLower(p), strings.ToLower(s)
		}
		return p == s || strings.Contains(p, "*") && wildcard(p, s)
	}
	return func(t token) bool {
		if !strings.Contains(t.text, "/") {
			if equal(t.text, path.Base(name)) {
				return true
			}
			for _, e := range execs {
				if e.Found && equal(t.text, path.Base(e.Canonical)) {
					return true
				}
			}
			return false
		}
		want := absolute(t.text, j.c.Workspace, j.f.Home)
		if equal(t.text, name) {
			return true
		}
		for _, e := range execs {
			if equal(want, e.Path) || equal(want, e.Canonical) {
				return true
			}
		}
		return false
	}
}

// execsOf are the programs that the name of a command may run: one for each folder where it may stand.
func (j *judgement) execsOf(c Simple) []Exec {
	name := c.Name()
	if !strings.Contains(name, "/") {
		if e, ok := j.f.Execs[name]; ok {
			return []Exec{e}
		}
		return nil
	}
	var out []Exec
	for _, d := range j.f.Shell.dirs(c.Dirs) {
		if e, ok := j.f.Execs[absolute(name, d, "")]; ok {
			out = append(out, e)
		} else {
			out = append(out, Exec{})
		}
	}
	return out
}

// allowName says whether an allowing pattern's first word is surely the program of a command: the one that the recorded
// PATH finds under that name, or the very file that is named.
func (j *judgement) allowName(c Simple) func(token) bool {
	name := c.Name()
	execs := j.execsOf(c)
	return func(t token) bool {
		for _, e := range execs {
			if e.Self || strings.Contains(name, "/") && !e.Found {
				return false
			}
		}
		switch {
		case strings.Contains(t.text, "/"):
			want := absolute(t.text, j.c.Workspace, j.f.Home)
			for _, e := range execs {
				if !e.Found || e.Path != want || within(e.Path, j.c.Workspace) && !within(e.Canonical, j.f.Workspace) {
					return false
				}
			}
			return len(execs) > 0
		case !strings.Contains(name, "/"):
			return t.text == name && (c.Function || isBuiltin(name) || len(execs) == 1 && execs[0].Found)
		}
		if path.Base(name) != t.text || len(execs) == 0 {
			return false
		}
		known := j.f.Execs[t.text]
		for _, e := range execs {
			if !known.Found || e.Canonical != known.Canonical {
				return false
			}
		}
		return true
	}
}

func isBuiltin(name string) bool {
	switch name {
	case "echo", "printf", "test", "[", "true", "false", ":", "pwd", "cd", "export", "read", "set", "shift", "unset", "wait", "jobs",
		"type", "ulimit", "umask", "exit", "return", "break", "continue", "let", "local", "declare", "typeset", "readonly", "getopts",
		"pushd", "popd", "dirs", "shopt", "times", "fg", "bg", "disown", "kill", "eval", "exec", "command", "builtin", "trap", "alias", "unalias",
		"source", ".", "hash", "enable", "help", "history", "logout", "mapfile", "readarray", "caller", "compgen", "complete", "suspend":
		return true
	}
	return false
}

// otherNames answers where a word of a command leads besides how it is written, relative to the folder it runs in.
func (j *judgement) otherNames(c Simple) func(string) []string {
	return func(word string) []string {
		var out []string
		for _, d := range c.Dirs {
			p, ok := j.f.Paths[absolute(word, d, j.f.Home)]
			if !ok {
				continue
			}
			for _, form := range []string{p.Lexical, p.Canonical} {
				rel := form
				for _, base := range []string{d, j.f.Cwd} {
					if !path.IsAbs(word) && base != "" && within(form, base) && form != base {
						rel = strings.TrimPrefix(form[len(strings.TrimSuffix(base, "/")):], "/")
					}
				}
				out = append(out, rel)
			}
		}
		return out
	}
}

// programName is the name that says what a command does: its own, or where a link of another name leads.
func (j *judgement) programName(c Simple) string {
	base := path.Base(c.Name())
	if _, known := flagTables[base]; known || base == "" {
		return base
	}
	for _, e := range j.execsOf(c) {
		if e.Found && !strings.Contains(e.Canonical, "box") {
			return path.Base(e.Canonical)
		}
	}
	return base
}
