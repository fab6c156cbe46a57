// Package schemetest runs files of tests in Scheme as tests of Go:
//
//	func TestScheme(t *testing.T) { schemetest.Run(t, "testdata") }
//
// Each file whose name ends in -test.scm is a subtest, and each of its tests one below. Files are found, and programs
// run, as by caper test, over a store in memory, with nobody who could be asked.
package schemetest

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caper/interp"
	"caper/runtime/assembly"
	"caper/runtime/call"
	"caper/runtime/license"
	"caper/runtime/program"
	"caper/runtime/store"
	"caper/runtime/store/mem"
	"caper/runtime/tap"
)

// Options of a run.
type Options struct {
	// Workspace is the folder in which the programs' tools work; else a new one for each file.
	Workspace string
	// Posture is what programs may do without a question, which nobody answers: manual unless given.
	Posture license.Posture
	// Libs are folders for imports, besides that of the file.
	Libs []string
}

// Run runs the files of tests in a folder and below as subtests.
func Run(t *testing.T, dir string) {
	t.Helper()
	Options{}.Run(t, dir)
}

// Run runs the files of tests in a folder and below as subtests.
func (o Options) Run(t *testing.T, dir string) {
	t.Helper()
	files, err := program.TestFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("there are no tests in %s: a file of tests has a name such as list"+program.TestSuffix, dir)
	}
	options := assembly.EngineOptions(assembly.Tools())
	options.Implicit = append(slices.Clone(options.Implicit), "(srfi 64)")
	engine, err := interp.NewEngine(options)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		file = filepath.Join(dir, file)
		t.Run(file, func(t *testing.T) { o.file(t, engine, file) })
	}
}

func (o Options) file(t *testing.T, engine *interp.Engine, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	workspace := o.Workspace
	if workspace == "" {
		workspace = t.TempDir()
	}
	if workspace, err = filepath.EvalSymlinks(workspace); err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		t.Fatal(err)
	}
	st, err := mem.New().Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	system, err := assembly.New(st, assembly.Options{Home: assembly.Home{Data: home, Config: home}})
	if err != nil {
		t.Fatal(err)
	}
	defer system.Close()
	posture := o.Posture
	if posture == "" {
		posture = license.Manual
	}
	environ := os.Environ()
	env := map[string]string{}
	for _, kv := range environ {
		k, v, _ := strings.Cut(kv, "=")
		env[k] = v
	}
	spec := program.Spec{Name: file, Source: string(text), Dir: dir, Libs: o.Libs, Lazy: true, Context: call.Context{
		Workspace: workspace, Cwd: workspace, Environ: environ, Env: env, Answerability: license.None, Posture: posture}}
	var out bytes.Buffer
	runner := &program.Runner{Engine: engine, Open: func() (*call.Service, error) { return system.Calls, nil }}
	result, err := runner.Run(t.Context(), spec, program.Locked(&out), nil)
	report := tap.Read(out.String())
	for _, x := range report.Tests {
		name := x.Name
		if name == "" {
			name = "test"
		}
		t.Run(name, func(t *testing.T) { tell(t, x) })
	}
	if report.Other != "" {
		t.Logf("it printed\n%s", report.Other)
	}
	switch f := result.Error; {
	case err != nil:
		t.Fatal(err)
	case f != nil:
		t.Fatalf("%s: %s: %s %s", file, f.Kind, f.Message, f.Irritants)
	case result.State != program.Done && (result.State != program.Exited || result.Code != 0):
		t.Fatalf("%s: the program is %s %d", file, result.State, result.Code)
	case len(report.Tests) == 0:
		t.Errorf("%s: it ran no tests", file)
	case report.Plan >= 0 && report.Plan != len(report.Tests):
		t.Errorf("%s: %d tests reported of %d", file, len(report.Tests), report.Plan)
	}
}

func tell(t *testing.T, x tap.Test) {
	var notes strings.Builder
	for _, n := range x.Notes {
		notes.WriteString("\n" + n.Key + ": " + n.Text)
	}
	switch x.Outcome {
	case tap.Skipped:
		t.Skip(x.Name)
	case tap.Fail:
		t.Errorf("%s%s", x.Name, notes.String())
	case tap.Unexpected:
		t.Errorf("%s passed, and was expected to fail", x.Name)
	}
}
