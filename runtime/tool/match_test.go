package tool

import (
	"bytes"
	"fmt"
	"math/rand"
	"regexp"
	"strings"
	"testing"
)

// linesByRegexp is what a finder must answer: each line by itself.
func linesByRegexp(re *regexp.Regexp, data []byte) []string {
	var all []string
	for at := 0; at < len(data); {
		end := len(data)
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			end = at + i
		}
		if re.Match(data[at:end]) {
			all = append(all, fmt.Sprint(at, "-", end))
		}
		at = end + 1
	}
	return all
}

func linesByFinder(m *matcher, data []byte) []string {
	var all []string
	m.finder().lines(data, func(start, end int) bool {
		all = append(all, fmt.Sprint(start, "-", end))
		return true
	})
	return all
}

func sameLines(t *testing.T, pattern string, data []byte) {
	t.Helper()
	m, err := newMatcher(pattern)
	if err != nil {
		return
	}
	want, got := linesByRegexp(m.re, data), linesByFinder(m, data)
	if fmt.Sprint(want) != fmt.Sprint(got) {
		t.Fatalf("%q in %q:\n got %v\nwant %v", pattern, data, got, want)
	}
}

func TestFinderAnswersAsTheExpressionDoes(t *testing.T) {
	patterns := []string{
		"", "a", "ab", "abc", "^", "$", "^$", "^a", "a$", "^a$", "a.c", "a*", `\bab\b`, `\B`, "(?i)AbC", "(?i)k", "[^a]", "é", "[é-ü]", ".b", "..",
		"abc|bca", "abc|b", "(abc)+", "(?:abc){2,}", "a\nb", `a\nb`, `\x{FFFD}`, `[[:^ascii:]]`, "(?s).", `(a|b)*a(a|b)(a|b)(a|b)`, `\s+$`, `^\s*$`, `\z`, `\Aab`,
		"(?m)^b$", `\pL`, `a{3}`, `a\r$`, "ab_|_ba", `[a-c]+_`, "a^b", "a$b", `x?`, `(|a)b`,
	}
	r := rand.New(rand.NewSource(3))
	alphabet := []string{"a", "b", "c", "\n", " ", "_", "abc", "é", "\xff", "K", "\u212a", "\r", "x", "\n\n"}
	for _, p := range patterns {
		for range 200 {
			var data []byte
			for range r.Intn(14) {
				data = append(data, alphabet[r.Intn(len(alphabet))]...)
			}
			sameLines(t, p, data)
		}
	}
}

func TestFinderWithMoreStatesThanItKeeps(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	data := make([]byte, 200_000)
	for i := range data {
		data[i] = "aaabbb\n"[r.Intn(7)]
	}
	for _, p := range []string{`a[ab]{14}b$`, `^[ab]*a[ab]{13}$`} {
		sameLines(t, p, data)
	}
}

func TestLiterals(t *testing.T) {
	for _, c := range []struct {
		pattern string
		want    string
		whole   bool
	}{
		{"TODO", "TODO", true},
		{"TODO|FIXME", "TODO FIXME", true},
		{`func \w+\(`, "func ", false},
		{`errors\.New\(`, "errors.New(", true},
		{`(?i)todo`, "", false},
		{`a.b`, "", false},
		{`[a-z]+_[a-z]+`, "_", false},
		{`(foo|bar)baz?`, "foo bar", false},
		{`foo|`, "", false},
		{"e", "e", true},
	} {
		m, err := newMatcher(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(bytes.Join(m.literals, []byte(" "))); got != c.want || m.whole != c.whole {
			t.Errorf("%s: %q, whole %v", c.pattern, got, m.whole)
		}
	}
}

func FuzzFinder(f *testing.F) {
	f.Add(`\bab|c$`, "ab\nc\n")
	f.Add("(?i)k+", "K\n\u212a")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern) > 40 || len(text) > 200 || strings.Contains(pattern, "{") {
			return
		}
		sameLines(t, pattern, []byte(text))
	})
}
