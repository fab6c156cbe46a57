package worker

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"caper/runtime/worker/driver"
	"caper/runtime/worker/wire"
)

const (
	maxText  = 512 << 10 // of one item
	maxBrief = 200
	maxThink = 120
)

// cut answers the beginning of a text, and whether that is less than all of it.
func cut(s string, most int) (string, bool) {
	s = strings.ToValidUTF8(s, "�")
	if len(s) <= most {
		return s, false
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most], true
}

// brief is a text on one line, at most so many letters long.
func brief(s string, most int) string {
	if len(s) > 8*most {
		s, _ = cut(s, 8*most)
	}
	r := []rune(strings.Join(strings.Fields(strings.ToValidUTF8(s, "�")), " "))
	if len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return string(r)
}

// telling are the members of a tool's input that say best what it is about.
var telling = []string{"command", "cmd", "file_path", "path", "pattern", "url", "query", "prompt", "description"}

func briefCall(e driver.Event) string {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(e.Input, &members)
	about := string(e.Input)
	for _, name := range telling {
		var s string
		if json.Unmarshal(members[name], &s) == nil && s != "" {
			about = s
			break
		}
	}
	var changes []struct{ Path string }
	if json.Unmarshal(members["changes"], &changes) == nil && len(changes) > 0 { // a patch is about its files
		var paths []string
		for _, c := range changes[:min(len(changes), maxBrief)] {
			paths = append(paths, c.Path)
		}
		about = strings.Join(paths, " ")
	}
	return brief(e.Tool, maxBrief) + " → " + brief(about, maxBrief)
}

func briefResult(text string) string {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return "→ (0 lines)"
	}
	first, _, _ := strings.Cut(text, "\n")
	n := strings.Count(text, "\n") + 1
	lines := "lines"
	if n == 1 {
		lines = "line"
	}
	return fmt.Sprintf("→ %s (%d %s)", brief(first, maxBrief), n, lines)
}

// itemOf is an event as an item.
func itemOf(e driver.Event) (wire.ItemMetadata, string) {
	m := wire.ItemMetadata{Type: wire.ItemType(e.Kind)}
	switch e.Kind {
	case driver.Text:
		var text string
		text, m.Truncated = cut(e.Text, maxText)
		return m, text
	case driver.Thinking:
		m.Text, m.Truncated = cut(e.Text, maxText)
		return m, brief(e.Text, maxThink)
	case driver.ToolCall:
		m.Tool = &wire.ToolUse{Name: brief(e.Tool, maxBrief), InvocationID: e.InvocationID, Input: e.Input}
		if len(e.Input) > maxText {
			text, _ := cut(string(e.Input), maxBrief)
			m.Tool.Input, _ = json.Marshal(text)
			m.Truncated = true
		} else if len(e.Input) == 0 {
			m.Tool.Input = json.RawMessage("null")
		}
		return m, briefCall(e)
	case driver.ToolResult:
		m.InvocationID, m.IsError = e.InvocationID, e.Failed
		m.Text, m.Truncated = cut(e.Text, maxText)
		return m, briefResult(e.Text)
	}
	m.Status = e.Text
	return m, ""
}
