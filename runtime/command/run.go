package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"caper/interp"
	"caper/runtime/assembly"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/owner"
	"caper/runtime/program"
	"caper/runtime/view"

	"github.com/spf13/cobra"
)

type runFlags struct {
	value bool
	input uint64 // the number of the input that goes on
	cwd   string
	libs  []string
}

func (v *verb) runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:     "run FILE [-- ARGS]",
		Short:   "Run a program",
		Long:    "Run a program. FILE may be -, for standard input. What follows -- is its (command-line-arguments), and files named there may be read.",
		Example: "  caper run build.scm\n  caper run --park todo.scm -- src\n  caper run --value --quiet sum.scm\n  generate | caper run -",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return failf(ExitUsage, "caper run FILE [-- ARGS]", "run needs the file of a program")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if n := cmd.ArgsLenAtDash(); n > 1 || n < 0 && len(args) > 1 {
				return failf(ExitUsage, "put -- before the program's own arguments: caper run "+args[0]+" -- "+strings.Join(args[1:], " "), "run takes one file, found %d", len(args))
			}
			return v.runFile(args[0], args[1:], f)
		},
	}
	f.add(c)
	return c
}

func (f *runFlags) addValue(c *cobra.Command) {
	c.Flags().BoolVar(&f.value, "value", false, "print the value of the last expression, as write would")
}

func (f *runFlags) add(c *cobra.Command) {
	f.addValue(c)
	c.Flags().StringVar(&f.cwd, "cwd", "", "the workspace; else the current folder")
	c.Flags().StringArrayVar(&f.libs, "lib", nil, "a folder in which (import (a b)) looks for a/b.sld (repeatable)")
}

func (v *verb) evalCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:     "eval EXPR",
		Short:   "Evaluate an expression and print its value",
		Example: "  caper eval '(+ 1 2)'",
		Args:    exact(1, "one expression"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.value = true
			spec, err := v.spec("<eval>", args[0], nil, f)
			if err != nil {
				return err
			}
			spec.Lazy = v.Job == nil // an attached process must know at once what to take over
			return v.start(spec, f)
		},
	}
	f.add(c)
	return c
}

// maxSource bounds the text of a program.
const maxSource = 16 << 20

func (v *verb) runFile(file string, args []string, f runFlags) error {
	if file == "-" {
		return v.runInput(args, f)
	}
	text, err := v.readSource(file)
	if err != nil {
		return err
	}
	spec, err := v.spec(file, text, args, f)
	if err != nil {
		return err
	}
	spec.Dir = filepath.Dir(v.path(file))
	return v.start(spec, f)
}

// readSource reads the text of a program. A pipe may hold one as well: what is read is bounded whatever its size is said to be.
func (v *verb) readSource(file string) (string, error) {
	unread := func(err error) error {
		if where := (*fs.PathError)(nil); errors.As(err, &where) {
			err = where.Err
		}
		return failf(ExitUsage, "", "cannot read the program %s: %w", file, err)
	}
	info, err := os.Stat(v.path(file))
	switch {
	case err != nil:
		return "", unread(err)
	case info.IsDir():
		return "", failf(ExitUsage, "", "cannot read the program %s: it is a folder", file)
	case info.Size() > maxSource:
		return "", failf(ExitUsage, "", "the program %s has %d bytes; at most %d are possible", file, info.Size(), maxSource)
	}
	r, err := os.Open(v.path(file))
	if err != nil {
		return "", unread(err)
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, maxSource+1))
	if err != nil {
		return "", unread(err)
	}
	if len(text) > maxSource {
		return "", failf(ExitUsage, "", "the program %s has more than %d bytes", file, maxSource)
	}
	return string(text), nil
}

// runInput runs the program that standard input holds.
func (v *verb) runInput(args []string, f runFlags) error {
	if v.Stdin == nil {
		return failf(ExitUsage, "caper run FILE [-- ARGS]", "there is no standard input to read the program from")
	}
	text, err := io.ReadAll(io.LimitReader(v.Stdin, maxSource+1))
	if err != nil {
		return failf(ExitUsage, "", "cannot read the program from standard input: %w", err)
	}
	if len(text) > maxSource {
		return failf(ExitUsage, "", "the program on standard input has more than %d bytes", maxSource)
	}
	spec, err := v.spec("<stdin>", string(text), args, f)
	if err != nil {
		return err
	}
	spec.Dir = v.Cwd
	return v.start(spec, f)
}

// spec is what a program is admitted with, from the flags and the place of the command.
func (v *verb) spec(name, source string, args []string, f runFlags) (program.Spec, error) {
	s := program.Spec{Name: name, Source: source, Args: args, Input: v.input()}
	for _, l := range f.libs {
		s.Libs = append(s.Libs, v.path(l))
	}
	cwd := v.Cwd
	if f.cwd != "" {
		cwd = v.path(f.cwd)
	}
	canonical, err := filepath.EvalSymlinks(cwd)
	if err != nil {
		return s, failf(ExitUsage, "", "the workspace cannot be entered: %w", err)
	}
	c, err := v.context(canonical)
	if err != nil {
		return s, err
	}
	for _, a := range args {
		if p, err := filepath.EvalSymlinks(v.path(a)); err == nil {
			c.ReadAllow = append(c.ReadAllow, p)
		}
	}
	s.Context = c
	if s.Budget, err = v.budget(); err != nil {
		return s, err
	}
	return s, nil
}

// maxLine bounds one line of standard input.
const maxLine = 1 << 20

// input reads standard input line by line: from the terminal where there is one, else from the pipe.
func (v *verb) input() func(context.Context) (string, error) {
	if v.Terminal != nil {
		return v.Terminal.ReadLine
	}
	if v.Stdin == nil {
		return nil
	}
	in := bufio.NewReaderSize(v.Stdin, maxLine)
	return func(context.Context) (string, error) {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			err = nil // a longer line comes in pieces
		}
		return string(line), err
	}
}

func (v *verb) context(workspace string) (call.Context, error) {
	c := call.Context{Workspace: workspace, Cwd: workspace, Environ: v.Environ, Env: v.env, Answerability: v.answerability(), Terminal: v.asker}
	home, err := assembly.FindHome(v.env)
	if err != nil {
		return c, failf(ExitUsage, "", "%w", err)
	}
	for _, r := range v.rules {
		c.Rules = append(c.Rules, v.path(r))
	}
	posture, err := assembly.MintPosture(home, workspace, v.policy)
	if err != nil {
		return c, failf(ExitUsage, "", "%w", err)
	}
	c.Posture, c.Mode = posture, license.ParseMode(v.mode)
	if err := assembly.CheckRules(home, workspace, c.Rules); err != nil {
		return c, failf(ExitUsage, "", "%w", err)
	}
	return c, nil
}

// start runs a new program to its end and shows it.
func (v *verb) start(spec program.Spec, f runFlags) error {
	if v.First && v.Terminal != nil && v.Style.Live && !v.quiet && !v.json {
		fmt.Fprint(v.Stderr, view.Welcome(v.Style))
	}
	return v.drive(spec.Budget, f, func(ctx context.Context, r *program.Runner, out io.Writer, seen func(graph.ID)) (program.Result, error) {
		return r.Run(ctx, spec, out, func(id graph.ID) {
			if v.Job != nil {
				v.Job(id.String())
			}
			seen(id)
		})
	})
}

func (v *verb) resumeCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:     "resume [ID]",
		Short:   "Continue a program that was interrupted, killed or parked",
		Example: "  caper resume\n  caper resume 3.1.0",
		Args:    atMost(1, "one id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := v.system()
			if err != nil {
				return err
			}
			id, err := v.unfinished(s, args)
			if err != nil {
				return err
			}
			if v.Job != nil {
				v.Job(id.String())
			}
			if n, err := s.Store.Node(id); err != nil {
				return err
			} else if _, ok := n.(*kind.SessionTurn); ok {
				return v.resumeTurn(s, id)
			} else if _, ok := n.(kind.ToolCall); ok {
				return v.resumeMove(s, id)
			}
			budget := kind.Budget{Wall: v.timeout}
			if n, err := s.Store.Node(id); err != nil {
				return err
			} else if job, ok := n.(*kind.ProgrammaticJob); ok {
				if budget.Wall == 0 {
					budget.Wall = job.Budget.Wall
				}
				f.input = inputNumber(job)
			}
			return v.drive(budget, f, func(ctx context.Context, r *program.Runner, out io.Writer, seen func(graph.ID)) (program.Result, error) {
				seen(id)
				return r.Resume(ctx, id, v.specOf, out)
			})
		},
	}
	f.addValue(c) // the rest is as it was recorded
	return c
}

// specOf makes the spec of a recorded job: what was recorded, with the terminal of today.
func (v *verb) specOf(job *kind.ProgrammaticJob) (program.Spec, error) {
	c, err := v.context(job.Workspace)
	if err != nil {
		return program.Spec{}, err
	}
	c.Cwd, c.Rules = job.Cwd, job.Rules
	if c.Answerability == license.None && !v.unattended && job.Answerability != kind.AnswerNone {
		c.Answerability = license.Queue // it could ask when it began: what would ask waits, it is not refused
	}
	args, err := v.argsOf(job)
	if err != nil {
		return program.Spec{}, err
	}
	if err := v.tighten(&c, job); err != nil {
		return program.Spec{}, err
	}
	c.ReadAllow = job.ReadAllow
	more, err := v.budget()
	if err != nil {
		return program.Spec{}, err
	}
	budget := job.Budget
	if more.Fuel > 0 {
		budget.Fuel = more.Fuel
	}
	if more.Memory > 0 {
		budget.Memory = more.Memory
	}
	return program.Spec{Name: job.Name, Args: args, Context: c, Budget: budget, Libs: job.Libs, Dir: job.Dir, Input: v.input()}, nil
}

// tighten gives a continued program the posture and mode that it began with, or what the command line says where that is
// tighter.
func (v *verb) tighten(c *call.Context, job *kind.ProgrammaticJob) error {
	c.Posture, c.Mode = license.ParsePosture(job.Posture), license.ParseMode(job.Mode)
	if p := license.Posture(v.policy); v.policy != "" && p != c.Posture {
		if !p.Tighter(c.Posture) {
			return failf(ExitUsage, "", "the program began as %s; it can be continued as that or tighter, not as %s", c.Posture, p)
		}
		c.Posture = p
	}
	if v.mode == string(license.Plan) {
		c.Mode = license.Plan
	} else if v.mode != "" && c.Mode == license.Plan {
		return failf(ExitUsage, "", "the program began in mode plan and is continued in it")
	}
	return nil
}

// argsOf is the command line that a job began with.
func (v *verb) argsOf(job *kind.ProgrammaticJob) ([]string, error) {
	s, err := v.system()
	if err != nil {
		return nil, err
	}
	d, err := s.Calls.Fetch(job.Args)
	if err != nil {
		return nil, err
	}
	list, _ := d.(graph.List)
	var args []string
	for _, a := range list {
		if text, ok := a.(string); ok {
			args = append(args, text)
		}
	}
	return args, nil
}

// work is the context of a program under this command: it ends for the reasons that programs know.
func (v *verb) work() (context.Context, func()) { return v.workUnless(nil) }

// workUnless is work that goes on where the end of the verb has a cause.
func (v *verb) workUnless(spared error) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(v.ctx))
	stop := context.AfterFunc(v.ctx, func() {
		switch cause := context.Cause(v.ctx); {
		case errors.Is(cause, spared):
		case errors.Is(cause, owner.ErrPark):
			cancel(call.ErrParking)
		case errors.Is(cause, owner.ErrHandover):
			cancel(call.ErrHandover)
		default:
			cancel(cause)
		}
	})
	return ctx, func() { stop(); cancel(nil) }
}

// timed bounds the time of a program, 0 for no bound. What it waits for a person does not count.
func (v *verb) timed(ctx context.Context, wall time.Duration) (context.Context, func()) {
	if wall <= 0 {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	clock := call.StartStopwatch(wall, func() { cancel(context.DeadlineExceeded) })
	if a, ok := v.asker.(*asker); ok {
		a.clock = clock
	}
	return ctx, func() { clock.Stop(); cancel(nil) }
}

func engineOptions() interp.Options {
	o := assembly.EngineOptions(assembly.Tools())
	o.Prebuilt = Prebuilt
	return o
}

func newEngine() (*interp.Engine, error) { return interp.NewEngine(engineOptions()) }

// drive builds the runner, shows what runs, and turns the result into output and an exit code.
func (v *verb) drive(b kind.Budget, f runFlags, run func(context.Context, *program.Runner, io.Writer, func(graph.ID)) (program.Result, error)) error {
	engine, err := newEngine()
	if err != nil {
		return err
	}
	ctx, done := v.work()
	defer done()
	ctx, stop := v.timed(ctx, b.Wall)
	defer stop()
	out := v.output()
	runner := &program.Runner{Engine: engine, SnapshotEvery: snapshotEvery(), Open: func() (*call.Service, error) {
		s, err := v.system()
		if err != nil {
			return nil, err
		}
		return s.Calls, nil
	}}
	var live *view.Live
	seen := func(id graph.ID) {
		if v.quiet || v.json || !v.Style.Live {
			return
		}
		s, err := v.system()
		if err != nil {
			return // the run itself reports it
		}
		live = view.NewLive(v.Stderr, v.Style, s.Store, s.Calls, id)
		if a, ok := v.asker.(*asker); ok {
			a.live = live
		}
		out.live = live
	}
	result, err := run(ctx, runner, program.Locked(out), seen)
	if live != nil {
		live.Close()
	}
	if err != nil {
		return v.broken(err)
	}
	if f.value && f.input > 0 {
		return v.shown(result, f.input)
	}
	return v.finish(result, f)
}

func (v *verb) broken(err error) error {
	var d *program.Divergence
	if errors.As(err, &d) {
		return &Error{Code: ExitRaised, Err: err}
	}
	var twice *program.RunningError
	if errors.As(err, &twice) {
		return &Error{Code: ExitUsage, Err: err, Hint: fmt.Sprintf("caper log %d --follow watches it, caper cancel %s ends it", twice.ID.Session, twice.ID)}
	}
	return err
}
