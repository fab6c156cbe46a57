package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"sort"
	"strings"
	"testing"
)

// room is one row of the import law: which packages of this module, and which libraries of note, a folder may import.
type room struct {
	path   string
	may    string // packages of ours, without the module's name; a trailing /... takes what lies below too
	reason string
}

// law is the import law. A package that has no row fails, a row that allows more than is used fails, and so does a
// folder that does not exist.
var law = []room{
	{".", "runtime/command", "main only starts the command line"},
	{"builtins", "builtins/... interp/heap interp/prim", "All is one explicit list"},
	{"repl", "interp/syntax runtime/view", "what a person types to; a host runs it"},
	{"interp", "builtins interp/code interp/compile interp/expand interp/frozen interp/heap interp/image interp/prim interp/snapshot interp/syntax interp/vm stdlib", "the embedding API joins the engine's rooms"},
	{"interp/bench", "", "programs as data"},
	{"interp/code", "interp/heap interp/number", "instructions speak of words, constants of numbers"},
	{"interp/compile", "interp/code interp/expand interp/heap interp/prim interp/syntax", "core forms to code"},
	{"interp/expand", "interp/frozen interp/near interp/number interp/syntax", "the expander knows nothing of a running program"},
	{"interp/frozen", "", "texts and numbers"},
	{"interp/heap", "interp/frozen interp/number", "numeric words; the symbols of the image"},
	{"interp/image", "interp/code interp/compile interp/expand interp/frozen interp/heap interp/prim interp/syntax interp/vm", "the library is expanded, compiled and run once"},
	{"interp/near", "", "what was probably meant by a name"},
	{"interp/number", "", "pure functions"},
	{"interp/prim", "interp/heap", "what a primitive may do"},
	{"interp/snapshot", "interp/code interp/heap interp/vm", "a machine to bytes and back"},
	{"interp/syntax", "interp/number", "literals"},
	{"interp/vm", "interp/code interp/frozen interp/heap interp/number interp/prim", "the machine"},
	{"runtime/agent", "runtime/call runtime/graph runtime/kind runtime/license runtime/model runtime/session runtime/store runtime/tool", "the loop of a turn"},
	{"runtime/assembly", "interp interp/near interp/syntax runtime/agent runtime/blob runtime/call runtime/catalogue runtime/drive runtime/graph runtime/kind runtime/license runtime/model runtime/orchestrator runtime/program runtime/program/bind runtime/session runtime/store runtime/store/badger runtime/tool runtime/view", "the one place that builds the whole"},
	{"runtime/blob", "", "bytes by content"},
	{"runtime/call", "runtime/graph runtime/kind runtime/license runtime/session runtime/store runtime/tool", "the only caller of tool bodies"},
	{"runtime/catalogue", "runtime/kind", "recipes of agents in files"},
	{"runtime/check", "interp interp/expand interp/number interp/syntax runtime/graph runtime/license runtime/program/bind runtime/tool", "a program is followed without being run"},
	{"runtime/command", "repl interp interp/expand interp/near interp/syntax runtime/agent runtime/assembly runtime/call runtime/check runtime/format runtime/graph runtime/kind runtime/license runtime/model runtime/owner runtime/program runtime/program/bind runtime/session runtime/store runtime/store/badger runtime/tap runtime/tool runtime/view runtime/worker runtime/worker/driver runtime/worker/wire runtime/worker/wire/dir", "verbs of the command line"},
	{"runtime/drive", "runtime/agent runtime/call runtime/graph runtime/kind runtime/license runtime/model runtime/store runtime/tool runtime/worker runtime/worker/driver", "clients of others as calls of programs"},
	{"runtime/format", "interp/syntax", "text to text; the reader is the judge of what it means"},
	{"runtime/graph", "interp/number interp/syntax", "pure; numbers are those of programs, and the external form is the reader's"},
	{"runtime/kind", "runtime/graph", "kinds of node"},
	{"runtime/license", "interp/near runtime/graph", "decisions are pure"},
	{"runtime/model", "interp/near", "models answer requests; who asks and why is not their business"},
	{"runtime/model/modeltest", "runtime/model", "servers of models for tests"},
	{"runtime/orchestrator", "runtime/graph runtime/kind runtime/session runtime/store", "takes up what was left open"},
	{"runtime/owner", "", "frames on a socket"},
	{"runtime/program", "interp interp/heap interp/syntax runtime/call runtime/graph runtime/kind runtime/license runtime/program/bind runtime/store runtime/tool", "joins a machine to the runtime"},
	{"runtime/program/bind", "builtins/hash interp interp/heap interp/near interp/number interp/syntax runtime/graph runtime/kind runtime/tool", "converts between words and data"},
	{"runtime/sim", "", "tests of the whole, as processes"},
	{"runtime/store", "runtime/graph runtime/kind", "nodes on a ledger"},
	{"runtime/store/badger", "runtime/graph runtime/kind runtime/store", "the only importer of Badger"},
	{"runtime/store/mem", "runtime/store", "the same in memory"},
	{"runtime/store/storetest", "runtime/graph runtime/kind runtime/store", "the contract suite"},
	{"runtime/session", "runtime/graph runtime/kind", "a conversation is read from the graph"},
	{"runtime/schemetest", "interp runtime/assembly runtime/call runtime/license runtime/program runtime/store runtime/store/mem runtime/tap", "tests of programs as tests of Go"},
	{"runtime/tap", "", "pure"},
	{"runtime/tool", "interp/near runtime/graph", "tools know nothing of who calls them"},
	{"runtime/view", "interp/compile interp/expand interp/syntax runtime/agent runtime/call runtime/check runtime/graph runtime/kind runtime/license runtime/program runtime/session runtime/store runtime/tap runtime/tool", "what a terminal shows"},
	{"runtime/worker", "runtime/tool runtime/worker/driver runtime/worker/wire runtime/worker/wire/dir", "threads, each driven by one agent"},
	{"runtime/worker/driver", "runtime/tool", "clients of agents as processes"},
	{"runtime/worker/driver/drivertest", "", "a client that does as it is told, for tests and demos"},
	{"runtime/worker/wire", "", "objects, items and who may write what"},
	{"runtime/worker/wire/dir", "runtime/worker/wire", "a wire that is a folder"},
	{"runtime/worker/wire/wiretest", "runtime/worker/wire", "the contract suite"},
	{"stdlib", "", "Scheme text, and what is said of its names"},
}

// primitiveRooms below builtins all have the same row.
var primitiveRoom = room{"builtins/*", "builtins/... interp/heap interp/number interp/prim interp/syntax", "primitives are functions over words"}

// only names the single importers of libraries that would otherwise spread.
var only = map[string][]string{
	"github.com/dgraph-io/badger/v4":         {"runtime/store/badger"},
	"github.com/modelcontextprotocol/go-sdk": {"runtime/mcp"},
	"mvdan.cc/sh/v3":                         {"runtime/license"},
	"github.com/goccy/go-yaml":               {"runtime/catalogue", "runtime/license", "runtime/model", "runtime/worker"},
	"github.com/anthropics/anthropic-sdk-go": {"runtime/model"},
	"github.com/openai/openai-go/v3":         {"runtime/model"},
	"github.com/spf13/cobra":                 {"runtime/command"},
	"github.com/fsnotify/fsnotify":           {"runtime/worker/wire/dir"},
	"github.com/peterh/liner":                {"repl"},
}

type pkg struct {
	ImportPath string
	Imports    []string
}

func packages(t *testing.T) map[string][]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	all := map[string][]string{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all[local(p.ImportPath)] = p.Imports
	}
}

func local(path string) string {
	if path == "caper" {
		return "."
	}
	return strings.TrimPrefix(path, "caper/")
}

// violations answers what is wrong between packages and the law.
func violations(all map[string][]string, law []room) []string {
	rows := map[string]room{}
	for _, r := range law {
		rows[r.path] = r
	}
	var bad []string
	for path, imports := range all {
		r, ok := rows[path]
		if !ok && strings.HasPrefix(path, "builtins/") {
			r, ok = primitiveRoom, true
		} else if !ok && strings.HasPrefix(path, "examples/") {
			continue // examples test themselves through the command line
		}
		if !ok {
			bad = append(bad, path+" has no row in the import law")
			continue
		}
		used := map[string]bool{}
		for _, i := range imports {
			for lib, importers := range only {
				if (i == lib || strings.HasPrefix(i, lib+"/")) && !contains(importers, path) {
					bad = append(bad, path+" imports "+i+", which only "+strings.Join(importers, ", ")+" may")
				}
			}
			if i != "caper" && !strings.HasPrefix(i, "caper/") {
				continue
			}
			allowed := false
			for _, m := range strings.Fields(r.may) {
				if m == local(i) || strings.HasSuffix(m, "/...") && strings.HasPrefix(local(i), strings.TrimSuffix(m, "...")) {
					allowed, used[m] = true, true
				}
			}
			if !allowed {
				bad = append(bad, path+" imports "+local(i)+"; its row allows: "+r.may)
			}
		}
		if r.path != primitiveRoom.path {
			for _, m := range strings.Fields(r.may) {
				if !used[m] {
					bad = append(bad, "the row of "+path+" allows "+m+", which it does not need")
				}
			}
		}
		delete(rows, path)
	}
	for path := range rows {
		bad = append(bad, "the import law has a row for "+path+", which does not exist")
	}
	sort.Strings(bad)
	return bad
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// TestDependencies: ARCHITECTURE.md says of each library why it is there.
func TestDependencies(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(mod)) {
		f := strings.Fields(line)
		if len(f) != 2 || !strings.HasPrefix(f[1], "v") {
			continue // no library, or an indirect one
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(f[0], "github.com/"), "/v")
		if !strings.Contains(string(text), "`"+name) {
			t.Errorf("ARCHITECTURE.md does not say why %s is there", f[0])
		}
	}
}

func TestImportLaw(t *testing.T) {
	for _, v := range violations(packages(t), law) {
		t.Error(v)
	}
}

// TestImportLawFails shows that the law bites: each planted violation is found.
func TestImportLawFails(t *testing.T) {
	rows := []room{{"a", "b", ""}, {"b", "", ""}}
	for name, c := range map[string]struct {
		packages map[string][]string
		want     string
	}{
		"no row":               {map[string][]string{"a": {"caper/b"}, "b": nil, "c": nil}, "c has no row in the import law"},
		"not allowed":          {map[string][]string{"a": {"caper/b"}, "b": {"caper/a"}}, "b imports a; its row allows: "},
		"not needed":           {map[string][]string{"a": nil, "b": nil}, "the row of a allows b, which it does not need"},
		"row of nothing":       {map[string][]string{"a": {"caper/b"}}, "the import law has a row for b, which does not exist"},
		"another library":      {map[string][]string{"a": {"caper/b"}, "b": {"github.com/dgraph-io/badger/v4/options"}}, "b imports github.com/dgraph-io/badger/v4/options, which only runtime/store/badger may"},
		"only call runs tools": {map[string][]string{"a": {"caper/b", "caper/runtime/tool"}, "b": nil}, "a imports runtime/tool; its row allows: b"},
	} {
		t.Run(name, func(t *testing.T) {
			got := violations(c.packages, rows)
			if len(got) != 1 || got[0] != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
