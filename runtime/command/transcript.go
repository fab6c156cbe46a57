package command

import (
	"io"

	"caper/runtime/assembly"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/session"
	"caper/runtime/view"

	"github.com/spf13/cobra"
)

func (v *verb) transcriptCommand() *cobra.Command {
	var last int
	c := &cobra.Command{
		Use:     "transcript [SESSION|AGENT]",
		Short:   "Show what was said in a session, and the calls that came of it",
		Long:    "Show what was said in a session, and the calls that came of it: by its own agent, or by one that it made, whose id is then named.",
		Example: "  caper transcript\n  caper transcript 3 --last 2",
		Args:    atMost(1, "one session or agent"),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := v.system()
			if err != nil {
				return err
			}
			id, err := v.speaker(s, args)
			if err != nil {
				return err
			}
			units, err := s.Agents.Paint(id, last)
			if err != nil {
				return err
			}
			if v.json {
				for _, o := range view.TranscriptObjects(units) {
					if err := v.emit(o); err != nil {
						return err
					}
				}
				return nil
			}
			_, err = io.WriteString(v.Stdout, view.Transcript(v.Style, s.Store, s.Calls, units))
			return err
		},
	}
	c.Flags().IntVar(&last, "last", 0, "only so many turns, the newest; else all")
	return c
}

// speaker reads whose conversation is meant: an agent's, or that of a session's own agent.
func (v *verb) speaker(s *assembly.System, args []string) (graph.ID, error) {
	if len(args) == 1 {
		if id, err := graph.ParseID(args[0]); err == nil {
			if n, err := s.Store.Node(id); err == nil && n.Kind() == kind.KindAgent {
				return id, nil
			}
		}
	}
	n, err := v.session(s, args)
	if err != nil {
		return graph.ID{}, err
	}
	id, ok, err := session.AgentOf(s.Store, n)
	if err == nil && !ok {
		err = failf(ExitUsage, "caper tree shows its calls", "session %d has no agent, so nothing was said in it", n)
	}
	return id, err
}
