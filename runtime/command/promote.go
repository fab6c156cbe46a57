package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"caper/runtime/format"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/program"

	"github.com/spf13/cobra"
)

func (v *verb) promoteCommand() *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:   "promote JOB",
		Short: "Make a file, a tool and a test of a program that an agent wrote",
		Long: `Make a file of a program that an agent wrote: its #:args, and the literal paths that it read, become parameters with what
they were as defaults. The file runs as it is, is a tool where it lies in .caper/tools or in tools of Caper's configuration folder, and
beside it a test compares what it answers with what it answered. JOB is the program, or the call of the tool scheme.`,
		Example: "  caper promote 3.2.4 -o count-words.scm\n  caper run count-words.scm -- docs/intro.md",
		Args:    exact(1, "the id of a program"),
		RunE:    func(_ *cobra.Command, args []string) error { return v.promote(args, file) },
	}
	c.Flags().StringVarP(&file, "output", "o", "", "the file; else the program is printed and no test is made")
	return c
}

func (v *verb) promote(args []string, file string) error {
	s, id, err := v.job(args)
	if err != nil {
		return err
	}
	n, err := s.Store.Node(id)
	if err != nil {
		return err
	}
	if t, ok := n.(kind.ToolCall); ok && t.Call().Bag != 0 { // a call whose body is a program
		id = graph.ID{Session: id.Session, Bag: t.Call().Bag}
	}
	name := "promoted"
	if file != "" {
		if filepath.Ext(file) != ".scm" {
			return failf(ExitUsage, "", "the file is called NAME.scm; found %s", file)
		}
		name = strings.TrimSuffix(filepath.Base(file), ".scm")
	}
	p, err := program.Promote(s.Calls, id, name)
	if err != nil {
		return failf(ExitUsage, "caper tree shows the programs", "%w", err)
	}
	for _, text := range []*string{&p.Program, &p.Test} {
		if *text, err = format.Source(name, *text); err != nil {
			return err
		}
	}
	if file == "" && v.json {
		return v.emit(map[string]any{"type": "promoted", "text": p.Program})
	} else if file == "" {
		_, err := fmt.Fprint(v.Stdout, p.Program)
		return err
	}
	path := v.path(file)
	test := strings.TrimSuffix(path, ".scm") + program.TestSuffix
	for _, f := range []struct{ path, text string }{{path, p.Program}, {test, p.Test}} {
		out, err := os.OpenFile(f.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if err != nil {
			return failf(ExitUsage, "what is there is never written over", "cannot write %s: %w", f.path, err)
		}
		if _, err = out.WriteString(f.text); err == nil {
			err = out.Close()
		}
		if err != nil {
			return failf(ExitUsage, "", "cannot write %s: %w", f.path, err)
		}
	}
	with := "without parameters"
	if len(p.Parameters) > 0 {
		with = "with the parameters " + strings.Join(p.Parameters, " ")
	}
	return v.say("%s %s, and its test %s\n", file, with, filepath.Base(test))
}
