package command

import (
	"fmt"

	"caper/repl"
	"caper/runtime/assembly"
	"caper/runtime/view"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (v *verb) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:       "completion SHELL",
		Short:     "Print what makes a shell complete caper's commands",
		Long:      "Print what makes a shell complete caper's commands, flags, tools and the ids of jobs. SHELL is bash, zsh or fish.",
		Example:   "  caper completion bash\n  caper completion zsh\n  caper completion fish",
		Args:      exact(1, "a shell: bash, zsh or fish"),
		ValidArgs: []string{"bash", "zsh", "fish"},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(v.Stdout, true)
			case "zsh":
				return root.GenZshCompletion(v.Stdout)
			case "fish":
				return root.GenFishCompletion(v.Stdout, true)
			}
			return failf(ExitUsage, "", "completion is for bash, zsh or fish; found %q", args[0])
		},
	}
}

// mostCompleted bounds how many ids are offered.
const mostCompleted = 200

// completeJobs offers the ids of programs, the newest first. A store that cannot be read offers none.
func (v *verb) completeJobs(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return v.completeRows("job", func(s *assembly.System) (view.Table, error) { return view.Jobs(s.Store, s.Calls, true) })
}

// completeSessions offers the numbers of sessions.
func (v *verb) completeSessions(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return v.completeRows("session", func(s *assembly.System) (view.Table, error) { return view.Sessions(s.Store, s.Calls) })
}

// completeWaiting offers the calls that wait for a person.
func (v *verb) completeWaiting(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	s, err := v.system()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for id, err := range s.Store.Waiting() {
		if err != nil || len(out) == mostCompleted {
			break
		}
		out = append(out, id.String())
	}
	questions, _ := v.threadQuestions() // a completion tells of no failure
	for _, q := range questions[:min(len(questions), mostCompleted-len(out))] {
		out = append(out, q.id)
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

func (v *verb) completeRows(column string, rows func(*assembly.System) (view.Table, error)) ([]string, cobra.ShellCompDirective) {
	s, err := v.system()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	t, err := rows(s)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	objects := t.Objects()
	for i := len(objects) - 1; i >= 0 && len(out) < mostCompleted; i-- {
		if id, ok := objects[i][column]; ok {
			out = append(out, fmt.Sprint(id))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// flagValues are what a flag may be, by its name, where there are few.
var flagValues = map[string][]string{
	"policy": repl.Choices["policy"], "mode": repl.Choices["mode"], "durability": {"sync", "fast"}, "editor": {"form", "liner", "plain"},
	"permissions": {"approval", "autonomous"}, "state": {"pending"}, "approve --for": {"once", "session", "project"}, "ask --for": {"turn", "session"},
}

// completing are the verbs whose first argument is the id of a job, of a session, or of a call that waits, and flags.
func (v *verb) completing(root *cobra.Command) {
	by := map[string]cobra.CompletionFunc{
		"tree": v.completeJobs, "show": v.completeJobs, "resume": v.completeJobs, "cancel": v.completeJobs, "timeline": v.completeJobs,
		"promote": v.completeJobs, "detach": v.completeJobs,
		"log": v.completeSessions, "forget": v.completeSessions, "transcript": v.completeSessions, "fork": v.completeSessions,
		"rewind": v.completeSessions, "compact": v.completeSessions,
		"approvals": v.completeWaiting, "approve": v.completeWaiting, "deny": v.completeWaiting, "resolve": v.completeWaiting,
	}
	for _, c := range root.Commands() {
		if f := by[c.Name()]; f != nil {
			c.ValidArgsFunction = f
		}
	}
	completeFlags(root)
}

func completeFlags(c *cobra.Command) {
	flag := func(f *pflag.Flag) {
		values := flagValues[f.Name]
		if values == nil {
			values = flagValues[c.Name()+" --"+f.Name]
		}
		if values != nil {
			_ = c.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)) // each flag comes once
		}
	}
	c.LocalNonPersistentFlags().VisitAll(flag)
	c.PersistentFlags().VisitAll(flag)
	for _, sub := range c.Commands() {
		completeFlags(sub)
	}
}
