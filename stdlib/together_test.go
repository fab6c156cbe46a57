package stdlib_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caper/interp"
	"caper/interp/syntax"
)

// differs says which SRFIs give a name of the report another meaning, and which: their documents do.
var differs = map[int]string{
	43: "vector-map vector-for-each", // the procedure gets the index first
}

// TestTogether: what the report says holds also in a program that imports a SRFI after the report's libraries.
func TestTogether(t *testing.T) {
	e := newEngine(t)
	files, err := filepath.Glob("r7rs/6*-test.scm")
	if err != nil || len(files) < 7 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, n := range srfis {
		text, _ := os.ReadFile(fmt.Sprintf("srfi/%d.index", n))
		own := map[string]bool{}
		for _, name := range strings.Fields(string(text)) {
			own[name] = true
		}
		shared := func(f *syntax.Syntax) bool {
			found := false
			for _, name := range strings.FieldsFunc(f.Span.Text(), func(r rune) bool { return strings.ContainsRune("()[]'` \n", r) }) {
				if strings.Contains(" "+differs[n]+" ", " "+name+" ") {
					return false
				}
				found = found || own[name]
			}
			return found
		}
		for _, path := range append(files, "scheme/base-test.scm") {
			out := &screen{}
			m, err := e.NewMachine(interp.Config{Output: out})
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			forms := readAll(t, syntax.NewSource(path, string(text)))
			if !strings.HasPrefix(forms[0].Span.Text(), "(import") {
				evaluate(m, out, "(import (scheme base) (scheme write) (scheme char) (scheme cxr) (scheme inexact) (scheme lazy) (scheme read) (scheme file) (scheme case-lambda) (scheme time) (scheme eval))")
			}
			for i := 0; i < len(forms); i++ {
				form := forms[i].Span.Text()
				if i > 0 && strings.HasPrefix(forms[i-1].Span.Text(), "(import") || i == 0 && !strings.HasPrefix(form, "(import") {
					if got := evaluate(m, out, fmt.Sprintf("(import (srfi %d))", n)); got != "" {
						t.Fatal(got)
					}
				}
				if i+2 < len(forms) && isNamed(forms[i+1], "=>") {
					if !shared(forms[i]) {
						i += 2
						continue
					}
					_, line, _ := forms[i].Span.Position()
					if got := evaluate(m, out, "(write "+form+")"); got != forms[i+2].Text() && !strings.Contains(got, "is not defined") {
						t.Errorf("with (srfi %d): %s:%d: %s\n got %s\nwant %s", n, path, line, form, got, forms[i+2].Text())
					}
					i += 2
				} else if i+2 < len(forms) && (isNamed(forms[i+1], "=raises>") || isNamed(forms[i+1], "=rejects>") || isNamed(forms[i+1], "=prints>")) {
					i += 2
				} else {
					evaluate(m, out, form)
				}
			}
			m.Close()
		}
	}
}
