package modeltest

import (
	"encoding/base64"
	"encoding/json"

	"caper/runtime/model"
)

// part is a block of content as Messages has it.
type part struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	IsError   bool            `json:"is_error"`
	Content   json.RawMessage `json:"content"`
	Source    struct {
		MediaType string `json:"media_type"`
		Data      string `json:"data"`
	} `json:"source"`
}

// parts reads content that is a text or a list of blocks.
func parts(raw json.RawMessage) (out []part, raws []json.RawMessage) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []part{{Type: "text", Text: text}}, []json.RawMessage{raw}
	}
	_ = json.Unmarshal(raw, &raws)
	for _, r := range raws {
		var p part
		_ = json.Unmarshal(r, &p)
		out = append(out, p)
	}
	return out, raws
}

func readMessages(body []byte) (r model.Request, stream bool) {
	var q struct {
		Model       string
		System      json.RawMessage
		Stream      bool
		MaxTokens   int `json:"max_tokens"`
		Temperature *float64
		Messages    []struct {
			Role    model.Role
			Content json.RawMessage
		}
		Tools []struct {
			Name, Description string
			Schema            json.RawMessage `json:"input_schema"`
		}
		Output struct {
			Effort string
			Format struct{ Schema json.RawMessage }
		} `json:"output_config"`
	}
	_ = json.Unmarshal(body, &q)
	r = model.Request{Model: q.Model, MaxTokens: q.MaxTokens, Temperature: q.Temperature, Effort: q.Output.Effort, Schema: q.Output.Format.Schema}
	if len(q.System) > 0 {
		system, _ := parts(q.System)
		for _, p := range system {
			r.System = append(r.System, p.Text)
		}
	}
	for _, t := range q.Tools {
		r.Tools = append(r.Tools, model.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema})
	}
	for _, m := range q.Messages {
		content, raws := parts(m.Content)
		msg := model.Message{Role: m.Role}
		for i, p := range content {
			b := model.Block{Kind: model.Other, Name: p.Type, Provider: "anthropic", Native: raws[i]}
			switch p.Type {
			case "text":
				b = model.Block{Kind: model.Text, Text: p.Text}
			case "thinking", "redacted_thinking":
				b.Kind, b.Name, b.Text = model.Thinking, "", p.Thinking
			case "tool_use":
				b = model.Block{Kind: model.ToolUse, ID: p.ID, Name: p.Name, Input: p.Input}
			case "tool_result":
				b = model.Block{Kind: model.ToolResult, ID: p.ToolUseID, Failed: p.IsError}
				inner, _ := parts(p.Content)
				for _, in := range inner {
					b.Text += in.Text
				}
			case "image":
				data, _ := base64.StdEncoding.DecodeString(p.Source.Data)
				b = model.Block{Kind: model.ImageBlock, Image: &model.Image{Type: p.Source.MediaType, Data: data}}
			}
			msg.Blocks = append(msg.Blocks, b)
		}
		r.Messages = append(r.Messages, msg)
	}
	return r, q.Stream
}

var messagesStop = map[model.Stop]string{
	model.StopEnd: "end_turn", model.StopTools: "tool_use", model.StopLength: "max_tokens", model.StopRefusal: "refusal", model.StopPause: "pause_turn",
}

func writeMessages(o *sender, c Call, r Reply) {
	content := []any{}
	for _, b := range r.Blocks {
		content = append(content, messagesPart(b))
	}
	stop := messagesStop[r.Stop]
	if stop == "" {
		stop = r.StopDetail
	}
	var details any
	if r.Stop == model.StopRefusal {
		details = object{"type": "refusal", "category": "general_harms", "explanation": r.StopDetail}
	}
	usage := object{"input_tokens": r.Usage.Input, "cache_creation_input_tokens": r.Usage.CacheWrite, "cache_read_input_tokens": r.Usage.CacheRead,
		"output_tokens": r.Usage.Output, "output_tokens_details": object{"thinking_tokens": r.Usage.Reasoning}}
	msg := object{"id": r.ID, "type": "message", "role": "assistant", "model": r.Model, "content": content, "stop_reason": stop, "stop_sequence": nil, "stop_details": details, "usage": usage}
	if !c.Stream {
		o.json(msg)
		return
	}
	begun := object{}
	for k, v := range usage {
		begun[k] = v
	}
	begun["output_tokens"] = 1
	msg["content"], msg["stop_reason"], msg["stop_details"], msg["usage"] = []any{}, nil, nil, begun
	event := func(name string, members object) {
		members["type"] = name
		o.event(name, members)
	}
	event("message_start", object{"message": msg})
	event("ping", object{})
	for i, b := range r.Blocks {
		begin, deltas := messagesStream(b)
		event("content_block_start", object{"index": i, "content_block": begin})
		for _, d := range deltas {
			event("content_block_delta", object{"index": i, "delta": d})
		}
		event("content_block_stop", object{"index": i})
	}
	event("message_delta", object{"delta": object{"stop_reason": stop, "stop_sequence": nil, "stop_details": details},
		"usage": object{"output_tokens": r.Usage.Output, "output_tokens_details": object{"thinking_tokens": r.Usage.Reasoning}}})
	event("message_stop", object{})
}

// Signature is what a thinking block without a native form is sent with.
const Signature = "c2lnbmF0dXJl"

func messagesPart(b model.Block) any {
	switch {
	case len(b.Native) > 0:
		return b.Native
	case b.Kind == model.ToolUse:
		var in any = json.RawMessage(input(b))
		if !json.Valid([]byte(input(b))) {
			in = input(b)
		}
		return object{"type": "tool_use", "id": b.ID, "name": b.Name, "input": in}
	case b.Kind == model.Thinking:
		return object{"type": "thinking", "thinking": b.Text, "signature": Signature}
	}
	return object{"type": "text", "text": b.Text}
}

// messagesStream answers how a block begins and goes on in a stream.
func messagesStream(b model.Block) (begin any, deltas []object) {
	switch {
	case len(b.Native) > 0:
		return b.Native, nil
	case b.Kind == model.ToolUse:
		for _, s := range append([]string{""}, halves(input(b))...) {
			deltas = append(deltas, object{"type": "input_json_delta", "partial_json": s})
		}
		return object{"type": "tool_use", "id": b.ID, "name": b.Name, "input": object{}}, deltas
	case b.Kind == model.Thinking:
		for _, s := range halves(b.Text) {
			deltas = append(deltas, object{"type": "thinking_delta", "thinking": s})
		}
		return object{"type": "thinking", "thinking": "", "signature": ""}, append(deltas, object{"type": "signature_delta", "signature": Signature})
	}
	for _, s := range halves(b.Text) {
		deltas = append(deltas, object{"type": "text_delta", "text": s})
	}
	return object{"type": "text", "text": ""}, deltas
}
