package command

import (
	"path/filepath"
	"strconv"

	"caper/runtime/assembly"
	"caper/runtime/view"

	"github.com/spf13/cobra"
)

// workspace is the store with the canonical path of the current folder.
func (v *verb) workspace() (*assembly.System, string, error) {
	dir, err := filepath.EvalSymlinks(v.Cwd)
	if err != nil {
		return nil, "", failf(ExitUsage, "", "%w", err)
	}
	s, err := v.system()
	return s, dir, err
}

func ruleOf(r assembly.Remembered) string {
	if r.Rule == "" {
		return "one very call"
	}
	return r.Rule
}

func (v *verb) rememberedCommand() *cobra.Command {
	return &cobra.Command{Use: "approvals", Short: "List the approvals that are kept for this workspace", Long: "List the approvals that are kept for this workspace. What was approved for a session only holds in it and goes with it.",
		Args: exact(0, "nothing"), RunE: func(*cobra.Command, []string) error {
			s, dir, err := v.workspace()
			if err != nil {
				return err
			}
			list, err := s.Remembered(dir)
			if err != nil {
				return err
			}
			t := view.Table{Columns: []view.Column{{Name: "number"}, {Name: "rule", Wide: true}, {Name: "by", Wide: true}, {Name: "at", From: 70}},
				Empty: "nothing is remembered for this workspace"}
			for i, r := range list {
				t.Rows = append(t.Rows, []any{uint64(i + 1), ruleOf(r), r.By, r.At})
			}
			return v.table("remembered", t)
		}}
}

func (v *verb) takeBackCommand() *cobra.Command {
	return &cobra.Command{Use: "forget N", Short: "Take back an approval that is kept for this workspace", Example: "  caper policy approvals\n  caper policy forget 1",
		Args: exact(1, "a number of caper policy approvals"), RunE: func(_ *cobra.Command, args []string) error {
			n, err := strconv.Atoi(args[0])
			if err != nil {
				return failf(ExitUsage, "caper policy approvals lists them", "a number is wanted, found %q", args[0])
			}
			s, dir, err := v.workspace()
			if err != nil {
				return err
			}
			r, err := s.TakeBack(dir, n)
			if err != nil {
				return failf(ExitUsage, "caper policy approvals lists them", "%w", err)
			}
			return v.say("%s is asked again\n", ruleOf(r))
		}}
}
