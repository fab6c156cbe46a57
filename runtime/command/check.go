package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"caper/interp"
	"caper/interp/expand"
	"caper/interp/syntax"
	"caper/runtime/assembly"
	"caper/runtime/call"
	"caper/runtime/check"
	"caper/runtime/graph"
	"caper/runtime/license"
	"caper/runtime/program"
	"caper/runtime/view"

	"github.com/spf13/cobra"
)

func (v *verb) checkFileCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "check FILE…",
		Short: "Find mistakes in a program and say what it may do, without running it",
		Long: `Find mistakes in a program and say what it may do, without running it. Errors are those that caper run would report before
anything runs, and calls of tools that will fail for their arguments. Then come the tools that the program may call, with the arguments that its text settles (_ is what only a run
shows), and what the policy would answer: allow, ask, deny, or that it depends on what is not known yet. Nothing is asked and
nothing acts; what the program includes and imports is read. FILE may be -, for standard input.`,
		Example: "  caper check a.scm\n  caper check --policy yolo a.scm\n  caper check --json a.scm",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return failf(ExitUsage, "caper check FILE…", "check needs the file of a program")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			for _, file := range args {
				if err := v.checkFile(file, f); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().StringVar(&f.cwd, "cwd", "", "the workspace; else the current folder")
	c.Flags().StringArrayVar(&f.libs, "lib", nil, "a folder in which (import (a b)) looks for a/b.sld (repeatable)")
	return c
}

func (v *verb) checkFile(file string, f runFlags) error {
	text, err := v.sourceText(file)
	if err != nil {
		return err
	}
	name := file
	if file == "-" {
		name = "<stdin>"
	}
	spec, err := v.spec(name, text, nil, f)
	if err != nil {
		return err
	}
	files := fileLoader{dir: filepath.Dir(v.path(file)), libs: spec.Libs}
	report, err := v.follow(syntax.NewSource(name, text), files)
	if err != nil {
		v.code = ExitRaised
		if v.json {
			return v.emit(mistake(name, err))
		}
		_, err = fmt.Fprint(v.Stdout, view.Error(v.Style, err))
		return err
	}
	home, err := assembly.FindHome(v.env)
	if err != nil {
		return failf(ExitUsage, "", "%w", err)
	}
	service, err := assembly.Explainer(home)
	if err != nil {
		return err
	}
	rows := make([]view.Foreseen, 0, len(report.Calls))
	for _, c := range report.Calls {
		rows = append(rows, view.Foreseen{Call: c.String(), Sites: c.Sites, Verdict: v.verdict(service, &spec.Context, c)})
	}
	mistakes := view.Mistakes(rows)
	if mistakes > 0 {
		v.code = ExitRaised
	}
	if !v.json {
		_, err := fmt.Fprint(v.Stdout, view.Checked(v.Style, name, rows, report))
		return err
	}
	for i, r := range rows {
		if err := v.emit(foreseenObject(name, report.Calls[i], r)); err != nil {
			return err
		}
	}
	notes := []string{}
	for _, n := range report.Notes {
		notes = append(notes, view.Where(n.At)+": "+n.Text)
	}
	return v.emit(map[string]any{"type": "checked", "file": name, "ok": mistakes == 0, "mistakes": mistakes, "calls": len(rows), "notes": notes, "cut": report.Cut})
}

// follow loads a program as a run would, for its errors, and then follows it.
func (v *verb) follow(src *syntax.Source, files fileLoader) (*check.Report, error) {
	engine, err := newEngine()
	if err != nil {
		return nil, err
	}
	m, err := engine.NewMachine(interp.Config{Memory: program.DefaultMemory, Loader: files, Strict: true})
	if err != nil {
		return nil, err
	}
	defer m.Close()
	if err := m.Load(src); err != nil {
		return nil, err
	}
	return check.Program(engineOptions(), files, src)
}

func (v *verb) verdict(s *call.Service, c *call.Context, made *check.Call) check.Verdict {
	return check.Judge(made, s.Tools, func(name string, args graph.List) (license.Decision, error) {
		return s.Explain(v.ctx, c, name, args)
	})
}

func foreseenObject(file string, c *check.Call, r view.Foreseen) map[string]any {
	args := []any{}
	for _, a := range c.Args {
		if a.Unknown {
			args = append(args, nil)
		} else {
			args = append(args, graph.Write(a.Datum))
		}
	}
	at := []string{}
	for _, s := range r.Sites {
		at = append(at, view.Where(s))
	}
	e := map[string]any{"type": "call", "file": file, "at": at, "tool": c.Tool, "call": r.Call, "args": args, "open": c.Open, "verdict": r.Verdict.Verdict}
	d := r.Verdict.Decision
	for k, text := range map[string]string{"on": r.Verdict.On, "inside": r.Verdict.Inside, "rule": d.Rule, "origin": d.Origin, "reason": d.Reason} {
		if text != "" {
			e[k] = text
		}
	}
	if r.Verdict.Problem != nil {
		e["problem"] = r.Verdict.Problem.Error()
	}
	return e
}

// mistake is the object of a program that cannot be loaded.
func mistake(file string, err error) map[string]any {
	e := map[string]any{"type": "checked", "file": file, "ok": false, "error": err.Error()}
	var unread *syntax.Error
	var unexpanded *expand.Error
	switch {
	case errors.As(err, &unread):
		e["at"], e["error"], e["hint"] = view.Where(unread.Span), unread.Message, unread.Hint
	case errors.As(err, &unexpanded):
		e["at"], e["error"] = view.Where(unexpanded.Span), unexpanded.Message
	}
	return e
}

// fileLoader reads what a program includes and imports from its folder and the folders of --lib.
type fileLoader struct {
	dir  string
	libs []string
}

// Library looks for a/b.sld.
func (l fileLoader) Library(name []string, _ syntax.Span) (*syntax.Source, error) {
	for _, part := range name {
		if part == "" || part == "." || part == ".." || strings.ContainsAny(part, "/\x00") {
			return nil, fmt.Errorf("(%s) cannot be the name of a file", strings.Join(name, " "))
		}
	}
	for _, dir := range append([]string{l.dir}, l.libs...) {
		src, err := readText(filepath.Join(dir, filepath.Join(name...)+".sld"))
		if err == nil || !errors.Is(err, os.ErrNotExist) {
			return src, err
		}
	}
	return nil, nil
}

// Include reads a file named relative to the file that names it.
func (l fileLoader) Include(path string, from *syntax.Source, _ syntax.Span) (*syntax.Source, error) {
	if !filepath.IsAbs(path) {
		dir := l.dir
		if from != nil && filepath.IsAbs(from.Name) {
			dir = filepath.Dir(from.Name)
		}
		path = filepath.Join(dir, path)
	}
	return readText(path)
}

func readText(path string) (*syntax.Source, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no file", path)
	case info.Size() > maxSource:
		return nil, fmt.Errorf("%s has %d bytes; at most %d are possible", path, info.Size(), maxSource)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return syntax.NewSource(path, string(text)), nil
}
