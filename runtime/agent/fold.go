package agent

import (
	"fmt"
	"strings"

	"caper/runtime/kind"
)

// fold is what a model reads in place of what was folded.
func (r *Runner) fold(c *kind.TurnCompactChunk) (string, error) {
	d, err := r.Calls.Fetch(c.Summary)
	if err != nil {
		return "", err
	}
	text, _ := d.(string)
	var b strings.Builder
	fmt.Fprintf(&b, "<summary of=\"%d earlier steps, %d bytes\">\n%s\n</summary>\n", c.Cells, c.Bytes, text)
	for _, p := range c.Pins {
		d, err := r.Calls.Fetch(p)
		if err != nil {
			return "", err
		}
		if s, ok := d.(string); ok {
			b.WriteString("<kept>\n" + s + "\n</kept>\n")
		}
	}
	return b.String(), nil
}
