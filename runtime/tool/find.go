package tool

import (
	"maps"
	"math"
	"slices"
	"sort"
	"strings"
	"unicode"

	"caper/runtime/graph"
)

// This file defines how tools are found by words: of a tool's name, or of a whole task.

// What a word counts for where it stands.
const (
	inName     = 3.0
	inKeywords = 3.0
	inSummary  = 1.5
	inDoc      = 0.4
)

// manyWords is from how many words on a text is a whole task, as one that names a file is. That needs, beside what its
// words name, what most work needs.
const manyWords = 6

// damped keeps one tool from all that a long text says.
const damped = 0.8

// Find answers the tools that words of a text speak of, the best first. Words are compared by their stems; one that few
// tools have counts for more than one that many have.
func (s *Set) Find(text string) []*Tool {
	x := s.index()
	words := termsOf(text)
	task := len(words) >= manyWords || namesFile(text)
	if task {
		for w := range answerWords {
			delete(words, stem(w))
		}
	}
	inOrder := slices.Sorted(maps.Keys(words)) // sums of fractions depend on it
	var all []found
	for i, t := range x.tools {
		if task && t.Private {
			continue // no task of a model's
		}
		f := found{tool: t}
		for _, w := range inOrder {
			if hit := x.weights[i][w]; hit > 0 {
				f.score += hit * x.rare(w)
			}
		}
		if strings.EqualFold(strings.TrimSpace(text), t.Name) {
			f.score += 100
		}
		all = append(all, f)
	}
	matched := 0.0
	for _, f := range all {
		matched = max(matched, f.score)
	}
	if matched == 0 {
		return nil
	}
	if task {
		for i := range all {
			all[i].score = math.Pow(all[i].score, damped) + float64(all[i].tool.Often)
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].score > all[j].score })
	var tools []*Tool
	for _, f := range all {
		if f.score > 0 {
			tools = append(tools, f.tool)
		}
	}
	return tools
}

type found struct {
	tool  *Tool
	score float64
}

// index is what a set knows for a search.
type index struct {
	tools   []*Tool
	weights []map[string]float64 // of each tool, by stem
	public  int                  // how many of them models call
	having  map[string]int       // in how many of those a stem is
}

func (s *Set) index() *index {
	s.once.Do(func() {
		x := &index{having: map[string]int{}}
		for _, name := range s.names {
			t := s.byName[name]
			if t.Means {
				continue
			}
			w := map[string]float64{}
			for _, field := range []struct {
				text   string
				weight float64
			}{{t.Name, inName}, {t.Keywords, inKeywords}, {t.Summary, inSummary}, {t.Doc, inDoc}} {
				for term := range termsOf(field.text) {
					w[term] = max(w[term], field.weight)
				}
			}
			if !t.Private { // what only programs call does not make the words of a task common
				x.public++
				for term := range w {
					x.having[term]++
				}
			}
			x.tools, x.weights = append(x.tools, t), append(x.weights, w)
		}
		s.found = x
	})
	return s.found
}

// rare is the inverse document frequency of a stem.
func (x *index) rare(stem string) float64 {
	n := float64(x.having[stem])
	return math.Log(1 + (float64(x.public)-n+0.5)/(n+0.5))
}

// termsOf are the stems of a text's words. What looks like the path of a file says file too, and a pattern of paths says
// pattern.
func termsOf(text string) map[string]bool {
	terms := map[string]bool{}
	for _, field := range strings.Fields(text) {
		if field = bare(field); looksLikePath(field) {
			terms["file"] = true
			if strings.Contains(field, "*") {
				terms["pattern"], terms["each"] = true, true
			}
			continue // what its parts are called says nothing of what is to be done
		}
		for _, w := range strings.FieldsFunc(strings.ToLower(field), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if len(w) > 1 && !plainWords[w] {
				terms[stem(w)] = true
			}
		}
	}
	return terms
}

// bare is a word without the punctuation around it.
func bare(word string) string {
	return strings.TrimSuffix(strings.Trim(word, ",;:()[]{}\"'`?!"), ".")
}

// namesFile reports whether a text has the path of a file among other words.
func namesFile(text string) bool {
	fields := strings.Fields(text)
	return len(fields) > 1 && slices.ContainsFunc(fields, func(f string) bool { return looksLikePath(bare(f)) })
}

// looksLikePath reports whether a word is the path of a file or folder, or a pattern of such: a/b, a.txt, *.go.
func looksLikePath(w string) bool {
	if strings.Contains(w, "://") {
		return false
	}
	if strings.Contains(w, "*") && strings.ContainsAny(w, "./") {
		return true
	}
	dot := strings.LastIndexByte(w, '.')
	ext := w[dot+1:]
	named := dot > 0 && len(ext) > 0 && len(ext) <= 5 && strings.IndexFunc(ext, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
	return named || strings.Count(w, "/") > 0 && !strings.Contains(w, "//") && len(w) > 3 && strings.IndexFunc(w, unicode.IsLetter) >= 0
}

// plainWords say nothing of a tool, and in a whole task neither do answerWords, which are for the form of what it answers.
var (
	plainWords = wordSet(`a an and any are as at be by for from has have how in into is it its must no not of on or only out own same so
		than that the their them then there they this to up use used what when which who will with without you your`)
	answerWords = wordSet("return list alist string number value answer")
)

func wordSet(text string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(text) {
		m[w] = true
	}
	return m
}

// stem cuts the ending of an English word off, so that the forms of one word meet.
func stem(w string) string {
	if len(w) > 4 && strings.HasSuffix(w, "ies") {
		return w[:len(w)-3] + "y"
	}
	for _, end := range []string{"ations", "ation", "ings", "ing", "ions", "ion", "ised", "ized", "ise", "ize", "ers", "er", "es", "ed", "ly", "s", "e"} {
		if root, ok := strings.CutSuffix(w, end); ok && len(root) >= 3 && !(end == "s" && strings.HasSuffix(root, "s")) {
			if n := len(root); n > 3 && root[n-1] == root[n-2] && !strings.ContainsRune("ls", rune(root[n-1])) { // stopped, stop
				root = root[:n-1]
			}
			return root
		}
	}
	return w
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
