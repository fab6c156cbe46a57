package command

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

// templates is a workflow with a test; NAME stands for its name.
//
//go:embed template
var templates embed.FS

var workflowName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

func (v *verb) newCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "new NAME",
		Short:   "Make a workflow from a template, with a test",
		Long:    "Make a workflow from a template, with a test: a folder NAME with a program, the library that does its thinking, and tests of that.",
		Example: "  caper new tally\n  caper run tally/tally.scm\n  caper test tally",
		Args:    exact(1, "the name of a workflow"),
		RunE: func(_ *cobra.Command, args []string) error {
			name := args[0]
			if !workflowName.MatchString(name) {
				return failf(ExitUsage, "such as caper new word-count", "a workflow's name begins with a letter and has small letters, digits and dashes; found %q", name)
			}
			dir := v.path(name)
			if err := os.Mkdir(dir, 0o777); err != nil {
				return failf(ExitUsage, "", "cannot make the folder %s: %w", name, err)
			}
			made := []string{}
			files, err := templates.ReadDir("template")
			if err != nil {
				return err
			}
			for _, f := range files {
				text, err := templates.ReadFile("template/" + f.Name())
				if err != nil {
					return err
				}
				file := strings.ReplaceAll(f.Name(), "NAME", name)
				if err := os.WriteFile(filepath.Join(dir, file), []byte(strings.ReplaceAll(string(text), "NAME", name)), 0o666); err != nil {
					return failf(ExitUsage, "", "cannot write %s: %w", filepath.Join(name, file), err)
				}
				made = append(made, filepath.Join(name, file))
			}
			if v.json {
				return v.emit(map[string]any{"type": "made", "files": made})
			}
			_, err = fmt.Fprintf(v.Stdout, "made %s\n  caper run %s/%s.scm    runs it\n  caper test %s    runs its tests\n  caper check %s/%s.scm    says what it may do\n",
				strings.Join(made, ", "), name, name, name, name, name)
			return err
		},
	}
}
