package repl

import (
	"os"
	"strconv"
	"strings"
)

// Strings are those that terminals and tables of widths disagree about.
var Strings = func() (all []string) {
	text, err := os.ReadFile("testdata/strings.txt")
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(text)) {
		s, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			panic(err)
		}
		all = append(all, s)
	}
	return all
}()
