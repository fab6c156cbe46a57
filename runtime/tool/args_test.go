package tool

import (
	"math/big"
	"reflect"
	"strings"
	"testing"

	"caper/runtime/graph"
)

func TestBind(t *testing.T) {
	type keys = map[string]graph.Datum
	for _, c := range []struct {
		tool  *Tool
		given []graph.Datum
		keys  keys
		args  Args
		says  string
	}{
		{ReadFile(), []graph.Datum{"f"}, nil, Args{"path": "f"}, ""},
		{ReadFile(), []graph.Datum{"f"}, keys{"limit": 2.0, "bytes": true}, Args{"path": "f", "limit": int64(2), "bytes": true}, ""},
		{ReadFile(), []graph.Datum{"f"}, keys{"limit": false, "bytes": false}, Args{"path": "f"}, ""},
		{ReadFile(), nil, nil, nil, "read-file: the argument path is missing: (read-file path [#:offset n] [#:limit n] [#:bytes #t])"},
		{ReadFile(), []graph.Datum{"f", "g"}, nil, nil, "2 arguments given, at most 1 taken"},
		{ReadFile(), []graph.Datum{graph.Symbol("README.md")}, nil, nil, `path must be a string, found the symbol README.md; write "README.md"`},
		{ReadFile(), []graph.Datum{graph.List{"f"}}, nil, nil, "path must be a string, found a list of 1"},
		{ReadFile(), []graph.Datum{false}, nil, nil, "path must be a string, found #f"},
		{ReadFile(), []graph.Datum{""}, nil, nil, "empty string"},
		{ReadFile(), []graph.Datum{"a\x00b"}, nil, nil, "NUL"},
		{ReadFile(), []graph.Datum{strings.Repeat("a", 5000)}, nil, nil, "5000 bytes long"},
		{ReadFile(), []graph.Datum{"f"}, keys{"lines": int64(3)}, nil, "read-file: there is no #:lines; allowed: #:offset #:limit #:bytes"},
		{ReadFile(), []graph.Datum{"f"}, keys{"path": "g"}, nil, "path is given by position"},
		{ReadFile(), []graph.Datum{"f"}, keys{"limit": "3"}, nil, `limit must be an exact integer, found the string "3"`},
		{ReadFile(), []graph.Datum{"f"}, keys{"limit": 1.5}, nil, "limit must be an exact integer, found the number 1.5"},
		{ReadFile(), []graph.Datum{"f"}, keys{"limit": new(big.Int).Lsh(big.NewInt(1), 80)}, nil, "found the number 1208925819614629174706176"},
		{ReadFile(), []graph.Datum{"f"}, keys{"bytes": int64(1)}, nil, "bytes must be #t or #f, found the number 1"},
		{WriteFile(), []graph.Datum{"f", "x"}, keys{"mode": int64(1)}, nil, "write-file: takes no keywords, found #:mode"},
		{Bash(), []graph.Datum{"ls"}, keys{"timeout": big.NewRat(1, 2)}, Args{"command": "ls", "timeout": 0.5}, ""},
		{Bash(), []graph.Datum{graph.Symbol("ls")}, nil, nil, `write "ls"`},
	} {
		args, err := Bind(c.tool, c.given, c.keys)
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s %v %v: %v", c.tool.Name, c.given, c.keys, err)
		}
		if err == nil && !reflect.DeepEqual(args, c.args) {
			t.Errorf("%s %v %v: %v", c.tool.Name, c.given, c.keys, args)
		}
	}
}

func TestFactsThereAndBack(t *testing.T) {
	f := Facts{"path": "a\nb", "ino": int64(-1), "exists": true}
	g, err := FactsOf(f.Datum())
	if err != nil || !reflect.DeepEqual(f, g) {
		t.Error(g, err)
	}
	for _, bad := range []graph.Datum{nil, "x", graph.List{"x"}, graph.List{pair("x", graph.List{})}, graph.List{&graph.Dotted{Items: []graph.Datum{"x"}, Tail: "y"}}} {
		if _, err := FactsOf(bad); err == nil {
			t.Errorf("%v was taken for facts", bad)
		}
	}
}

func TestEveryToolIsDescribed(t *testing.T) {
	set, err := NewSet(All()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range set.Names() {
		tool, _ := set.Get(name)
		body := tool.Prepare != nil && tool.Perform != nil && tool.Recover != nil
		if tool.Version == "" || tool.Summary == "" || body == tool.Hosted() {
			t.Errorf("%s is not whole", name)
		}
		if !strings.HasPrefix(tool.Doc, "`("+name) {
			t.Errorf("%s.md does not begin with how it is called", name)
		}
		for _, p := range tool.Params {
			if p.Doc == "" {
				t.Errorf("%s: %s has no documentation", name, p.Name)
			}
			if p.Keyword && !strings.Contains(tool.Doc, "#:"+p.Name) {
				t.Errorf("%s.md does not name #:%s", name, p.Name)
			}
		}
	}
	if _, err := NewSet(Bash(), Bash()); err == nil {
		t.Error("two tools of one name")
	}
}

func TestFind(t *testing.T) {
	set, _ := NewSet(All()...)
	for text, want := range map[string]string{
		"bash": "bash", "shell command": "bash", "run command": "bash", "regular expression": "grep", "find files by name": "glob", "rename": "move-file",
		"read-file": "read-file", "replace text": "edit-file", "remove": "", "delete": "delete-file", "folder list": "list-dir", "append": "append-file",
	} {
		found := set.Find(text)
		if want == "" {
			continue
		}
		if len(found) == 0 || found[0].Name != want {
			names := []string{}
			for _, f := range found {
				names = append(names, f.Name)
			}
			t.Errorf("%s: %q", text, names)
		}
	}
	if len(set.Find("zebra")) != 0 {
		t.Error("zebras")
	}
}
