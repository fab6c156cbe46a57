package command

import (
	"fmt"
	"path/filepath"
	"strings"

	"caper/runtime/assembly"
	"caper/runtime/graph"
	"caper/runtime/license"
	"caper/runtime/view"

	"github.com/spf13/cobra"
)

func (v *verb) policyCommand() *cobra.Command {
	c := &cobra.Command{Use: "policy", Short: "Explain, check and set what programs may do", Long: policyText,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return failf(ExitUsage, "caper policy explain, check, set, approvals or forget", "there is no command %q", "policy "+args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	c.AddCommand(v.explainCommand(), v.checkCommand(), v.setCommand(), v.rememberedCommand(), v.takeBackCommand())
	return c
}

func (v *verb) explainCommand() *cobra.Command {
	var cwd string
	c := &cobra.Command{Use: "explain TOOL ARG…", Short: "Say what would be decided of a call, and why",
		Example: "  caper policy explain bash 'git push origin main'\n  caper policy explain write-file docs/a.md text\n  caper policy explain grep TODO '#:path' src",
		Args:    atLeast(1, "a tool and its arguments"),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := v.Cwd
			if cwd != "" {
				dir = v.path(cwd)
			}
			dir, err := filepath.EvalSymlinks(dir)
			if err != nil {
				return failf(ExitUsage, "", "%w", err)
			}
			ctx, err := v.context(dir)
			if err != nil {
				return err
			}
			given := graph.List{}
			for _, a := range args[1:] {
				if len(a) > 2 && a[:2] == "#:" {
					given = append(given, graph.Keyword(a[2:]))
				} else {
					given = append(given, a)
				}
			}
			home, err := assembly.FindHome(v.env)
			if err != nil {
				return failf(ExitUsage, "", "%w", err)
			}
			service, err := assembly.Explainer(home)
			if err != nil {
				return err
			}
			d, err := service.Explain(v.ctx, &ctx, args[0], given)
			if err != nil {
				return failf(ExitUsage, "", "%w", err)
			}
			if v.json {
				return v.emitAs("decision", view.DecisionObject(d))
			}
			_, err = fmt.Fprint(v.Stdout, view.Decision(v.Style, args[0], given, d))
			return err
		}}
	c.Flags().StringVar(&cwd, "cwd", "", "the workspace; else the current folder")
	return c
}

func (v *verb) checkCommand() *cobra.Command {
	return &cobra.Command{Use: "check [FILE]", Short: "Check the rule files of this workspace, or one file", Args: atMost(1, "one file"),
		RunE: func(_ *cobra.Command, args []string) error {
			home, err := assembly.FindHome(v.env)
			if err != nil {
				return failf(ExitUsage, "", "%w", err)
			}
			extra := v.rules
			for _, a := range args {
				extra = append(extra, v.path(a))
			}
			if err := assembly.CheckRules(home, v.Cwd, extra); err != nil {
				return failf(ExitUsage, "", "%w", err)
			}
			there, absent := assembly.RuleFiles(home, v.Cwd, extra)
			if len(there) == 0 {
				return v.say("there are no rules: neither %s exists\n", strings.Join(absent, " nor "))
			}
			text := "the rules are in order: " + strings.Join(there, ", ")
			if len(absent) > 0 {
				text += "; there is no " + strings.Join(absent, " and no ")
			}
			return v.say("%s\n", text)
		}}
}

func (v *verb) setCommand() *cobra.Command {
	return &cobra.Command{Use: "set POSTURE", Short: "Set the posture that new sessions of this workspace begin with", Example: "  caper policy set auto", Args: exact(1, "a posture: manual, auto or yolo"),
		RunE: func(_ *cobra.Command, args []string) error {
			if _, err := license.NamedPosture(args[0]); err != nil {
				return failf(ExitUsage, "", "%w", err)
			}
			home, err := assembly.FindHome(v.env)
			if err != nil {
				return failf(ExitUsage, "", "%w", err)
			}
			dir, err := filepath.EvalSymlinks(v.Cwd)
			if err != nil {
				return err
			}
			if err := assembly.SetPosture(home, dir, args[0]); err != nil {
				return err
			}
			return v.say("new sessions in %s begin as %s\n", dir, args[0])
		}}
}
