package model

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/openai/openai-go/v3/responses"
)

// chat is Chat Completions, of OpenAI and of all who speak it.
//
// The SDK has a service for it in its root package, which registers every type of every OpenAI product when a process
// starts: half a millisecond of each start of ours, and 20 MB. So requests go by the SDK's service of Responses, with a body, a
// path and a reading of our own, which its options are for.
type chat struct {
	name    string
	openai  bool // OpenAI itself, which knows some members that others refuse
	service responses.ResponseService
}

func newChat(name, base string) *chat {
	host := hostOf(base)
	opts := append(openaiOptions(base), option.WithMiddleware(func(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
		req.URL.Path = strings.TrimSuffix(req.URL.Path, "/responses") + "/chat/completions"
		return next(req)
	}))
	return &chat{name, host == "" || host == "api.openai.com" || strings.HasSuffix(host, ".openai.azure.com"), responses.NewResponseService(opts...)}
}

// once sends a request whose answer comes whole.
func (m *chat) once(x *exchange, p member) (body []byte, err error) {
	opts := append(forExchange(x), option.WithRequestBody("application/json", []byte(raw(p))), option.WithResponseBodyInto(&body))
	_, err = m.service.New(x.ctx, responses.ResponseNewParams{}, opts...)
	return body, err
}

// events sends a request whose answer streams.
func (m *chat) events(x *exchange, p member) *ssestream.Stream[completion] {
	var res *http.Response
	opts := append(forExchange(x), option.WithRequestBody("application/json", []byte(raw(p))), option.WithResponseBodyInto(&res))
	_, err := m.service.New(x.ctx, responses.ResponseNewParams{}, opts...)
	if err != nil {
		return ssestream.NewStream[completion](nil, err)
	}
	return ssestream.NewStream[completion](ssestream.NewDecoder(res), nil)
}

func (m *chat) native(Request) bool  { return true }
func (m *chat) streams(Request) bool { return false }

func (m *chat) complete(x *exchange, a ask, hear func(Delta)) (*Answer, error) {
	p := m.params(a)
	if x.stream {
		p["stream"], p["stream_options"] = true, member{"include_usage": true}
		return m.read(x, p, hear)
	}
	return m.whole(x, p)
}

func (m *chat) params(a ask) member {
	p := member{"model": a.Model}
	if a.MaxTokens > 0 && m.openai {
		p["max_completion_tokens"] = a.MaxTokens
	} else if a.MaxTokens > 0 {
		p["max_tokens"] = a.MaxTokens
	}
	if a.Temperature != nil {
		p["temperature"] = *a.Temperature
	}
	if a.Session != "" && m.openai {
		p["prompt_cache_key"] = a.Session
	}
	if a.Effort != "" {
		p["reasoning_effort"] = a.Effort
	}
	var tools []any
	for _, t := range a.Tools {
		f := member{"name": t.Name, "parameters": object(t.Schema, `{"type":"object","properties":{}}`)}
		if t.Description != "" {
			f["description"] = t.Description
		}
		tools = append(tools, member{"type": "function", "function": f})
	}
	if len(tools) > 0 {
		p["tools"] = tools
	}
	switch a.force {
	case "":
	case anyTool:
		p["tool_choice"] = "required"
	default:
		p["tool_choice"] = member{"type": "function", "function": member{"name": a.force}}
	}
	if a.native {
		p["response_format"] = member{"type": "json_schema", "json_schema": member{"name": answerTool, "schema": a.Schema, "strict": closed(a.Schema)}}
	}
	messages := []any{}
	add := func(v member) { messages = append(messages, v) }
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
	p["messages"] = messages
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
