package license

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call analyses a simple command of the syntax: its assignments, its words, what it wraps.
func (a *analyser) call(c *syntax.CallExpr, depth int) {
	var s situation
	for _, as := range c.Assigns {
		if as.Name == nil || !identifier(as.Name.Value) {
			a.hard("it holds an assignment that shells read differently")
			continue
		}
		if !a.assign(as, depth, len(c.Args) == 0) {
			s.soft = addReason(s.soft, "it runs with "+as.Name.Value+" set, which may change what it does")
		}
	}
	if len(c.Args) == 0 {
		return
	}
	var words []Word
	for _, w := range c.Args {
		words = append(words, a.word(w, depth)...)
	}
	a.simple(words, s, depth)
}

func identifier(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// assign judges one assignment. It answers false for a variable of a command whose meaning for it is not known.
func (a *analyser) assign(as *syntax.Assign, depth int, alone bool) bool {
	if as.Value != nil {
		a.mention(a.word(as.Value, depth))
	}
	if as.Array != nil {
		for _, e := range as.Array.Elems {
			if e.Value != nil {
				a.mention(a.word(e.Value, depth))
			}
			if e.Index != nil {
				a.expressions(e.Index, depth)
			}
		}
	}
	if as.Index != nil {
		a.expressions(as.Index, depth)
	}
	if as.Name == nil || as.Naked {
		return true
	}
	return a.variableName(as.Name.Value) || alone
}

// variableName says whether a variable is known to be harmless; one that changes which program runs asks at once.
func (a *analyser) variableName(name string) bool {
	name, _, _ = strings.Cut(name, "[")
	if changesPrograms(name) {
		a.hard("setting %s changes which programs run", name)
		return true
	}
	return harmlessVariable(name)
}

// situation is what the words around a simple command say about it.
type situation struct {
	via   string
	open  bool
	soft  []string
	dirs  []string // where a wrapper moves it
	moved bool
}

// simple records one simple command and looks through it when it is a wrapper.
func (a *analyser) simple(words []Word, s situation, depth int) {
	if len(words) == 0 {
		return
	}
	if depth > maxNesting {
		a.hard("it nests more than %d deep", maxNesting)
		return
	}
	if a.words += len(words); a.words > maxWords {
		a.hard("it holds more than %d words", maxWords)
		a.full = true
		words = words[:min(len(words), maxWords/4)]
	}
	cmd := Simple{Words: words, Open: s.open, Dirs: a.dirs, Via: s.via, Soft: append([]string(nil), s.soft...)}
	if s.moved {
		cmd.Dirs = s.dirs
	}
	if cmd.Dirs == nil {
		cmd.Soft = addReason(cmd.Soft, "the folder it runs in is not known")
	}
	for _, w := range words[1:] {
		if !w.Known {
			cmd.Soft = addReason(cmd.Soft, "one of its words is not known until it runs")
		}
	}
	if s.open {
		cmd.Soft = addReason(cmd.Soft, "some of its words are not known until it runs")
	}
	name := words[0]
	if !name.Known || name.Glob || name.Text == "" {
		a.hard("the name of a command is not known until it runs")
		a.out.Commands = append(a.out.Commands, cmd)
		return
	}
	if v, _, ok := strings.Cut(name.Text, "="); ok && identifier(strings.TrimSuffix(v, "+")) {
		a.hard("it holds an assignment that shells read differently")
	}
	at := len(a.out.Commands)
	a.out.Commands = append(a.out.Commands, cmd)
	if isBuiltin(name.Text) && name.Text != "echo" {
		for _, w := range words[1:] {
			a.subscript(w)
		}
	}
	if a.full {
		return
	}
	base := a.program(name.Text, cmd.Dirs)
	if special, ok := a.specials[base]; ok {
		special(a, at, words, s, depth+1)
		return
	}
	if spec, ok := wrappers()[base]; ok {
		a.wrapper(at, base, spec, words, s, depth+1)
		return
	}
	if strings.HasPrefix(base, "ld-") && strings.Contains(base, ".so") || base == "ld.so" {
		a.hard("a program loader runs what it is given")
		a.guess(base, words[1:], s, depth+1)
		return
	}
	a.runners(base, words, s, depth+1)
	a.execOptions(base, words, s, depth+1)
	if isShell(base) {
		a.shellRun(at, base, words, s, depth+1)
	}
}

// program is the base name that decides how the words are read: that of the name, or of where a link of another name
// leads.
func (a *analyser) program(name string, dirs []string) string {
	base := path.Base(name)
	if a.env.Program == nil || a.looksThrough(base) || isBuiltin(name) {
		return base
	}
	for _, d := range dirs {
		if real := a.env.Program(name, d); a.looksThrough(real) {
			return real
		}
	}
	return base
}

func (a *analyser) looksThrough(base string) bool {
	_, wraps := wrappers()[base]
	_, special := a.specials[base]
	_, runs := execOptionTable[base]
	return wraps || special || runs || isShell(base)
}

// inner analyses the command that a wrapper runs.
func (a *analyser) inner(by string, words []Word, s situation, depth int) {
	if s.via != "" {
		by = s.via + " " + by
	}
	if len(by) > 200 {
		a.hard("it wraps commands too often")
		return
	}
	s.via = by
	a.simple(words, s, depth)
}

// innerText analyses a string that a command hands to a shell.
func (a *analyser) innerText(by string, w Word, depth int) {
	if !w.Known {
		a.hard("%s runs a string that is not known until it runs", by)
		if !strings.Contains(w.Text, "*") {
			return
		}
	}
	if depth > maxNesting || strings.Count(by, " ") > maxStrings {
		a.hard("it nests command strings too deep")
		return
	}
	dirs := a.dirs
	a.text(w.Text, depth+10) // each string costs as much as ten brackets: at most six of them
	a.dirs = mergeDirs(dirs, a.dirs)
}

// changesPrograms are the variables that decide which program runs, or make one run another.
func changesPrograms(name string) bool {
	switch name {
	case "PATH", "IFS", "ENV", "BASH_ENV", "SHELL", "BASH_CMDS", "BASH_ALIASES", "BASH_COMPAT", "SHELLOPTS", "BASHOPTS", "PS4", "PROMPT_COMMAND", "HOME", "CDPATH",
		"EDITOR", "VISUAL", "PAGER", "MANPAGER", "BROWSER", "LESSOPEN", "LESSCLOSE", "TAR_OPTIONS", "RSYNC_RSH",
		"PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "PYTHONINSPECT", "PERL5LIB", "PERL5OPT", "PERL5DB", "RUBYOPT",
		"RUBYLIB", "NODE_OPTIONS", "NODE_PATH", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH",
		"GOFLAGS", "GOENV", "GOROOT", "GOTOOLDIR", "GOTOOLCHAIN", "CC", "CXX", "AR", "LD", "RUSTC", "RUSTC_WRAPPER",
		"RUSTFLAGS", "CARGO_HOME", "MAKEFLAGS", "MAKEFILES", "MAKE", "PYTHONUSERBASE", "GOCACHEPROG", "GOAUTH", "GOWORK", "OPENSSL_CONF", "MAGIC", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
		"DOCKER_HOST", "DOCKER_CONFIG", "KUBECONFIG", "SUDO_ASKPASS", "LUA_INIT", "PHPRC", "R_PROFILE", "GCONV_PATH",
		"NLSPATH", "HOSTALIASES", "EXINIT", "VIMINIT", "FZF_DEFAULT_COMMAND", "RIPGREP_CONFIG_PATH", "WGETRC", "CURL_HOME":
		return true
	}
	for _, prefix := range []string{"LD_", "DYLD_", "GIT_", "SSH_", "BASH_FUNC_", "CAPER_", "npm_config_", "NPM_CONFIG_", "PIP_", "CARGO_TARGET_", "GLIBC_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// harmlessVariable are the variables that an allow rule may pass over.
func harmlessVariable(name string) bool {
	switch name {
	case "LANG", "LANGUAGE", "TZ", "TERM", "COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CI", "DEBUG",
		"VERBOSE", "GOOS", "GOARCH", "CGO_ENABLED", "GOMAXPROCS", "NODE_ENV", "RUST_BACKTRACE", "RUST_LOG",
		"PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "SOURCE_DATE_EPOCH":
		return true
	}
	return strings.HasPrefix(name, "LC_")
}

func isShell(base string) bool {
	switch base {
	case "sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "rbash", "fish", "csh", "tcsh", "posh", "yash", "pwsh":
		return true
	}
	return false
}
