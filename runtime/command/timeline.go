package command

import (
	"fmt"

	"caper/runtime/view"

	"github.com/spf13/cobra"
)

func (v *verb) timelineCommand() *cobra.Command {
	return &cobra.Command{Use: "timeline [ID]", Short: "Chart what ran when", Example: "  caper timeline\n  caper timeline 1.1.0",
		Long: "Chart what ran when: a program or a turn, its calls and what they ran, each with its bar under the whole time. A pale bar is what has not ended.",
		Args: atMost(1, "one id"), ValidArgsFunction: v.completeJobs,
		RunE: func(_ *cobra.Command, args []string) error {
			s, id, err := v.job(args)
			if err != nil {
				return err
			}
			tree, err := view.Tree(s.Store, s.Calls, id)
			if err != nil {
				return err
			}
			if !v.json {
				_, err = fmt.Fprint(v.Stdout, view.DrawTimeline(v.Style, tree))
				return err
			}
			all, _ := view.Timeline(tree)
			for _, m := range all {
				if err := v.emitAs("span", m); err != nil {
					return err
				}
			}
			return nil
		}}
}
