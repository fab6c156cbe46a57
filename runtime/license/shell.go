package license

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// Shell is what a command line would do, as far as reading it can tell. It is plain data.
type Shell struct {
	Commands []Simple
	Files    []ShellFile // redirections to and from files
	// Mentions are words that reach commands without a place of their own: loop items, values of assignments.
	Mentions []Word
	// Hard are reasons why nobody can know what runs: they ask whatever the posture, and no rule allows.
	Hard []string
	// Soft are reasons why some word or file is not known: they ask unless the posture is yolo, and no rule allows.
	Soft []string
	// Dirs are all the folders that some part of it may run in; they stand in where a command's own are not known.
	Dirs []string
}

// Simple is one simple command with its words as the program would receive them.
type Simple struct {
	Words []Word
	Open  bool     // words follow that only the run decides (xargs, find -exec)
	Dirs  []string // the absolute folders in which it may run
	Via   string   // the wrapper that runs it: "sudo", "xargs"
	// Transparent marks a wrapper whose inner command stands for it: an allow rule need not name the wrapper.
	Transparent bool
	// Supposed marks a reading that may be wrong, kept so that a denial finds it: no allow rule need name it.
	Supposed bool
	// Query marks a wrapper that only looks something up, such as command -v.
	Query bool
	// Function marks a name that the command line itself defines.
	Function bool
	// Soft are reasons why this command is not wholly known.
	Soft []string
}

// Word is one argument after quotes and backslashes are gone.
type Word struct {
	Text  string // where a part is not known, * stands for it
	Known bool
	Glob  bool // it holds unquoted wildcards
	// Found marks an unknown word that find fills in: a path below where it starts, never an option.
	Found bool
}

// ShellFile is a redirection.
type ShellFile struct {
	Word   Word
	Access Access
	Append bool
	Dirs   []string
}

// hasLetter says that a word is an option, alone or of several letters, with this one among them.
func (w Word) hasLetter(letter string) bool {
	return strings.HasPrefix(w.Text, "-") && strings.Contains(w.Text, letter)
}

// Text shows a command on one line.
func (s Simple) Text() string {
	var b strings.Builder
	for i, w := range s.Words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if b.Len() > 200 {
			b.WriteString("…")
			break
		}
		b.WriteString(showWord(w))
	}
	if s.Open {
		b.WriteString(" …")
	}
	return b.String()
}

// Name is the first word, empty when it is not known.
func (s Simple) Name() string {
	if len(s.Words) == 0 || !s.Words[0].Known || s.Words[0].Glob {
		return ""
	}
	return s.Words[0].Text
}

const (
	maxCommand  = 64 << 10
	maxCommands = 500
	maxWords    = 2000
	maxNesting  = 60  // of syntax
	maxStrings  = 6   // of -c strings, eval, trap
	maxOpeners  = 600 // brackets and keywords that open something: the parser recurses on them
	maxDirs     = 8
)

// ShellEnv is what an analysis knows of the environment.
type ShellEnv struct {
	Cwd  string
	Home string
	Vars map[string]string
	// Program answers the base name of what a name leads to in a folder, empty when nothing is found: a link named x to
	// sh is a shell. It may be nil.
	Program func(name, dir string) string
}

// Analyse reads a command line as bash would and answers every simple command in it. It never fails: what cannot be
// read is a reason in Hard.
func Analyse(command string, env ShellEnv) *Shell {
	a := &analyser{out: &Shell{}, env: env, dirs: []string{env.Cwd}, seen: []string{env.Cwd}, functions: map[string]bool{}, whole: command, unquoted: strings.NewReplacer(`"`, "", "'", "", `\`, "").Replace(command),
		specials: specialCommands()}
	a.text(command, 0)
	a.finish()
	return a.out
}

// Words are the words of a command line that is one simple command and nothing else; false where not all of them are known.
func Words(command string) (words []string, ok bool) {
	if len(command) > maxCommand || unreadable(command) != "" {
		return nil, false
	}
	file, err := parseShell(command, syntax.LangBash)
	if err != nil || len(file.Stmts) != 1 {
		return nil, false
	}
	s := file.Stmts[0]
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 || len(s.Redirs) > 0 || s.Negated || s.Background || s.Coprocess || s.Disown {
		return nil, false
	}
	a := &analyser{out: &Shell{}}
	for _, w := range call.Args {
		for _, x := range a.word(w, 0) {
			if !x.Known || x.Glob {
				return nil, false
			}
			words = append(words, x.Text)
		}
	}
	return words, len(words) > 0
}

type analyser struct {
	out       *Shell
	env       ShellEnv
	whole     string
	unquoted  string   // whole without quotes and backslashes, for looking names up
	src       string   // of what is being read: the command line or a string in it
	dirs      []string // nil: not known any more
	seen      []string // every folder that was ever one of dirs, or could have been
	functions map[string]bool
	specials  map[string]special
	words     int
	strings   int  // depth of nested command strings
	full      bool // a limit was reached; said once
}

func (a *analyser) hard(format string, args ...any) {
	a.out.Hard = addReason(a.out.Hard, fmt.Sprintf(format, args...))
}

func (a *analyser) soft(format string, args ...any) {
	a.out.Soft = addReason(a.out.Soft, fmt.Sprintf(format, args...))
}

// addReason keeps reasons few and each once.
func addReason(list []string, r string) []string {
	for _, have := range list {
		if have == r {
			return list
		}
	}
	if len(list) >= 16 {
		return list
	}
	return append(list, r)
}

// text analyses a command line, or a string that a command would run as one.
func (a *analyser) text(src string, depth int) {
	if reason := unreadable(src); reason != "" {
		a.hard("%s", reason)
		return
	}
	if a.strings++; a.strings > 64 {
		a.hard("it holds more than 64 command strings")
		return
	}
	defer func(outer string) { a.src = outer }(a.src)
	a.src = src
	file, err := parseShell(src, syntax.LangBash)
	if err != nil {
		a.hard("it cannot be read as bash: %v", err)
	}
	if file != nil {
		a.stmts(file.Stmts, depth)
	}
}

// parseShell parses; a panic of the parser is an error like any other.
func parseShell(src string, lang syntax.LangVariant) (file *syntax.File, err error) {
	defer func() {
		if p := recover(); p != nil {
			file, err = nil, fmt.Errorf("the parser gave up")
		}
	}()
	file, err = syntax.NewParser(syntax.Variant(lang)).Parse(strings.NewReader(src), "")
	if err != nil {
		return nil, err
	}
	return file, nil
}

// unreadable finds what this parser and a shell could read differently, and what could exhaust the parser.
func unreadable(src string) string {
	switch {
	case len(src) > maxCommand:
		return fmt.Sprintf("it has %d bytes; more than %d are not read", len(src), maxCommand)
	case !utf8.ValidString(src):
		return "it is not UTF-8"
	case strings.IndexByte(src, 0) >= 0:
		return "it holds a NUL byte"
	case strings.IndexByte(src, '\r') >= 0:
		return "it holds a carriage return, which shells read differently"
	}
	if continuedComment(src) {
		return "a comment ends in a backslash, which shells read differently"
	}
	if n := len(src) - len(strings.TrimRight(src, "\\")); n%2 == 1 {
		return "it ends in a backslash"
	}
	if splitOperator(src) {
		return "a continued line cuts an operator in two, which shells read differently"
	}
	n := 0
	for _, c := range src {
		switch c {
		case '(', '{', '`', '[', '!':
			n++
		}
	}
	for _, word := range strings.FieldsFunc(src, func(c rune) bool { return strings.ContainsRune(" \t\n;&|(", c) }) {
		switch word {
		case "if", "elif", "while", "until", "for", "select", "case", "function", "time", "coproc":
			n++
		}
	}
	if n > maxOpeners {
		return "it nests too much to be read"
	}
	return ""
}

// continuedComment finds a line that may be a comment and ends in a backslash: bash ends the comment there, this parser
// lets the next line go on with the command before it.
func continuedComment(src string) bool {
	for line := range strings.SplitSeq(src, "\n") {
		if !strings.HasSuffix(line, "\\") {
			continue
		}
		for i := 0; i < len(line); i++ {
			if line[i] == '#' && (i == 0 || strings.IndexByte(" \t;&|()<>`{}\"'", line[i-1]) >= 0) {
				return true
			}
		}
	}
	return false
}

// splitOperator finds a backslash and line end inside what could be one operator: bash takes both away before it looks.
func splitOperator(src string) bool {
	const operators = "$<>&|;(){}!`=[]"
	for i := 1; i+1 < len(src); i++ {
		if src[i] != '\\' || src[i+1] != '\n' {
			continue
		}
		if src[i-1] == '$' || i+2 < len(src) && strings.IndexByte(operators, src[i-1]) >= 0 && strings.IndexByte(operators+"\\", src[i+2]) >= 0 {
			return true
		}
	}
	return false
}

func (a *analyser) finish() {
	if len(a.out.Commands) == 0 && len(a.out.Hard) == 0 && strings.TrimSpace(a.whole) == "" {
		a.hard("the command is empty")
	}
	a.out.Dirs = a.seen
	for i := range a.out.Commands {
		c := &a.out.Commands[i]
		if a.functions[c.Name()] {
			c.Function = true
		}
	}
}
