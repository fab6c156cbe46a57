package tool

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caper/runtime/graph"
)

// grepLines answers hits as path:line:text.
func (w *world) grep(given ...any) ([]string, Receipt) {
	w.t.Helper()
	r, err := w.run(Grep(), given...)
	if err != nil {
		w.t.Fatal(err)
	}
	lines := []string{}
	for _, h := range r.Value.(graph.List) {
		lines = append(lines, fmt.Sprintf("%s:%d:%s", field(w.t, h, "path"), field(w.t, h, "line"), field(w.t, h, "text")))
	}
	return lines, r.Receipt
}

func TestGlob(t *testing.T) {
	files := []string{"a.go", "", "b.txt", "", "d/c.go", "", "d/e/f.go", "", ".h/x.go", "", ".env", "", "z\nz.go", "", "bad\xff.go", "", ".gitignore", "ign/\n", "ign/i.go", ""}
	for _, c := range []struct {
		pattern string
		all     bool
		want    []string
	}{
		{"*.go", false, []string{"a.go", `bad\xff.go`, "z\nz.go"}},
		{"**/*.go", false, []string{"a.go", `bad\xff.go`, "d/c.go", "d/e/f.go", "z\nz.go"}},
		{"d/**", false, []string{"d/c.go", "d/e/f.go"}},
		{"d/*", false, []string{"d/c.go"}},
		{"./d/*.go", false, []string{"d/c.go"}},
		{"**/{c,f}.go", false, []string{"d/c.go", "d/e/f.go"}},
		{"d", false, []string{}},
		{"b.txt", false, []string{"b.txt"}},
		{"d/../b.*", false, []string{"b.txt"}},
		{"nowhere/*", false, []string{}},
		{".env", false, []string{".env"}},
		{".h/*", false, []string{".h/x.go"}},
		{"**/.e*", false, []string{".env"}},
		{"**/i.go", false, []string{}},
		{"**/i.go", true, []string{"ign/i.go"}},
		{"**/x.go", true, []string{".h/x.go"}},
		{"[ab].*", false, []string{"a.go", "b.txt"}},
	} {
		w := newWorld(t)
		w.write(files...)
		if got := w.glob(c.pattern, c.all); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.pattern, got, c.want)
		}
	}
	w := newWorld(t)
	w.write(files...)
	os.Symlink("a.go", filepath.Join(w.dir, "l.go"))
	os.Symlink("nowhere", filepath.Join(w.dir, "m.go"))
	os.Symlink("d", filepath.Join(w.dir, "n.go"))
	if got := w.glob("[lmn].go", false); !slices.Equal(got, []string{"l.go"}) {
		t.Errorf("links: %q", got)
	}
	if got := w.glob(w.dir+"/*.txt", false); !slices.Equal(got, []string{w.dir + "/b.txt"}) {
		t.Errorf("absolute: %q", got)
	}
	for _, pattern := range []string{"[a", "{a", strings.Repeat("{a,b}", 20), strings.Repeat("x", 4097)} {
		if _, err := w.run(Glob(), pattern); err == nil {
			t.Errorf("the pattern %.20s… was taken", pattern)
		}
		if _, err := w.run(Grep(), "x", key("glob"), strings.Repeat(pattern, 5)); err == nil {
			t.Errorf("the pattern %.20s… was taken", pattern)
		}
	}
}

func TestGrep(t *testing.T) {
	files := []string{
		"a.txt", "one ERROR two\nnone\nERROR", "d/b.py", "ERROR x\r\n\tERROR\n", "d/e/c.py", "x ERROR", ".h", "ERROR", "bin", "ERROR\x00", "bad", "\xff ERROR é\n",
		".gitignore", "*.log\n", "x.log", "ERROR",
	}
	for _, c := range []struct {
		given []any
		want  []string
	}{
		{[]any{" ERROR "}, []string{"a.txt:1:one ERROR two", `bad:1:\xff ERROR é`}},
		{[]any{"^ERROR$"}, []string{"a.txt:3:ERROR"}},
		{[]any{"ERROR", key("glob"), "*.py"}, []string{"d/b.py:1:ERROR x\r", "d/b.py:2:\tERROR", "d/e/c.py:1:x ERROR"}},
		{[]any{"ERROR", key("glob"), "**/*.txt"}, []string{"a.txt:1:one ERROR two", "a.txt:3:ERROR"}},
		{[]any{"ERROR", key("glob"), "d/*.py"}, []string{"d/b.py:1:ERROR x\r", "d/b.py:2:\tERROR"}},
		{[]any{"ERROR", key("path"), "d", key("glob"), "d/*.py"}, []string{"d/b.py:1:ERROR x\r", "d/b.py:2:\tERROR"}},
		{[]any{"ERROR", key("path"), "d/e"}, []string{"d/e/c.py:1:x ERROR"}},
		{[]any{"ERROR", key("path"), "./d/e/"}, []string{"d/e/c.py:1:x ERROR"}},
		{[]any{"ERROR", key("path"), "a.txt"}, []string{"a.txt:1:one ERROR two", "a.txt:3:ERROR"}},
		{[]any{"ERROR$", key("path"), ".", key("all"), true}, []string{".h:1:ERROR", "a.txt:3:ERROR", "d/b.py:2:\tERROR", "d/e/c.py:1:x ERROR", "x.log:1:ERROR"}},
		{[]any{"\tERROR|\r"}, []string{"d/b.py:1:ERROR x\r", "d/b.py:2:\tERROR"}},
		{[]any{"nothing like it"}, []string{}},
	} {
		w := newWorld(t)
		w.write(files...)
		got, receipt := w.grep(c.given...)
		if !slices.Equal(got, c.want) {
			t.Errorf("%v:\n got %q\nwant %q", c.given, got, c.want)
		}
		if len(c.given) == 1 && receipt.Binary != 1 {
			t.Errorf("%v: %d binary files", c.given, receipt.Binary)
		}
	}
	w := newWorld(t)
	w.write(files...)
	for given, code := range map[string]string{"(": CodeArguments, `\1`: CodeArguments, strings.Repeat("a", maxPattern+1): CodeArguments} {
		if _, err := w.run(Grep(), given); Code(err) != code {
			t.Error(err)
		}
	}
	if _, err := w.run(Grep(), "x", key("path"), "nowhere"); Code(err) != CodeNotFound {
		t.Error(err)
	}
}

func TestSearchesKeepOutOfWhatIsProtected(t *testing.T) {
	w := newWorld(t)
	w.write("a", "x", "secret/b", "x", "key", "x")
	w.env.Skip = func(path string) bool {
		return path == filepath.Join(w.dir, "secret") || path == filepath.Join(w.dir, "key")
	}
	if got, r := w.grep("x", key("all"), true); !slices.Equal(got, []string{"a:1:x"}) || r.Protected != 2 {
		t.Errorf("%q, %d protected", got, r.Protected)
	}
	if got := w.glob("**/*", true); !slices.Equal(got, []string{"a"}) {
		t.Errorf("%q", got)
	}
}

// Long lines, files longer than the buffer, and lines on its border.
func TestGrepReadsInPieces(t *testing.T) {
	w := newWorld(t)
	line := strings.Repeat("x", 99) + "\n"
	big := strings.Repeat(line, 3*grepBuffer/len(line)) + "needle 1\n" + strings.Repeat("y", grepBuffer+7) + "needle 2\n" + strings.Repeat("\n", grepBuffer) + "needle 3"
	w.write("f", big)
	got, _ := w.grep("needle [0-9]$")
	var want []string
	for i, l := range strings.Split(big, "\n") {
		if strings.Contains(l, "needle") {
			if len(l) > maxHitText {
				l = l[:maxHitText] + "…"
			}
			want = append(want, fmt.Sprintf("f:%d:%s", i+1, l))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d hits, want %d", len(got), len(want))
	}
}

// TestNoListIsCut: a part of what was asked for is no answer, and nobody could tell.
func TestNoListIsCut(t *testing.T) {
	w := newWorld(t)
	for i := range 8 {
		w.write(fmt.Sprintf("f%02d", i), strings.Repeat("x\n", maxHits/8))
	}
	r, err := w.run(Grep(), "x")
	if err != nil {
		t.Fatal(err)
	}
	list := r.Value.(graph.List)
	if len(list) != maxHits {
		t.Fatalf("%d hits", len(list))
	}
	for i, h := range list {
		if path := fmt.Sprintf("f%02d", i/(maxHits/8)); field(t, h, "path") != path {
			t.Fatalf("hit %d is in %s, not %s", i, field(t, h, "path"), path)
		}
	}
	w.write("g", "x\n")
	if _, err := w.run(Grep(), "x"); Code(err) != CodeTooLarge {
		t.Error(err)
	}
	w.write("h", strings.Repeat(strings.Repeat("y", maxHitText)+"\n", maxHitBytes/maxHitText+1))
	if _, err := w.run(Grep(), "y"); Code(err) != CodeTooLarge {
		t.Error(err)
	}
}

func TestGrepSaysWhatItCuts(t *testing.T) {
	w := newWorld(t)
	w.write("f", strings.Repeat("x", maxHitText)+"\nx"+strings.Repeat("é", maxHitText/2)+"\n")
	r, err := w.run(Grep(), "x")
	if err != nil {
		t.Fatal(err)
	}
	hits := r.Value.(graph.List)
	if graph.Field(hits[0], "truncated") != nil || len(field(t, hits[0], "text").(string)) != maxHitText {
		t.Error("a line that fits is cut")
	}
	if text := field(t, hits[1], "text").(string); field(t, hits[1], "truncated") != true || text != "x"+strings.Repeat("é", maxHitText/2-1)+"…" {
		t.Errorf("%d bytes, not said to be cut", len(text))
	}
}

func TestNearNamesKeepToTheWorkspace(t *testing.T) {
	w := newWorld(t)
	w.write("secret.key", "", "secret.kez", "")
	w.env.Skip = func(path string) bool { return strings.HasSuffix(path, ".key") }
	hints := func(path string) string {
		_, err := w.run(ReadFile(), path)
		var e *Error
		if !errors.As(err, &e) {
			t.Fatal(err)
		}
		return strings.Join(e.Hints, "\n")
	}
	if h := hints("secret.kex"); h != "did you mean secret.kez?" {
		t.Error(h)
	}
	outside := newWorld(t)
	outside.write("name", "")
	if h := hints(filepath.Join(outside.dir, "nome")); h != "" {
		t.Error(h)
	}
}
