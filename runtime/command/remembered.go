package command

import (
	"path/filepath"

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
	return &cobra.Command{Use: "approvals", Short: "List the approvals that are kept for this workspace and its sessions",
		Args: exact(0, "nothing"), RunE: func(*cobra.Command, []string) error {
			s, dir, err := v.workspace()
			if err != nil {
				return err
			}
			list, err := s.Remembered(dir)
			if err != nil {
				return err
			}
			t := view.Table{Columns: []view.Column{{Name: "id"}, {Name: "scope"}, {Name: "rule", Wide: true}, {Name: "by", Wide: true}, {Name: "at", From: 70}, {Name: "workspace", Wide: true, From: 100}},
				Empty: "nothing is remembered for this workspace"}
			for _, r := range list {
				t.Rows = append(t.Rows, []any{r.ID, string(r.Scope), ruleOf(r), r.By, r.At, dir})
			}
			return v.table("remembered", t)
		}}
}

func (v *verb) takeBackCommand() *cobra.Command {
	return &cobra.Command{Use: "forget ID", Short: "Take back an approval that is kept for this workspace or a session of it", Example: "  caper policy approvals\n  caper policy forget 1\n  caper policy forget 4.1",
		Args: exact(1, "an id of caper policy approvals"), RunE: func(_ *cobra.Command, args []string) error {
			s, dir, err := v.workspace()
			if err != nil {
				return err
			}
			r, err := s.TakeBack(dir, args[0], v.by())
			if err != nil {
				return failf(ExitUsage, "caper policy approvals lists them", "%w", err)
			}
			return v.say("%s is asked again\n", ruleOf(r))
		}}
}
