package assembly

import "caper/runtime/tool"

// Prompt is the text that teaches a model to work through programs.
func Prompt() string { return tool.Scheme().Doc }

// ToolHelp is how a tool is called, and what it does in one line.
type ToolHelp struct{ Usage, Summary string }

// ToolHelps are those of all tools, by name.
func ToolHelps() []ToolHelp {
	var out []ToolHelp
	set := Tools()
	for _, name := range set.Names() {
		if t, ok := set.Get(name); ok {
			out = append(out, ToolHelp{tool.Usage(t), t.Summary})
		}
	}
	return out
}
