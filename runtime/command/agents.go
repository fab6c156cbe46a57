package command

import (
	"fmt"
	"path/filepath"
	"strings"

	"caper/runtime/assembly"
	"caper/runtime/view"

	"github.com/spf13/cobra"
)

const agentsText = `List the recipes of agents that hold here, or show one of them whole.

A recipe is a file NAME.md in the folder agents of Caper's configuration (yours) or in .caper/agents of the workspace (the
repository's): front matter between lines ---, then the constitution, which is what its agents are told.

    ---
    description: finds errors that are ignored
    model: anthropic:claude-sonnet-4-5
    tools: [read-file, grep, glob]
    keep-alive: true
    ---
    You review code. Name file and line.

An agent gets the tools that its recipe names; a recipe says nothing of what may happen without asking. Where both have a
recipe of one name, yours holds and the repository's is not used. Programs make more with (define-agent 'name …), for their
session, and (spawn-agent 'name prompt) makes an agent; a changed file holds from the next turn on.`

func (v *verb) agentsCommand() *cobra.Command {
	return &cobra.Command{Use: "agents [NAME]", Short: "List the recipes of agents, or show one", Long: agentsText, Args: atMost(1, "one name"),
		Example: "  caper agents\n  caper ask --agent reviewer 'Look at src'", RunE: func(_ *cobra.Command, args []string) error {
			home, err := assembly.FindHome(v.env)
			if err != nil {
				return failf(ExitUsage, "", "%w", err)
			}
			dir, err := filepath.EvalSymlinks(v.Cwd)
			if err != nil {
				return failf(ExitUsage, "", "%w", err)
			}
			all, err := assembly.Catalogue(home, dir)
			if err != nil {
				return err
			}
			t := view.Table{Columns: []view.Column{{Name: "agent"}, {Name: "state"}, {Name: "model", From: 60}, {Name: "tools", Wide: true, From: 100}, {Name: "description", Wide: true}, {Name: "file", Wide: true, From: 80}},
				Empty: "there is no recipe of an agent: caper help agents says how to write one"}
			for _, r := range all {
				state, what := "yours", r.Description
				if r.Project {
					state = "project"
				}
				switch {
				case r.Err != nil:
					state, what = "unreadable", r.Err.Error()
				case r.Ignored != "":
					state, what = "not used", r.Ignored
				}
				if len(args) == 1 && r.Name == args[0] {
					switch {
					case r.Err != nil:
						return failf(ExitUsage, "", "%w", r.Err)
					case r.Ignored != "":
						continue
					}
					text, _ := r.Constitution.Datum.(string)
					if v.json {
						return v.emitAs("agent", map[string]any{"agent": r.Name, "state": state, "description": r.Description, "model": r.Model, "tools": r.Tools,
							"keepAlive": r.KeepAlive, "voidLegal": r.VoidLegal, "nature": r.Nature, "constitution": text, "file": r.File})
					}
					var lines strings.Builder
					for line := range strings.SplitSeq(text, "\n") {
						lines.WriteString("\n" + v.Style.Clean(line))
					}
					_, err := fmt.Fprintf(v.Stdout, "%s  %s\n%s\nmodel  %s\ntools  %s\n%s\n", v.Style.Clean(r.Name), v.Style.Clean(r.File), v.Style.Clean(r.Description),
						v.Style.Clean(or(r.Model, "the session's")), v.Style.Clean(or(strings.Join(r.Tools, " "), "none but those that it is given")), lines.String())
					return err
				}
				t.Rows = append(t.Rows, []any{r.Name, state, r.Model, strings.Join(r.Tools, " "), what, r.File})
			}
			if len(args) == 1 {
				return failf(ExitUsage, "caper agents lists them", "there is no agent %q in the catalogue", args[0])
			}
			return v.table("agent", t)
		}}
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
