package license

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"

	"caper/runtime/graph"
)

// script is a file system that testdata/world.txt writes down.
type script struct {
	entries map[string]Entry
	links   map[string]string
	self    string
}

func newScript(t testing.TB, file string) *script {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	w := &script{entries: map[string]Entry{}, links: map[string]string{}, self: "/usr/local/bin/caper"}
	for _, line := range strings.Split(string(src), "\n") {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] == "#" {
			continue
		}
		w.add(fields[0], fields[1], strings.Join(fields[2:], " "))
	}
	return w
}

func (w *script) add(kind, name, rest string) {
	e := Entry{Kind: File, Dev: 1, Inode: uint64(100 + len(w.entries)), Size: int64(len(w.entries)), ModTime: 1}
	switch kind {
	case "dir":
		e.Kind = Dir
	case "exec":
		e.Executable = true
	case "link":
		e.Kind = Link
		w.links[name] = strings.TrimPrefix(rest, "-> ")
	}
	w.entries[name] = e
}

func (w *script) Lstat(p string) (Entry, error) {
	if e, ok := w.entries[p]; ok {
		return e, nil
	}
	return Entry{}, fs.ErrNotExist
}

func (w *script) Readlink(p string) (string, error) {
	if l, ok := w.links[p]; ok {
		return l, nil
	}
	return "", fs.ErrInvalid
}

func (w *script) Digest(p string) (string, error) { return "digest of " + p, nil }
func (w *script) Self() string                    { return w.self }

// caseRow is one line of testdata/cases.txt, with the settings of its section.
type caseRow struct {
	line    int
	section string
	call    Call
	policy  Policy
	want    string
}

// expectation: verdict, step, and the rule that fired when the row names one.
func (r caseRow) check(d Decision) string {
	verdict, rest, _ := strings.Cut(r.want, " ")
	step, rule, _ := strings.Cut(rest, " ")
	if string(d.Verdict) != verdict || fmt.Sprint(int(d.Step)) != step || rule != "" && d.Rule != rule {
		return fmt.Sprintf("cases.txt:%d (%s)\n  %s %s%v\n  want %s\n  got  %s %d %s: %s [%s]", r.line, r.section, r.call.Tool, r.call.Command, r.call.Uses, r.want, d.Verdict, d.Step, d.Rule, d.Reason, d.Subject)
	}
	return ""
}

func baseCall() Call {
	return Call{Tool: BashTool, Version: "1", Effect: EffectExternal, Cwd: "/home/u/app", Workspace: "/home/u/app",
		Env: map[string]string{"HOME": "/home/u", "PATH": "/usr/local/bin:/usr/bin:/bin", "USER": "u"}}
}

func basePolicy() Policy {
	return Policy{Posture: Manual, Mode: Act, ReadAllow: []string{"/home/u/app"},
		Protected: []string{"/home/u/.local/share/caper", "/home/u/.config/caper"}, Layers: []Layer{{Name: "policy.yaml"}}}
}

func readCases(t testing.TB, file string) []caseRow {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rows []caseRow
	section, policy, call := "", basePolicy(), baseCall()
	for i, line := range strings.Split(string(src), "\n") {
		line = strings.TrimRight(line, " ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "== "):
			section, policy, call = line[3:], basePolicy(), baseCall()
		case strings.Contains(line, " => "):
			at := strings.LastIndex(line, " => ")
			c := callOf(t, call, strings.TrimRight(line[:at], " "))
			rows = append(rows, caseRow{i + 1, section, c, policy, strings.TrimSpace(line[at+4:])})
		default:
			policy, call = setting(t, line, i+1, policy, call)
		}
	}
	return rows
}

// callOf reads "$ command", "$$ quoted command", "tool arg=v", or "tool path path".
func callOf(t testing.TB, c Call, text string) Call {
	t.Helper()
	if rest, ok := strings.CutPrefix(text, "$$ "); ok {
		s, err := strconv.Unquote(rest)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		c.Command = s
		return c
	}
	if rest, ok := strings.CutPrefix(text, "$ "); ok {
		c.Command = rest
		return c
	}
	fields := strings.Fields(text)
	c.Tool, c.Effect, c.Args = fields[0], EffectExternal, nil
	for i, f := range fields[1:] {
		name, value, ok := strings.Cut(f, "=")
		if ok {
			args := map[string]any{}
			for k, v := range c.Args {
				args[k] = v
			}
			args[name] = value
			c.Args = asData(args)
			continue
		}
		if f, err := strconv.Unquote(f); err == nil {
			fields[i+1] = f
		}
		c.Uses = append(c.Uses, Use{Arg: fmt.Sprintf("path%d", i), Path: fields[i+1], Access: fileTools[c.Tool]})
	}
	switch fileTools[c.Tool] {
	case Read, List:
		c.Effect = EffectRead
	case Write, Delete:
		c.Effect = EffectWrite
	}
	if c.Tool == "move-file" {
		c.Uses[0].Access = Delete
	}
	return c
}

func setting(t testing.TB, line string, n int, p Policy, c Call) (Policy, Call) {
	t.Helper()
	word, rest, _ := strings.Cut(line, " ")
	rule := func() Rule {
		r, err := ParseRule(rest, fmt.Sprintf("policy.yaml:%d", n))
		if err != nil {
			t.Fatalf("cases.txt:%d: %v", n, err)
		}
		return r
	}
	l := p.Layers[0]
	switch word {
	case "deny":
		l.Deny = append(l.Deny[:len(l.Deny):len(l.Deny)], rule())
	case "ask":
		l.Ask = append(l.Ask[:len(l.Ask):len(l.Ask)], rule())
	case "allow":
		l.Allow = append(l.Allow[:len(l.Allow):len(l.Allow)], rule())
	case "repository-allow":
		p.Layers = append(p.Layers, Layer{Name: "repository", Tightening: true, Allow: []Rule{rule()}})
	case "repository-deny":
		p.Layers = append(p.Layers, Layer{Name: "repository", Tightening: true, Deny: []Rule{rule()}})
	case "block":
		p.BlockList = append(p.BlockList[:len(p.BlockList):len(p.BlockList)], rule())
	case "allow-list":
		p.AllowList = append(p.AllowList[:len(p.AllowList):len(p.AllowList)], rule())
	case "approved":
		scope, text, _ := strings.Cut(rest, " ")
		p.Approvals = append(p.Approvals[:len(p.Approvals):len(p.Approvals)], Approval{Scope: Scope(scope), Rule: text, By: "u"})
	case "posture":
		p.Posture = ParsePosture(rest)
	case "mode":
		p.Mode = ParseMode(rest)
	case "judge":
		p.HasJudge = true
	case "reads":
		p.ReadAllow = append(p.ReadAllow[:len(p.ReadAllow):len(p.ReadAllow)], rest)
	case "cwd":
		c.Cwd = rest
	case "rules":
		c.Rules = append(c.Rules[:len(c.Rules):len(c.Rules)], rest)
	case "env":
		name, value, _ := strings.Cut(rest, "=")
		env := map[string]string{}
		for k, v := range c.Env {
			env[k] = v
		}
		env[name] = value
		c.Env = env
	case "workspace":
		c.Workspace, c.Cwd, p.ReadAllow = rest, rest, []string{rest}
	default:
		t.Fatalf("cases.txt:%d: %q is no setting", n, word)
	}
	p.Layers = append([]Layer{l}, p.Layers[1:]...)
	return p, c
}

// TestCases runs every row of the table through Survey and Decide.
func TestCases(t *testing.T) {
	w := newScript(t, "testdata/world.txt")
	rows := readCases(t, "testdata/cases.txt")
	if len(rows) < 220 {
		t.Errorf("the table has %d rows", len(rows))
	}
	for _, r := range rows {
		f, err := Survey(context.Background(), r.call, w, r.policy.Protected...)
		if err != nil {
			t.Fatalf("line %d: %v", r.line, err)
		}
		d := Decide(r.call, f, r.policy)
		if wrong := r.check(d); wrong != "" {
			t.Error(wrong)
		}
		if d.Reason == "" || d.Rule == "" || d.Origin == "" {
			t.Errorf("line %d: the decision does not say why: %+v", r.line, d)
		}
	}
	t.Logf("%d rows", len(rows))
}

func asData(m map[string]any) map[string]graph.Datum {
	out := map[string]graph.Datum{}
	for k, v := range m {
		out[k] = v
	}
	return out
}
