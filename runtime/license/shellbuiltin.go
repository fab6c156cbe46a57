package license

import "strings"

// This file holds builtins that set variables or names, and programs that run something later or in their own way.

// runExport judges the assignments of export, readonly, declare reached as plain words: command export X=1.
func (a *analyser) runExport(at int, words []Word, s situation, depth int) {
	exports := words[0].Text == "export"
	for _, w := range words[1:] {
		exports = exports || w.hasLetter("x")
		name, value, _ := strings.Cut(w.Text, "=")
		if !w.Known && strings.Contains(name, "*") {
			a.hard("%s takes a name that is not known until it runs", words[0].Text)
		}
		a.mention([]Word{{Text: value, Known: w.Known}})
		if name = strings.TrimSuffix(name, "+"); !a.variableName(name) && exports && !strings.HasPrefix(name, "-") {
			a.soft("the variable %s may change what a program does", name)
		}
	}
}

// runRead judges builtins that set variables named in their words.
func (a *analyser) runRead(at int, words []Word, s situation, depth int) {
	if words[0].Text == "printf" && !(len(words) > 2 && strings.HasPrefix(words[1].Text, "-v")) {
		return
	}
	for i, w := range words[1:] {
		a.variableName(strings.TrimPrefix(w.Text, "-v"))
		if (w.Text == "-C") && i+2 < len(words) {
			a.innerText(viaName(s, words[0].Text), words[i+2], depth)
		}
	}
}

func (a *analyser) runHash(at int, words []Word, s situation, depth int) {
	if len(words) > 1 {
		a.hard("%s can change what a name runs", words[0].Text)
	}
}

func (a *analyser) runLater(at int, words []Word, s situation, depth int) {
	if words[0].Text == "crontab" && len(words) == 2 && words[1].Text == "-l" {
		return
	}
	a.hard("%s makes something run later, outside of any license", words[0].Text)
}

func (a *analyser) runFlock(at int, words []Word, s situation, depth int) {
	run := Word{}
	i, bad := readOptions(words, "-c --command -E --conflict-exit-code -w --wait --timeout", "-e -x --exclusive -n --nb --nonblock -o --close -s --shared -u --unlock -F --no-fork --verbose",
		func(name string, v Word) {
			if name == "-c" || name == "--command" {
				run = v
			}
		})
	if bad != "" {
		a.hard("flock has the option %s, which is not known", show(bad))
		a.guess("flock", words[1:], s, depth)
		return
	}
	if run.Text != "" {
		a.innerText(viaName(s, "flock"), run, depth)
		return
	}
	if i < len(words) {
		a.out.Files = append(a.out.Files, ShellFile{Word: words[i], Access: Write, Dirs: a.dirs})
	}
	if i+2 < len(words) && words[i+1].Text == "-c" {
		a.innerText(viaName(s, "flock"), words[i+2], depth)
	} else if i+1 < len(words) {
		a.inner("flock", words[i+1:], s, depth)
	}
}

func (a *analyser) runScript(at int, words []Word, s situation, depth int) {
	for i, w := range words {
		if (w.Text == "-c" || w.Text == "--command") && i+1 < len(words) {
			a.innerText(viaName(s, "script"), words[i+1], depth)
		} else if strings.HasPrefix(w.Text, "-") && strings.Contains(w.Text, "c") {
			a.hard("script runs a command that is not read here")
		}
	}
}
