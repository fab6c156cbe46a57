package model

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// A schema is met in one of two ways: in the provider's own, where it takes the schema, or by a tool that the model is
// made to call. Either way the answer is held against the schema here, and asked for once more when it does not fit.

const answerTool = "answer"

// shape is a schema as models are asked for it.
type shape struct {
	resolved *jsonschema.Resolved
	asked    json.RawMessage // an object: others stand in one as its member value
	wrapped  bool
}

func newShape(schema json.RawMessage) (s *shape, err *Error) {
	defer func() {
		if p := recover(); p != nil {
			s, err = nil, errorf(CodeBadRequest, "the schema cannot be used: %v", p)
		}
	}()
	var parsed jsonschema.Schema
	if err := json.Unmarshal(schema, &parsed); err != nil {
		return nil, errorf(CodeBadRequest, "the schema is no JSON schema: %s", clip(err.Error()))
	}
	if why := endless(schema); why != "" {
		return nil, errorf(CodeBadRequest, "the schema cannot be used: %s", why)
	}
	resolved, e := parsed.Resolve(nil)
	if e != nil {
		return nil, errorf(CodeBadRequest, "the schema cannot be used: %s", clip(e.Error()))
	}
	s = &shape{resolved: resolved, asked: schema}
	var root map[string]json.RawMessage
	if json.Unmarshal(schema, &root) != nil || string(root["type"]) != `"object"` {
		s.wrapped = true
		outer := map[string]any{"type": "object", "required": []string{"value"}, "additionalProperties": false}
		if defs, ok := root["$defs"]; ok { // what is referred to from the top stays at the top
			outer["$defs"] = defs
			delete(root, "$defs")
		}
		if root != nil {
			outer["properties"] = map[string]any{"value": root}
		} else {
			outer["properties"] = map[string]any{"value": schema}
		}
		b, e := json.Marshal(outer)
		if e != nil {
			return nil, errorf(CodeBadRequest, "the schema cannot be used: %s", clip(e.Error()))
		}
		s.asked = b
	}
	return s, nil
}

// value finds what was asked for in a text, or says why it is not there.
func (s *shape) value(text string) (v json.RawMessage, why string) {
	defer func() {
		if p := recover(); p != nil {
			v, why = nil, clip(fmt.Sprint(p))
		}
	}()
	text = unfenced(text)
	if !json.Valid([]byte(text)) {
		return nil, "it is not JSON"
	}
	v = json.RawMessage(text)
	if s.wrapped {
		var outer map[string]json.RawMessage
		if json.Unmarshal(v, &outer) != nil || outer["value"] == nil {
			return nil, "it is not an object with the member value"
		}
		v = outer["value"]
	}
	var instance any
	if err := json.Unmarshal(v, &instance); err != nil {
		return nil, clip(err.Error())
	}
	if err := s.resolved.Validate(instance); err != nil {
		return nil, clip(err.Error())
	}
	return v, ""
}

// unfenced takes the fence of Markdown off a text that is nothing but one block of code.
func unfenced(s string) string {
	s = strings.TrimSpace(s)
	if !strings.HasPrefix(s, "```") || !strings.HasSuffix(s, "```") || len(s) < 6 {
		return s
	}
	_, inner, found := strings.Cut(s[:len(s)-3], "\n")
	if !found {
		return s
	}
	return strings.TrimSpace(inner)
}

// shaped asks for an answer that fits r.Schema.
func (d *direct) shaped(ctx context.Context, r Request, hear func(Delta)) (*Answer, error) {
	s, bad := newShape(r.Schema)
	if bad != nil {
		return nil, bad
	}
	r.Schema = s.asked
	a := ask{Request: r, native: d.native(r)}
	if !a.native {
		a.Tools = append(slices.Clip(a.Tools), Tool{Name: answerTool, Description: "Gives the final answer.", Schema: s.asked})
		a.force = answerTool
		if len(r.Tools) > 0 {
			a.force = anyTool
		}
		hear = hearAnswer(hear)
	}
	var paid Usage
	for again := false; ; again = true {
		answer, err := d.once(ctx, a, hear)
		if err != nil {
			e := asError(ctx, err)
			e.Usage = e.Usage.Add(paid)
			return nil, e
		}
		paid = paid.Add(answer.Usage)
		answer.Usage = paid
		text, call, done := shapedText(answer, !a.native)
		if done {
			return answer, nil
		}
		value, why := s.value(text)
		if why == "" {
			answer.Value = value
			answer.Blocks = append(answer.Blocks, Block{Kind: Text, Text: string(value)})
			answer.Stop = StopEnd
			if again {
				answer.Notes = append(answer.Notes, "the first answer did not fit the schema; this is the second")
			}
			return answer, nil
		}
		if again {
			return nil, &Error{Code: CodeMalformed, Message: "the answer does not fit the schema, asked for twice: " + why, Usage: paid}
		}
		tell(hear, Delta{Reset: true})
		a.Messages = append(slices.Clip(a.Messages), repair(answer, text, call, why)...)
	}
}

// shapedText finds the text that should fit, and takes it out of the answer's blocks. done: the answer is to be handed
// on as it is, since it was refused, cut short, or wants tools first.
func shapedText(a *Answer, byTool bool) (text string, call *Block, done bool) {
	if a.Stop != StopEnd && a.Stop != StopTools {
		return "", nil, true
	}
	var rest []Block
	tools := false
	for _, b := range a.Blocks {
		switch {
		case byTool && b.Kind == ToolUse && b.Name == answerTool:
			if call == nil {
				call = &b
			}
			continue
		case b.Kind == ToolUse:
			tools = true
		}
		rest = append(rest, b)
	}
	if tools {
		a.Blocks = rest
		return "", nil, true
	}
	if call != nil {
		a.Blocks = rest
		if call.Failed {
			return call.Text, call, false
		}
		return string(call.Input), call, false
	}
	text = a.Said()
	a.Blocks = slices.DeleteFunc(rest, func(b Block) bool { return b.Kind == Text })
	return text, nil, false
}

// repair is what a model hears when its answer does not fit.
func repair(a *Answer, text string, call *Block, why string) []Message {
	said := "This answer does not fit the schema: " + why + ". Answer again, with nothing but what the schema asks for."
	if call != nil {
		return []Message{
			{Assistant, append(a.Blocks, *call)},
			{User, []Block{{Kind: ToolResult, ID: call.ID, Text: said, Failed: true}}},
		}
	}
	return []Message{{Assistant, append(a.Blocks, Block{Kind: Text, Text: text})}, {User, []Block{{Kind: Text, Text: said}}}}
}

// hearAnswer lets the arguments of the answering tool be heard as the text that they stand for.
func hearAnswer(hear func(Delta)) func(Delta) {
	if hear == nil {
		return nil
	}
	answers := map[int]bool{}
	return func(d Delta) {
		if d.Reset {
			clear(answers)
		}
		if d.Kind == ToolUse && d.Name == answerTool {
			answers[d.Index] = true
			return
		}
		if answers[d.Index] {
			d.Kind = Text
		}
		hear(d)
	}
}

// closed says whether a schema is of the kind that providers can hold a model to: objects that list all their members,
// made of the common words only.
func closed(schema json.RawMessage) bool {
	var v any
	return json.Unmarshal(schema, &v) == nil && closedAt(v, 0)
}

func closedAt(v any, depth int) bool {
	m, ok := v.(map[string]any)
	if !ok || depth > 20 {
		return false
	}
	for k := range m {
		switch k {
		case "type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "description", "title":
		default:
			return false
		}
	}
	props, _ := m["properties"].(map[string]any)
	if m["type"] == "object" || props != nil {
		if m["additionalProperties"] != false {
			return false
		}
		required, _ := m["required"].([]any)
		for name, p := range props {
			if !slices.Contains(required, any(name)) || !closedAt(p, depth+1) {
				return false
			}
		}
	} else if m["additionalProperties"] != nil {
		return false
	}
	if items, ok := m["items"]; ok && !closedAt(items, depth+1) {
		return false
	}
	if either, ok := m["anyOf"].([]any); ok {
		for _, e := range either {
			if !closedAt(e, depth+1) {
				return false
			}
		}
	}
	return true
}
