package tool

import (
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"caper/runtime/graph"
)

func (w *world) glob(pattern string, all bool) []string {
	w.t.Helper()
	r, err := w.run(Glob(), pattern, graph.Keyword("all"), all)
	if err != nil {
		w.t.Fatal(err)
	}
	return texts(r.Value)
}

func texts(d graph.Datum) []string {
	names := []string{}
	for _, item := range d.(graph.List) {
		names = append(names, item.(string))
	}
	return names
}

func TestIgnoreRules(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []string // names and contents
		left  []string
	}{
		{"a name at any depth", []string{".gitignore", "x\n", "x", "", "a/x", "", "a/y", ""}, []string{"a/y"}},
		{"an ending", []string{".gitignore", "*.log", "a.log", "", "d/b.log", "", "log", ""}, []string{"log"}},
		{"anchored by a leading slash", []string{".gitignore", "/x", "x", "", "a/x", ""}, []string{"a/x"}},
		{"anchored by a slash within", []string{".gitignore", "a/x", "a/x", "", "b/a/x", ""}, []string{"b/a/x"}},
		{"only folders", []string{".gitignore", "x/", "x/f", "", "a/x", ""}, []string{"a/x"}},
		{"negation", []string{".gitignore", "*.log\n!keep.log", "a.log", "", "keep.log", ""}, []string{"keep.log"}},
		{"the last rule wins", []string{".gitignore", "!a.log\n*.log", "a.log", ""}, []string{}},
		{"nothing returns from an ignored folder", []string{".gitignore", "d/\n!d/keep", "d/keep", ""}, []string{}},
		{"it does from a folder whose content is ignored", []string{".gitignore", "d/*\n!d/keep", "d/keep", "", "d/x", ""}, []string{"d/keep"}},
		{"d/** leaves d itself", []string{".gitignore", "d/**\n!d/keep", "d/keep", "", "d/x", ""}, []string{"d/keep"}},
		{"a deeper file decides first", []string{".gitignore", "*.log", "d/.gitignore", "!*.log", "d/a.log", "", "a.log", ""}, []string{"d/a.log"}},
		{"a deeper file is about its folder", []string{"d/.gitignore", "/x", "d/x", "", "x", "", "d/e/x", ""}, []string{"d/e/x", "x"}},
		{"**/ at the start", []string{".gitignore", "**/x", "x", "", "a/b/x", ""}, []string{}},
		{"/**/ within", []string{".gitignore", "a/**/x", "a/x", "", "a/b/c/x", "", "x", ""}, []string{"x"}},
		{"a star stays in a name", []string{".gitignore", "a/*/x", "a/b/x", "", "a/b/c/x", ""}, []string{"a/b/c/x"}},
		{"classes", []string{".gitignore", "[ab].c\n[!x]z", "a.c", "", "c.c", "", "yz", "", "xz", ""}, []string{"c.c", "xz"}},
		{"comments and escapes", []string{".gitignore", "#x\n\\#y\n\\!z\n", "#x", "", "#y", "", "!z", ""}, []string{"#x"}},
		{"spaces at the end", []string{".gitignore", "x  \ny\\ \n", "x", "", "y ", "", "y", ""}, []string{"y"}},
		{"braces are themselves", []string{".gitignore", "{a,b}", "a", "", "{a,b}", ""}, []string{"a"}},
		{"a bad pattern is no rule", []string{".gitignore", "[\nx", "x", "", "y", ""}, []string{"y"}},
		{"line ends of Windows", []string{".gitignore", "x\r\ny\r\n", "x", "", "y", "", "z", ""}, []string{"z"}},
		{"info/exclude", []string{".git/info/exclude", "x", "x", "", "y", ""}, []string{"y"}},
		{"hidden files", []string{".x", "", ".d/y", "", "z", ""}, []string{"z"}},
	} {
		w := newWorld(t)
		w.write(c.files...)
		if got := w.glob("**/*", false); !slices.Equal(got, c.left) {
			t.Errorf("%s: %q, want %q", c.name, got, c.left)
		}
	}
}

// Random rules on a fixed tree leave what git leaves.
func TestIgnoreAsGitDoes(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("compares with git: install it (apt-get install git)")
	}
	r := rand.New(rand.NewSource(5))
	parts := []string{"a", "b", "c", "*", "**", "?", "a*", "*b", "[ab]", "/", "/", "!", "{a}"}
	rules := func() string {
		var b strings.Builder
		for range r.Intn(4) {
			if r.Intn(3) == 0 {
				b.WriteString("!")
			}
			for range 1 + r.Intn(4) {
				b.WriteString(parts[r.Intn(len(parts))])
			}
			b.WriteString("\n")
		}
		// Left out is what git itself does by accident: empty names, and double stars that are part of a name.
		text := b.String()
		for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '/' || r == '\n' || r == '!' }) {
			if strings.Contains(text, "//") || part != "**" && strings.Contains(part, "**") {
				return ""
			}
		}
		return text
	}
	w := newWorld(t)
	git := func(args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir = w.dir
		cmd.Env = append(os.Environ(), "HOME="+w.dir, "XDG_CONFIG_HOME="+w.dir, "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
		return string(out)
	}
	git("init", "-q")
	for _, x := range []string{"a", "b", "c", "ab"} {
		w.write("f"+x, "")
		for _, y := range []string{"a", "b", "ab"} {
			w.write("d"+x+"/"+y, "", x+"/"+y+"/c", "", x+"/"+y+"/a", "")
		}
	}
	for range 150 {
		top, deep := rules(), rules()
		w.write(".gitignore", top, "a/.gitignore", deep)
		want := []string{}
		for name := range strings.SplitSeq(strings.TrimSpace(git("ls-files", "-o", "--exclude-standard")), "\n") {
			if name != "" && filepath.Base(name) != ".gitignore" {
				want = append(want, name)
			}
		}
		sort.Strings(want)
		if got := w.glob("**/*", false); !slices.Equal(got, want) {
			t.Fatalf("top %q, a/ %q:\n got %q\nwant %q", top, deep, got, want)
		}
	}
}

func TestIgnoreFromFoldersAbove(t *testing.T) {
	w := newWorld(t)
	w.write(".gitignore", "*.log\n/sub/x\n", "sub/a.log", "", "sub/x", "", "sub/y", "", "other/.git/HEAD", "")
	w.env.Cwd = filepath.Join(w.dir, "sub")
	if got := w.glob("*", false); !slices.Equal(got, []string{"y"}) {
		t.Errorf("%q", got)
	}
	if got := w.glob("../**/[xy]", true); !slices.Equal(got, []string{"../sub/x", "../sub/y"}) {
		t.Errorf("%q", got)
	}
}

func FuzzIgnore(f *testing.F) {
	f.Add("*.log\n!a/**/b\n", "a/x/b")
	f.Add("\\ \n{a,b}\n[z-a]\n", "a")
	f.Fuzz(func(t *testing.T, text, path string) {
		g := &ignores{dir: "/w", rules: parseIgnore([]byte(text))}
		dir, name := filepath.Split("/w/" + path)
		g.ignored(strings.TrimSuffix(dir, "/"), name, len(text)%2 == 0)
	})
}
