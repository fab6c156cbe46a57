package command

import (
	"fmt"
	"io"
	"path/filepath"
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
	model, session, agent string
}

func (v *verb) askCommand() *cobra.Command {
	var f askFlags
	c := &cobra.Command{
		Use:     "ask PROMPT",
		Short:   "Ask an agent, in a new session or a later turn of one",
		Long:    "Ask an agent, in a new session or a later turn of one. PROMPT may be -, for standard input.",
		Example: "  caper ask --model anthropic:claude-sonnet-4-5 'What does this project do?'\n  caper ask --session 3 'And how is it tested?'",
		Args:    exact(1, "one prompt"),
		RunE:    func(_ *cobra.Command, args []string) error { return v.ask(args[0], f) },
	}
	c.Flags().StringVar(&f.model, "model", "", "connection:model that answers; else the session's, else the agent's")
	c.Flags().StringVar(&f.session, "session", "", "the session to go on with; else a new one")
	c.Flags().StringVar(&f.agent, "agent", "", "the agent of the catalogue that answers in a new session")
	return c
}

func (v *verb) ask(prompt string, f askFlags) error {
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
	a := agent.Ask{Prompt: prompt, Model: f.model, Policy: v.policy}
	if f.session == "" {
		a.Agent, err = s.NewConversation(&c, f.agent)
	} else {
		a.Agent, err = v.conversation(s, f.session, &c)
	}
	if err != nil {
		return err
	}
	a.Context = c
	id, err := s.Agents.Mint(a)
	if err != nil {
		return err
	}
	if v.Job != nil {
		v.Job(id.String())
	}
	return v.lead(s, id, c)
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
		_ = out.show([]byte(d.Text)) // what cannot be shown is on record
	}
	res, err := s.Agents.Run(ctx, id, c, hear)
	if err != nil {
		return err
	}
	r := turnResult(s, res)
	v.code = states[r.State]
	if v.json {
		return v.emitResult(r)
	}
	if r.State == program.Done && !said {
		_ = out.show([]byte(res.Text))
	}
	if r.State == program.Done && !strings.HasSuffix(res.Text, "\n") {
		_ = out.show([]byte("\n"))
	}
	return v.finish(r, runFlags{})
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
		for id, err := range s.Store.Waiting() {
			if err != nil {
				break
			}
			if below, err := s.Calls.Below(id, res.ID); err == nil && below {
				r.Waiting = append(r.Waiting, id)
			}
		}
	}
	return r
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
	if c.Answerability == license.None && !v.unattended && u.Turn.Answerability != kind.AnswerNone {
		c.Answerability = license.Queue // it could ask when it began: what would ask waits, it is not refused
	}
	return v.lead(s, id, c)
}
