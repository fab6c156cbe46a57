package repl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// command is a row of the table that drives ,help, completion and the page of reference.
type command struct {
	name, args, doc string
	takes           takes
	do              func(s *Shell, ctx context.Context, args string)
}

// takes says what the argument of a command is, for completion.
type takes byte

const (
	nothing takes = iota
	aName
	aJob
	aFile
	aForm
	aWord
)

// verb runs a verb of the command line with the words that follow.
func verb(name string) func(*Shell, context.Context, string) {
	return func(s *Shell, ctx context.Context, args string) {
		s.verb(ctx, append([]string{name}, strings.Fields(args)...)...)
	}
}

// ofJob is a verb about a job: the newest where none is named.
func ofJob(name string) func(*Shell, context.Context, string) {
	return func(s *Shell, ctx context.Context, args string) {
		words := strings.Fields(args)
		if len(words) == 0 {
			if s.job == "" {
				s.fail("nothing has run yet; ,%s ID names a job", name)
				return
			}
			words = []string{s.job}
		}
		s.verb(ctx, append([]string{name}, words...)...)
	}
}

var commands []command

func init() { // ,help reads the table
	commands = []command{
		{"help", "[COMMAND]", "list the commands, or say more of one", aWord, (*Shell).help},
		{"doc", "NAME", "what a tool or a procedure does", aName, (*Shell).doc},
		{"apropos", "TEXT", "names that contain a text", aName, (*Shell).apropos},
		{"tools", "", "the tools that programs may call", nothing, func(s *Shell, ctx context.Context, _ string) { s.verb(ctx, "help", "tools") }},
		{"jobs", "[--all]", "the programs and where they stand", nothing, verb("jobs")},
		{"tree", "[ID]", "draw a job and its calls", aJob, ofJob("tree")},
		{"show", "[ID]", "all that is known of a job", aJob, ofJob("show")},
		{"log", "", "the events of this session", nothing, func(s *Shell, ctx context.Context, _ string) {
			if s.begun() {
				s.verb(ctx, "log", s.session)
			}
		}},
		{"approvals", "[ID]", "what waits for you", aJob, verb("approvals")},
		{"approve", "ID", "allow a call that waits; --for session or project remembers it", aJob, verb("approve")},
		{"deny", "ID", "refuse a call that waits", aJob, verb("deny")},
		{"resolve", "ID --happened|--did-not|--retry", "say what became of an uncertain call", aJob, verb("resolve")},
		{"resume", "[ID]", "go on with a program that was parked", aJob, verb("resume")},
		{"cancel", "ID", "end a program, or a job in the background", aJob, verb("cancel")},
		{"policy", "[manual|auto|yolo]", "how this session licenses calls", aWord, choose("policy")},
		{"mode", "[act|plan]", "plan only reads", aWord, choose("mode")},
		{"explain", "CALL", "what would be decided of a call, such as (bash \"ls\")", aForm, (*Shell).explain},
		{"session", "[NUMBER]", "which session this is, or go to another", nothing, (*Shell).goTo},
		{"sessions", "", "list the sessions", nothing, verb("sessions")},
		{"rewind", "NUMBER|NODE", "take back the definitions after an input, or move the agent's head", nothing, (*Shell).rewind},
		{"fork", "NODE", "a new session that goes on from a turn of the agent", nothing, (*Shell).fork},
		{"turn", "TEXT", "talk to the agent of this session", aWord, (*Shell).turn},
		{"transcript", "", "what was said with the agent", nothing, func(s *Shell, ctx context.Context, _ string) {
			if s.begun() {
				s.verb(ctx, "transcript", s.session)
			}
		}},
		{"agents", "", "the agents that can be talked to", nothing, verb("agents")},
		{"model", "[NAME]", "the model that ,turn asks", aWord, (*Shell).setModel},
		{"cost", "", "what this session has spent", nothing, func(s *Shell, ctx context.Context, _ string) {
			if s.begun() {
				s.verb(ctx, "show", s.session+".0.0")
			}
		}},
		{"bt", "", "the last failure again: where it was, and who called, by number", nothing, (*Shell).backtrace},
		{"frame", "[NUMBER]", "the source lines of a frame of ,bt, with the place marked; ,locals looks there", nothing, (*Shell).chooseFrame},
		{"locals", "", "the variables of the frame that ,frame chose, else of the innermost", nothing, (*Shell).locals},
		{"retry", "", "make the call again that an input failed with", nothing, (*Shell).retry},
		{"use", "EXPR", "go on with a value in the place of what an input failed with", aForm, (*Shell).use},
		{"abort", "", "end an input that failed and waits", nothing, func(s *Shell, ctx context.Context, _ string) { s.restart(ctx, Restart{Shown: true}) }},
		{"trace", "[NAME]", "show the calls of a procedure, or a tool, and what they return", aName, (*Shell).trace},
		{"untrace", "[NAME]", "show them no more; without a name of none", aName, (*Shell).untrace},
		{"expand", "FORM", "the core forms that a form becomes", aForm, (*Shell).expand},
		{"disassemble", "FORM", "the instructions that a form, or what was defined here, becomes", aForm, (*Shell).disassemble},
		{"time", "FORM", "evaluate, and say how long it took", aForm, (*Shell).time},
		{"load", "FILE", "evaluate a file; what it defines stays", aFile, func(s *Shell, ctx context.Context, args string) {
			if file := strings.TrimSpace(args); file == "" {
				s.fail(",load wants a file")
			} else {
				s.eval(ctx, fmt.Sprintf("(include %q)", file))
			}
		}},
		{"edit", "[NUMBER]", "write an input anew with $EDITOR, and evaluate it", nothing, (*Shell).editInput},
		{"save", "FILE", "write the session as a script", aFile, (*Shell).save},
		{"history", "[TEXT]", "what was typed, the newest last", aWord, (*Shell).showHistory},
		{"quit", "", "leave; Ctrl-D does the same", nothing, func(s *Shell, _ context.Context, _ string) { s.leaving = true }},
	}
}

// Command reports whether an input is a command.
func Command(text string) bool {
	t := strings.TrimLeft(text, " \t\n")
	return len(t) > 1 && t[0] == ',' && t[1] != '@' && t[1] != '(' && t[1] != ' '
}

func (s *Shell) command(ctx context.Context, text string) {
	name, args := text, ""
	if i := strings.IndexAny(text, " \t\n"); i >= 0 {
		name, args = text[:i], strings.TrimSpace(text[i:])
	}
	var near []string
	for _, c := range commands {
		if c.name == name {
			c.do(s, ctx, args)
			return
		}
		if strings.HasPrefix(c.name, name) {
			near = append(near, c.name)
		}
	}
	if len(near) == 1 { // what begins no other is enough
		s.command(ctx, near[0]+" "+args)
		return
	}
	if len(near) > 1 {
		s.fail("there is no command ,%s; did you mean ,%s?", name, strings.Join(near, " or ,"))
		return
	}
	s.fail("there is no command ,%s; ,help lists them", name)
}

// Reference is the table as text.
func Reference() string {
	var b strings.Builder
	for _, c := range commands {
		fmt.Fprintf(&b, "  %-28s %s\n", strings.TrimSpace(","+c.name+" "+c.args), c.doc)
	}
	return b.String()
}

func (s *Shell) help(_ context.Context, args string) {
	name := strings.TrimPrefix(strings.TrimSpace(args), ",")
	if name == "" {
		s.say("Type an expression to evaluate it; $1 $2 … are the values of inputs 1, 2 …\nCtrl-C ends what runs, Ctrl-D leaves. Commands may be cut short where that is clear:\n\n%s", Reference())
		return
	}
	for _, c := range commands {
		if c.name == name {
			s.say("%s\n  %s\n", strings.TrimSpace(","+c.name+" "+c.args), c.doc)
			return
		}
	}
	s.fail("there is no command ,%s; ,help lists them", name)
}

func (s *Shell) doc(_ context.Context, args string) {
	if args == "" {
		s.fail(",doc wants a name")
	} else if text := s.Host.Doc(args); text != "" {
		s.say("%s\n", strings.TrimRight(text, "\n"))
	} else if s.defined[args] {
		s.say("%s is defined in this session\n", args)
	} else {
		s.fail("nothing is known of %s; ,apropos %s looks for it in other names", args, args)
	}
}

func (s *Shell) apropos(_ context.Context, args string) {
	var found []Candidate
	for _, c := range s.names("") {
		if strings.Contains(c.Text, args) {
			found = append(found, c)
		}
	}
	const most = 60
	for _, c := range found[:min(len(found), most)] {
		s.say("%s\n", c.line())
	}
	if n := len(found) - most; n > 0 {
		s.say("and %d more\n", n)
	} else if len(found) == 0 {
		s.fail("no name contains %s", args)
	}
}

// begun reports whether the session has a number yet.
func (s *Shell) begun() bool {
	if s.session == "" {
		s.fail("the session begins with its first input")
	}
	return s.session != ""
}

// Choices are what the flags may be that a command sets for all later command lines.
var Choices = map[string][]string{"policy": {"manual", "auto", "yolo"}, "mode": {"act", "plan"}}

// choose sets a flag of all later command lines, or shows it.
func choose(flag string) func(*Shell, context.Context, string) {
	return func(s *Shell, ctx context.Context, args string) {
		set := s.chosen
		for i := 0; i+1 < len(set); i += 2 {
			if set[i] != "--"+flag {
				continue
			}
			if args == "" {
				s.say("%s\n", set[i+1])
				return
			}
			set = append(set[:i:i], set[i+2:]...)
			break
		}
		if args == "" {
			s.say("as this folder's settings say; ,%s NAME changes it for this session\n", flag)
			return
		}
		if !slices.Contains(Choices[flag], args) {
			s.fail(",%s is %s; found %q", flag, strings.Join(Choices[flag], ", "), args)
			return
		}
		s.chosen = append(set[:len(set):len(set)], "--"+flag, args)
	}
}

// explain asks what would be decided of a call: its literal arguments are those of the command line.
func (s *Shell) explain(ctx context.Context, args string) {
	words, err := callWords(args)
	if err != nil {
		s.fail("%s", err)
		return
	}
	s.verb(ctx, append([]string{"policy", "explain"}, words...)...)
}

func (s *Shell) goTo(ctx context.Context, args string) {
	switch n, err := strconv.ParseUint(args, 10, 64); {
	case args == "" && s.session == "":
		s.say("a new one: it begins with the first input\n")
	case args == "":
		s.say("session %s, input %d\n", s.session, s.number)
	case err != nil:
		s.fail("a session is named by its number; ,sessions lists them")
	case s.verb(ctx, "input", "--session", strconv.FormatUint(n, 10)) == 0:
		s.session, s.after, s.job = strconv.FormatUint(n, 10), "", ""
		s.say("inputs go to session %d; definitions begin anew\n", n)
	}
}

func (s *Shell) fork(ctx context.Context, args string) {
	if args == "" {
		s.fail(",fork wants a turn of the agent; ,transcript shows them")
		return
	}
	s.verb(ctx, "fork", "--at", args)
}

// rewind takes back what was defined after an input, or moves the head of the agent.
func (s *Shell) rewind(ctx context.Context, args string) {
	if strings.Contains(args, ".") {
		s.verb(ctx, "rewind", "--to", args)
		return
	}
	n, err := strconv.Atoi(strings.TrimPrefix(args, "$"))
	if err == nil && n == 0 {
		s.after = ""
		s.say("the next input goes on from nothing\n")
		return
	}
	for _, p := range s.inputs {
		if err == nil && p.number == n && p.id != "" {
			s.after = p.id
			s.say("the next input goes on after input %d\n", n)
			return
		}
	}
	if args == "" {
		s.fail(",rewind wants the number of an input, or a turn of the agent")
		return
	}
	s.fail("there is no input %s; ,rewind wants the number of one, or a turn of the agent", args)
}

func (s *Shell) turn(ctx context.Context, args string) {
	if args == "" {
		s.fail(",turn wants what to say")
		return
	}
	words := []string{"ask"}
	if s.session != "" {
		words = append(words, "--session", s.session)
	}
	if s.model != "" {
		words = append(words, "--model", s.model)
	}
	l := s.line(append(words, "--", args))
	l.Job = func(id string) {
		s.job = id
		s.session, _, _ = strings.Cut(id, ".")
	}
	if code := s.Host.Run(ctx, l); code != 0 && s.code == 0 {
		s.code = code
	}
}

func (s *Shell) setModel(_ context.Context, args string) {
	switch {
	case args != "":
		s.model = args
	case s.model == "":
		s.say("as the settings say; ,model NAME changes it for this session\n")
	default:
		s.say("%s\n", s.model)
	}
}

func (s *Shell) time(ctx context.Context, args string) {
	if args == "" {
		s.fail(",time wants an expression")
		return
	}
	from := time.Now()
	s.eval(ctx, args)
	s.say("%s\n", time.Since(from).Round(time.Microsecond))
}

func (s *Shell) expand(_ context.Context, args string)      { s.become(args, true) }
func (s *Shell) disassemble(_ context.Context, args string) { s.become(args, false) }

// become shows what a form becomes, after what was evaluated here; of a name that was defined here, what its definition did.
func (s *Shell) become(form string, core bool) {
	if form == "" {
		s.fail("a form is wanted")
		return
	}
	var before, until []string
	name, stands := form, s.stands()
	for _, p := range s.inputs {
		if p.code != 0 || !stands(p.id) {
			continue
		}
		if slices.Contains(definitions(p.text), name) {
			form, until = p.text, before
		}
		before = append(before, p.text)
	}
	if form != name {
		before = until
	}
	forms, code, err := s.Host.Explain(before, form)
	switch {
	case err != nil:
		s.fail("%s", err)
	case core:
		s.say("%s", forms)
	default:
		s.say("%s", code)
	}
}

// editInput has an input written anew in an editor.
func (s *Shell) editInput(ctx context.Context, args string) {
	text := ""
	for _, p := range s.inputs {
		if args == "" || strconv.Itoa(p.number) == strings.TrimPrefix(args, "$") {
			text = p.text
		}
	}
	away, ok := s.Front.(interface {
		Away(func() error) error
	})
	if !ok {
		s.fail(",edit needs a terminal")
		return
	}
	f, err := os.CreateTemp("", "caper-*.scm")
	if err != nil {
		s.fail("%s", err)
		return
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(text)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = away.Away(func() error {
			c := exec.CommandContext(ctx, "sh", "-c", "${VISUAL:-${EDITOR:-vi}} \"$1\"", "edit", f.Name())
			c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
			return c.Run()
		})
	}
	if err != nil {
		s.fail("%s", err)
		return
	}
	anew, err := os.ReadFile(f.Name())
	if err != nil {
		s.fail("%s", err)
		return
	}
	if text = strings.TrimRight(string(anew), "\n"); text != "" {
		s.say("%s\n", clean(text))
		s.eval(ctx, text)
	}
}

func (s *Shell) showHistory(_ context.Context, args string) {
	if s.History == nil {
		return
	}
	var found []string
	for _, t := range s.History.All() {
		if strings.Contains(t, args) {
			found = append(found, t)
		}
	}
	for _, t := range found[max(0, len(found)-20):] {
		s.say("%s\n", strings.ReplaceAll(strings.TrimRight(t, "\n"), "\n", "\n    "))
	}
}

// save writes the session as a script: what came to no value stands as a comment.
func (s *Shell) save(_ context.Context, args string) {
	if args == "" {
		s.fail(",save wants a file")
		return
	}
	f, err := os.OpenFile(args, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		s.fail("%s is there already; ,save writes a new file", args)
		return
	}
	if err != nil {
		s.fail("%s", err)
		return
	}
	_, err = f.WriteString(s.script())
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		s.fail("%s", err)
		return
	}
	s.say("%s holds %d inputs; caper run %s runs it\n", args, len(s.inputs), args)
}
