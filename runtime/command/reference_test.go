package command_test

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s is not what there is; go test ./runtime/command -run %s -update writes it anew\n%s", file, t.Name(), d)
	}
}

func printed(t *testing.T, args ...string) string {
	t.Helper()
	c := exec.Command("caper", args...)
	c.Env = append(os.Environ(), "CAPER_HOME="+filepath.Join(t.TempDir(), "home"))
	out, err := c.Output()
	if err != nil {
		t.Fatalf("caper %q: %v", args, err)
	}
	return string(out)
}

// TestReference holds the page to what the commands say of themselves.
func TestReference(t *testing.T) { golden(t, "reference.md", printed(t, "help", "reference")) }

// TestErrors holds the table of the errors of the command line, with their exit codes, to what the code has.
func TestErrors(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	set := token.NewFileSet()
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name, ok := call.Fun.(*ast.Ident)
			if !ok || name.Name != "failf" || len(call.Args) < 3 {
				return true
			}
			code, format := "?", "(made where it is reported)"
			if id, ok := call.Args[0].(*ast.Ident); ok {
				code = id.Name
			}
			if l, ok := call.Args[2].(*ast.BasicLit); ok {
				format, _ = strconv.Unquote(l.Value)
			}
			rows[fmt.Sprintf("%-16s %s", code, format)] = true
			return true
		})
	}
	var all []string
	for r := range rows {
		all = append(all, r)
	}
	sort.Strings(all)
	if len(all) < 60 {
		t.Fatalf("only %d errors were found", len(all))
	}
	golden(t, "testdata/errors.txt", strings.Join(all, "\n")+"\n")
}

// exampleBefore are commands that must come before an example for it to make sense.
var exampleBefore = map[string][]string{
	"caper approve 3.2.1 --for session": nil,
	"caper show 3.2.1 --stdout":         {"caper approve 3.2.1", "caper resume 3.1.0"},
	"caper forget 3":                    {"caper cancel 3.1.0"},
	"caper resume":                      {"caper approve 3.2.1"},
	"caper resume 3.1.0":                {"caper approve 3.2.1"},
	"caper run tally/tally.scm":         {"caper new tally"},
	"caper test tally":                  {"caper new tally"},
}

// exampleExit are examples that end with another code than 0, as they should.
var exampleExit = map[string]int{"caper run --park todo.scm -- src": 7, "caper fmt --check a.scm": 1}

// examplesParsed are examples whose command line is only read: they ask a model, go on until they are stopped, or are
// about what only a crash or a turn leaves. Each has a reason.
var examplesParsed = map[string]string{
	"caper ask": "asks a model", "caper detach": "of a turn", "caper compact": "of a turn", "caper transcript": "of a turn", "caper rewind": "of a turn",
	"caper fork": "of a turn", "caper resolve": "of a crash", "caper serve": "until it is stopped", "caper log 3 --follow": "until it is stopped",
	"caper thread": "its own scripts run it", "caper worker": "its own scripts run it", "caper policy forget": "its own script runs it", "caper promote": "its own script runs it",
	"caper mcp": "until it is stopped", "caper run count-words.scm": "what promote makes, whose own script runs it",
}

// TestExamples runs every example of every command's help, each in a copy of one workspace with three sessions, the last
// of which waits.
func TestExamples(t *testing.T) {
	base := t.TempDir()
	for name, text := range map[string]string{
		"a.scm": "(define   x 1)\n(display x)\n", "build.scm": "(display (read-file \"a.scm\"))\n", "sum.scm": "(+ 1 2)\n",
		"todo.scm": "(write-file \"todo.txt\" \"x\")\n", "wait.scm": "(read-file \"a.scm\")\n(bash \"echo said\")\n", "src/x.go": "TODO\n", "docs/a.md": "a\n",
		"lib/list-test.scm": "(test-begin \"l\")\n(test-equal 1 1)\n(test-end)\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(base, "work", name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(base, "work", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(t *testing.T, dir, command string) (int, string) {
		t.Helper()
		c := exec.Command("sh", "-c", command)
		c.Dir = filepath.Join(dir, "work")
		c.Env = append(os.Environ(), "CAPER_HOME="+filepath.Join(dir, "home"), "HOME="+dir)
		out, err := c.CombinedOutput()
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return exit.ExitCode(), string(out)
		}
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		return 0, string(out)
	}
	for _, x := range []struct {
		command string
		code    int
	}{{"caper run build.scm", 0}, {"caper run build.scm", 0}, {"caper run --park wait.scm", 7}} {
		if code, out := run(t, base, x.command); code != x.code {
			t.Fatalf("%s: exit %d\n%s", x.command, code, out)
		}
	}
	ran := 0
	for _, example := range examples(printed(t, "help", "reference")) {
		t.Run(example, func(t *testing.T) {
			for verb, why := range examplesParsed {
				if example == verb || strings.HasPrefix(example, verb+" ") {
					line, _, _ := strings.Cut(example, " -- ")
					if code, out := run(t, base, line+" --help"); code != 0 {
						t.Errorf("%s: exit %d (%s)\n%s", example, code, why, out)
					}
					return
				}
			}
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(base)); err != nil {
				t.Fatal(err)
			}
			for _, before := range exampleBefore[example] {
				if code, out := run(t, dir, before); code != 0 {
					t.Fatalf("%s: exit %d\n%s", before, code, out)
				}
			}
			example = strings.Replace(example, "generate |", "echo '(display 1)' |", 1)
			if code, out := run(t, dir, example); code != exampleExit[example] {
				t.Errorf("%s: exit %d, want %d\n%s", example, code, exampleExit[example], out)
			}
			ran++
		})
	}
	if ran < 30 {
		t.Errorf("only %d examples were run", ran)
	}
}

// examples are the lines of the blocks of commands.
func examples(page string) (all []string) {
	inside, seen := false, map[string]bool{}
	for _, l := range strings.Split(page, "\n") {
		switch {
		case l == "```sh":
			inside = true
		case l == "```":
			inside = false
		case inside && !seen[l]:
			seen[l] = true
			all = append(all, l)
		}
	}
	return all
}
