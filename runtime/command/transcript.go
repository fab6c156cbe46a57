package command

import (
	"io"

	"caper/runtime/session"
	"caper/runtime/view"

	"github.com/spf13/cobra"
)

func (v *verb) transcriptCommand() *cobra.Command {
	var last int
	c := &cobra.Command{
		Use:     "transcript [SESSION]",
		Short:   "Show what was said in a session, and the calls that came of it",
		Example: "  caper transcript\n  caper transcript 3 --last 2",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := v.system()
			if err != nil {
				return err
			}
			n, err := v.session(s, args)
			if err != nil {
				return err
			}
			id, ok, err := session.AgentOf(s.Store, n)
			if err != nil {
				return err
			}
			if !ok {
				return failf(ExitUsage, "caper tree shows its calls", "session %d has no agent, so nothing was said in it", n)
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
