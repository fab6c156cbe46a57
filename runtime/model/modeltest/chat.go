package modeltest

import (
	"encoding/json"

	"caper/runtime/model"
)

func readChat(body []byte) (r model.Request, stream bool) {
	var q struct {
		Model       string
		Stream      bool
		MaxTokens   int `json:"max_completion_tokens"`
		OldMax      int `json:"max_tokens"`
		Temperature *float64
		Key         string `json:"prompt_cache_key"`
		Effort      string `json:"reasoning_effort"`
		Messages    []json.RawMessage
		Tools       []struct {
			Function struct {
				Name, Description string
				Parameters        json.RawMessage
			}
		}
		Format struct {
			Schema struct{ Schema json.RawMessage } `json:"json_schema"`
		} `json:"response_format"`
	}
	_ = json.Unmarshal(body, &q)
	r = model.Request{Model: q.Model, MaxTokens: max(q.MaxTokens, q.OldMax), Temperature: q.Temperature, Effort: q.Effort, Schema: q.Format.Schema.Schema, Session: q.Key}
	for _, t := range q.Tools {
		r.Tools = append(r.Tools, model.Tool{Name: t.Function.Name, Description: t.Function.Description, Schema: t.Function.Parameters})
	}
	for _, raw := range q.Messages {
		var m struct {
			Role    string
			Content json.RawMessage
			CallID  string `json:"tool_call_id"`
			Thought string `json:"reasoning_content"`
			Calls   []struct {
				ID       string
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
		_ = json.Unmarshal(raw, &m)
		var blocks []model.Block
		if m.Thought != "" {
			blocks = append(blocks, model.Block{Kind: model.Thinking, Text: m.Thought})
		}
		content, raws := parts(m.Content)
		for i, p := range content {
			b := model.Block{Kind: model.Text, Text: p.Text}
			if p.Type == "image_url" {
				var im struct {
					Image struct{ URL string } `json:"image_url"`
				}
				_ = json.Unmarshal(raws[i], &im)
				b = model.Block{Kind: model.ImageBlock, Image: picture(im.Image.URL)}
			}
			blocks = append(blocks, b)
		}
		for _, c := range m.Calls {
			blocks = append(blocks, model.Block{Kind: model.ToolUse, ID: c.ID, Name: c.Function.Name, Input: json.RawMessage(c.Function.Arguments)})
		}
		switch m.Role {
		case "system", "developer":
			for _, b := range blocks {
				r.System = append(r.System, b.Text)
			}
		case "tool":
			b := model.Block{Kind: model.ToolResult, ID: m.CallID}
			for _, p := range blocks {
				b.Text += p.Text
			}
			r.Messages = joined(r.Messages, model.User, []model.Block{b})
		default:
			r.Messages = joined(r.Messages, model.Role(m.Role), blocks)
		}
	}
	return r, q.Stream
}

var chatStop = map[model.Stop]string{model.StopEnd: "stop", model.StopTools: "tool_calls", model.StopLength: "length", model.StopRefusal: "content_filter"}

func writeChat(o *sender, c Call, r Reply) {
	var text, thought string
	calls := []object{}
	msg := object{"role": "assistant", "content": nil}
	for _, b := range r.Blocks {
		switch {
		case len(b.Native) > 0:
			var extra object
			_ = json.Unmarshal(b.Native, &extra)
			for k, v := range extra {
				msg[k] = v
			}
		case b.Kind == model.Text:
			text += b.Text
			msg["content"] = text
		case b.Kind == model.Thinking:
			thought += b.Text
			msg["reasoning_content"] = thought
		case b.Kind == model.ToolUse:
			calls = append(calls, object{"id": b.ID, "type": "function", "function": object{"name": b.Name, "arguments": input(b)}})
			msg["tool_calls"] = calls
		}
	}
	if r.Stop == model.StopRefusal && r.StopDetail != "" {
		msg["refusal"] = r.StopDetail
	}
	in := r.Usage.Input + r.Usage.CacheRead
	usage := object{"prompt_tokens": in, "prompt_tokens_details": object{"cached_tokens": r.Usage.CacheRead}, "completion_tokens": r.Usage.Output,
		"completion_tokens_details": object{"reasoning_tokens": r.Usage.Reasoning}, "total_tokens": in + r.Usage.Output}
	finish := chatStop[r.Stop]
	head := func(kind string) object { return object{"id": r.ID, "object": kind, "created": 0, "model": r.Model} }
	if !c.Stream {
		res := head("chat.completion")
		res["choices"], res["usage"] = []any{object{"index": 0, "message": msg, "finish_reason": finish}}, usage
		o.json(res)
		return
	}
	chunk := func(delta object, finish any) {
		ev := head("chat.completion.chunk")
		ev["choices"] = []any{object{"index": 0, "delta": delta, "finish_reason": finish}}
		o.event("", ev)
	}
	chunk(object{"role": "assistant", "content": ""}, nil)
	for k, v := range msg {
		if k == "reasoning_content" {
			for _, s := range halves(thought) {
				chunk(object{k: s}, nil)
			}
		} else if k != "role" && k != "content" && k != "tool_calls" {
			chunk(object{k: v}, nil)
		}
	}
	if text != "" {
		for _, s := range halves(text) {
			chunk(object{"content": s}, nil)
		}
	}
	for i, call := range calls {
		f := call["function"].(object)
		chunk(object{"tool_calls": []any{object{"index": i, "id": call["id"], "type": "function", "function": object{"name": f["name"], "arguments": ""}}}}, nil)
		for _, s := range halves(f["arguments"].(string)) {
			chunk(object{"tool_calls": []any{object{"index": i, "function": object{"arguments": s}}}}, nil)
		}
	}
	chunk(object{}, finish)
	last := head("chat.completion.chunk")
	last["choices"], last["usage"] = []any{}, usage
	if opts, _ := c.Field("stream_options", "include_usage").(bool); opts {
		o.event("", last)
	}
	o.line("", "[DONE]")
}
