package command_test

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"caper/runtime/command"
)

// explainRow is a row of the license's table as somebody would ask it of caper policy explain.
type explainRow struct {
	Line  int
	Text  string
	Args  []string
	Env   []string
	Files map[string]string // rule files, by path
	Want  string            // verdict, step, and perhaps the rule
}

// onDisk is what a machine with a disk answers otherwise than the table: there a folder can be listed, so that what a
// wildcard reaches is known, and where CAPER_HOME is set, Caper's settings lie in it and nowhere else.
var onDisk = map[string]string{
	"$ find . -name node_modules -exec rm -r {} +": "deny 1 protections",
	"$ find . -name '*.o' -delete":                 "deny 1 protections",
	"$ echo *":                                     "deny 1 protections",
	"$ cat $XDG_CONFIG_HOME/caper/policy.yaml":     "allow 7 posture yolo",
}

// wrong compares an answer of --json with the row.
func (r explainRow) wrong(code int, stdout, stderr string) string {
	var d struct {
		Decision, Rule string
		Step           int
	}
	err := json.Unmarshal([]byte(stdout), &d)
	verdict, rest, _ := strings.Cut(r.Want, " ")
	step, rule, _ := strings.Cut(rest, " ")
	if code == 0 && err == nil && d.Decision == verdict && strconv.Itoa(d.Step) == step && (rule == "" || d.Rule == rule) {
		return ""
	}
	return fmt.Sprintf("cases.txt:%d: %s\n  want %s\n  got  exit %d %s%s", r.Line, r.Text, r.Want, code, stdout, stderr)
}

// explainRows reads the table. What a command line cannot say (a session's lists, approvals on record, a judge, tools
// that this Caper has not) is left to the license's own test; beyond counts it.
func explainRows(t *testing.T, file string) (rows []explainRow, beyond int) {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	type section struct {
		flags, env []string
		workspace  string
		own, repo  map[string][]string
		cannot     bool
	}
	var s section
	for i, line := range strings.Split(string(src), "\n") {
		line = strings.TrimRight(line, " ")
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case word == "==":
			s = section{workspace: "/home/u/app", own: map[string][]string{}, repo: map[string][]string{},
				env: []string{"HOME=/home/u", "PATH=/usr/local/bin:/usr/bin:/bin", "USER=u"}}
		case strings.Contains(line, " => "):
			at := strings.LastIndex(line, " => ")
			text := strings.TrimSpace(line[:at])
			args, ok := explainArgs(t, text)
			if !ok || s.cannot || strings.Contains(strings.Join(args, " "), "\x00") {
				beyond++
				continue
			}
			r := explainRow{Line: i + 1, Text: text, Env: s.env, Want: strings.TrimSpace(line[at+4:]), Files: map[string]string{}}
			if want, ok := onDisk[text]; ok {
				r.Want = want
			}
			r.Args = append(slices.Concat([]string{"policy", "explain", "--json", "--cwd", s.workspace}, s.flags, []string{"--"}), args...)
			for path, rules := range map[string]map[string][]string{"/home/u/.config/caper/policy.yaml": s.own, s.workspace + "/.caper/policy.yaml": s.repo} {
				if len(rules) > 0 {
					text, err := json.Marshal(rules) // JSON is YAML
					if err != nil {
						t.Fatal(err)
					}
					r.Files[path] = string(text)
				}
			}
			rows = append(rows, r)
		default:
			switch word {
			case "deny", "ask", "allow":
				s.own[word] = append(slices.Clone(s.own[word]), rest)
				s.own = cloneRules(s.own)
			case "repository-allow", "repository-deny":
				kind := strings.TrimPrefix(word, "repository-")
				s.repo[kind] = append(slices.Clone(s.repo[kind]), rest)
				s.repo = cloneRules(s.repo)
			case "posture":
				s.flags = append(slices.Clone(s.flags), "--policy", rest)
			case "mode":
				s.flags = append(slices.Clone(s.flags), "--mode", rest)
			case "workspace":
				s.workspace = rest
			case "env":
				s.env = append(slices.Clone(s.env), rest)
			default:
				s.cannot = true
			}
		}
	}
	return rows, beyond
}

func cloneRules(m map[string][]string) map[string][]string {
	out := map[string][]string{}
	for k, v := range m {
		out[k] = v
	}
	return out
}

// explainArgs is a call as explain takes it; false for a tool that is not there.
func explainArgs(t *testing.T, text string) ([]string, bool) {
	t.Helper()
	if rest, ok := strings.CutPrefix(text, "$$ "); ok {
		command, err := strconv.Unquote(rest)
		if err != nil {
			t.Fatal(err)
		}
		return []string{"bash", command}, true
	}
	if rest, ok := strings.CutPrefix(text, "$ "); ok {
		return []string{"bash", rest}, true
	}
	fields := strings.Fields(text)
	for i, f := range fields {
		if plain, err := strconv.Unquote(f); err == nil {
			fields[i] = plain
		}
	}
	switch fields[0] {
	case "read-file", "delete-file", "move-file", "list-dir", "glob":
		return fields, !strings.Contains(text, "=")
	case "write-file", "append-file":
		return append(fields, "text"), !strings.Contains(text, "=")
	case "grep":
		return append([]string{"grep", "x", "#:path"}, fields[1:]...), true
	}
	return nil, false
}

// explainWorld makes the machine of world.txt below a folder.
func explainWorld(t *testing.T, root, file string) {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(src), "\n") {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] == "#" {
			continue
		}
		path, mode, text := filepath.Join(root, fields[1]), os.FileMode(0o644), fields[1] // no two programs are alike
		if ext := filepath.Ext(path); ext == ".json" || ext == ".yaml" {
			text = "{}\n"
		}
		switch fields[0] {
		case "dir":
			err = os.MkdirAll(path, 0o755)
		case "link":
			_, to, _ := strings.Cut(line, "-> ")
			err = os.Symlink(to, path)
		case "exec":
			mode = 0o755
			fallthrough
		default:
			if err = os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
				err = os.WriteFile(path, []byte(text), mode)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// place puts a row's workspace and rule files below a folder; restore makes the files what they were.
func (r explainRow) place(root string) (restore func() error, err error) {
	err = os.MkdirAll(filepath.Join(root, r.Args[slices.Index(r.Args, "--cwd")+1]), 0o755)
	was := map[string][]byte{}
	for path, rules := range r.Files {
		path = filepath.Join(root, path)
		if old, err := os.ReadFile(path); err == nil {
			was[path] = old
		}
		err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(rules), 0o644))
	}
	return func() (err error) {
		for path := range r.Files {
			path = filepath.Join(root, path)
			if old, ok := was[path]; ok {
				err = errors.Join(err, os.WriteFile(path, old, 0o644))
			} else {
				err = errors.Join(err, os.Remove(path))
				_ = os.Remove(filepath.Dir(path)) // stays where the world has more in it
			}
		}
		return err
	}, err
}

// inside makes a folder the root folder of this process.
func inside(root string) {
	if err := errors.Join(syscall.Chroot(root), os.Chdir("/")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func init() { commands["explain-rows"], commands["caper-inside"] = explainRowsInside, caperInside }

// explainRowsInside answers rows in a process whose root folder is the table's machine, and prints what is wrong.
func explainRowsInside() {
	var rows []explainRow
	err := gob.NewDecoder(os.Stdin).Decode(&rows)
	inside(os.Args[1])
	for _, r := range rows {
		restore, perr := r.place("/")
		var stdout, stderr bytes.Buffer
		code := command.Execute(context.Background(), &command.Invocation{Args: r.Args, Cwd: "/home/u", Environ: r.Env, Stdout: &stdout, Stderr: &stderr}, nil)
		if err = errors.Join(err, perr, restore()); err != nil {
			break
		}
		if wrong := r.wrong(code, stdout.String(), stderr.String()); wrong != "" {
			fmt.Println(wrong)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// caperInside is caper as it is started, with the table's machine as its root folder.
func caperInside() {
	root := os.Args[1]
	os.Args = append([]string{"caper"}, os.Args[2:]...)
	inside(root)
	os.Exit(command.Main())
}

// explainProcess is a process of this test under one of the two names above.
func explainProcess(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	test, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(test, args...)
	c.Args[0] = name
	if os.Geteuid() != 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}}
	}
	return c
}

// TestExplainSaysWhatIsDecided asks the command for every row of the license's table, on a machine that is the table's.
func TestExplainSaysWhatIsDecided(t *testing.T) {
	const data = "../license/testdata/"
	rows, beyond := explainRows(t, data+"cases.txt")
	if len(rows) < 650 || beyond > 100 {
		t.Errorf("%d rows can be asked, %d cannot", len(rows), beyond)
	}
	root := t.TempDir()
	explainWorld(t, root, data+"world.txt")
	if err := os.MkdirAll(filepath.Join(root, "proc/self"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/usr/local/bin/caper", filepath.Join(root, "proc/self/exe")); err != nil { // where the table has it
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := gob.NewEncoder(&text).Encode(rows); err != nil {
		t.Fatal(err)
	}
	c := explainProcess(t, "explain-rows", root)
	c.Stdin = &text
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if len(out) > 0 {
		t.Errorf("%s", out)
	}
	t.Logf("%d rows asked, %d beyond a command line", len(rows), beyond)
	for i := 0; i < len(rows); i += len(rows) / 30 {
		r := rows[i]
		restore, err := r.place(root)
		if err != nil {
			t.Fatal(err)
		}
		c := explainProcess(t, "caper-inside", append([]string{root}, r.Args...)...)
		c.Env = r.Env
		var stdout, stderr bytes.Buffer
		c.Stdout, c.Stderr = &stdout, &stderr
		_ = c.Run() // its code says how it ended
		if err := restore(); err != nil {
			t.Fatal(err)
		}
		if wrong := r.wrong(c.ProcessState.ExitCode(), stdout.String(), stderr.String()); wrong != "" {
			t.Errorf("as a process: %s", wrong)
		}
	}
}
