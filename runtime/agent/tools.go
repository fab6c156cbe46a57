package agent

import (
	"encoding/json"
	"fmt"
	"strings"

	"caper/runtime/graph"
	"caper/runtime/model"
	"caper/runtime/tool"
)

// describe is a tool as a model is told of it. The name of a tool of a server has a slash, which providers do not take.
func describe(t *tool.Tool) model.Tool {
	properties, required := map[string]any{}, []string{}
	for _, p := range t.Params {
		s := map[string]any{}
		switch p.Kind {
		case tool.String:
			s["type"] = "string"
		case tool.Int:
			s["type"] = "integer"
		case tool.Number:
			s["type"] = "number"
		case tool.Bool:
			s["type"] = "boolean"
		}
		if p.Doc != "" {
			s["description"] = p.Doc
		}
		properties[p.Name] = s
		if p.Required {
			required = append(required, p.Name)
		}
	}
	if background(t) {
		properties[backgroundArgument] = map[string]any{"type": "boolean", "description": "go on at once; you are told when it has ended"}
	}
	schema, err := json.Marshal(map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false})
	if err != nil {
		schema = json.RawMessage(`{"type":"object"}`)
	}
	doc := t.Summary
	if t.Doc != "" {
		doc = t.Doc
	}
	return model.Tool{Name: strings.ReplaceAll(t.Name, "/", "__"), Description: doc, Schema: schema}
}

// backgroundArgument is what a model says to have a call in the background.
const backgroundArgument = "background"

// background reports whether a model may have calls of a tool in the background: those that may take long.
func background(t *tool.Tool) bool {
	_, own := t.Param(backgroundArgument)
	return !own && (t.Effect == tool.External || t.Effect == tool.Spend)
}

// toolName undoes what describe does to a name.
func toolName(s string) string { return strings.ReplaceAll(s, "__", "/") }

// arguments are a model's arguments as a call has them.
func arguments(t *tool.Tool, input json.RawMessage) (positional []graph.Datum, keywords map[string]graph.Datum, behind bool, err error) {
	bad := func(format string, a ...any) ([]graph.Datum, map[string]graph.Datum, bool, error) {
		return nil, nil, false, &tool.Error{Code: tool.CodeArguments, Message: fmt.Sprintf(format, a...)}
	}
	given := map[string]json.RawMessage{}
	if len(input) > 0 {
		if err := json.Unmarshal(input, &given); err != nil {
			return bad("the arguments of %s are no JSON object", t.Name)
		}
	}
	keywords = map[string]graph.Datum{}
	values := map[string]graph.Datum{}
	for name, raw := range given {
		d, err := graph.FromJSON(raw)
		if err != nil {
			return bad("%s: the argument %s cannot be read: %v", t.Name, name, err)
		}
		if d == graph.Symbol("null") {
			continue // not given
		}
		values[name] = d
	}
	if d, ok := values[backgroundArgument]; ok {
		if behind, ok = d.(bool); !ok {
			return bad("%s: background is true or false", t.Name)
		}
		if background(t) {
			delete(values, backgroundArgument)
		}
	}
	gap := false
	for _, p := range t.Params {
		d, ok := values[p.Name]
		switch {
		case p.Keyword && ok:
			keywords[p.Name] = d
		case p.Keyword:
		case ok && !gap:
			positional = append(positional, d)
		case ok:
			return bad("%s needs what comes before %s too: %s", t.Name, p.Name, tool.Usage(t))
		default:
			gap = true
		}
		delete(values, p.Name)
	}
	for name, d := range values {
		keywords[name] = d // Bind says that there is no such argument, with what was probably meant
	}
	return positional, keywords, behind, nil
}
