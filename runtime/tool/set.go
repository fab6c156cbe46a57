package tool

import (
	"embed"
	"fmt"
	"sort"
	"strings"
	"unicode"

	"caper/interp/near"
	"caper/runtime/graph"
)

//go:embed *.md
var docs embed.FS

// doc answers the text that lies beside a tool's source.
func doc(name string) string {
	text, err := docs.ReadFile(name + ".md")
	if err != nil {
		return ""
	}
	return string(text)
}

// All lists the system tools.
func All() []*Tool {
	return []*Tool{
		ReadFile(),
		WriteFile(),
		AppendFile(),
		EditFile(),
		MoveFile(),
		DeleteFile(),
		MakeDir(),
		ListDir(),
		Glob(),
		Grep(),
		Bash(),
		ReadOutcome(),
		Rewind(),
		Fork(),
		Scheme(),
		FindTools(),
		ToolDoc(),
	}
}

// Set is the tools that a program can reach, by name. It does not change.
type Set struct {
	byName map[string]*Tool
	names  []string
}

// NewSet makes a set; two tools of one name are a mistake of the one who builds the system.
func NewSet(tools ...*Tool) (*Set, error) {
	s := &Set{byName: make(map[string]*Tool, len(tools))}
	for _, t := range tools {
		if _, twice := s.byName[t.Name]; twice {
			return nil, fmt.Errorf("two tools are called %s", t.Name)
		}
		s.byName[t.Name] = t
		s.names = append(s.names, t.Name)
	}
	sort.Strings(s.names)
	return s, nil
}

// Get answers the tool called name.
func (s *Set) Get(name string) (*Tool, bool) {
	t, ok := s.byName[name]
	return t, ok
}

// Names answers all names, sorted.
func (s *Set) Names() []string {
	return append([]string(nil), s.names...)
}

// Find answers the tools that have words of text in their name, summary or documentation, the best first. A word counts for
// more in the name than in the summary, and there more than in the documentation; a tool with more of the words goes first.
func (s *Set) Find(text string) []*Tool {
	words := wordsOf(text)
	type found struct {
		tool         *Tool
		words, score int
	}
	var all []found
	for _, name := range s.names {
		t := s.byName[name]
		if t.Means {
			continue
		}
		name, summary, doc := countWords(t.Name), countWords(t.Summary), countWords(t.Doc)
		f := found{tool: t}
		for _, w := range words {
			score := 0
			if t.Name == w {
				score += 40
			}
			score += 20*hits(name, w) + 6*hits(summary, w) + min(hits(doc, w), 3)
			if score > 0 {
				f.words++
				f.score += score
			}
		}
		if f.words > 0 {
			all = append(all, f)
		}
	}
	sort.SliceStable(all, func(i, j int) bool {
		if all[i].words != all[j].words {
			return all[i].words > all[j].words
		}
		return all[i].score > all[j].score
	})
	tools := make([]*Tool, len(all))
	for i, f := range all {
		tools[i] = f.tool
	}
	return tools
}

// Documentation is the documentation of a tool as text.
func (s *Set) Documentation(name string) (graph.Datum, error) {
	t, ok := s.byName[name]
	if !ok {
		e := s.Unknown(name)
		return nil, fail(e.Code, "%s; %s", e.Message, e.Hints[0])
	}
	return Usage(t) + "\n\n" + t.Doc, nil
}

// Found is what Find answers as data: names with how to call them, the best first.
func (s *Set) Found(text string) (graph.Datum, error) {
	list := graph.List{}
	for _, t := range s.Find(text) {
		if len(list) == mostFound {
			break
		}
		list = append(list, graph.Pair(t.Name, Usage(t)+" — "+t.Summary))
	}
	return list, nil
}

// mostFound is how many tools a search answers.
const mostFound = 8

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

func countWords(text string) map[string]int {
	counts := map[string]int{}
	for _, w := range wordsOf(text) {
		counts[w]++
	}
	return counts
}

// hits counts a word and the words that it begins ("file" in "files").
func hits(counts map[string]int, w string) int {
	n := counts[w]
	if n > 0 || len(w) < 3 {
		return n
	}
	for other, c := range counts {
		if strings.HasPrefix(other, w) || len(other) >= 4 && strings.HasPrefix(w, other) {
			n += c
		}
	}
	return n
}

// Unknown is the failure of a call to a tool that there is none of.
func (s *Set) Unknown(name string) *Error {
	e := fail("unknown-tool", "there is no tool called %s", name).meant(near.Names(name, s.Names()))
	if e.Hints == nil {
		e.Hints = []string{"(tools) lists them"}
	}
	return e
}
