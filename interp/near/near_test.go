package near

import (
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	for _, c := range []struct{ name, names, want string }{
		{"manul", "manual auto yolo", "did you mean manual?"},
		{"atuo", "manual auto yolo", "did you mean auto?"}, // neighbours swapped
		{"writ", "write writer read", "did you mean write?"},
		{"case", "cast cash base", "did you mean cast, cash or base?"},
		{"vector-rfe", "vector-ref vector-set!", "did you mean vector-ref?"},
		{"strin?", "string?", "did you mean `string?`?"},
		{"ab", "abc", ""}, // too short to be like anything
		{"frobnicate", "car cdr", ""},
		{"read", "", ""},
	} {
		if got := Question(Names(c.name, strings.Fields(c.names))); got != c.want {
			t.Errorf("%s among %s: %q, want %q", c.name, c.names, got, c.want)
		}
	}
}
