package command_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"caper/runtime/command"
	"caper/runtime/worker/driver/drivertest"

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	testscript.Main(leakless{m}, commands)
}

// commands are what tests may run as programs.
var commands = map[string]func(){"caper": func() { os.Exit(command.Main()) }, "measure-columns": measureColumns, "standin": drivertest.Client}

// leakless fails tests that leave goroutines behind.
type leakless struct{ m *testing.M }

func (l leakless) Run() int {
	code := l.m.Run()
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
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
			"exit":    exitCode,
			"jsonl":   jsonLines,
			"waitfor": waitFor,
			"left":    leftBehind,
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

// jsonLines checks that the last command printed JSON objects with a type, one a line, of these types: jsonl output result
func jsonLines(ts *testscript.TestScript, neg bool, args []string) {
	var types []string
	for _, line := range strings.Split(strings.TrimSuffix(ts.ReadFile("stdout"), "\n"), "\n") {
		var object struct{ Type string }
		if err := json.Unmarshal([]byte(line), &object); err != nil || object.Type == "" {
			ts.Fatalf("%q is no object with a type: %v", line, err)
		}
		if len(types) == 0 || types[len(types)-1] != object.Type {
			types = append(types, object.Type)
		}
	}
	if got, want := strings.Join(types, " "), strings.Join(args, " "); neg || got != want {
		ts.Fatalf("objects of the types %s, want %s", got, want)
	}
}

// leftBehind checks how many processes of clients are alive: left 0
func leftBehind(ts *testscript.TestScript, neg bool, args []string) {
	all := drivertest.Left(drivertest.State + "=" + ts.Getenv(drivertest.State) + "\x00")
	if neg || len(args) != 1 || args[0] != strconv.Itoa(len(all)) {
		ts.Fatalf("left: %d processes: %s", len(all), strings.Join(all, ", "))
	}
}

// waitFor waits until a file exists: waitfor started
func waitFor(ts *testscript.TestScript, neg bool, args []string) {
	for range 6000 {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond) // another process makes it
	}
	ts.Fatalf("%s never came", args[0])
}
