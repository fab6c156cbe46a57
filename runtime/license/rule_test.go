package license

import (
	"strings"
	"testing"

	"caper/runtime/graph"

	"github.com/google/go-cmp/cmp"
)

func TestParseRuleErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "empty",
		"*":                       "posture",
		"bash(":                   "not closed",
		"bash(x":                  "not closed",
		"bash(x) ":                "space",
		"bash()":                  "pattern is empty",
		"bash(git push && x)":     "one simple command",
		"bash(git push > x)":      "write-file",
		"bash(A=1 git)":           "sets a variable",
		"bash($X)":                "expansion",
		"bash(git `x`)":           "expansion",
		"bash('git)":              "cannot be read",
		"bash(git:*)":             "space before the star",
		"write-file(/etc/x)":      "//",
		"write-file(../x)":        "..",
		"write-file(a/../x)":      "..",
		"write-file(~root/x)":     "~/",
		"write-file([)":           "glob",
		"a/b/c":                   "MCP",
		"a/":                      "MCP",
		"/b":                      "no tool",
		"web-extract(x)":          "arg=glob",
		"web-extract(=x)":         "arg=glob",
		"bash(rm \u200b-rf)":      "invisible",
		"bash(rm\n-rf)":           "invisible",
		"bash (rm)":               "no tool's name",
		strings.Repeat("x", 5000): "at most",
		"bash(\xff)":              "UTF-8",
		"bash((x))":               "one simple command",
	} {
		if r, err := ParseRule(text, "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %q", text, r, err, want)
		}
	}
}

func TestRulesAsData(t *testing.T) {
	list := func(items ...graph.Datum) graph.List { return items }
	sym := func(s string) graph.Symbol { return graph.Symbol(s) }
	for _, row := range []struct {
		datum graph.Datum
		kind  RuleKind
		text  string
		err   string
	}{
		{list(sym("deny"), list(sym("bash"), "rm -rf *")), KindDeny, "bash(rm -rf *)", ""},
		{list(sym("ask"), sym("write-file")), KindAsk, "write-file", ""},
		{list(sym("ask"), list(sym("write-file"))), KindAsk, "write-file", ""},
		{list(sym("allow"), list(sym("read-file"), "docs/**")), KindAllow, "read-file(docs/**)", ""},
		{list(sym("allow"), sym("files/*")), KindAllow, "files/*", ""},
		{list(sym("deny"), list(sym("web-extract"), list(sym("url"), "http://*"))), KindDeny, "web-extract(url=http://*)", ""},
		{list(sym("deny"), list(sym("f/g"), list(sym("a"), "x"), list(sym("b"), "y"))), KindDeny, "f/g(a=x, b=y)", ""},
		{list(sym("permit"), sym("bash")), "", "", "deny, ask or allow"},
		{list(sym("deny")), "", "", "list of two"},
		{list(sym("deny"), "bash"), "", "", "names a tool"},
		{list(sym("deny"), list("bash", "x")), "", "", "symbol"},
		{list(sym("deny"), list(sym("bash"), "a", "b")), "", "", "one pattern"},
		{list(sym("deny"), list(sym("bash"), int64(3))), "", "", "string"},
		{list(sym("deny"), list(sym("bash"), "a; b")), "", "", "one simple command"},
		{list(sym("deny"), list(sym("x"), list(sym("url"), "a,b=c"))), "", "", "comma"},
		{"deny", "", "", "list of two"},
		{nil, "", "", "list of two"},
	} {
		kind, r, err := ParseRuleDatum(row.datum, "x")
		if row.err != "" {
			if err == nil || !strings.Contains(err.Error(), row.err) {
				t.Errorf("%v: %v", row.datum, err)
			}
			continue
		}
		if err != nil || kind != row.kind || r.Text != row.text {
			t.Errorf("%v: %s %q %v", row.datum, kind, r.Text, err)
			continue
		}
		_, again, err := ParseRuleDatum(r.Datum(kind), "x")
		if err != nil || again.Text != r.Text {
			t.Errorf("%v does not read back: %v %v", row.datum, again, err)
		}
	}
}

func TestPolicyFiles(t *testing.T) {
	for _, row := range []struct{ src, want string }{
		{"", ""},
		{"# only a comment\n", ""},
		{"deny: []\n", ""},
		{"deny: [bash(rm -rf *), 'write-file(docs/**)']\n", ""},
		{"deny:\n- \"bash(git push *)\"\n", ""},
		{"denies:\n  - bash\n", `p.yaml:1: found the key denies; allowed are deny, ask and allow`},
		{"\n\nallow:\n  - bash\nposture: yolo\n", "p.yaml:5: found the key posture"},
		{"deny: bash\n", "p.yaml:1: deny holds the text bash; a list of rules"},
		{"deny:\n", "p.yaml:1: deny holds nothing"},
		{"deny: 5\n", "the number 5"},
		{"deny: true\n", "the truth value true"},
		{"deny: {a: b}\n", "a mapping"},
		{"deny:\n  - 5\n", "p.yaml:2: deny holds the number 5 where a rule should be"},
		{"deny:\n  - bash\n  - \n", "p.yaml:3: deny holds nothing"},
		{"deny:\n  - bash: x\n", "quote a rule that holds a colon"},
		{"deny:\n  - [bash]\n", "p.yaml:2: deny holds a list"},
		{"deny:\n  - |\n    bash\n", "p.yaml:2"},
		{"deny:\n  - bash(x #y)\n", "p.yaml:2: rule \"bash(x\""},
		{"deny:\n  - bash(a; b)\n", "p.yaml:2: rule \"bash(a; b)\""},
		{"deny:\n  - bash\ndeny:\n  - make-dir\n", "p.yaml:3"},
		{"- bash\n", "p.yaml:1: found a list"},
		{"bash\n", "p.yaml:1: found the text bash"},
		{"a: &x [bash]\ndeny: *x\n", "p.yaml:1: found an anchor"},
		{"deny:\n  - *x\n", "p.yaml:2: found an anchor, an alias"},
		{"<<: x\n", "merge"},
		{"deny: !!seq []\n", "a tag"},
		{"%YAML 1.2\n---\ndeny: []\n", "directive"},
		{"deny: []\n---\nallow: []\n", "second document"},
		{"deny: [[[[[[bash]]]]]]\n", "nests too deep"},
		{"- - - - - - bash\n", "nests too deep"},
		{"? ? ? ? ? x\n", "nests too deep"},
		{strings.Repeat(" ", 100) + "deny: []\n", "indented"},
		{"deny: [bash\n", "p.yaml:"},
		{"deny:\n\t- bash\n", "p.yaml:"},
		{"deny: [\"\x01\"]\n", "control character"},
		{"5: [bash]\n", "found 5 as a key"},
		{"deny:\n  - " + strings.Repeat("x", 9000) + "\n", "longer than"},
		{strings.Repeat("#", 1<<20) + "\n#", "at most 1048576"},
		{strings.Repeat("[", 8000), "nests too deep"},
	} {
		_, err := ParsePolicy("p.yaml", []byte(row.src))
		name := row.src
		if len(name) > 60 {
			name = name[:60]
		}
		switch {
		case row.want == "" && err != nil, row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)):
			t.Errorf("%q: %v, want %q", name, err, row.want)
		}
		if err != nil {
			if pe, ok := err.(*PolicyError); !ok || pe.Line < 1 || pe.File != "p.yaml" || strings.Contains(pe.Why, "\n") {
				t.Errorf("%q: %#v", name, err)
			}
		}
	}
}

func TestAnalyseWords(t *testing.T) {
	env := ShellEnv{Cwd: "/w", Home: "/h", Vars: map[string]string{"USER": "u"}}
	for src, want := range map[string][]string{
		`echo a\ b 'c d' "e f"`:        {"echo", "a b", "c d", "e f"},
		`echo $'a\tb\x41\101\u00e9'`:   {"echo", "a\tbAAé"},
		`echo ~ ~/x "~" \~`:            {"echo", "/h", "/h/x", "~", "~"},
		`echo $HOME "${HOME}/x" $USER`: {"echo", "/h", "/h/x", "u"},
		`echo a{b,c}d {x,y}`:           {"echo", "abd", "acd", "x", "y"},
		`echo "a\b\$c"`:                {"echo", `a\b$c`},
		`echo ''`:                      {"echo", ""},
	} {
		sh := Analyse(src, env)
		var got []string
		for _, w := range sh.Commands[0].Words {
			if !w.Known {
				t.Errorf("%s: %q is not known", src, w.Text)
			}
			got = append(got, w.Text)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", src, d)
		}
	}
	for _, src := range []string{`echo $X`, `echo ${HOME:-x}`, `HOME=/x; echo $HOME`, `read HOME; echo $HOME`, `echo ~root`, `echo {1..3}`, `echo $(x)`, `cd x; echo $PWD`} {
		sh := Analyse(src, env)
		last := sh.Commands[0]
		for _, c := range sh.Commands {
			if c.Name() == "echo" {
				last = c
			}
		}
		if w := last.Words[1]; w.Known {
			t.Errorf("%s: %q is taken as known", src, w.Text)
		}
	}
}

func TestNormalisedFlags(t *testing.T) {
	words := func(s string) []Word {
		var out []Word
		for _, f := range strings.Fields(s) {
			out = append(out, Word{Text: f, Known: true})
		}
		return out
	}
	for _, row := range []struct{ name, a, b string }{
		{"rm", "-rf", "-r -f"}, {"rm", "-rf", "--recursive --force"}, {"rm", "-rf", "--recurs --forc"},
		{"chmod", "-R", "--recursive"}, {"cp", "-a", "--archive"}, {"mv", "-f", "--force"}, {"git", "push -f", "push --force"},
		{"grep", "-rn", "--recursive --line-number"}, {"tar", "-xzf a", "-x -z -f a"}, {"curl", "-so a", "-s -o a"},
	} {
		flags := func(s string) (out []string) {
			for _, tok := range normalise(row.name, words(s)) {
				out = append(out, strings.Join(tok.flags, "|"))
			}
			return out
		}
		if d := cmp.Diff(flags(row.a), flags(row.b)); d != "" {
			t.Errorf("%s %s and %s: %s", row.name, row.a, row.b, d)
		}
	}
}
