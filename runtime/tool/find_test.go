package tool

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// needs are the tools that programs for the tasks of testdata/tasks use.
var needs = map[string]string{
	"001": "read-file", "003": "grep", "005": "read-file", "007": "read-file grep", "009": "read-file grep", "011": "read-file write-file",
	"013": "read-file", "015": "read-file glob", "017": "read-file", "019": "read-file write-file glob", "021": "read-file", "023": "read-file glob bash",
	"025": "read-file", "027": "read-file write-file", "029": "read-file", "031": "read-file", "033": "read-file", "035": "read-file glob",
	"037": "read-file glob", "039": "read-file", "041": "read-file glob", "043": "read-file glob", "045": "bash", "047": "read-file glob grep",
	"049": "read-file write-file", "051": "read-file", "053": "read-file glob", "055": "read-file write-file bash", "057": "web-search",
	"059": "complete", "061": "read-file glob complete", "063": "web-search", "065": "read-file spawn-agent", "067": "read-file write-file glob complete",
	"069": "read-file write-file glob complete", "071": "read-file glob spawn-agent", "073": "grep spawn-agent", "075": "read-file grep complete",
	"077": "complete web-search web-extract", "079": "read-file write-file glob grep complete",
}

// chores are tasks whose few words hardly say which tools they need, beside the file that they name.
var chores = map[string]string{
	"Which people in data/people.csv have no email? Return their names":              "read-file",
	"Flatten config/package.json into dotted keys and values":                        "read-file",
	"The slowest operation in logs/app.log by ms=, with its timestamp":               "read-file",
	"Rename the photos IMG_N.txt to photo-NNN.txt with zero padding":                 "move-file glob",
	"Change the port in config/app.ini to 9090 in place and return the changed line": "read-file edit-file",
	"Turn data/people.csv into JSON with numbers as numbers; write out/people.json":  "read-file write-file",
	"Strip trailing whitespace from src/app.js and say how many lines changed":       "read-file write-file",
	"Run scripts/flaky.sh until it succeeds, at most five attempts":                  "bash",
	"Rename camelCase to camel_case in all Python files and report changes per file": "read-file write-file glob",
	"Find all TODO comments in the repository as (file line) pairs":                  "grep glob read-file",
}

func TestFindForChores(t *testing.T) {
	set, err := NewSet(All()...)
	if err != nil {
		t.Fatal(err)
	}
	for task, tools := range chores {
		var names []string
		for _, f := range set.Find(task) {
			names = append(names, f.Name)
		}
		for _, want := range strings.Fields(tools) {
			if at := slices.Index(names, want); at < 0 || at > 4 {
				t.Errorf("%q needs %s, which is found as number %d: %v", task, want, at+1, names)
			}
		}
	}
}

// TestFindForTasks: for each task the tools that programs for it use are among the first five that its own words find.
func TestFindForTasks(t *testing.T) {
	set, err := NewSet(All()...)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/tasks/*.md")
	if err != nil || len(files) != len(needs) {
		t.Fatal(len(files), "tasks", err)
	}
	heading := regexp.MustCompile(`(?m)^(# \d+ |Band:.*|Kind:.*)`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		number := strings.TrimSuffix(filepath.Base(file), ".md")
		task := heading.ReplaceAllString(string(text), "")
		var names []string
		for _, f := range set.Find(task) {
			names = append(names, f.Name)
		}
		for _, want := range strings.Fields(needs[number]) {
			if _, there := set.Get(want); !there {
				continue // a later layer's
			}
			if at := slices.Index(names, want); at < 0 || at > 4 {
				t.Errorf("%s needs %s, which is found as number %d: %v\n%s", number, want, at+1, names, strings.TrimSpace(task))
			}
		}
	}
}
