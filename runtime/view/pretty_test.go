package view

import (
	"strings"
	"testing"

	"caper/runtime/graph"
)

func TestPretty(t *testing.T) {
	word := graph.Symbol("word")
	long := graph.List{graph.Symbol("first-word-of-all"), graph.List{word, word, word}, graph.List{word, word, "λ日本"}}
	for _, c := range []struct {
		name  string
		width int
		datum graph.Datum
		want  string
	}{
		{"a number", 40, int64(42), "42"},
		{"nothing", 40, graph.List{}, "()"},
		{"what fits stands on one line", 80, long, `(first-word-of-all (word word word) (word word "λ日本"))`},
		{"items below each other", 45, long, "(first-word-of-all\n (word word word)\n (word word \"λ日本\"))"},
		{"small items flow", 40, graph.List{int64(100000000), int64(200000000), int64(300000000), int64(400000000), int64(500000000)},
			"(100000000 200000000 300000000\n 400000000 500000000)"},
		{"a tail", 40, &graph.Dotted{Items: []graph.Datum{word}, Tail: word}, "(word . word)"},
		{"controls are shown", 40, "a\x1b[2J", `"a\x1b;[2J"`},
		{"a table", 40, &graph.Table{Items: []graph.Datum{graph.Symbol("a"), int64(1)}}, "#hash((a . 1))"},
		{"quote", 40, graph.List{graph.Symbol("quote"), word}, "'word"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, folded := Pretty(Style{Width: c.width}, c.datum, 0)
			if got != c.want || folded {
				t.Errorf("got\n%s\nfolded %v, want\n%s", got, folded, c.want)
			}
		})
	}
}

// TestPrettyFolds: what a large value takes on the screen, and what formatting it costs, does not grow with it.
func TestPrettyFolds(t *testing.T) {
	million := make(graph.List, 1_000_000)
	for i := range million {
		million[i] = int64(i)
	}
	deep := graph.Datum(graph.List{})
	for range 100_000 {
		deep = graph.List{deep, graph.Symbol("a-rather-long-symbol")}
	}
	for name, d := range map[string]graph.Datum{
		"a list": million, "a vector": graph.Vector(million), "a string": strings.Repeat("x\n", 1_000_000), "bytes": make([]byte, 1_000_000),
		"depth": deep, "a table": &graph.Table{Items: million},
		"lists of lists": graph.List{million, million, graph.List{million, million}},
	} {
		t.Run(name, func(t *testing.T) {
			n := testing.AllocsPerRun(1, func() { Pretty(Style{Width: 80}, d, 0) })
			text, folded := Pretty(Style{Width: 80}, d, 0)
			if !folded || strings.Count(text, "\n") > prettyRows || len(text) > 20_000 {
				t.Errorf("%d lines, %d bytes, folded %v", strings.Count(text, "\n"), len(text), folded)
			}
			if n > 20_000 {
				t.Errorf("%.0f allocations", n)
			}
			for line := range strings.Lines(text) {
				if name != "a string" && name != "bytes" && len(line) > 82 {
					t.Errorf("a line of %d bytes", len(line))
				}
			}
		})
	}
}
