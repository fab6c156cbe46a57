package license

import "strings"

// special is a command whose words have a meaning of their own for what runs.
type special func(a *analyser, at int, words []Word, s situation, depth int)

// specialCommands makes the table, once an analysis: its entries call back into the analyser, so it cannot be a variable.
func specialCommands() map[string]special {
	return map[string]special{
		"env": (*analyser).runEnv, "xargs": (*analyser).runXargs, "gxargs": (*analyser).runXargs,
		"find": (*analyser).runFind, "gfind": (*analyser).runFind,
		"sudo": (*analyser).runSudo, "su": (*analyser).runSu, "eval": (*analyser).runEval,
		"command": (*analyser).runCommand, "trap": (*analyser).runTrap, "alias": (*analyser).runAlias,
		".": (*analyser).runSource, "source": (*analyser).runSource, "ssh": (*analyser).runSSH,
		"busybox": (*analyser).runBusybox, "toybox": (*analyser).runBusybox, "parallel": (*analyser).runParallel,
		"cd": (*analyser).runCd, "pushd": (*analyser).runCd, "popd": (*analyser).runCd,
		"export": (*analyser).runExport, "readonly": (*analyser).runExport, "unset": (*analyser).runExport, "getopts": (*analyser).runRead, "set": (*analyser).runSet, "declare": (*analyser).runExport,
		"typeset": (*analyser).runExport, "local": (*analyser).runExport, "read": (*analyser).runRead,
		"printf": (*analyser).runRead, "mapfile": (*analyser).runRead, "readarray": (*analyser).runRead,
		"hash": (*analyser).runHash, "enable": (*analyser).runHash, "bind": (*analyser).runHash, "complete": (*analyser).runHash,
		"flock": (*analyser).runFlock, "script": (*analyser).runScript, "at": (*analyser).runLater, "batch": (*analyser).runLater,
		"crontab": (*analyser).runLater, "fc": (*analyser).runHash,
	}
}

func (a *analyser) runCd(at int, words []Word, s situation, depth int) { a.chdir(words) }

func (a *analyser) runEnv(at int, words []Word, s situation, depth int) {
	s.soft = append([]string(nil), s.soft...)
	split := Word{}
	i, bad := readOptions(words, "-u --unset -C --chdir -S --split-string", "-i --ignore-environment -0 --null -v --debug",
		func(name string, v Word) {
			switch name {
			case "-S", "--split-string":
				split = v
			case "-C", "--chdir":
				s.dirs, s.moved = a.joinDirs(v), true
			case "-u", "--unset":
				if !a.variableName(v.Text) {
					s.soft = addReason(s.soft, "it runs with "+show(v.Text)+" unset")
				}
			case "-i", "--ignore-environment":
				a.hard("env -i takes the recorded PATH away")
			}
		})
	if bad != "" && bad != "-" {
		a.hard("env has the option %s, which is not known", show(bad))
		a.guess("env", words[1:], s, depth)
		return
	}
	if i < len(words) && words[i].Text == "-" {
		a.hard("env - takes the recorded PATH away")
		i++
	}
	if split.Text != "" { // the string and the rest make one command line, without expansions
		if strings.ContainsAny(split.Text, `\$'"`) || !split.Known {
			a.hard("env -S has a string that is not split here")
		}
		var more []Word
		for _, f := range strings.Fields(split.Text) {
			more = append(more, Word{Text: strings.Trim(f, `'"`), Known: true})
		}
		words, i = append(append([]Word{words[0]}, more...), words[i:]...), 1
	}
	for i < len(words) {
		name, value, ok := strings.Cut(words[i].Text, "=")
		if !ok {
			break
		}
		if !words[i].Known && strings.Contains(name, "*") {
			a.hard("env sets a variable whose name is not known until it runs")
		}
		a.mention([]Word{{Text: value, Known: words[i].Known}})
		if !a.variableName(name) {
			s.soft = addReason(s.soft, "it runs with "+show(name)+" set, which may change what it does")
		}
		i++
	}
	if i >= len(words) {
		a.noCommand("env", s)
		return
	}
	a.out.Commands[at].Transparent = true
	a.inner("env", words[i:], s, depth)
}

// joinDirs answers where -C DIR moves a command.
func (a *analyser) joinDirs(v Word) []string {
	if a.dirs == nil || !v.Known || v.Glob {
		return nil
	}
	var out []string
	for _, d := range a.dirs {
		out = append(out, absolute(v.Text, d, ""))
	}
	return out
}

func (a *analyser) runXargs(at int, words []Word, s situation, depth int) {
	replace := ""
	i, bad := readOptions(words, "-a --arg-file -d --delimiter -E -I -L --max-lines -l -n --max-args -P --max-procs -s --max-chars --process-slot-var -R -S -J",
		"-0 --null -o --open-tty -p --interactive -r --no-run-if-empty -t --verbose -x --exit -i -e --replace",
		func(name string, v Word) {
			switch name {
			case "-I", "-J":
				replace = v.Text
			case "-i", "--replace":
				if replace = v.Text; replace == "" {
					replace = "{}"
				}
			}
		})
	if bad != "" && !strings.HasPrefix(bad, "-i") && !strings.HasPrefix(bad, "-l") && !strings.HasPrefix(bad, "-e") {
		a.hard("xargs has the option %s, which is not known: what it runs is not known either", show(bad))
		a.guess("xargs", words[1:], s, depth)
		return
	}
	if bad != "" {
		if replace = "{}"; strings.HasPrefix(bad, "-i") && len(bad) > 2 {
			replace = bad[2:]
		}
		i++
	}
	a.out.Commands[at].Transparent = true
	if i >= len(words) {
		return // echo
	}
	s.open = true
	a.inner("xargs", filledIn(words[i:], replace), s, depth)
}

// filledIn marks the words that hold a placeholder as not known.
func filledIn(words []Word, placeholder string) []Word {
	if placeholder == "" {
		return words
	}
	out := append([]Word(nil), words...)
	for i, w := range out {
		if strings.Contains(w.Text, placeholder) {
			out[i] = Word{Text: strings.ReplaceAll(w.Text, placeholder, "*")}
		}
	}
	return out
}

func (a *analyser) runParallel(at int, words []Word, s situation, depth int) {
	i, bad := readOptions(words, "-j --jobs -N -n --max-args -a --arg-file -d --delimiter -I -C --colsep --joblog --results --timeout --retries --delay --tmpdir",
		"-k --keep-order -v --verbose -t --dry-run --bar --progress --eta -X -m -0 --null -u --ungroup --line-buffer --lb --halt-on-error -q --quote --will-cite", nil)
	if bad != "" {
		a.hard("parallel has the option %s, which is not known: what it runs is not known either", show(bad))
		a.guess("parallel", words[1:], s, depth)
		return
	}
	end := i
	for end < len(words) && !strings.HasPrefix(words[end].Text, ":::") {
		end++
	}
	if i >= end {
		a.hard("parallel runs what its input says")
		return
	}
	a.mention(words[end:])
	s.open = true
	if end-i == 1 { // one word is a command line
		a.hard("parallel fills in a command line")
		a.innerText(viaName(s, "parallel"), words[i], depth)
		return
	}
	a.inner("parallel", filledIn(words[i:end], "{"), s, depth)
}

// runFind emits what -exec runs, and what -delete and -fprint amount to.
func (a *analyser) runFind(at int, words []Word, s situation, depth int) {
	var starts []Word
	i := 1
	for ; i < len(words) && !strings.HasPrefix(words[i].Text, "-") && words[i].Text != "(" && words[i].Text != "!"; i++ {
		starts = append(starts, words[i])
	}
	if len(starts) == 0 {
		starts = []Word{{Text: ".", Known: true}}
	}
	found := starts // what it finds: with a test only some of what is there
	for _, w := range words[i:] {
		if findTests(w.Text) {
			found = nil
			for _, s := range starts {
				found = append(found, Word{Text: s.Text + "/**", Known: s.Known, Glob: true})
			}
			break
		}
	}
	for ; i < len(words); i++ {
		switch words[i].Text {
		case "-exec", "-execdir", "-ok", "-okdir":
			end := i + 1
			for end < len(words) && words[end].Text != ";" && !(words[end].Text == "+" && words[end-1].Text == "{}") {
				end++
			}
			inner := s
			if words[i].Text == "-execdir" || words[i].Text == "-okdir" {
				inner.dirs, inner.moved = nil, true
			}
			var run []Word
			for _, w := range words[i+1 : end] {
				if strings.Contains(w.Text, "{}") {
					w = Word{Text: strings.ReplaceAll(w.Text, "{}", "*"), Found: strings.HasPrefix(w.Text, "{}")}
				}
				run = append(run, w)
			}
			a.inner("find", run, inner, depth)
			a.suppose("find", run, found)
			i = end
		case "-delete":
			rm := append([]Word{{Text: "rm", Known: true}, {Text: "-r", Known: true}}, found...)
			a.inner("find", rm, s, depth)
		case "-fprint", "-fprint0", "-fls", "-fprintf":
			if i+1 < len(words) {
				i++
				a.out.Files = append(a.out.Files, ShellFile{Word: words[i], Access: Write, Dirs: a.dirs})
			}
		}
	}
}

// findTests says that a word of find leaves some of what is there out.
func findTests(word string) bool {
	switch word {
	case "-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex", "-type", "-xtype", "-mindepth", "-size", "-empty",
		"-newer", "-mtime", "-mmin", "-atime", "-ctime", "-amin", "-cmin", "-user", "-group", "-perm", "-links", "-samefile", "-lname":
		return true
	}
	return false
}

// suppose records what an -exec runs with what it finds put in, so that the removal of a whole folder is seen.
func (a *analyser) suppose(by string, run, found []Word) {
	var words []Word
	for _, w := range run {
		if !w.Known && w.Text == "*" {
			words = append(words, found...)
			continue
		}
		words = append(words, w)
	}
	if a.words += len(words); a.words < maxWords && len(words) > 0 {
		a.out.Commands = append(a.out.Commands, Simple{Words: words, Dirs: a.dirs, Via: by, Supposed: true})
	}
}

// runSet: set -P makes every cd go where links lead.
func (a *analyser) runSet(at int, words []Word, s situation, depth int) {
	for _, w := range words[1:] {
		if w.Text == "--" {
			return
		}
		if strings.HasPrefix(w.Text, "-") && strings.Contains(w.Text, "P") || w.Text == "physical" {
			a.dirs = nil
		}
	}
}

func (a *analyser) runSudo(at int, words []Word, s situation, depth int) {
	a.hard("sudo: it runs as another user")
	i, bad := readOptions(words, "-u --user -g --group -p --prompt -C -D --chdir -h --host -R --chroot -T -U -r -t",
		"-A --askpass -b --background -B -E --preserve-env -H --set-home -i --login -k -K -l -n --non-interactive -P -S --stdin -s --shell -v -V", nil)
	if bad != "" {
		a.guess("sudo", words[1:], s, depth)
		return
	}
	for i < len(words) && strings.Contains(words[i].Text, "=") && !strings.HasPrefix(words[i].Text, "/") {
		i++
	}
	if i < len(words) {
		a.inner("sudo", words[i:], s, depth)
	}
}

func (a *analyser) runSu(at int, words []Word, s situation, depth int) {
	a.hard("su: it runs as another user")
	for i, w := range words {
		if (w.Text == "-c" || w.Text == "--command") && i+1 < len(words) {
			a.innerText(viaName(s, "su"), words[i+1], depth)
		}
	}
}

func (a *analyser) runEval(at int, words []Word, s situation, depth int) {
	a.out.Commands[at].Transparent = true
	rest := words[1:]
	if len(rest) > 0 && rest[0].Text == "--" {
		rest = rest[1:]
	}
	if s.open {
		a.hard("eval gets words that are not known until it runs")
	}
	if len(rest) > 0 {
		a.innerText(viaName(s, "eval"), joinWords(rest), depth)
	}
}

func (a *analyser) runCommand(at int, words []Word, s situation, depth int) {
	query := false
	i, bad := readOptions(words, "", "-p -v -V", func(name string, _ Word) { query = query || name != "-p" })
	if bad != "" {
		a.hard("command has an option that is not known")
		return
	}
	if query {
		a.out.Commands[at].Query = true
		return
	}
	if i < len(words) {
		if words[1].Text == "-p" {
			a.hard("command -p uses another PATH than the recorded one")
		}
		a.out.Commands[at].Transparent = true
		a.inner("command", words[i:], s, depth)
	}
}

func (a *analyser) runTrap(at int, words []Word, s situation, depth int) {
	if len(words) < 3 || strings.HasPrefix(words[1].Text, "-") && words[1].Text != "--" {
		return
	}
	i := 1
	if words[i].Text == "--" {
		i++
	}
	a.later(viaName(s, "trap"), words[i], depth)
}

// later analyses a string that runs in whatever folder is the current one by then.
func (a *analyser) later(by string, w Word, depth int) {
	dirs := a.dirs
	a.dirs = nil
	a.innerText(by, w, depth)
	a.dirs = dirs
}

func (a *analyser) runAlias(at int, words []Word, s situation, depth int) {
	for _, w := range words[1:] {
		name, value, ok := strings.Cut(w.Text, "=")
		if !ok && w.Known {
			continue
		}
		a.hard("an alias changes what the name %s runs", show(name))
		if w.Known {
			a.later(viaName(s, "alias"), Word{Text: value, Known: true}, depth)
		}
	}
}

func (a *analyser) runSource(at int, words []Word, s situation, depth int) {
	a.hard("%s runs a file inside this shell, and what it holds is not known", words[0].Text)
}

func (a *analyser) runSSH(at int, words []Word, s situation, depth int) {
	a.hard("ssh runs on another machine")
	i, bad := readOptions(words, "-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w",
		"-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y", nil)
	if bad == "" && i+1 < len(words) {
		a.innerText(viaName(s, "ssh"), joinWords(words[i+1:]), depth)
	}
}

func (a *analyser) runBusybox(at int, words []Word, s situation, depth int) {
	if len(words) < 2 || strings.HasPrefix(words[1].Text, "-") {
		return
	}
	s.soft = addReason(append([]string(nil), s.soft...), "it is a part of "+words[0].Text+", not the program of that name")
	a.inner(words[0].Text, words[1:], s, depth)
}
