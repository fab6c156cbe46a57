package command

import (
	"fmt"
	"strings"

	"caper/runtime/assembly"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/owner"

	"github.com/spf13/cobra"
)

func (v *verb) rewindCommand() *cobra.Command {
	var to string
	var files bool
	c := &cobra.Command{
		Use:   "rewind [SESSION] --to NODE",
		Short: "Move a session's head to a turn that it has been at, back or forward",
		Long: `Move a session's head to a turn that it has been at, back or forward. The posture and the definitions of that round
hold again. With --files, what tools did to files since is taken back, or forward, done again; files that something
else changed meanwhile stay as they are, and commands of bash are listed, as nobody knows what they changed.`,
		Example: "  caper rewind 3 --to 3.1.4\n  caper rewind --to 3.1.4 --files",
		Args:    atMost(1, "one session"),
		RunE: func(_ *cobra.Command, args []string) error {
			return v.moveHead(args, "rewind!", to, files)
		},
	}
	c.Flags().StringVar(&to, "to", "", "the turn, or the genesis: caper transcript shows their ids")
	c.Flags().BoolVar(&files, "files", false, "also put back the files that tools changed since")
	return c
}

func (v *verb) forkCommand() *cobra.Command {
	var at string
	c := &cobra.Command{
		Use:     "fork [SESSION] --at NODE",
		Short:   "Make a new session that goes on from a turn of another",
		Example: "  caper fork 3 --at 3.1.4",
		Args:    atMost(1, "one session"),
		RunE: func(_ *cobra.Command, args []string) error {
			return v.moveHead(args, "fork!", at, false)
		},
	}
	c.Flags().StringVar(&at, "at", "", "the turn, or the genesis: caper transcript shows their ids")
	return c
}

// moveHead makes the call that moves a head, as the person's own command.
func (v *verb) moveHead(args []string, tool, node string, files bool) error {
	if node == "" {
		return failf(ExitUsage, "caper transcript shows the ids of turns", "%s needs a turn", map[string]string{"rewind!": "--to", "fork!": "--at"}[tool])
	}
	s, err := v.system()
	if err != nil {
		return err
	}
	id, err := graph.ParseID(node)
	if err != nil {
		return failf(ExitUsage, "caper transcript shows the ids of turns", "%w", err)
	}
	n := id.Session
	if len(args) == 1 {
		if n, err = v.session(s, args); err != nil {
			return err
		}
	}
	c, err := v.contextOf(s, n)
	if err != nil {
		return err
	}
	c.Session, c.Bag = n, graph.RootBag
	ord, err := s.Store.Next(n, graph.RootBag)
	if err != nil {
		return err
	}
	r := call.Request{ID: graph.ID{Session: n, Bag: graph.RootBag, Ord: ord}, Tool: tool, Positional: []graph.Datum{node}, Operator: true}
	if files {
		r.Keywords = map[string]graph.Datum{"files": true}
	}
	return v.finishMove(s, &c, r, nil)
}

// finishMove leads the call to its end, or goes on with one that an earlier process began, and says what came of it.
func (v *verb) finishMove(s *assembly.System, c *call.Context, r call.Request, begun *kind.Entry) error {
	ctx, done := v.workUnless(owner.ErrHandover) // an owner whose turn this ends waits for it
	defer done()
	var end call.Ending
	if begun != nil {
		end = s.Calls.Continue(ctx, c, r, *begun)
	} else {
		end = s.Calls.Begin(ctx, c, r)
	}
	if end.Release != nil {
		defer end.Release()
	}
	if end.Err != nil {
		return end.Err
	}
	if end.Rest != call.Settled {
		v.code = ExitParked
		return v.say("%s waits: caper resume %s goes on\n", r.Tool, end.ID)
	}
	if err := s.Calls.Settle(end); err != nil {
		return err
	}
	if e := end.Outcome.Error; e != nil {
		return &Error{Code: ExitUsage, Err: fmt.Errorf("%s", e.Message)}
	}
	d, err := s.Calls.Fetch(end.Outcome.Value)
	if err != nil {
		return err
	}
	if v.json {
		return v.emitDatum(r.Tool, d)
	}
	return v.sayMove(s, c.Session, r.Tool, d)
}

func (v *verb) emitDatum(tool string, d graph.Datum) error {
	text, err := graph.ToJSON(d)
	if err != nil {
		return err
	}
	return v.emitAs(tool[:len(tool)-1], rawJSON(text))
}

type rawJSON []byte

func (r rawJSON) MarshalJSON() ([]byte, error) { return r, nil }

func (v *verb) sayMove(s *assembly.System, n uint64, tool string, d graph.Datum) error {
	if tool == "fork!" {
		made, _ := graph.Field(d, "session").(int64)
		return v.say("session %d goes on from %s: caper ask --session %d PROMPT\n", made, graph.TextField(d, "at"), made)
	}
	posture, err := s.Agents.CurrentPolicy(n)
	if err != nil {
		return err
	}
	if err := v.say("the head of session %d is %s; it was %s; posture %s\n", n, graph.TextField(d, "to"), graph.TextField(d, "from"), posture); err != nil {
		return err
	}
	for _, part := range []struct{ name, what string }{
		{"files", "put back"}, {"left", "left alone"}, {"commands", "ran and cannot be taken back"},
	} {
		list, _ := graph.Field(d, part.name).(graph.List)
		for _, x := range list {
			text, _ := x.(string)
			if err := v.say("%s: %s\n", part.what, strings.Join(strings.Fields(text), " ")); err != nil {
				return err
			}
		}
	}
	return nil
}

// resumeMove goes on with the move of a head that an earlier process began.
func (v *verb) resumeMove(s *assembly.System, id graph.ID) error {
	c, err := v.contextOf(s, id.Session)
	if err != nil {
		return err
	}
	c.Session, c.Bag = id.Session, graph.RootBag
	e, err := s.Store.Entry(id)
	if err != nil {
		return err
	}
	if e.Outcome != nil {
		return failf(ExitUsage, "", "%s has ended already: %s", id, e.Outcome.State)
	}
	r, err := s.Calls.RequestOf(e)
	if err != nil {
		return err
	}
	return v.finishMove(s, &c, r, &e)
}
