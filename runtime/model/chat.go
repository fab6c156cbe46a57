package model

import (
	"encoding/json"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"
)

// chat is Chat Completions, of OpenAI and of all who speak it.
type chat struct {
	name    string
	openai  bool // OpenAI itself, which knows some members that others refuse
	service openai.ChatCompletionService
}

func newChat(name, base string) *chat {
	host := hostOf(base)
	return &chat{name, host == "" || host == "api.openai.com" || strings.HasSuffix(host, ".openai.azure.com"), openai.NewChatCompletionService(openaiOptions(base)...)}
}

func (m *chat) native(Request) bool  { return true }
func (m *chat) streams(Request) bool { return false }

func (m *chat) complete(x *exchange, a ask, hear func(Delta)) (*Answer, error) {
	p := m.params(a)
	var answer *Answer
	var err error
	if x.stream {
		p.StreamOptions.IncludeUsage = param.NewOpt(true)
		answer, err = m.read(x, p, hear)
	} else {
		answer, err = m.once(x, p)
	}
	if err != nil {
		return nil, err
	}
	answer.Notes = append(answer.Notes, x.notes()...)
	return answer, nil
}

func (m *chat) params(a ask) (p openai.ChatCompletionNewParams) {
	p.Model = a.Model
	if a.MaxTokens > 0 && m.openai {
		p.MaxCompletionTokens = param.NewOpt(int64(a.MaxTokens))
	} else if a.MaxTokens > 0 {
		p.MaxTokens = param.NewOpt(int64(a.MaxTokens))
	}
	if a.Temperature != nil {
		p.Temperature = param.NewOpt(*a.Temperature)
	}
	if a.Session != "" && m.openai {
		p.PromptCacheKey = param.NewOpt(a.Session)
	}
	p.ReasoningEffort = shared.ReasoningEffort(a.Effort)
	for _, t := range a.Tools {
		f := member{"name": t.Name, "parameters": object(t.Schema, `{"type":"object","properties":{}}`)}
		if t.Description != "" {
			f["description"] = t.Description
		}
		p.Tools = append(p.Tools, param.Override[openai.ChatCompletionToolUnionParam](raw(member{"type": "function", "function": f})))
	}
	switch a.force {
	case "":
	case anyTool:
		p.ToolChoice.OfAuto = param.NewOpt("required")
	default:
		p.ToolChoice.OfFunctionToolChoice = &openai.ChatCompletionNamedToolChoiceParam{Function: openai.ChatCompletionNamedToolChoiceFunctionParam{Name: a.force}}
	}
	if a.native {
		p.ResponseFormat = param.Override[openai.ChatCompletionNewParamsResponseFormatUnion](raw(
			member{"type": "json_schema", "json_schema": member{"name": answerTool, "schema": a.Schema, "strict": closed(a.Schema)}}))
	}
	add := func(v member) {
		p.Messages = append(p.Messages, param.Override[openai.ChatCompletionMessageParamUnion](raw(v)))
	}
	if system := joinSystem(a.System); system != "" {
		add(member{"role": "system", "content": system})
	}
	for _, msg := range a.Messages {
		if msg.Role == User {
			m.user(msg, add)
		} else {
			m.assistant(msg, add)
		}
	}
	return p
}

// user writes what the user said. Results of tools are messages of their own, and pictures in them follow.
func (m *chat) user(msg Message, add func(member)) {
	var content []any
	said := ""
	pictures := false
	for _, b := range msg.Blocks {
		if b.Kind == ToolResult {
			add(member{"role": "tool", "tool_call_id": b.ID, "content": resultText(b)})
		}
		if b.Image != nil && (b.Kind == ToolResult || b.Kind == ImageBlock) {
			content = append(content, member{"type": "image_url", "image_url": member{"url": dataURL(b.Image)}})
			pictures = true
		}
		if b.Kind == Text && b.Text != "" {
			content = append(content, member{"type": "text", "text": b.Text})
			if said != "" {
				said += "\n\n"
			}
			said += b.Text
		}
	}
	switch {
	case pictures:
		add(member{"role": "user", "content": content})
	case said != "": // not all who speak this take a list
		add(member{"role": "user", "content": said})
	}
}

// assistant writes what the model said: one message, with the members that only its provider knows.
func (m *chat) assistant(msg Message, add func(member)) {
	v := member{"role": "assistant"}
	said := ""
	var calls []any
	for _, b := range msg.Blocks {
		switch {
		case len(b.Native) > 0 && b.Provider == m.name:
			var own map[string]json.RawMessage
			if json.Unmarshal(b.Native, &own) == nil {
				for k, x := range own {
					if k != "role" && k != "content" && k != "tool_calls" {
						v[k] = x
					}
				}
			}
		case b.Kind == Text:
			said += b.Text
		case b.Kind == ToolUse:
			calls = append(calls, member{"type": "function", "id": b.ID, "function": member{"name": b.Name, "arguments": sent(b)}})
		}
	}
	if said != "" {
		v["content"] = said
	}
	if len(calls) > 0 {
		v["tool_calls"] = calls
	}
	if len(v) > 1 {
		add(v)
	}
}
