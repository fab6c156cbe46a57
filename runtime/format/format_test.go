package format

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caper/interp/syntax"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// sources are all Scheme texts of this repository, those in archives too, that can be read.
func sources(t testing.TB) map[string]string {
	t.Helper()
	all := map[string]string{}
	add := func(name, text string) {
		if _, err := syntax.ReadAll(syntax.NewSource(name, text)); err == nil {
			all[name] = text
		}
	}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		switch filepath.Ext(path) {
		case ".scm", ".sld":
			text, err := os.ReadFile(path)
			add(path, string(text))
			return err
		case ".txtar":
			a, err := txtar.ParseFile(path)
			if err != nil {
				return err
			}
			for _, f := range a.Files {
				if strings.HasSuffix(f.Name, ".scm") || strings.HasSuffix(f.Name, ".sld") {
					add(path+"/"+f.Name, string(f.Data))
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestKeepsAll formats every Scheme text that there is: it reads as before, keeps its comments, and a second time changes nothing.
func TestKeepsAll(t *testing.T) {
	all := sources(t)
	if len(all) < 300 {
		t.Fatalf("only %d texts were found", len(all))
	}
	lines, moved := 0, 0
	for name, text := range all {
		check(t, name, text)
		out := layOut(text)
		a, b := strings.Split(text, "\n"), strings.Split(out, "\n")
		lines += len(a)
		if len(a) == len(b) {
			for i := range a {
				if a[i] != b[i] {
					moved++
					if d := os.Getenv("SHOW"); d != "" {
						t.Logf("%s:%d\n-%s\n+%s", name, i+1, a[i], b[i])
					}
				}
			}
		}
	}
	t.Logf("%d texts, %d lines, %d differ", len(all), lines, moved)
}

func check(t *testing.T, name, text string) {
	t.Helper()
	once, err := Source(name, text)
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, layOut(text))
	}
	if twice := layOut(once); twice != once {
		t.Fatalf("%s: a second time changes it\n%s", name, cmp.Diff(once, twice))
	}
	if a, b := comments(text), comments(once); !cmp.Equal(a, b) {
		t.Fatalf("%s: comments were lost\n%s", name, cmp.Diff(a, b))
	}
	if strings.Contains(strings.Join(outside(once), "\n"), "\n\n\n") {
		t.Fatalf("%s: two blank lines\n%s", name, once)
	}
}

// comments are those of a text, the blanks at their ends aside.
func comments(text string) (out []string) {
	for _, p := range scan(text) {
		if p.kind >= line {
			out = append(out, strings.TrimRight(p.text, " \t\f\v"))
		}
	}
	return out
}

// outside is a text without what may hold blank lines itself.
func outside(text string) (out []string) {
	for _, p := range scan(text) {
		out = append(out, strings.Repeat("\n", p.lines))
		if p.kind != atom && p.kind != block && p.kind != header {
			out = append(out, p.text)
		} else {
			out = append(out, "x")
		}
	}
	return []string{strings.Join(out, "")}
}

// FuzzSource: what can be read can be formatted, and reads the same.
func FuzzSource(f *testing.F) {
	for _, s := range []string{"(a ; b\n)", "'; x\n y", ", @x", "#;#;a b c", "#0=(a . #0#)", "#| x\n |# \"a\n  b\"", "#!fold-case A", "#\\) #\\space[a]", "(let loop ((i 0))\n; x\n\n\n(f))", "#lang racket\n(a)", "#! /bin\n(a)\n!#\nb", "#! ! #!\r!#", "#! x\n(n)\n!#\f ", "(a\r\nb\rc;d\re)", "|a\nb|x #px\"\\\"\" #u8(1)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4000 {
			return
		}
		if _, err := syntax.ReadAllWith(syntax.NewSource("f", text), syntax.ReaderOptions{MaxDepth: maxNesting}); err == nil {
			check(t, "f", text)
		}
	})
}
