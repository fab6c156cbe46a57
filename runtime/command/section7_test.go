package command_test

import (
	"regexp"
	"strings"
	"testing"

	"caper/runtime/program/bind"
	"caper/runtime/tool"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestSection7NamesAll: the script that shows the procedures shows all of them: those of the tables, and those that the
// libraries export.
func TestSection7NamesAll(t *testing.T) {
	script, err := txtar.ParseFile("testdata/script/section7.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range script.Files {
		files[f.Name] = string(f.Data)
	}
	none, err := tool.NewSet()
	if err != nil {
		t.Fatal(err)
	}
	wanted := map[string]string{}
	for library, text := range bind.Libraries(none, nil) {
		exported := regexp.MustCompile(`\(export ([^)]*)\)`).FindStringSubmatch(text)
		if exported == nil {
			t.Fatalf("%s exports nothing", library)
		}
		for _, name := range strings.Fields(exported[1]) {
			wanted[name] = library
		}
	}
	for _, name := range strings.Fields(files["names.txt"]) {
		wanted[name] = "the tables"
	}
	if len(wanted) < 60 {
		t.Errorf("only %d names", len(wanted))
	}
	shown := map[string]bool{}
	code := regexp.MustCompile(`(?m);.*$|"[^"\n]*"`).ReplaceAllString(files["all.scm"], " ")
	for _, word := range strings.FieldsFunc(code, func(r rune) bool { return strings.ContainsRune("()'` \n", r) }) {
		shown[word] = true
	}
	for name, from := range wanted {
		if !shown[name] && !strings.HasPrefix(name, "#%") {
			t.Errorf("%s of %s is not at work", name, from)
		}
	}
}
