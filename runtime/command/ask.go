package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"caper/runtime/agent"
	"caper/runtime/assembly"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/model"
	"caper/runtime/program"
	"caper/runtime/session"

	"github.com/spf13/cobra"
)

type askFlags struct {
	model, session, agent, steer string
	tokens, agents               uint64
	cost                         float64
	bounds                       string
}

func (v *verb) askCommand() *cobra.Command {
	var f askFlags
	c := &cobra.Command{
		Use:     "ask PROMPT | --steer TEXT",
		Short:   "Ask an agent, in a new session or a later turn of one",
		Long:    "Ask an agent, in a new session or a later turn of one. PROMPT may be -, for standard input. #{(expression)} in it stands for what a program answers, run once under the policy of the turn.",
		Example: "  caper ask --model anthropic:claude-sonnet-4-5 'What does this project do?'\n  caper ask --session 3 'And how is it tested?'",
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("steer") {
				if err := exact(0, "no prompt beside --steer")(cmd, args); err != nil {
					return err
				}
				return v.steer(f)
			}
			if err := exact(1, "one prompt")(cmd, args); err != nil {
				return err
			}
			for _, name := range []string{"fuel", "memory", "timeout"} { // a bound that does not hold is none
				if cmd.Flags().Changed(name) {
					return failf(ExitUsage, "--max-tokens, --max-cost and --max-agents bound a turn", "--%s bounds a program, not a turn", name)
				}
			}
			for _, name := range []string{"max-tokens", "max-cost", "max-agents"} {
				if f := cmd.Flags().Lookup(name); f.Changed && f.Value.String() == "0" {
					return failf(ExitUsage, "without it there is no such bound", "--%s is more than 0", name)
				}
			}
			return v.ask(args[0], f)
		},
	}
	c.Flags().StringVar(&f.model, "model", "", "connection:model that answers, in this session from now on; else the session's, else the agent's")
	c.Flags().StringVar(&f.session, "session", "", "the session to go on with; else a new one")
	c.Flags().StringVar(&f.agent, "agent", "", "the agent of the catalogue that answers in a new session")
	c.Flags().StringVar(&f.steer, "steer", "", "say something to the open turn of --session: its next round hears it")
	c.Flags().Uint64Var(&f.tokens, "max-tokens", 0, "tokens that models may use for the turn, with all that it spawns")
	c.Flags().Float64Var(&f.cost, "max-cost", 0, "what that may cost, in US dollars")
	c.Flags().Uint64Var(&f.agents, "max-agents", 0, "agents that calls may make for it, with those that these make; else 1000 for the turn")
	c.Flags().StringVar(&f.bounds, "for", "turn", "what the bounds hold for: the turn, or the session from now on")
	return c
}

// spending reads the bounds.
func (f *askFlags) spending() (kind.Spending, error) {
	micros := f.cost * 1e6
	switch {
	case f.bounds != "turn" && f.bounds != "session":
		return kind.Spending{}, failf(ExitUsage, "", "--for is turn or session, found %q", f.bounds)
	case f.tokens > math.MaxInt64 || f.agents > math.MaxInt64:
		return kind.Spending{}, failf(ExitUsage, "without it there is no bound", "a bound is at most %d", math.MaxInt64)
	case !(micros >= 0 && micros < 1e18):
		return kind.Spending{}, failf(ExitUsage, "", "--max-cost is an amount in dollars, found %v", f.cost)
	case f.cost > 0 && micros < 1:
		micros = 1
	}
	return kind.Spending{Tokens: f.tokens, Micros: uint64(micros), Agents: f.agents}, nil
}

// steer says something to a turn that runs, in whatever terminal.
func (v *verb) steer(f askFlags) error {
	if f.session == "" {
		return failf(ExitUsage, "caper ask --session N --steer TEXT", "--steer needs the session whose turn is meant")
	}
	s, err := v.system()
	if err != nil {
		return err
	}
	var c call.Context
	id, err := v.conversation(s, f.session, &c)
	if err != nil {
		return err
	}
	turn, running, err := s.Agents.Steer(id, f.steer)
	var none *agent.NoTurnError
	switch {
	case errors.As(err, &none):
		return failf(ExitUsage, "caper ask --session "+f.session+" PROMPT begins one", "no turn of session %s is open", f.session)
	case err != nil:
		return err
	case running:
		return v.say("said to turn %s\n", turn)
	}
	return v.say("said to turn %s; caper resume %s continues it\n", turn, turn)
}

func (v *verb) detachCommand() *cobra.Command {
	return &cobra.Command{Use: "detach ID", Short: "Move a running call of a turn to the background", Example: "  caper detach 3.2.4",
		Long: "Move a running call of a turn to the background: the turn goes on without it, and its agent is told when it ends.", Args: exact(1, "the id of a call"),
		RunE: func(_ *cobra.Command, args []string) error {
			s, id, err := v.job(args)
			if err != nil {
				return err
			}
			if err := s.Agents.Detach(id, v.by(), nil); err != nil {
				return failf(ExitUsage, "caper tree shows what runs", "%w", err)
			}
			return v.say("%s goes on in the background\n", id)
		}}
}

func (v *verb) compactCommand() *cobra.Command {
	return &cobra.Command{Use: "compact [SESSION]", Short: "Fold a session's conversation into a summary", Example: "  caper compact 3",
		Long: "Fold a session's conversation into a summary, which a model writes. Moving the head back before it undoes that.", Args: atMost(1, "one session"),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := v.system()
			if err != nil {
				return err
			}
			n, err := v.session(s, args)
			if err != nil {
				return err
			}
			c, err := v.contextOf(s, n)
			if err != nil {
				return err
			}
			id, err := v.conversation(s, strconv.FormatUint(n, 10), &c)
			if err != nil {
				return err
			}
			before, _, err := session.Head(s.Store, id)
			if err != nil {
				return err
			}
			ctx, done := v.work()
			defer done()
			turn, err := s.Agents.Compact(ctx, id, c)
			if err != nil {
				return err
			}
			return v.say("session %d was folded in %s\n  caper rewind %d --to %s undoes it\n", n, turn, n, before)
		}}
}

func (v *verb) ask(given string, f askFlags) error {
	prompt := given
	if prompt == "-" {
		if v.Stdin == nil {
			return failf(ExitUsage, "caper ask PROMPT", "there is no standard input to read the prompt from")
		}
		text, err := io.ReadAll(io.LimitReader(v.Stdin, maxSource))
		if err != nil {
			return failf(ExitUsage, "", "cannot read the prompt from standard input: %w", err)
		}
		prompt = string(text)
	}
	if strings.TrimSpace(prompt) == "" {
		return failf(ExitUsage, "caper ask PROMPT", "the prompt is empty")
	}
	typed := prompt == given // what is piped in is data
	s, err := v.system()
	if err != nil {
		return err
	}
	canonical, err := filepath.EvalSymlinks(v.Cwd)
	if err != nil {
		return failf(ExitUsage, "", "the workspace cannot be entered: %w", err)
	}
	c, err := v.context(canonical)
	if err != nil {
		return err
	}
	a := agent.Ask{Prompt: prompt, Model: s.NameModel(v.Cwd, f.model), Policy: v.policy}
	limit, err := f.spending()
	if err != nil {
		return err
	}
	if f.bounds == "turn" {
		a.Budget = limit
	}
	if f.session != "" {
		if a.Agent, err = v.conversation(s, f.session, &c); err != nil {
			return err
		}
		if _, err := s.Refresh(v.ctx, &c, a.Agent); err != nil {
			return err
		}
	}
	var none *assembly.AgentError
	switch err := s.FindModel(v.ctx, &c, a.Model, f.agent); {
	case errors.As(err, &none):
		return failf(ExitUsage, "caper agents lists them", "%w", err)
	case err != nil:
		return failf(ExitUsage, "caper help models says how models are named", "%w", err)
	}
	if f.session == "" {
		if a.Agent, err = s.NewConversation(&c, f.agent); err != nil {
			return err
		}
	}
	a.Context = c
	id, err := v.mint(s, a, limit, f, typed)
	if err != nil {
		if f.session == "" { // what was made for a turn that there is not
			if gone := s.Forget(c.Session); gone != nil {
				err = errors.Join(err, gone)
			}
		}
		return err
	}
	if v.Job != nil {
		v.Job(id.String())
	}
	return v.lead(s, id, c)
}

// mint makes the turn that is asked for.
func (v *verb) mint(s *assembly.System, a agent.Ask, limit kind.Spending, f askFlags, typed bool) (graph.ID, error) {
	c := a.Context
	if a.Model != "" {
		if err := s.KeepModel(c.Session, a.Model, v.by()); err != nil {
			return graph.ID{}, err
		}
	}
	if f.bounds == "session" {
		if err := s.Agents.Bound(c.Session, limit, v.by()); err != nil {
			return graph.ID{}, err
		}
	}
	if typed {
		ctx, done := v.work()
		defer done()
		var err error
		if a.Prompt, err = s.ExpandPrompt(ctx, a.Agent, c, v.policy, a.Prompt); err != nil {
			return graph.ID{}, failf(ExitRaised, `\#{ is #{ itself`, "the turn was not made: %w", err)
		}
	}
	return s.Agents.Mint(a)
}

// conversation is the agent of a session, which works in the session's folder.
func (v *verb) conversation(s *assembly.System, text string, c *call.Context) (graph.ID, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return graph.ID{}, failf(ExitUsage, "caper sessions lists them", "a session is named by its number; found %q", text)
	}
	id, ok, err := session.AgentOf(s.Store, n)
	switch {
	case err != nil:
		return id, err
	case !ok:
		return id, failf(ExitUsage, "caper ask without --session begins one", "session %d has no agent", n)
	}
	settings, err := session.SettingsOf(s.Store, n)
	if err != nil {
		return id, err
	}
	c.Session, c.Workspace, c.Cwd = n, settings.Path, settings.Path
	return id, nil
}

// lead runs a turn and shows it.
func (v *verb) lead(s *assembly.System, id graph.ID, c call.Context) error {
	ctx, done := v.work()
	defer done()
	out := v.output()
	said := false
	hear := func(turn graph.ID, d model.Delta) {
		if turn != id || d.Kind != model.Text || v.json || v.quiet || !v.Style.Live {
			return
		}
		said = true
		_, _ = out.Write([]byte(d.Text)) // what cannot be shown is on record
	}
	res, err := s.Agents.Run(ctx, id, c, hear)
	if err != nil {
		return err
	}
	r := turnResult(s, res)
	switch {
	case v.json:
		v.code = states[r.State]
		err = v.emitResult(r)
	case r.State == program.Parked && r.Waiting == nil && v.ctx.Err() == nil: // somebody moved the head while it ran
		err = failf(ExitParked, fmt.Sprintf("caper rewind --to %s brings it back", id), "%s was left: the head of session %d was moved", id, id.Session)
	default:
		if r.State == program.Done && !said {
			_, _ = out.Write([]byte(res.Text))
		}
		if r.State == program.Done && !strings.HasSuffix(res.Text, "\n") {
			_, _ = out.Write([]byte("\n"))
		}
		err = v.finish(r, runFlags{})
	}
	v.background(ctx, s, id.Session)
	if v.json || err != nil {
		return err
	}
	return v.late(s, r)
}

// background stays until what turns of a session sent to the background rests.
func (v *verb) background(ctx context.Context, s *assembly.System, session uint64) {
	if ids := s.Agents.Flying(session); len(ids) > 0 && !v.json && !v.quiet {
		fmt.Fprintf(v.Stderr, "caper: %d in the background, the first is %s; caper cancel ends one, Ctrl-C all\n", len(ids), ids[0])
	}
	s.Agents.Rest(ctx, session)
}

// late shows what a turn left in the background that waits for a person, and exits as that does.
func (v *verb) late(s *assembly.System, r program.Result) error {
	waiting, err := s.Calls.WaitingBelow(r.ID)
	if err != nil {
		return err
	}
	waiting = slices.DeleteFunc(waiting, func(id graph.ID) bool { return slices.Contains(r.Waiting, id) })
	if len(waiting) == 0 {
		return nil
	}
	rest := program.Parked
	for _, id := range waiting {
		e, err := s.Store.Entry(id)
		if err != nil {
			return err
		}
		if r.State == program.Uncertain || program.Status(e) == "uncertain" {
			rest = program.Uncertain
		}
	}
	return v.finish(program.Result{ID: r.ID, State: r.State, Rest: rest, Waiting: waiting}, runFlags{})
}

// turnResult is the end of a turn as the end of a program is told.
func turnResult(s *assembly.System, res agent.Result) program.Result {
	r := program.Result{ID: res.ID, State: program.Done, Value: res.Text}
	switch {
	case res.Rest == call.Parked:
		r.State = program.Parked
	case res.Rest == call.Uncertain:
		r.State = program.Uncertain
	case res.State == kind.Cancelled:
		r.State = program.Cancelled
	case res.State != kind.Settled:
		r.State = program.Raised
	}
	if res.Error != nil {
		r.Error = &program.Failure{Kind: res.Error.Code, Message: res.Error.Message}
		if res.Error.Code == "budget" {
			r.State = program.Budget
		}
	}
	if res.Rest != call.Settled {
		r.Waiting, _ = s.Calls.WaitingBelow(res.ID) // what cannot be read is not shown
	}
	return r
}

// contextOf is the context of a session that there is: its folder, with what this command says.
func (v *verb) contextOf(s *assembly.System, n uint64) (call.Context, error) {
	settings, err := session.SettingsOf(s.Store, n)
	if err != nil {
		return call.Context{}, err
	}
	return v.context(settings.Path)
}

// resumeTurn goes on with a turn that was interrupted or waits.
func (v *verb) resumeTurn(s *assembly.System, id graph.ID) error {
	settings, err := session.SettingsOf(s.Store, id.Session)
	if err != nil {
		return err
	}
	c, err := v.context(settings.Path)
	if err != nil {
		return err
	}
	u, err := session.At(s.Store, id)
	if err != nil {
		return err
	}
	away, err := session.Dormant(s.Store, id)
	if err != nil {
		return err
	}
	if away && u.Outcome == nil {
		return failf(ExitUsage, fmt.Sprintf("caper rewind --to %s brings it back", id), "%s was left: the head of session %d is elsewhere", id, id.Session)
	}
	c.Session = id.Session
	s.NameModel("", u.Turn.Model)
	if c.Answerability == license.None && !v.unattended && u.Turn.Answerability != kind.AnswerNone {
		c.Answerability = license.Queue // it could ask when it began: what would ask waits, it is not refused
	}
	return v.lead(s, id, c)
}
