package command

import (
	"io"

	"caper/runtime/assembly"

	"github.com/spf13/cobra"
)

// promptCommand prints what a model is to be told that works through programs.
func (v *verb) promptCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "prompt",
		Short: "Print the text that teaches a model our tools",
		Long: `Print the text that teaches a model to work through programs: what to call, what comes back, how errors look. It is the
description of the tool scheme, and stays as short as it is whatever the number of tools: a model finds the others by (find-tools text)
and (tool-doc name). Its size is bounded to 700 tokens, counted as one for 3.5 bytes.`,
		Example: "  caper prompt > prompt.txt",
		Args:    exact(0, "nothing"),
		RunE: func(*cobra.Command, []string) error {
			text := assembly.Prompt()
			if v.json {
				return v.emit(map[string]any{"type": "prompt", "text": text})
			}
			_, err := io.WriteString(v.Stdout, text)
			return err
		},
	}
}
