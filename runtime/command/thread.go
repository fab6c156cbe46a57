package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"caper/runtime/assembly"
	"caper/runtime/worker/wire"
	"caper/runtime/worker/wire/dir"

	"github.com/spf13/cobra"
)

// threads is the user's side of a session of threads.
type threads struct {
	*verb
	folder, as string
}

func (v *verb) threadCommand() *cobra.Command {
	t := &threads{verb: v}
	c := &cobra.Command{Use: "thread", Short: "Hand threads to a worker, and follow them",
		Long: `Hand threads to a worker, and follow them. A thread names a work folder and an agent; once its state is pending, a worker
(caper worker start) takes it and drives the agent there. Completed ends it, for good.`,
		Example: `  caper thread create fix --folder . --agent claude_code --state pending --say 'Fix the failing test'
  caper thread watch fix
  caper thread post fix 'And add another'
  caper thread set-state fix completed`}
	c.PersistentFlags().StringVar(&t.folder, "wire", "", "the session's folder; else wire/default in Caper's home")
	c.PersistentFlags().StringVar(&t.as, "as", "", "your user id; else that of the environment")
	c.AddCommand(t.create(), t.list(), t.show(), t.setState(), t.post(), t.items(), t.watch())
	return c
}

func (t *threads) open() (wire.Wire, *wire.User, error) {
	folder := t.path(t.folder)
	if t.folder == "" {
		home, err := assembly.FindHome(t.env)
		if err != nil {
			return nil, nil, failf(ExitUsage, "", "%w", err)
		}
		folder = filepath.Join(home.Data, "wire", "default")
	}
	w, err := dir.Make(folder)
	if err != nil {
		return nil, nil, failf(ExitUsage, "--wire names a folder of your own", "the session cannot be opened: %w", err)
	}
	return w, wire.NewUser(w, t.userID(t.as)), nil
}

// refused gives what the wire refuses the exit code of a wrong use.
func refused(err error) error {
	var transition *wire.TransitionError
	var malformed *wire.MalformedError
	if errors.Is(err, wire.ErrNotFound) || errors.Is(err, wire.ErrConflict) || errors.As(err, &transition) || errors.As(err, &malformed) {
		hint := ""
		if errors.Is(err, wire.ErrNotFound) {
			hint = "caper thread list shows what there is"
		}
		return &Error{Code: ExitUsage, Hint: hint, Err: err}
	}
	return err
}

func (t *threads) create() *cobra.Command {
	var folder, agent, executable, model, effort, permissions, state, say string
	c := &cobra.Command{Use: "create ALIAS", Short: "Make a thread", Args: exact(1, "an alias"), Example: "  caper thread create fix --folder . --agent codex --state pending --say 'Fix the failing test'"}
	f := c.Flags()
	f.StringVar(&folder, "folder", ".", "where the agent works")
	f.StringVar(&agent, "agent", "", "claude_code, codex or caper")
	f.StringVar(&executable, "executable", "", "the agent's program; else the worker's")
	f.StringVar(&model, "model", "", "the model; else the worker's")
	f.StringVar(&effort, "effort", "", "the effort, passed through as it is")
	f.StringVar(&permissions, "permissions", "", "approval or autonomous; else the worker's")
	f.StringVar(&state, "state", "", "pending hands it over at once")
	f.StringVar(&say, "say", "", "the first item")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if agent == "" {
			return failf(ExitUsage, "caper thread create ALIAS --agent claude_code", "a thread needs --agent")
		}
		if s := wire.State(state); s != wire.None && s != wire.Pending {
			return failf(ExitUsage, "", "a new thread is pending or has no state; found %q", state)
		}
		_, u, err := t.open()
		if err != nil {
			return err
		}
		settings := wire.AgentSettings{Type: &agent}
		for name, to := range map[string]**string{"executable": &settings.Executable, "model": &settings.Model, "effort": &settings.Effort, "permissions": &settings.Permissions} {
			if cmd.Flags().Changed(name) {
				text := cmd.Flag(name).Value.String()
				*to = &text
			}
		}
		if err := u.Create(t.ctx, args[0], t.path(folder), settings); err != nil {
			return &Error{Code: ExitUsage, Err: err}
		}
		if say != "" {
			if _, err := u.Post(t.ctx, args[0], say); err != nil {
				return refused(err)
			}
		}
		if state != "" {
			if err := u.SetState(t.ctx, args[0], wire.State(state)); err != nil {
				return refused(err)
			}
		}
		return t.say("thread %s was made\n", args[0])
	}
	return c
}

// row is a thread as list and show print it.
func (t *threads) row(o wire.Object) (map[string]any, string) {
	th, err := wire.Read(o.Value)
	if err != nil {
		return map[string]any{"alias": o.Alias, "error": err.Error()}, fmt.Sprintf("%-20s malformed", o.Alias)
	}
	state := string(th.Instance.State)
	if state == "" {
		state = "none"
	}
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	row := map[string]any{"alias": o.Alias, "state": state, "agent": text(th.Agent.Type), "folder": text(th.Workspace.WorkFolder), "worker": th.Instance.Worker, "revision": o.Revision}
	return row, fmt.Sprintf("%-20s %-10s %-12s %s", o.Alias, state, text(th.Agent.Type), text(th.Workspace.WorkFolder))
}

func (t *threads) list() *cobra.Command {
	return &cobra.Command{Use: "list", Short: "List threads", Args: exact(0, "nothing"), RunE: func(*cobra.Command, []string) error {
		w, _, err := t.open()
		if err != nil {
			return err
		}
		all, err := w.List(t.ctx)
		if err != nil {
			return err
		}
		for _, o := range all {
			if o.Alias == wire.WorkerAlias {
				continue
			}
			row, line := t.row(o)
			if t.json {
				err = t.emitAs("thread", row)
			} else {
				_, err = fmt.Fprintln(t.Stdout, printable(line))
			}
			if err != nil {
				return err
			}
		}
		return nil
	}}
}

func (t *threads) show() *cobra.Command {
	return &cobra.Command{Use: "show ALIAS", Short: "Show a thread's whole envelope", Args: exact(1, "an alias"), RunE: func(_ *cobra.Command, args []string) error {
		w, _, err := t.open()
		if err != nil {
			return err
		}
		o, err := w.Get(t.ctx, args[0])
		if err != nil {
			return refused(err)
		}
		if t.json {
			row, _ := t.row(o)
			row["value"] = o.Value
			return t.emitAs("thread", row)
		}
		var v any
		if err := json.Unmarshal(o.Value, &v); err != nil {
			return err
		}
		e := json.NewEncoder(t.Stdout)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(v)
	}}
}

func (t *threads) setState() *cobra.Command {
	return &cobra.Command{Use: "set-state ALIAS STATE", Short: "Hand a thread over (pending) or end it (completed)", Args: exact(2, "an alias and a state"),
		Example: "  caper thread set-state fix pending\n  caper thread set-state fix completed",
		RunE: func(_ *cobra.Command, args []string) error {
			_, u, err := t.open()
			if err != nil {
				return err
			}
			if err := u.SetState(t.ctx, args[0], wire.State(args[1])); err != nil {
				return refused(err)
			}
			return t.say("thread %s is %s\n", args[0], args[1])
		}}
}

func (t *threads) post() *cobra.Command {
	return &cobra.Command{Use: "post ALIAS TEXT", Short: "Say something in a thread, or answer its question", Args: exact(2, "an alias and a text"),
		Long: "Say something in a thread, or answer its question: yes allows, anything else denies and is told to the agent. TEXT may be -, for standard input.",
		RunE: func(_ *cobra.Command, args []string) error {
			_, u, err := t.open()
			if err != nil {
				return err
			}
			text := args[1]
			if text == "-" && t.Stdin != nil {
				b, err := io.ReadAll(io.LimitReader(t.Stdin, wire.MaxItem))
				if err != nil {
					return failf(ExitUsage, "", "cannot read standard input: %w", err)
				}
				text = string(b)
			}
			_, err = u.Post(t.ctx, args[0], text)
			return refused(err)
		}}
}

func (t *threads) printItems(items []wire.Item) error {
	for _, i := range items {
		var err error
		if t.json {
			err = t.emitAs("item", i)
		} else {
			kind := string(i.Metadata.Type)
			if kind == "" {
				kind = "said by " + i.UserID
			}
			text := i.TextOf()
			if i.Metadata.Type == wire.Status && text == "" {
				text = i.Metadata.Status
			}
			_, err = fmt.Fprintln(t.Stdout, printable(fmt.Sprintf("%4d  %-12s  %s", i.Seq, kind, strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n                    "))))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *threads) items() *cobra.Command {
	var after uint64
	c := &cobra.Command{Use: "items ALIAS", Short: "Print a thread's items", Args: exact(1, "an alias"), RunE: func(_ *cobra.Command, args []string) error {
		w, _, err := t.open()
		if err != nil {
			return err
		}
		_, err = t.follow(t.ctx, w, args[0], after)
		return refused(err)
	}}
	c.Flags().Uint64Var(&after, "after", 0, "only those after this number")
	return c
}

// follow prints the items after a number and answers the last one's.
func (t *threads) follow(ctx context.Context, w wire.Wire, alias string, after uint64) (uint64, error) {
	for {
		items, err := w.Items(ctx, alias, after, 100)
		if err != nil || len(items) == 0 {
			return after, err
		}
		if err := t.printItems(items); err != nil {
			return after, err
		}
		after = items[len(items)-1].Seq
	}
}

func (t *threads) watch() *cobra.Command {
	var after uint64
	var until string
	c := &cobra.Command{Use: "watch ALIAS", Short: "Print a thread's items as they come, until it ends", Args: exact(1, "an alias"), RunE: func(_ *cobra.Command, args []string) error {
		w, _, err := t.open()
		if err != nil {
			return err
		}
		ctx, stop := context.WithCancel(t.ctx)
		defer stop()
		changes, err := w.Watch(ctx)
		if err != nil {
			return err
		}
		look := time.NewTicker(5 * time.Second) // a notice may get lost
		defer look.Stop()
		for {
			o, err := w.Get(ctx, args[0])
			if err != nil {
				return refused(err)
			}
			if after, err = t.follow(ctx, w, args[0], after); err != nil {
				return refused(err)
			}
			state, err := wire.StateOf(o.Value)
			if err != nil {
				return refused(err)
			}
			if state == wire.Completed || state == wire.Failed || until != "" && t.ended(ctx, w, args[0], wire.ItemType(until), after) {
				why := ""
				if state == wire.Failed {
					why = t.why(ctx, w, args[0])
				}
				return t.say("thread %s is %s%s\n", args[0], state, why)
			}
			select {
			case <-changes:
			case <-look.C:
			case <-ctx.Done():
				return nil
			}
		}
	}}
	c.Flags().Uint64Var(&after, "after", 0, "only those after this number")
	c.Flags().StringVar(&until, "until", "", "stop also once the last item has this type, such as turn_end or pending_prompt")
	return c
}

// why says what the worker's activity says of a thread that failed.
func (t *threads) why(ctx context.Context, w wire.Wire, alias string) string {
	why := "; caper thread items " + wire.WorkerAlias + " says why"
	for after := uint64(0); ; {
		items, err := w.Items(ctx, wire.WorkerAlias, after, 1000)
		if err != nil || len(items) == 0 {
			return why
		}
		for _, i := range items {
			if m := i.Metadata; m.Type == wire.ThreadFailed && m.Alias == alias {
				why = ": " + printable(m.Message)
			}
		}
		after = items[len(items)-1].Seq
	}
}

// ended reports whether the last item of a thread has a type, and was shown: one that came meanwhile is shown first.
func (t *threads) ended(ctx context.Context, w wire.Wire, alias string, kind wire.ItemType, shown uint64) bool {
	var last wire.Item
	for {
		items, err := w.Items(ctx, alias, last.Seq, 1000)
		if err != nil || len(items) == 0 {
			return err == nil && last.Metadata.Type == kind && last.Seq <= shown
		}
		last = items[len(items)-1]
	}
}

// printable takes what a terminal would obey out of a text.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '�'
		}
		return r
	}, s)
}
