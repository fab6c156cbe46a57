package command_test

import (
	"os"
	"path/filepath"
	"testing"

	"caper/runtime/command"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"caper": func() { os.Exit(command.Main()) }})
}

// TestScripts runs the command line as real processes: each script has a home, a workspace and a store of its own.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("CAPER_HOME", filepath.Join(e.WorkDir, ".caperhome"))
			e.Setenv("HOME", filepath.Join(e.WorkDir, ".home"))
			return os.MkdirAll(filepath.Join(e.WorkDir, ".home"), 0o755)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exit": exitCode,
		},
	})
}

// exitCode runs a command and checks its exit code: exit 3 caper run x.scm
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exit CODE COMMAND ARG…")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = exitOf(err)
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}
