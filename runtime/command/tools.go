package command

import (
	"fmt"
	"strings"

	"caper/interp/near"
	"caper/runtime/assembly"
	"caper/runtime/tool"

	"github.com/spf13/cobra"
)

// tools prints one line a tool, or all that is known of one.
func (v *verb) tools(_ *cobra.Command, args []string) error {
	set := assembly.Tools()
	if len(args) == 0 {
		for _, name := range set.Names() {
			t, _ := set.Get(name)
			if v.json {
				if err := v.emit(toolObject(t)); err != nil {
					return err
				}
				continue
			}
			if _, err := fmt.Fprintf(v.Stdout, "%s\n    %s\n", tool.Usage(t), t.Summary); err != nil {
				return err
			}
		}
		return nil
	}
	t, ok := set.Get(args[0])
	if !ok {
		hint := near.Question(near.Names(args[0], set.Names()))
		if hint == "" {
			hint = "caper tools lists them"
		}
		return failf(ExitUsage, hint, "there is no tool %q", args[0])
	}
	if v.json {
		return v.emit(toolObject(t))
	}
	_, err := fmt.Fprintf(v.Stdout, "%s\n    %s\n    effect: %s\n\n%s\n", tool.Usage(t), t.Summary, t.Effect, strings.TrimSpace(t.Doc))
	return err
}

func toolObject(t *tool.Tool) map[string]any {
	params := []map[string]any{}
	for _, p := range t.Params {
		params = append(params, map[string]any{"name": p.Name, "keyword": p.Keyword, "required": p.Required, "doc": p.Doc})
	}
	return map[string]any{"type": "tool", "name": t.Name, "usage": tool.Usage(t), "summary": t.Summary, "effect": t.Effect.String(), "doc": t.Doc, "params": params}
}
