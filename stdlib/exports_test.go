package stdlib_test

import (
	"flag"
	"os"
	"regexp"
	"sort"
	"strings"
	"testing"

	"caper/builtins"
	"caper/interp/vm"
	"caper/stdlib"
)

var update = flag.Bool("update", false, "write caper/exports.scm")

// renamed are exports under another name than the one inside.
var renamed = map[string]string{"λ": "lambda", "^": "lambda"}

// hidden are names of the standard library that the prelude defines anew or keeps to itself.
var hidden = map[string]bool{}

var definition = regexp.MustCompile(`(?m)^\(define(?:-syntax)? \(?([^\s()]+)`)
var defineFor = regexp.MustCompile(`(?m)^\(%define-[a-z]+ ([^\s()]+)`)
var recordPart = regexp.MustCompile(`\([a-z-]+ (date-[a-z-]+)\)|\) (date\?)\n`)
var formName = regexp.MustCompile(`name: "([^"]+)"`)

// TestExports compares what the prelude exports with all that there is to export: primitives, natives, syntax, and the
// definitions of its files. Names that start with % stay inside.
func TestExports(t *testing.T) {
	names := map[string]bool{}
	add := func(n string) {
		if !strings.HasPrefix(n, "%") && !hidden[n] {
			names[n] = true
		}
	}
	for _, p := range builtins.All() {
		add(p.Name)
	}
	for _, n := range vm.Control {
		add(n.Name)
	}
	syntax, err := os.ReadFile("../interp/expand/builtin.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range formName.FindAllStringSubmatch(string(syntax), -1) {
		add(m[1])
	}
	for _, f := range []string{"list", "string", "hash", "forms", "match", "date", "systems", "standard"} {
		text, _ := stdlib.File("caper/" + f + ".scm")
		for _, re := range []*regexp.Regexp{definition, defineFor} {
			for _, m := range re.FindAllStringSubmatch(text, -1) {
				add(m[1])
			}
		}
		for _, m := range recordPart.FindAllStringSubmatch(text, -1) {
			add(m[1] + m[2])
		}
	}
	for _, file := range []string{"control.scm", "scheme/file.sld", "scheme/process-context.sld"} {
		text, _ := stdlib.File(file)
		text = text[strings.Index(text, "(export")+len("(export"):]
		for _, n := range strings.Fields(text[:strings.IndexByte(text, ')')]) {
			add(n)
		}
	}
	for _, n := range strings.Fields("job-result job-wait wait await touch join") {
		add(n)
	}
	want := render(names)
	if *update {
		if err := os.WriteFile("caper/exports.scm", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := os.ReadFile("caper/exports.scm"); string(got) != want {
		t.Error("caper/exports.scm is not what there is to export: run go test ./stdlib -run Exports -update")
	}
}

func render(names map[string]bool) string {
	var sorted []string
	for n := range names {
		if strings.HasPrefix(n, "#%") || !strings.ContainsAny(n, "|") {
			sorted = append(sorted, n)
		}
	}
	sort.Strings(sorted)
	var out strings.Builder
	out.WriteString("(export")
	width := 7
	for _, n := range sorted {
		if width += len(n) + 1; width > 118 {
			out.WriteString("\n ")
			width = len(n) + 2
		}
		out.WriteString(" " + n)
	}
	var outer []string
	for n := range renamed {
		outer = append(outer, n)
	}
	sort.Strings(outer)
	for _, n := range outer {
		out.WriteString("\n  (rename " + renamed[n] + " " + n + ")")
	}
	out.WriteString(")\n")
	return out.String()
}
