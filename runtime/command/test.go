package command

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"caper/interp"
	"caper/runtime/call"
	"caper/runtime/program"
	"caper/runtime/tap"
	"caper/runtime/view"

	"github.com/spf13/cobra"
)

const testText = `Run tests: the files given, and all files whose names end in -test.scm in the folders given (else here) and below. Each
is a program of its own, under the license like any other, that says with SRFI 64 what it expects; a file that does not
begin with an import has the procedures of (srfi 64) beside the usual ones. Exit code 1 when a test fails.

    (test-begin "numbers")
    (test-equal "sum" 4 (+ 2 2))
    (test-group "division"
      (test-error (/ 1 0))
      (test-approximate 0.333 (/ 1 3) 0.001))
    (test-end "numbers")

Under caper run such a file prints TAP, the Test Anything Protocol. A Go test runs the files with caper/runtime/schemetest.`

func (v *verb) testCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:     "test [DIR|FILE...]",
		Short:   "Run the tests of programs",
		Long:    testText,
		Example: "  caper test\n  caper test lib/list-test.scm",
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := v.testFiles(args)
			if err != nil {
				return err
			}
			return v.test(files, f)
		},
	}
	c.Flags().StringVar(&f.cwd, "cwd", "", "the workspace; else the current folder")
	c.Flags().StringArrayVar(&f.libs, "lib", nil, "a folder in which (import (a b)) looks for a/b.sld (repeatable)")
	return c
}

// testFiles finds the files that arguments name, as they are shown, in order and each once.
func (v *verb) testFiles(args []string) ([]string, error) {
	if len(args) == 0 {
		args = []string{"."}
	}
	var files []string
	for _, arg := range args {
		info, err := os.Stat(v.path(arg))
		if err != nil {
			return nil, failf(ExitUsage, "", "cannot read the tests: %w", err)
		}
		if !info.IsDir() {
			files = append(files, filepath.Clean(arg))
			continue
		}
		found, err := program.TestFiles(v.path(arg))
		if err != nil {
			return nil, failf(ExitUsage, "", "cannot read the tests: %w", err)
		}
		for _, path := range found {
			files = append(files, filepath.Join(arg, path))
		}
	}
	slices.Sort(files)
	files = slices.Compact(files)
	if len(files) == 0 {
		return nil, failf(ExitUsage, "a file of tests has a name such as list"+program.TestSuffix, "there are no tests in %s", strings.Join(args, ", "))
	}
	return files, nil
}

func (v *verb) test(files []string, f runFlags) error {
	o := engineOptions()
	o.Implicit = append(slices.Clone(o.Implicit), "(srfi 64)")
	engine, err := interp.NewEngine(o)
	if err != nil {
		return err
	}
	runner := &program.Runner{Engine: engine, SnapshotEvery: snapshotEvery(), Open: func() (*call.Service, error) {
		s, err := v.system()
		if err != nil {
			return nil, err
		}
		return s.Calls, nil
	}}
	var all []*view.Tested
	for _, file := range files {
		t := &view.Tested{File: file}
		var out bytes.Buffer
		t.Result, t.Broken = v.testOne(runner, file, &out, f)
		if t.Broken != nil && (v.ctx.Err() != nil || storeError(t.Broken)) {
			return t.Broken
		}
		t.Report = tap.Read(out.String())
		all = append(all, t)
		if !t.Passed() {
			v.code = ExitRaised
		}
		if err := v.showTested(t); err != nil {
			return err
		}
		if t.Result.State == program.Cancelled && v.ctx.Err() != nil {
			v.code = ExitInterrupted
			break
		}
	}
	if v.json {
		return v.emitTotal(all)
	}
	_, err = fmt.Fprint(v.Stdout, view.TestTotal(v.Style, all))
	return err
}

func (v *verb) testOne(runner *program.Runner, file string, out *bytes.Buffer, f runFlags) (program.Result, error) {
	text, err := v.readSource(file)
	if err != nil {
		return program.Result{}, err
	}
	spec, err := v.spec(file, text, nil, f)
	if err != nil {
		return program.Result{}, err
	}
	spec.Dir, spec.Lazy = filepath.Dir(v.path(file)), true
	ctx, done := v.work()
	defer done()
	ctx, stop := v.timed(ctx, spec.Budget.Wall)
	defer stop()
	return runner.Run(ctx, spec, program.Locked(out), nil)
}

func (v *verb) showTested(t *view.Tested) error {
	if !v.json {
		if v.quiet && t.Passed() {
			return nil
		}
		_, err := fmt.Fprint(v.Stdout, view.TestFile(v.Style, t))
		return err
	}
	for _, x := range t.Report.Tests {
		e := map[string]any{"type": "test", "file": t.File, "number": x.Number, "name": x.Name, "outcome": string(x.Outcome)}
		if x.Notes != nil {
			notes := map[string]string{}
			for _, n := range x.Notes {
				notes[n.Key] = n.Text
			}
			e["notes"] = notes
		}
		if err := v.emit(e); err != nil {
			return err
		}
	}
	e := map[string]any{"type": "tested", "file": t.File, "passed": t.Passed(), "tests": len(t.Report.Tests)}
	if problem := t.Problem(); problem != "" {
		e["problem"] = problem
	}
	if t.Broken != nil {
		e["error"] = t.Broken.Error()
	} else if t.Result.Error != nil {
		e["error"] = failureObject(t.Result.Error)
	}
	return v.emit(e)
}

func (v *verb) emitTotal(all []*view.Tested) error {
	counts := map[string]any{"type": "total", "files": len(all), "exit": v.code}
	for _, o := range []tap.Outcome{tap.Pass, tap.Fail, tap.Skipped, tap.Expected, tap.Unexpected} {
		n := 0
		for _, t := range all {
			n += t.Report.Count(o)
		}
		counts[string(o)] = n
	}
	return v.emit(counts)
}
