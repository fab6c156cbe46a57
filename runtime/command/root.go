package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"caper/interp/near"
	"caper/runtime/assembly"
	"caper/runtime/license"
	"caper/runtime/store"
	"caper/runtime/view"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flags are those that every verb takes.
type flags struct {
	json, quiet, unattended, park bool
	policy, mode, durability      string
	rules                         []string
	fuel                          uint64
	memory                        string
	timeout                       time.Duration
}

// verb is one command at work.
type verb struct {
	*Invocation
	flags
	ctx  context.Context
	code int // exit code of a verb that did its work but has something to say by it
}

// Execute runs the command line of an invocation and answers its exit code. open opens the store, whose lock the caller
// holds; it is called at most once, and only by verbs that need the store.
func Execute(ctx context.Context, inv *Invocation, open func() (*assembly.System, error)) int {
	inv.prepare()
	inv.opened = open
	v := &verb{Invocation: inv, ctx: ctx}
	root := v.root()
	root.SetArgs(inv.Args)
	root.SetOut(inv.Stdout)
	root.SetErr(inv.Stderr)
	if err := root.ExecuteContext(ctx); err != nil {
		return v.report(err)
	}
	return v.code
}

func (v *verb) root() *cobra.Command {
	var editor string
	root := &cobra.Command{
		Use:   "caper",
		Short: "A Scheme whose programs are durable, licensed jobs",
		Long: `A Scheme whose programs are durable, licensed jobs. Every call that touches the world is asked of your policy first and
on record before it acts; a program that was killed goes on where it was.

Exit codes: 0 ok, 1 the program raised, 2 usage, 3 denied or nobody to ask, 4 a budget was spent, 5 uncertain: a person
must decide, 6 the store is damaged or cannot be opened, 7 parked, 130 interrupted. (exit N) in a program gives N.

Without a command it reads what you type, form by form: ,help there lists its commands.

Help about more than a command: caper help repl, tools, language, policy, models, worker, json, reference.`,
		Example: `  caper run examples/tour/tour.scm
  caper eval '(+ 1 2)'
  caper tree
  caper resume`,
		PersistentPreRunE: func(*cobra.Command, []string) error { return v.checkFlags() },
		SilenceErrors:     true,
		SilenceUsage:      true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return failf(ExitUsage, suggest(cmd, args[0]), "there is no command %q", args[0])
			}
			return nil
		},
		RunE: func(*cobra.Command, []string) error { return v.repl(editor) },
	}
	f := root.PersistentFlags()
	f.BoolVar(&v.json, "json", false, "print one JSON object a line")
	f.BoolVar(&v.quiet, "quiet", false, "print results only, no progress")
	f.StringVar(&v.policy, "policy", "", "posture: manual, auto or yolo")
	f.StringArrayVar(&v.rules, "rules", nil, "a file of more rules (repeatable)")
	f.StringVar(&v.mode, "mode", "", "act, or plan: reads only")
	f.BoolVar(&v.unattended, "unattended", false, "nobody can be asked: what would ask is denied")
	f.BoolVar(&v.park, "park", false, "what would ask waits in the queue instead (exit 7)")
	f.StringVar(&v.durability, "durability", "sync", "sync: survives power loss; fast: survives kill -9")
	f.Bool("accept-loss", false, "open what is left of a damaged store")
	f.Uint64Var(&v.fuel, "fuel", 0, "calls and loop turns that a program may spend")
	f.StringVar(&v.memory, "memory", "", "memory that a program may use, such as 256M")
	f.DurationVar(&v.timeout, "timeout", 0, "time that a program may run, such as 90s")
	root.Flags().StringVar(&editor, "editor", "form", "how lines are typed without a command: form, liner or plain")
	root.CompletionOptions.DisableDefaultCmd = true
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(v.runCommand(), v.evalCommand(), v.askCommand(), v.agentsCommand(), v.detachCommand(), v.compactCommand(), v.transcriptCommand(), v.rewindCommand(), v.forkCommand(), v.serveCommand(), v.testCommand(), v.resumeCommand(), v.sessionsCommand(), v.jobsCommand(), v.treeCommand(), v.showCommand(),
		v.logCommand(), v.approvalsCommand(), v.approveCommand(), v.denyCommand(), v.resolveCommand(), v.cancelCommand(), v.policyCommand(),
		v.forgetCommand(), v.promptCommand(), v.promoteCommand(), v.threadCommand(), v.workerCommand(), v.versionCommand())
	root.AddCommand(v.fmtCommand(), v.checkFileCommand(), v.newCommand(), v.doctorCommand(), v.timelineCommand(), v.completionCommand(), v.referenceTopic())
	root.AddCommand(v.topics()...)
	v.completing(root)
	root.Version = Version
	root.SetVersionTemplate("caper {{.Version}}\n")
	root.SetHelpCommand(v.helpCommand(root))
	root.AddCommand(v.inputCommand())
	return root
}

// checkFlags refuses what a flag cannot mean, for every verb alike.
func (v *verb) checkFlags() error {
	if v.policy != "" {
		if _, err := license.NamedPosture(v.policy); err != nil {
			return failf(ExitUsage, "", "--policy: %w", err)
		}
	}
	if v.mode != "" {
		if _, err := license.NamedMode(v.mode); err != nil {
			return failf(ExitUsage, "", "--mode: %w", err)
		}
	}
	if v.durability != "sync" && v.durability != "fast" {
		return failf(ExitUsage, "", "--durability is sync or fast; found %q", v.durability)
	}
	if v.timeout < 0 {
		return failf(ExitUsage, "", "--timeout is a time such as 90s; found %s", v.timeout)
	}
	if v.park && v.unattended {
		return failf(ExitUsage, "", "--park and --unattended cannot both hold: what would ask either waits or is denied")
	}
	_, err := v.budget()
	return err
}

// wanted says what a flag takes, where the library that reads it speaks of its own functions.
var wanted = map[string]string{
	"--timeout": "a time such as 90s or 2m", "--fuel": "a whole number, such as 1000000", "--from": "the number of an event",
}

func flagError(cmd *cobra.Command, err error) error {
	hint := "see caper " + strings.TrimPrefix(cmd.CommandPath(), "caper ") + " --help"
	if !cmd.HasParent() {
		hint = "see caper --help"
	}
	var bad *pflag.InvalidValueError
	if errors.As(err, &bad) {
		name := "--" + bad.GetFlag().Name
		if w, ok := wanted[name]; ok {
			err = fmt.Errorf("%s takes %s; found %q", name, w, bad.GetValue())
		}
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		if q := near.Question(near.Names("--"+unknown.GetSpecifiedName(), names)); q != "" {
			hint = q
		}
	}
	if strings.HasPrefix(err.Error(), "unknown shorthand flag") {
		hint = "put -- before what begins with a dash: " + cmd.CommandPath() + " -- -…"
	}
	return &Error{Code: ExitUsage, Err: err, Hint: hint}
}

// helpCommand is help with an exit code for what there is none of.
func (v *verb) helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{Use: "help [COMMAND]", Short: "Help about a command", RunE: func(_ *cobra.Command, args []string) error {
		c, rest, err := root.Find(args)
		if err != nil || len(rest) > 0 {
			return failf(ExitUsage, suggest(root, args[0]), "there is no command %q", strings.Join(args, " "))
		}
		return c.Help()
	}}
}

func suggest(cmd *cobra.Command, arg string) string {
	if s := cmd.SuggestionsFor(arg); len(s) > 0 {
		return "did you mean caper " + s[0] + "?"
	}
	return "caper --help lists the commands"
}

// usage is how a verb is called, with the verbs that it stands below.
func usage(cmd *cobra.Command) string {
	return cmd.CommandPath() + strings.TrimPrefix(cmd.Use, cmd.Name())
}

// exact checks the number of arguments of a verb, atMost and atLeast bound it.
func exact(n int, what string) cobra.PositionalArgs   { return between(n, n, what) }
func atMost(n int, what string) cobra.PositionalArgs  { return between(0, n, "at most "+what) }
func atLeast(n int, what string) cobra.PositionalArgs { return between(n, 1<<30, what) }

func between(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return failf(ExitUsage, usage(cmd), "%s takes %s, found %d arguments", strings.TrimPrefix(cmd.CommandPath(), "caper "), what, len(args))
		}
		return nil
	}
}

func (v *verb) versionCommand() *cobra.Command {
	return &cobra.Command{Use: "version", Short: "Print the version", Args: exact(0, "nothing"), RunE: func(*cobra.Command, []string) error {
		if v.json {
			return v.emit(map[string]any{"type": "version", "version": Version, "image": image()})
		}
		_, err := fmt.Fprintln(v.Stdout, "caper", Version)
		return err
	}}
}

// image says whether the program starts with the library image that it carries, or builds one each time.
func image() string {
	if engineOptions().Check() != nil {
		return "built"
	}
	return "prebuilt"
}

// report prints an error and answers its exit code.
func (v *verb) report(err error) int {
	code := ExitUsage
	var ce *Error
	switch {
	case errors.As(err, &ce):
		code = ce.Code
	case storeError(err):
		code = ExitStore
	case errors.Is(err, context.Canceled):
		code = ExitInterrupted
	case absent(err):
		code = ExitUsage
	default:
		code = ExitRaised
	}
	if t := (*assembly.TemplateError)(nil); code == ExitRaised && errors.As(err, &t) {
		code = cmp.Or(states[t.State], code) // it ends as the program of the template did
	}
	if v.json {
		_ = v.emit(map[string]any{"type": "error", "message": err.Error(), "exit": code})
	}
	fmt.Fprint(v.Stderr, view.Error(v.Style, err))
	return code
}

// absent says that the store works and holds no such job.
func absent(err error) bool {
	return errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrNoSession)
}

func storeError(err error) bool {
	for _, e := range []error{store.ErrPoisoned, store.ErrDamaged, store.ErrUnreadable, store.ErrDiskFull} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

func (v *verb) system() (*assembly.System, error) {
	s, err := v.opened()
	if err != nil {
		var ce *Error
		if errors.As(err, &ce) {
			return nil, err
		}
		return nil, &Error{Code: ExitStore, Err: err}
	}
	return s, nil
}

// answerability is fixed here, at admission.
func (v *verb) answerability() license.Answerability {
	switch {
	case v.unattended:
		return license.None
	case v.park:
		return license.Queue
	case v.Terminal != nil:
		return license.TTY
	}
	return license.None
}
