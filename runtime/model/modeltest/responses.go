package modeltest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"caper/runtime/model"
)

// item is a piece of input or output as Responses has it.
type item struct {
	Type      string          `json:"type"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Arguments string          `json:"arguments"`
	Output    json.RawMessage `json:"output"`
}

// picture reads a data URL.
func picture(url string) *model.Image {
	head, data, _ := strings.Cut(strings.TrimPrefix(url, "data:"), ",")
	b, _ := base64.StdEncoding.DecodeString(data)
	return &model.Image{Type: strings.TrimSuffix(head, ";base64"), Data: b}
}

func readResponses(body []byte) (r model.Request, stream bool) {
	var q struct {
		Model, Instructions string
		Stream              bool
		MaxTokens           int `json:"max_output_tokens"`
		Temperature         *float64
		Key                 string `json:"prompt_cache_key"`
		Input               []json.RawMessage
		Tools               []struct {
			Name, Description string
			Parameters        json.RawMessage
		}
		Reasoning struct{ Effort string }
		Text      struct {
			Format struct{ Schema json.RawMessage }
		}
	}
	_ = json.Unmarshal(body, &q)
	r = model.Request{Model: q.Model, MaxTokens: q.MaxTokens, Temperature: q.Temperature, Effort: q.Reasoning.Effort, Schema: q.Text.Format.Schema, Session: q.Key}
	if q.Instructions != "" {
		r.System = []string{q.Instructions}
	}
	for _, t := range q.Tools {
		r.Tools = append(r.Tools, model.Tool{Name: t.Name, Description: t.Description, Schema: t.Parameters})
	}
	for _, raw := range q.Input {
		var it item
		_ = json.Unmarshal(raw, &it)
		role, blocks := model.Assistant, []model.Block{}
		switch it.Type {
		case "function_call":
			blocks = []model.Block{{Kind: model.ToolUse, ID: it.CallID, Name: it.Name, Input: json.RawMessage(it.Arguments)}}
		case "function_call_output":
			role = model.User
			b := model.Block{Kind: model.ToolResult, ID: it.CallID}
			content, _ := parts(it.Output)
			for _, p := range content {
				b.Text += p.Text
			}
			blocks = []model.Block{b}
		case "", "message":
			role = model.Role(it.Role)
			content, raws := parts(it.Content)
			for i, p := range content {
				b := model.Block{Kind: model.Text, Text: p.Text}
				if p.Type == "input_image" {
					var im struct {
						URL string `json:"image_url"`
					}
					_ = json.Unmarshal(raws[i], &im)
					b = model.Block{Kind: model.ImageBlock, Image: picture(im.URL)}
				}
				blocks = append(blocks, b)
			}
			if role != model.User && role != model.Assistant {
				for _, b := range blocks {
					r.System = append(r.System, b.Text)
				}
				continue
			}
		default:
			kind := model.Other
			if it.Type == "reasoning" {
				kind = model.Thinking
			}
			blocks = []model.Block{{Kind: kind, Name: it.Type, Provider: "openai", Native: raw}}
		}
		r.Messages = joined(r.Messages, role, blocks)
	}
	return r, q.Stream
}

// joined adds blocks to the last message, if the same side speaks, else as a new one.
func joined(ms []model.Message, role model.Role, blocks []model.Block) []model.Message {
	if n := len(ms); n > 0 && ms[n-1].Role == role {
		ms[n-1].Blocks = append(ms[n-1].Blocks, blocks...)
		return ms
	}
	return append(ms, model.Message{Role: role, Blocks: blocks})
}

func responsesItem(b model.Block, i int) object {
	id := fmt.Sprintf("item_%d", i)
	switch {
	case len(b.Native) > 0:
		var o object
		_ = json.Unmarshal(b.Native, &o)
		return o
	case b.Kind == model.ToolUse:
		return object{"type": "function_call", "id": id, "call_id": b.ID, "name": b.Name, "arguments": input(b), "status": "completed"}
	case b.Kind == model.Thinking:
		return object{"type": "reasoning", "id": id, "summary": []any{object{"type": "summary_text", "text": b.Text}}, "encrypted_content": Signature}
	}
	return object{"type": "message", "id": id, "role": "assistant", "status": "completed",
		"content": []any{object{"type": "output_text", "text": b.Text, "annotations": []any{}}}}
}

func writeResponses(o *sender, c Call, r Reply) {
	output := []any{}
	for i, b := range r.Blocks {
		output = append(output, responsesItem(b, i))
	}
	if r.Stop == model.StopRefusal {
		output = append(output, object{"type": "message", "id": "item_r", "role": "assistant", "status": "completed",
			"content": []any{object{"type": "refusal", "refusal": r.StopDetail}}})
	}
	status, incomplete := "completed", any(nil)
	if r.Stop == model.StopLength {
		status, incomplete = "incomplete", object{"reason": "max_output_tokens"}
	}
	res := func(status string, output []any, usage any) object {
		return object{"id": r.ID, "object": "response", "created_at": 0, "model": r.Model, "status": status, "output": output, "usage": usage,
			"error": nil, "incomplete_details": incomplete, "parallel_tool_calls": true, "tools": []any{}}
	}
	in := r.Usage.Input + r.Usage.CacheRead
	usage := object{"input_tokens": in, "input_tokens_details": object{"cached_tokens": r.Usage.CacheRead}, "output_tokens": r.Usage.Output,
		"output_tokens_details": object{"reasoning_tokens": r.Usage.Reasoning}, "total_tokens": in + r.Usage.Output}
	if !c.Stream {
		o.json(res(status, output, usage))
		return
	}
	seq := 0
	event := func(name string, members object) {
		members["type"], members["sequence_number"] = name, seq
		seq++
		o.event(name, members)
	}
	event("response.created", object{"response": res("in_progress", []any{}, nil)})
	event("response.in_progress", object{"response": res("in_progress", []any{}, nil)})
	for i, it := range output {
		streamItem(event, i, it.(object))
	}
	event("response."+status, object{"response": res(status, output, usage)})
}

// streamItem sends an item of output in the pieces in which it comes.
func streamItem(event func(string, object), i int, it object) {
	begun := object{}
	for k, v := range it {
		begun[k] = v
	}
	begun["status"] = "in_progress"
	where := func(more object) object {
		more["output_index"], more["item_id"] = i, it["id"]
		return more
	}
	switch it["type"] {
	case "message":
		begun["content"] = []any{}
		event("response.output_item.added", object{"output_index": i, "item": begun})
		content, _ := it["content"].([]any)
		for k, p := range content {
			p := p.(object)
			text, _ := p["text"].(string)
			kind, member := "output_text", "text"
			if p["type"] == "refusal" {
				text, _ = p["refusal"].(string)
				kind, member = "refusal", "refusal"
			}
			event("response.content_part.added", where(object{"content_index": k, "part": object{"type": p["type"], member: "", "annotations": []any{}}}))
			for _, s := range halves(text) {
				event("response."+kind+".delta", where(object{"content_index": k, "delta": s}))
			}
			event("response."+kind+".done", where(object{"content_index": k, member: text}))
			event("response.content_part.done", where(object{"content_index": k, "part": p}))
		}
	case "function_call":
		begun["arguments"] = ""
		event("response.output_item.added", object{"output_index": i, "item": begun})
		for _, s := range halves(it["arguments"].(string)) {
			event("response.function_call_arguments.delta", where(object{"delta": s}))
		}
		event("response.function_call_arguments.done", where(object{"arguments": it["arguments"]}))
	case "reasoning":
		begun["summary"] = []any{}
		event("response.output_item.added", object{"output_index": i, "item": begun})
		summary, _ := it["summary"].([]any)
		for k, p := range summary {
			text := fmt.Sprint(p.(object)["text"])
			event("response.reasoning_summary_part.added", where(object{"summary_index": k, "part": object{"type": "summary_text", "text": ""}}))
			for _, s := range halves(text) {
				event("response.reasoning_summary_text.delta", where(object{"summary_index": k, "delta": s}))
			}
			event("response.reasoning_summary_text.done", where(object{"summary_index": k, "text": text}))
			event("response.reasoning_summary_part.done", where(object{"summary_index": k, "part": p}))
		}
	default:
		event("response.output_item.added", object{"output_index": i, "item": begun})
	}
	event("response.output_item.done", object{"output_index": i, "item": it})
}
