// Package near finds what was probably meant by a name that means nothing. It knows nothing of what the names are of;
// anybody may import it.
package near

import (
	"slices"
	"sort"
	"strings"
)

// Names answers at most three of the names, all as near as the nearest one.
func Names(name string, names []string) []string {
	most := 1
	if len(name) >= 8 {
		most = 2
	}
	if len(name) < 3 {
		return nil
	}
	type candidate struct {
		name     string
		distance int
	}
	var found []candidate
	for _, n := range names {
		if d := Distance(name, n, most); d <= most && d < len(name) {
			found = append(found, candidate{n, d})
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].distance < found[j].distance })
	var result []string
	for i, c := range found {
		if i == 3 || c.distance > found[0].distance {
			break
		}
		result = append(result, c.name)
	}
	return result
}

// Question asks whether one of the names was meant, "" for none.
func Question(names []string) string {
	if len(names) == 0 {
		return ""
	}
	if slices.ContainsFunc(names, func(n string) bool { return strings.HasSuffix(n, "?") }) {
		names = slices.Clone(names) // their marks are not the sentence's
		for i := range names {
			names[i] = "`" + names[i] + "`"
		}
	}
	return "did you mean " + Or(names) + "?"
}

// Or lists names as a sentence does.
func Or(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Distance is the number of insertions, deletions, replacements and swaps of neighbours from a to b, or more than
// most when it is larger than that.
func Distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most || len(a) > 100 {
		return most + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > most {
			return most + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
