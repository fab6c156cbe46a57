package command_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"caper/runtime/model"
	"caper/runtime/worker"
)

// TestTopics runs what the help topics show: programs, commands and rules stand in blocks that are indented by four columns.
func TestTopics(t *testing.T) {
	for _, topic := range []string{"tools", "language", "policy"} {
		t.Run(topic, func(t *testing.T) {
			dir := t.TempDir()
			env := append(os.Environ(), "CAPER_HOME="+filepath.Join(dir, "home"), "HOME="+dir)
			write := func(name, text string) {
				t.Helper()
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			run := func(name string, args ...string) string {
				t.Helper()
				c := exec.Command(name, args...)
				c.Dir, c.Env = dir, env
				out, err := c.CombinedOutput()
				if err != nil {
					t.Fatalf("%s %q: %v\n%s", name, args, err, out)
				}
				return string(out)
			}
			write("a.scm", "(define x 1)\n(display x)\n")
			text := run("caper", "help", topic)
			for _, block := range blocks(text) {
				switch first := block[0]; {
				case strings.HasPrefix(first, "("):
					write("b.scm", strings.Join(block, "\n"))
					t.Log(run("caper", "run", "--policy", "yolo", "b.scm"))
				case strings.HasPrefix(first, "caper "):
					for _, l := range block {
						t.Log(run("sh", "-c", l))
					}
				default:
					write("rules.yaml", strings.Join(block, "\n")+"\n")
					run("caper", "policy", "check", "rules.yaml")
				}
			}
		})
	}
}

// TestSettingsTopics reads the files that the topics about settings show, each as it is read at work, and holds that the
// topics name every member that there is.
func TestSettingsTopics(t *testing.T) {
	block := func(text string, n int) string { return strings.Join(blocks(text)[n], "\n") + "\n" }
	named := func(text string, names []string) {
		for _, n := range names {
			if !regexp.MustCompile(`\b` + n + `\b`).MatchString(text) {
				t.Errorf("nothing is said of %s", n)
			}
		}
	}
	text := printed(t, "help", "models")
	cfg, err := model.ParseConfig("models.yaml", []byte(block(text, 0)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := model.Open(cfg, model.Env{}); err != nil {
		t.Error(err)
	}
	var kinds []string
	for _, c := range cfg.Connections {
		kinds = append(kinds, c.Kind)
	}
	slices.Sort(kinds)
	if want := []string{model.KindAnthropic, model.KindFallback, model.KindOpenAI, model.KindChat, model.KindScheme}; !slices.Equal(kinds, want) {
		t.Errorf("examples of %q, want %q", kinds, want)
	}
	_, err = model.ParseConfig("models.yaml", []byte("connections: {a: {nothing: 1}}\n"))
	_, members, ok := strings.Cut(fmt.Sprint(err), "a connection has ")
	if !ok {
		t.Fatal(err)
	}
	named(text, strings.Split(strings.ReplaceAll(members, " or ", ", "), ", "))
	if prices, err := model.ParsePrices("prices.json", []byte(block(text, 1))); err != nil || len(prices.Models) != 1 {
		t.Errorf("%v, %v", prices, err)
	}

	text = printed(t, "help", "worker")
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte(block(text, 0)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := worker.LoadConfig(file); err != nil {
		t.Error(err)
	}
	named(text, yamlNames(reflect.TypeFor[worker.Config]()))
}

// yamlNames are the members of a file that is read into a type.
func yamlNames(t reflect.Type) (names []string) {
	switch t.Kind() {
	case reflect.Map, reflect.Slice, reflect.Pointer:
		return yamlNames(t.Elem())
	case reflect.Struct:
		for f := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(f).Tag.Get("yaml"), ",")
			if name != "" && name != "-" {
				names = append(names, name)
			}
			if name != "-" {
				names = append(names, yamlNames(t.Field(f).Type)...)
			}
		}
	}
	return names
}

// blocks are the runs of lines of a help text that are indented by four columns, up to the usage that follows it.
func blocks(text string) (out [][]string) {
	text, _, _ = strings.Cut(text, "\nUsage:")
	var at []string
	for _, l := range append(strings.Split(text, "\n"), "") {
		body, ok := strings.CutPrefix(l, "    ")
		if ok && (len(at) > 0 || !strings.HasPrefix(body, " ")) {
			at = append(at, body)
			continue
		}
		if len(at) > 0 {
			out, at = append(out, at), nil
		}
	}
	return out
}

// TestJSONTopic: each type of object that some command prints is written down.
func TestJSONTopic(t *testing.T) {
	topic, err := exec.Command("caper", "help", "json").Output()
	if err != nil {
		t.Fatal(err)
	}
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	printed := regexp.MustCompile(`(?:"type": |emitAs\(|v\.table\()"([a-z]+)"`)
	n := 0
	for _, file := range append(sources, "../view/transcript.go", "../view/events.go") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range printed.FindAllStringSubmatch(string(text), -1) {
			n++
			if !regexp.MustCompile(`(?m)^  (?:[a-z]+, )*` + m[1] + `[ ,:]`).Match(topic) {
				t.Errorf("%s prints objects of type %q, of which caper help json does not speak", file, m[1])
			}
		}
	}
	if n < 20 {
		t.Errorf("only %d places were found that print objects", n)
	}
}
