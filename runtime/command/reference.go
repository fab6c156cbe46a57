package command

import (
	"fmt"
	"strings"

	"caper/runtime/assembly"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// exits are the exit codes and what they mean.
var exits = []struct {
	code int
	what string
}{
	{ExitOK, "ok"}, {ExitRaised, "the program raised, or what was looked for was not found in order"}, {ExitUsage, "usage: the command line or a file that it names"},
	{ExitDenied, "denied, or nobody to ask"}, {ExitBudget, "a budget was spent"}, {ExitUncertain, "uncertain: a person must decide"},
	{ExitStore, "the store is damaged or cannot be opened"}, {ExitParked, "parked: it waits for a person"}, {ExitInterrupted, "interrupted"},
}

// referenceTopic is the one page that has all commands. It is made of the commands themselves.
func (v *verb) referenceTopic() *cobra.Command {
	c := &cobra.Command{Use: "reference", Short: "All commands, flags, tools and exit codes on one page"}
	c.SetHelpFunc(func(cmd *cobra.Command, _ []string) { fmt.Fprint(v.Stdout, reference(cmd.Root())) })
	return c
}

// reference is the page as Markdown.
func reference(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("# Caper's command line\n\nThis page is printed by `caper help reference`.\n\n## Commands\n")
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Runnable() && c != root && c.Name() != "help" {
			fmt.Fprintf(&b, "\n### %s\n\n%s.\n", usage(c), strings.TrimSuffix(c.Short, "."))
			if c.Example != "" {
				fmt.Fprintf(&b, "\n```sh\n%s\n```\n", strings.ReplaceAll(strings.TrimPrefix(c.Example, "  "), "\n  ", "\n"))
			}
			flagRows(&b, c.LocalNonPersistentFlags())
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
	b.WriteString("\n## Flags of all commands\n")
	flagRows(&b, root.PersistentFlags())
	b.WriteString("\n## Exit codes\n\n| code | meaning |\n|---|---|\n")
	for _, e := range exits {
		fmt.Fprintf(&b, "| %d | %s |\n", e.code, e.what)
	}
	b.WriteString("\n`(exit N)` in a program gives N.\n\n## Tools\n\n| call | what it does |\n|---|---|\n")
	for _, t := range assembly.ToolHelps() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(t.Usage, "|", "\\|"), strings.ReplaceAll(t.Summary, "|", "\\|"))
	}
	for _, part := range [][2]string{{"models.yaml and prices.json", modelsText}, {"config.yaml of a worker", workerText}, {"--json", jsonText}} {
		fmt.Fprintf(&b, "\n## %s\n\n```\n%s\n```\n", part[0], part[1])
	}
	return b.String()
}

func flagRows(b *strings.Builder, set *pflag.FlagSet) {
	begun := false
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		if !begun {
			b.WriteString("\n| flag | meaning |\n|---|---|\n")
			begun = true
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if kind, _ := pflag.UnquoteUsage(f); kind != "" {
			name += " " + kind
		}
		fmt.Fprintf(b, "| `%s` | %s |\n", name, strings.ReplaceAll(f.Usage, "|", "\\|"))
	})
}
