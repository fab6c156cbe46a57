package license

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"caper/runtime/graph"
)

// disk makes a small machine in a temporary folder: a home with a workspace, programs, secrets, links.
type disk struct {
	t              *testing.T
	root, home, ws string
	bin            string
	world          OS
}

func newDisk(t *testing.T) *disk {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &disk{t: t, root: root, home: root + "/home", ws: root + "/home/app", bin: root + "/bin"}
	for _, dir := range []string{d.ws + "/docs", d.ws + "/.git/hooks", d.home + "/.ssh", d.bin, root + "/store", root + "/outside"} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	d.file(d.home+"/.ssh/id_rsa", "key", 0o600)
	d.file(root+"/outside/secret", "secret", 0o600)
	d.file(d.ws+"/docs/a.md", "a", 0o644)
	d.file(d.bin+"/git", "#!git", 0o755)
	d.file(d.bin+"/caper", "#!caper itself", 0o755)
	d.world = OS{SelfPath: d.bin + "/caper"}
	return d
}

func (d *disk) file(name, text string, mode os.FileMode) {
	d.t.Helper()
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		d.t.Fatal(err)
	}
}

func (d *disk) link(text, name string) {
	d.t.Helper()
	if err := os.Symlink(text, name); err != nil {
		d.t.Fatal(err)
	}
}

func (d *disk) call() Call {
	return Call{Tool: BashTool, Effect: EffectExternal, Cwd: d.ws, Workspace: d.ws, Env: map[string]string{"HOME": d.home, "PATH": d.bin}}
}

func (d *disk) use(tool string, a Access, paths ...string) Call {
	c := d.call()
	c.Tool = tool
	for _, p := range paths {
		c.Uses = append(c.Uses, Use{"path", p, a})
	}
	if a == Read {
		c.Effect = EffectRead
	}
	return c
}

func (d *disk) policy() Policy {
	return Policy{Posture: Yolo, ReadAllow: []string{d.ws}, Protected: []string{d.root + "/store"}}
}

func (d *disk) survey(c Call) Facts {
	d.t.Helper()
	f, err := Survey(context.Background(), c, d.world, d.policy().Protected...)
	if err != nil {
		d.t.Fatal(err)
	}
	return f
}

func TestRealLinks(t *testing.T) {
	d := newDisk(t)
	d.link("../.ssh", d.ws+"/keys")
	d.link(d.root+"/outside", d.ws+"/docs/out")
	d.link("docs/out/../outside/secret", d.ws+"/winding")
	d.link("nowhere", d.ws+"/dangling")
	d.link("b", d.ws+"/a")
	d.link("a", d.ws+"/b")
	d.link(".git/hooks", d.ws+"/hooks")
	d.link(d.root+"/store", d.ws+"/st")
	d.link(d.bin+"/caper", d.ws+"/tool")
	if err := os.Link(d.home+"/.ssh/id_rsa", d.ws+"/other-name"); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(d.bin+"/caper", d.ws+"/hard"); err != nil {
		t.Fatal(err)
	}
	d.file(d.ws+"/copied", "#!caper itself", 0o755)
	d.file(d.ws+"/git", "#!another", 0o755)
	policy := d.policy()
	policy.Posture = Manual
	r, err := ParseRule("write-file(docs/**)", "x")
	if err != nil {
		t.Fatal(err)
	}
	git, err := ParseRule("bash(git *)", "x")
	if err != nil {
		t.Fatal(err)
	}
	policy.Layers = []Layer{{Allow: []Rule{r, git}}}
	bash := func(s string) Call { c := d.call(); c.Command = s; return c }
	for name, row := range map[string]struct {
		call Call
		want Verdict
		step Step
	}{
		"inside":                     {d.use("write-file", Write, "docs/b.md"), Allow, StepAllow},
		"new folders":                {d.use("write-file", Write, "docs/x/y/b.md"), Allow, StepAllow},
		"a link in the middle":       {d.use("write-file", Write, "docs/out/b.md"), Ask, StepPosture},
		"a link to a secret folder":  {d.use("read-file", Read, "keys/id_rsa"), Deny, StepProtections},
		"a winding link":             {d.use("read-file", Read, "winding"), Ask, StepPosture},
		"dangling":                   {d.use("write-file", Write, "dangling"), Deny, StepProtections},
		"looping":                    {d.use("read-file", Read, "a"), Deny, StepProtections},
		"into git":                   {d.use("write-file", Write, "hooks/pre-commit"), Deny, StepProtections},
		"into the store":             {d.use("read-file", Read, "st/x"), Deny, StepProtections},
		"removing a link":            {d.use("delete-file", Delete, "dangling"), Ask, StepPosture},
		"reading inside":             {d.use("read-file", Read, "docs/a.md"), Allow, StepAllow},
		"git of the path":            {bash("git status"), Allow, StepAllow},
		"git by its place":           {bash(d.bin + "/git status"), Allow, StepAllow},
		"another git":                {bash("./git status"), Ask, StepPosture},
		"caper":                      {bash("caper run x"), Deny, StepProtections},
		"caper by a link":            {bash("./tool run x"), Deny, StepProtections},
		"caper by a hard link":       {bash("./hard run x"), Deny, StepProtections},
		"a copy of caper":            {bash("./copied run x"), Deny, StepProtections},
		"a secret through a link":    {bash("cat keys/id_rsa"), Deny, StepProtections},
		"a redirection through one":  {bash("git log > hooks/x"), Deny, StepProtections},
		"a redirection that dangles": {bash("git log > dangling"), Deny, StepProtections},
	} {
		if got := Decide(row.call, d.survey(row.call), policy); got.Verdict != row.want || got.Step != row.step {
			t.Errorf("%s: want %s at %d, got %v", name, row.want, row.step, got)
		}
	}
}

// TestSwapBetweenCheckAndUse: what an opener finds after a swap is not what was judged.
func TestSwapBetweenCheckAndUse(t *testing.T) {
	d := newDisk(t)
	entry := func(p string) Entry {
		info, err := os.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		return EntryOf(info)
	}
	target := d.ws + "/docs/a.md"
	fact := d.survey(d.use("write-file", Write, "docs/a.md")).Uses[0].Fact
	if err := fact.Verify(entry(target)); err != nil {
		t.Error("nothing was swapped:", err)
	}
	if err := os.Remove(target); err != nil {
		t.Fatal(err)
	}
	d.link(d.root+"/outside/secret", target)
	if err := fact.Verify(entry(target)); err == nil {
		t.Error("a file that became a link was not noticed")
	}

	created := d.survey(d.use("write-file", Write, "docs/new.md")).Uses[0].Fact
	if created.State != Missing {
		t.Fatal(created.State)
	}
	if err := created.VerifyParent(entry(d.ws + "/docs")); err != nil {
		t.Error("nothing was swapped:", err)
	}
	if err := os.Rename(d.ws+"/docs", d.ws+"/docs2"); err != nil {
		t.Fatal(err)
	}
	d.link(d.root+"/outside", d.ws+"/docs")
	if err := created.VerifyParent(entry(d.ws + "/docs")); err == nil {
		t.Error("a folder that became a link was not noticed")
	}
	d.file(d.ws+"/docs/new.md", "x", 0o644)
	if err := created.Verify(entry(d.ws + "/docs/new.md")); err == nil {
		t.Error("a file that came in between was not noticed")
	}
}

// TestDigest: an approval holds for what was shown, and for nothing that changed since.
func TestDigest(t *testing.T) {
	d := newDisk(t)
	base := d.use("edit-file", Write, "docs/a.md")
	base.Version = "1"
	base.Args = map[string]graph.Datum{"old": "a", "new": "b", "all": false}
	digest := func(c Call) string { return Digest(c, d.survey(c)) }
	first := digest(base)
	if digest(base) != first {
		t.Fatal("the same call has two digests")
	}
	change := func(f func(*Call)) Call {
		c := base
		c.Args = map[string]graph.Datum{"old": "a", "new": "b", "all": false}
		f(&c)
		return c
	}
	for name, c := range map[string]Call{
		"version":          change(func(c *Call) { c.Version = "2" }),
		"tool":             change(func(c *Call) { c.Tool = "write-file" }),
		"argument":         change(func(c *Call) { c.Args["new"] = "c" }),
		"type of argument": change(func(c *Call) { c.Args["new"] = graph.Symbol("b") }),
		"one more":         change(func(c *Call) { c.Args["x"] = int64(1) }),
		"moved text":       change(func(c *Call) { c.Args["old"], c.Args["new"] = "ab", "" }),
		"list":             change(func(c *Call) { c.Args["new"] = graph.List{"b"} }),
		"vector":           change(func(c *Call) { c.Args["new"] = graph.Vector{"b"} }),
		"folder":           change(func(c *Call) { c.Cwd = d.ws + "/docs" }),
	} {
		if digest(c) == first {
			t.Errorf("another %s has the same digest", name)
		}
	}
	d.file(d.ws+"/docs/a.md", "changed since", 0o644)
	if digest(base) == first {
		t.Error("the file as shown is not bound")
	}

	run := d.call()
	run.Command = "git status"
	before := digest(run)
	d.file(d.bin+"/git", "#!git, another one", 0o755)
	if digest(run) == before {
		t.Error("the program that would run is not bound")
	}
	script := d.call()
	script.Command = "sh run.sh"
	d.file(d.bin+"/sh", "#!sh", 0o755)
	d.file(d.ws+"/run.sh", "echo 1", 0o644)
	before = digest(script)
	d.file(d.ws+"/run.sh", "echo 1; echo 2", 0o644)
	if digest(script) == before {
		t.Error("the script that would run is not bound")
	}
}

func TestApprovalsByDigest(t *testing.T) {
	d := newDisk(t)
	c := d.call()
	c.Command = "eval $X"
	f := d.survey(c)
	p := d.policy()
	if got := Decide(c, f, p); got.Verdict != Ask {
		t.Fatal(got)
	}
	p.Approvals = []Approval{{Digest: Digest(c, f), Scope: Once, By: "u"}}
	if got := Decide(c, f, p); got.Verdict != Allow || got.Step != StepApprovals {
		t.Error("a person who saw it may allow it:", got)
	}
	p.Approvals[0].Used = true
	if got := Decide(c, f, p); got.Verdict != Ask {
		t.Error("once is once:", got)
	}
	p.Approvals = []Approval{{Digest: "", Scope: Once}, {Digest: "", Scope: Session, Rule: ""}, {Scope: "for ever", Rule: "bash(eval *)"}}
	if got := Decide(c, f, p); got.Verdict != Ask {
		t.Error("an empty approval approves nothing:", got)
	}
	secret := d.use("read-file", Read, "~/.ssh/id_rsa")
	g := d.survey(secret)
	p.Approvals = []Approval{{Digest: Digest(secret, g), Scope: Session}}
	if got := Decide(secret, g, p); got.Verdict != Deny {
		t.Error("an approval never opens a protected place:", got)
	}
}

func TestFactsOfAnotherCallDecideNothing(t *testing.T) {
	d := newDisk(t)
	c := d.call()
	c.Command = "git status"
	other := c
	other.Command = "rm -rf x"
	for name, got := range map[string]Decision{
		"another command": Decide(other, d.survey(c), d.policy()),
		"no facts":        Decide(c, Facts{}, d.policy()),
		"another path":    Decide(d.use("read-file", Read, "docs/a.md"), d.survey(d.use("read-file", Read, "x")), d.policy()),
		"no folder":       Decide(Call{Tool: "x"}, Facts{}, d.policy()),
		"never read":      Decide(c, Facts{Command: c.Command}, d.policy()),
	} {
		if got.Verdict != Deny {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestCaseBlindFileSystem: on a file system without case, .GIT is .git and STORE is store.
func TestCaseBlindFileSystem(t *testing.T) {
	w := newScript(t, "testdata/world.txt")
	w.entries["/home/u/APP"] = w.entries["/home/u/app"]
	for _, row := range []struct {
		call string
		want Verdict
	}{
		{"write-file .GIT/config", Deny}, {"write-file .Git/hooks/x", Deny}, {"write-file GIT~1/config", Deny}, {"write-file .git./x", Deny},
		{"read-file ~/.SSH/id_rsa", Deny}, {"read-file ~/.LOCAL/share/caper/x", Deny}, {"write-file DOCS/secret/x", Deny},
		{"$ tee .GIT/config", Deny}, {"$ RM -rf docs", Deny}, {"write-file docs/b.md", Allow},
	} {
		p := basePolicy()
		p.Posture = Yolo
		for _, text := range []string{"bash(rm -rf *)", "write-file(docs/secret/**)"} {
			r, err := ParseRule(text, "x")
			if err != nil {
				t.Fatal(err)
			}
			p.Layers[0].Deny = append(p.Layers[0].Deny, r)
		}
		c := callOf(t, baseCall(), row.call)
		f, err := Survey(context.Background(), c, w, p.Protected...)
		if err != nil {
			t.Fatal(err)
		}
		if got := Decide(c, f, p); got.Verdict != row.want {
			t.Errorf("%s: %v", row.call, got)
		}
	}
}

func TestFilterForToolsThatWalk(t *testing.T) {
	d := newDisk(t)
	c := d.use("grep", Read, ".")
	p := d.policy()
	p.Posture = Auto
	r, err := ParseRule("read-file(docs/secret/**)", "x")
	if err != nil {
		t.Fatal(err)
	}
	p.Layers = []Layer{{Deny: []Rule{r}}}
	leaves := Filter(c, d.survey(c), p)
	for name, out := range map[string]bool{
		d.ws + "/docs/a.md": false, d.ws + "/docs/secret/x": true, d.home + "/.ssh/id_rsa": true, d.root + "/store/x": true, d.ws + "/.git/config": false,
	} {
		if got := leaves(name, name) != ""; got != out {
			t.Errorf("%s: left out is %v", name, got)
		}
	}
	if leaves(d.ws+"/innocent", d.home+"/.ssh/id_rsa") == "" {
		t.Error("a link to a secret is shown")
	}
	env := d.ws + "/.env"
	if leaves(env, env) == "" {
		t.Error("a search that nobody licensed reads secrets of the project")
	}
	if r, err = ParseRule("grep", "x"); err != nil {
		t.Fatal(err)
	}
	p.Layers = []Layer{{Allow: []Rule{r}}}
	if why := Filter(c, d.survey(c), p)(env, env); why != "" {
		t.Errorf("a rule opens it, but %s", why)
	}
	p.Layers, p.Posture = nil, Yolo
	if why := Filter(c, d.survey(c), p)(env, env); why != "" {
		t.Errorf("posture yolo opens it, but %s", why)
	}
}

func TestSurveyStops(t *testing.T) {
	d := newDisk(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Survey(ctx, d.use("read-file", Read, "x"), d.world); err == nil {
		t.Error("a cancelled survey answers")
	}
}

// TestAWorkspaceThatALinkLeadsTo: rules, reads and protections hold under both names.
func TestAWorkspaceThatALinkLeadsTo(t *testing.T) {
	d := newDisk(t)
	real := d.ws
	d.link(real, d.root+"/ws")
	d.ws = d.root + "/ws"
	policy := d.policy()
	policy.Posture = Manual
	policy.Layers = []Layer{{Allow: []Rule{mustRule(t, "write-file(docs/**)"), mustRule(t, "bash(git *)")}, Deny: []Rule{mustRule(t, "write-file(docs/x/**)")}}}
	bash := func(s string) Call { c := d.call(); c.Command = s; return c }
	for name, row := range map[string]struct {
		call Call
		want Verdict
	}{
		"allowed":              {d.use("write-file", Write, "docs/b"), Allow},
		"allowed, real name":   {d.use("write-file", Write, real+"/docs/b"), Allow},
		"denied":               {d.use("write-file", Write, "docs/x/b"), Deny},
		"denied, real name":    {d.use("write-file", Write, real+"/docs/x/b"), Deny},
		"read":                 {d.use("read-file", Read, "docs/a.md"), Allow},
		"git":                  {d.use("write-file", Write, ".git/x"), Deny},
		"above":                {d.use("read-file", Read, "../outside/secret"), Ask},
		"removing it":          {bash("rm -rf ."), Deny},
		"removing it, by name": {bash("rm -rf " + real), Deny},
		"a redirection":        {bash("git log > docs/b"), Allow},
	} {
		if got := Decide(row.call, d.survey(row.call), policy); got.Verdict != row.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
