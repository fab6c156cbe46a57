package license

import "strings"

// wrapperSpec says how the command line of a wrapper is read up to the command that it runs.
type wrapperSpec struct {
	values string // options that take a value: "-n --adjustment"
	flags  string // options that take none
	skip   int    // operands before the command
	clear  bool   // nothing but the inner command happens: an allow rule need not name the wrapper
	hard   string // why it always asks
	joined bool   // the words are joined and given to a shell
}

// wrappers are the commands that run another one that stands in their words.
func wrappers() map[string]wrapperSpec { return wrapperTable }

var wrapperTable = map[string]wrapperSpec{
	"timeout":          {values: "-k --kill-after -s --signal", flags: "-v --verbose -f --foreground -p --preserve-status", skip: 1, clear: true},
	"gtimeout":         {values: "-k --kill-after -s --signal", flags: "-v --verbose --foreground --preserve-status", skip: 1, clear: true},
	"nice":             {values: "-n --adjustment", clear: true},
	"nohup":            {clear: true},
	"setsid":           {flags: "-c --ctty -f --fork -w --wait", clear: true},
	"time":             {values: "-f --format -o --output", flags: "-p -v --verbose -a --append -q --quiet", clear: true},
	"stdbuf":           {values: "-i --input -o --output -e --error", clear: true},
	"ionice":           {values: "-c --class -n --classdata", flags: "-t --ignore", clear: true},
	"chrt":             {values: "-T -P -D", flags: "-b -f -i -o -r -d -R -v -m", skip: 1, clear: true},
	"taskset":          {flags: "-a --all-tasks -c --cpu-list", skip: 1, clear: true},
	"caffeinate":       {values: "-t -w", flags: "-d -i -m -s -u", clear: true},
	"builtin":          {clear: true},
	"exec":             {values: "-a", flags: "-c -l", clear: true},
	"nocache":          {clear: true},
	"unbuffer":         {flags: "-p", clear: true},
	"strace":           {values: "-o -e -p -s -a -E -P -u -I -O -S -X", flags: "-f -ff -c -C -t -tt -ttt -T -v -q -qq -r -x -xx -y -yy -d -D -k -w"},
	"ltrace":           {values: "-o -e -p -s -a -n -u", flags: "-f -c -C -t -tt -T -S -i -r"},
	"xvfb-run":         {values: "-e -f -n -p -s -w --error-file --server-args --server-num", flags: "-a -l --auto-servernum"},
	"dbus-run-session": {values: "--config-file --dbus-daemon"},
	"numactl":          {values: "-m -N -C -p -i", flags: "-l"},
	"prlimit":          {},
	"setarch":          {flags: "-R -B -F -I -L -S -T -X -Z -3 -v", skip: 1},
	"fakeroot":         {values: "-l -i -s -b", flags: "-u --"},
	"doas":             {values: "-u -C -a", flags: "-n -s -L", hard: "it runs as another user"},
	"pkexec":           {values: "--user", flags: "--disable-internal-agent --keep-cwd", hard: "it runs as another user"},
	"gosu":             {skip: 1, hard: "it runs as another user"},
	"su-exec":          {skip: 1, hard: "it runs as another user"},
	"setpriv":          {hard: "it runs with other rights"},
	"runuser":          {values: "-u -g -G -s -w", flags: "-l - -m -p", hard: "it runs as another user"},
	"chroot":           {skip: 1, hard: "it runs in another root folder"},
	"unshare":          {hard: "it runs in another namespace"},
	"nsenter":          {hard: "it runs in another namespace"},
	"systemd-run":      {hard: "it runs outside of this program's process group"},
	"systemd-inhibit":  {hard: "it runs under the service manager"},
	"watch":            {values: "-n --interval -q --equexit", flags: "-d --differences -t --no-title -b --beep -e --errexit -g --chgexit -c --color -x --exec -p --precise -w --no-wrap", joined: true},
	"entr":             {flags: "-a -c -d -n -p -r -s -z"},
}

// options reads the options at the start of words. It answers the index of the first operand; bad is an option that
// the tables do not know, so that nobody can say whether the next word is its value.
func readOptions(words []Word, values, flags string, each func(name string, value Word)) (at int, bad string) {
	if each == nil {
		each = func(string, Word) {}
	}
	known := func(list, name string) bool { return strings.Contains(" "+list+" ", " "+name+" ") }
	for i := 1; i < len(words); i++ {
		w := words[i]
		t := w.Text
		switch {
		case !w.Known || w.Glob:
			return i, t
		case t == "--":
			return i + 1, ""
		case t == "-" || !strings.HasPrefix(t, "-"):
			return i, ""
		case known(values, t):
			if i+1 >= len(words) {
				return i, t
			}
			i++
			each(t, words[i])
		case known(flags, t):
			each(t, Word{})
		case strings.HasPrefix(t, "--"):
			name, v, eq := strings.Cut(t, "=")
			if !eq || !known(values+" "+flags, name) {
				return i, t
			}
			each(name, Word{Text: v, Known: true})
		default:
			next, ok := readCluster(words, i, values, flags, known, each)
			if !ok {
				return i, t
			}
			i = next
		}
	}
	return len(words), ""
}

// readCluster reads -abc and -ovalue.
func readCluster(words []Word, i int, values, flags string, known func(list, name string) bool, each func(string, Word)) (int, bool) {
	t := words[i].Text
	for j := 1; j < len(t); j++ {
		name := "-" + t[j:j+1]
		switch {
		case known(values, name):
			if j+1 < len(t) {
				each(name, Word{Text: t[j+1:], Known: true})
				return i, true
			}
			if i+1 >= len(words) {
				return i, false
			}
			each(name, words[i+1])
			return i + 1, true
		case known(flags, name):
			each(name, Word{})
		default:
			return i, false
		}
	}
	return i, true
}

// wrapper looks through one of the table.
func (a *analyser) wrapper(at int, base string, spec wrapperSpec, words []Word, s situation, depth int) {
	if spec.hard != "" {
		a.hard("%s: %s", base, spec.hard)
	}
	i, bad := readOptions(words, spec.values, spec.flags, func(name string, v Word) {
		if base == "time" && (name == "-o" || name == "--output") || base == "strace" && name == "-o" {
			a.out.Files = append(a.out.Files, ShellFile{Word: v, Access: Write, Dirs: a.dirs})
		}
	})
	if bad != "" && !(base == "nice" && isDescriptor(strings.TrimPrefix(bad, "-"))) {
		a.hard("%s has the option %s, which is not known: what it runs is not known either", base, show(bad))
		a.guess(base, words[1:], s, depth)
		return
	}
	if bad != "" { // nice -5 command
		i++
	}
	for n := 0; n < spec.skip && i < len(words); n++ {
		if !words[i].Known {
			a.hard("%s has an operand that is not known until it runs", base)
		}
		i++
	}
	if i >= len(words) {
		a.noCommand(base, s)
		return
	}
	a.out.Commands[at].Transparent = spec.clear
	if spec.joined {
		a.innerText(viaName(s, base), joinWords(words[i:]), depth)
		return
	}
	a.inner(base, words[i:], s, depth)
}

// noCommand: a wrapper without a command does little, unless its words go on in what only the run decides.
func (a *analyser) noCommand(base string, s situation) {
	if s.open {
		a.hard("%s takes its command from what only the run decides", base)
	}
}

// runners are programs with a subcommand that runs another program. What they run is supposed, not known: they may
// find it elsewhere than on the PATH.
func (a *analyser) runners(base string, words []Word, s situation, depth int) {
	subs, ok := runnerTable[base]
	if !ok {
		return
	}
	i := 1
	if subs != "" {
		for i < len(words) && strings.HasPrefix(words[i].Text, "-") {
			i++
		}
		if i >= len(words) || !listed(subs, words[i].Text) {
			return
		}
		i++
	}
	for i < len(words) && strings.HasPrefix(words[i].Text, "-") {
		i++
	}
	if i < len(words) && a.words+len(words) < maxWords {
		a.words += len(words) - i
		a.out.Commands = append(a.out.Commands, Simple{Words: words[i:], Dirs: a.dirs, Via: viaName(s, base), Supposed: true})
	}
}

var runnerTable = map[string]string{
	"npx": "", "bunx": "", "pnpx": "", "uvx": "", "npm": "exec x", "pnpm": "exec dlx", "yarn": "exec dlx run", "bun": "x", "uv": "run",
	"poetry": "run", "pipenv": "run", "pdm": "run", "rye": "run", "hatch": "run", "bundle": "exec", "rbenv": "exec", "pyenv": "exec",
	"asdf": "exec", "mise": "exec x", "conda": "run", "micromamba": "run", "opam": "exec", "stack": "exec", "cabal": "exec", "nix": "run",
}

// guess reads every rest of the words of a wrapper that could be the command, so that a denial still finds it.
func (a *analyser) guess(base string, words []Word, s situation, depth int) {
	for i, w := range words {
		if i > 8 {
			return
		}
		if w.Known && !w.Glob && !strings.HasPrefix(w.Text, "-") && !strings.Contains(w.Text, "=") && len(a.out.Commands) < maxCommands {
			g := s
			if _, wraps := wrappers()[w.Text]; wraps || a.specials[w.Text] != nil {
				a.inner(base, words[i:], g, depth+4)
				return
			}
			cmd := Simple{Words: words[i:], Dirs: a.dirs, Via: viaName(s, base), Supposed: true}
			a.words += len(cmd.Words)
			a.out.Commands = append(a.out.Commands, cmd)
		}
	}
}

func viaName(s situation, base string) string {
	if s.via == "" {
		return base
	}
	return s.via + " " + base
}

func joinWords(words []Word) Word {
	out := Word{Known: true}
	var parts []string
	for _, w := range words {
		out.Known = out.Known && w.Known && !w.Glob
		parts = append(parts, w.Text)
	}
	out.Text = strings.Join(parts, " ")
	return out
}
