package catalogue

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caper/runtime/graph"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"whole", "---\nname: critic\ndescription: finds faults\nmodel: a:b:c\ntools: [read-file, grep]\nkeep-alive: true\n---\nYou find faults.\n",
			`((name . "critic") (description . "finds faults") (constitution . "You find faults.") (keep-alive . #t) (model . "a:b:c") (tools read-file grep))`},
		{"tools in one text", "---\ntools: read-file, grep\n---\nx", `((name . "file") (description . "") (constitution . "x") (tools read-file grep))`},
		{"no tools at all", "---\ntools: []\n---\nx", `((name . "file") (description . "") (constitution . "x") (tools))`},
		{"no front matter", "You help.", `((name . "file") (description . "") (constitution . "You help."))`},
		{"windows", "---\r\nname: w\r\n---\r\nx\r\n", `((name . "w") (description . "") (constitution . "x"))`},
		{"a folded text", "---\ndescription: >\n  one\n  two\n---\nx", `((name . "file") (description . "one two") (constitution . "x"))`},
		{"no end", "---\nname: a\nx", "f.md:1:1: the front matter has no end: a line --- is wanted after it"},
		{"no constitution", "---\nname: a\n---\n", "f.md:4:1: the recipe has no constitution: it is the text after the front matter"},
		{"a posture", "---\nname: a\nposture: yolo\n---\nx", "f.md:3:1: a recipe names no posture: what an agent may do without asking is its caller's to say"},
		{"unknown", "---\ncolour: red\n---\nx", `f.md:2:1: found "colour"; a recipe has name, description, model, tools, nature, keep-alive and void-legal`},
		{"twice", "---\nname: a\nname: b\n---\nx", "f.md:"},
		{"an anchor", "---\nname: &a x\n---\nx", "f.md:2:7: anchors, aliases, merges, tags and directives are not read; write it out, or quote it"},
		{"a tag", "---\nname: !!str x\n---\nx", "f.md:2:7: anchors, aliases, merges, tags and directives are not read; write it out, or quote it"},
		{"deep", "---\ntools: [[[[a]]]]\n---\nx", "f.md:2:10: it nests too deep"},
		{"a list for a text", "---\nname: [a]\n---\nx", "f.md:2:7: name is a text"},
		{"a name with a slash", "---\nname: ../a\n---\nx", `f.md:1:1: the name "../a" is none: letters, digits, - and _, at most 64`},
		{"a nature", "---\nnature: mine\n---\nx", "f.md:2:9: nature is session, project or global"},
		{"a control character", "---\nname: a\x1b\n---\nx", "f.md:2:8: a control character, or a line of more than 2048 bytes"},
		{"not UTF-8", "---\nname: \xff\n---\nx", "f.md:1:1: the file is not UTF-8"},
		{"too long", strings.Repeat("x", maxFile+1), "f.md:1:1: the file has 65537 bytes; at most 65536 are read"},
		{"a long line", "---\nname: " + strings.Repeat("x", maxLine) + "\n---\nx", "f.md:2:1: a control character, or a line of more than 2048 bytes"},
		{"no YAML", "---\nname: [a\n---\nx", "f.md:"},
		{"not a mapping", "---\n- a\n---\nx", "f.md:2:1: the front matter should be names with values; "},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec, err := Parse("f.md", "file", []byte(c.text))
			got := graph.Write(spec.Datum())
			if err != nil {
				got = err.Error()
				if strings.HasPrefix(got, c.want) {
					got = c.want
				}
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// FuzzParse: whatever a repository carries, a recipe is read or refused with a place.
func FuzzParse(f *testing.F) {
	f.Add("---\nname: a\ntools: [b, c]\n---\nx")
	f.Add("---\n? a\n: b\n---\nx")
	f.Add("---\n{a: [b, {c: d}]}\n---\nx")
	f.Fuzz(func(t *testing.T, text string) {
		spec, err := Parse("f.md", "file", []byte(text))
		if err != nil && !strings.HasPrefix(err.Error(), "f.md:") {
			t.Errorf("the error has no place: %v", err)
		}
		if err == nil && !Name(spec.Name) {
			t.Errorf("the name is %q", spec.Name)
		}
	})
}

func TestRead(t *testing.T) {
	config, workspace := t.TempDir(), t.TempDir()
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(config, "agents/reviewer.md"), "mine")
	write(filepath.Join(workspace, ".caper/agents/reviewer.md"), "theirs")
	write(filepath.Join(workspace, ".caper/agents/tester.md"), "tests")
	write(filepath.Join(workspace, ".caper/agents/bad.md"), "---\nposture: yolo\n---\nx")
	write(filepath.Join(workspace, ".caper/agents/README.md"), "about")
	secret := filepath.Join(t.TempDir(), "secret")
	write(secret, "a secret")
	if err := os.Symlink(secret, filepath.Join(workspace, ".caper/agents/leak.md")); err != nil {
		t.Fatal(err)
	}
	all, err := Read(config, workspace)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range all {
		text, _ := r.Constitution.Datum.(string)
		state := "used"
		switch {
		case r.Err != nil:
			state = "unreadable"
		case r.Ignored != "":
			state = "ignored"
		}
		got = append(got, strings.TrimSpace(strings.Join([]string{r.Name, r.Nature, state, text}, " ")))
	}
	want := []string{"bad project unreadable", "leak project unreadable", "reviewer global used mine", "reviewer project ignored theirs", "tester project used tests"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
