package license

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// shellRun reads sh -c STRING, sh FILE, and a shell that takes its commands from its input.
func (a *analyser) shellRun(at int, base string, words []Word, s situation, depth int) {
	script, isString := -1, false
	for i := 1; i < len(words); i++ {
		w := words[i]
		t := w.Text
		if !w.Known {
			a.hard("%s gets a word that is not known until it runs", base)
			return
		}
		if t == "--" || t == "-" {
			if !isString || i+1 < len(words) {
				script = i + 1
			}
			break
		}
		if !strings.HasPrefix(t, "-") && !strings.HasPrefix(t, "+") {
			script = i
			break
		}
		switch {
		case t == "--rcfile" || t == "--init-file":
			a.hard("%s reads its commands from a file named by an option", base)
			i++
		case strings.HasPrefix(t, "--"):
		default:
			if strings.HasPrefix(t, "-") && strings.Contains(t, "c") {
				isString = true
			}
			if strings.ContainsAny(t[1:], "si") && !isString {
				a.hard("%s takes its commands from its input", base)
			}
			if strings.HasSuffix(t, "o") || strings.HasSuffix(t, "O") {
				i++
			}
		}
	}
	switch {
	case script < 0 || script >= len(words):
		if !isVersion(words) {
			a.hard("%s takes its commands from its input, and what that holds is not known", base)
		}
	case isString:
		switch base {
		case "bash", "rbash":
		case "sh", "dash", "ash", "posh": // it may be bash under another name or not: both readings count
			a.posix(words[script], depth)
		default:
			a.hard("%s is not read as bash is", base)
		}
		if s.open {
			a.soft("%s gets words that are not known until it runs", base)
		}
		a.out.Commands[at].Transparent = true
		a.innerText(viaName(s, base), words[script], depth)
		a.mention(words[script+1:])
	case strings.HasPrefix(words[script].Text, "/dev/") || strings.HasPrefix(words[script].Text, "/proc/"):
		a.hard("%s takes its commands from %s, and what that holds is not known", base, show(words[script].Text))
	}
}

// posix analyses a string as a plain shell reads it: there [[ is a command and > in it a redirection.
func (a *analyser) posix(w Word, depth int) {
	if !w.Known || unreadable(w.Text) != "" || depth > maxNesting-10 || a.strings > 64 {
		return // said by the other reading
	}
	a.strings++
	file, err := parseShell(w.Text, syntax.LangPOSIX)
	if err != nil {
		a.hard("a plain shell reads it otherwise than bash does")
		return
	}
	dirs := a.dirs
	a.stmts(file.Stmts, depth+10)
	a.dirs = dirs
}

func isVersion(words []Word) bool {
	return len(words) == 2 && (words[1].Text == "--version" || words[1].Text == "--help")
}

// execOptions finds options of ordinary programs whose value is a command.
func (a *analyser) execOptions(base string, words []Word, s situation, depth int) {
	opts, ok := execOptionTable[base]
	if !ok {
		return
	}
	cmd := &a.out.Commands[len(a.out.Commands)-1]
	var found []Word
	for i := 1; i < len(words); i++ {
		t := words[i].Text
		for _, o := range strings.Fields(opts) {
			value := Word{}
			name, given, equal := strings.Cut(t, "=")
			switch {
			case len(o) > 2 && sameOption(o, name, base) && equal:
				value = Word{Text: given, Known: words[i].Known}
			case (t == o || len(o) > 2 && sameOption(o, t, base)) && i+1 < len(words):
				value = words[i+1]
			case len(o) == 2 && o[0] == '-' && len(t) > 2 && strings.HasPrefix(t, o):
				value = Word{Text: t[2:], Known: words[i].Known}
			case t != o && (len(o) <= 2 || !sameOption(o, t, base)):
				continue
			}
			cmd.Soft = addReason(cmd.Soft, base+" "+show(o)+" makes it run a command of its own")
			found = append(found, value)
		}
	}
	if base == "git" {
		for _, v := range found { // -c alias.x=!command
			if _, after, ok := strings.Cut(v.Text, "="); ok {
				found = append(found, Word{Text: strings.TrimPrefix(after, "!"), Known: v.Known})
			}
		}
		found = append(found, gitForeach(words)...)
		if why := gitKeeps(words); why != "" {
			cmd.Soft = addReason(cmd.Soft, why)
		}
	}
	for _, v := range found {
		text := v.Text
		if i := strings.Index(text, "exec="); i >= 0 && strings.HasPrefix(base, "tar") {
			text = text[i+5:]
		}
		switch base {
		case "vim", "vi", "nvim":
			text = strings.TrimPrefix(strings.TrimPrefix(text, ":"), "!")
		case "gdb":
			text = strings.TrimPrefix(text, "shell ")
		}
		if v.Known && text != "" && !strings.ContainsAny(text, "\r\x00") && depth < maxNesting-12 {
			dirs := a.dirs
			if f, err := parseShell(text, syntax.LangBash); err == nil && unreadable(text) == "" && a.strings < 64 {
				a.strings++
				a.stmts(f.Stmts, depth+10)
			}
			a.dirs = dirs
		}
	}
}

// sameOption says that a word is a long option, in full or, as most programs take it, cut short; go takes one dash for
// two.
func sameOption(option, word, base string) bool {
	if base == "go" {
		return strings.HasPrefix(word, "-") && strings.TrimLeft(word, "-") == strings.TrimLeft(option, "-")
	}
	return word == option || len(word) > 3 && strings.HasPrefix(word, "--") && strings.HasPrefix(option, word)
}

// gitKeeps finds what makes later commands of git run something: its settings, and hooks that a template brings.
func gitKeeps(words []Word) string {
	i := 1
	for i < len(words) && strings.HasPrefix(words[i].Text, "-") {
		if t := words[i].Text; t == "-C" || t == "-c" || t == "--git-dir" || t == "--work-tree" || t == "--namespace" {
			i++
		}
		i++
	}
	if i >= len(words) {
		return ""
	}
	sub, rest := words[i].Text, words[i+1:]
	switch sub {
	case "config":
		for _, w := range rest {
			switch w.Text {
			case "--get", "--get-all", "--get-regexp", "--list", "-l", "get", "list", "user.name", "user.email":
				return ""
			}
		}
		if len(rest) > 1 {
			return "git config can make later commands of git run a program"
		}
	case "clone":
		for _, w := range rest {
			if strings.HasPrefix(w.Text, "-u") {
				return "git clone -u runs a program"
			}
		}
	}
	return ""
}

// gitForeach answers the words of git submodule foreach and git bisect run as one command line.
func gitForeach(words []Word) []Word {
	for i := 1; i+1 < len(words); i++ {
		a, b := words[i].Text, words[i+1].Text
		if a == "submodule" && b == "foreach" || a == "bisect" && b == "run" {
			rest := words[i+2:]
			for len(rest) > 0 && (rest[0].Text == "--recursive" || rest[0].Text == "--quiet" || rest[0].Text == "-q") {
				rest = rest[1:]
			}
			return []Word{joinWords(rest)}
		}
	}
	return nil
}

var execOptionTable = map[string]string{
	"git":     "-c --config-env --exec-path -x --exec --upload-pack --receive-pack --ext-diff --open-files-in-pager -O --extcmd --tool --config --template --tree-filter --index-filter --env-filter --msg-filter --commit-filter --parent-filter --tag-name-filter",
	"tar":     "--to-command --use-compress-program -I --checkpoint-action --rsh-command -F --info-script --new-volume-script",
	"gtar":    "--to-command --use-compress-program -I --checkpoint-action --rsh-command -F --info-script --new-volume-script",
	"bsdtar":  "--use-compress-program",
	"rsync":   "-e --rsh --rsync-path",
	"scp":     "-S -o",
	"sftp":    "-S -o -D",
	"sort":    "--compress-program",
	"rg":      "--pre --hostname-bin",
	"man":     "-P --pager -H --html",
	"vim":     "-c --cmd -S",
	"vi":      "-c -S",
	"nvim":    "-c --cmd -S",
	"wget":    "--use-askpass -e --execute",
	"zip":     "-TT --unzip-command",
	"go":      "-exec -toolexec -vettool",
	"npx":     "-c --call",
	"npm":     "-c --call",
	"tmux":    "-c",
	"gdb":     "-ex -eval-command -x --command",
	"mount":   "-o",
	"split":   "--filter",
	"tcpdump": "-z",
	"docker":  "--entrypoint",
}
