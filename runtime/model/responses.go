package model

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"
)

// responder is OpenAI's Responses. Nothing is stored at the provider: all that was said goes with every request.
type responder struct {
	name    string
	service responses.ResponseService
}

func openaiOptions(base string) []option.RequestOption {
	opts := []option.RequestOption{option.WithEnvironmentProduction(), option.WithMaxRetries(0)}
	if base != "" {
		opts = append(opts, option.WithBaseURL(base))
	}
	return opts
}

// forExchange are the options of one request.
func forExchange(x *exchange) []option.RequestOption {
	return []option.RequestOption{
		option.WithHTTPClient(x),
		option.WithAPIKey("-"), // the exchange puts the real one in its place
		option.WithRequestTimeout(24 * time.Hour),
	}
}

func newResponder(name, base string) *responder {
	return &responder{name, responses.NewResponseService(openaiOptions(base)...)}
}

func (m *responder) native(Request) bool  { return true }
func (m *responder) streams(Request) bool { return false }

func (m *responder) complete(x *exchange, a ask, hear func(Delta)) (*Answer, error) {
	p := m.params(a)
	if x.stream {
		return m.read(x, p, hear)
	}
	return m.once(x, p)
}

// member is a shorthand for objects of JSON.
type member = map[string]any

// raw writes JSON of ours. What callers hand in was checked to be JSON.
func raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return b
}

// reasons says whether a model thinks before it answers, by its name: those that do not refuse to be asked about it.
func reasons(model string) bool {
	return !begins(model, []string{"gpt-3", "gpt-4", "chatgpt-"}) && !strings.Contains(model, "-chat")
}

func (m *responder) params(a ask) (p responses.ResponseNewParams) {
	p.Model = a.Model
	p.Store = param.NewOpt(false)
	if system := joinSystem(a.System); system != "" {
		p.Instructions = param.NewOpt(system)
	}
	if a.MaxTokens > 0 {
		p.MaxOutputTokens = param.NewOpt(int64(a.MaxTokens))
	}
	if a.Temperature != nil {
		p.Temperature = param.NewOpt(*a.Temperature)
	}
	if a.Session != "" {
		p.PromptCacheKey = param.NewOpt(a.Session)
	}
	if reasons(a.Model) {
		p.Include = []responses.ResponseIncludable{responses.ResponseIncludableReasoningEncryptedContent}
	}
	if a.Effort != "" {
		p.Reasoning.Effort = shared.ReasoningEffort(a.Effort)
		if a.Effort != "none" {
			p.Reasoning.Summary = shared.ReasoningSummaryAuto
		}
	}
	for _, t := range a.Tools {
		tool := member{"type": "function", "name": t.Name, "parameters": object(t.Schema, `{"type":"object","properties":{}}`), "strict": false}
		if t.Description != "" {
			tool["description"] = t.Description
		}
		p.Tools = append(p.Tools, param.Override[responses.ToolUnionParam](raw(tool)))
	}
	switch a.force {
	case "":
	case anyTool:
		p.ToolChoice.OfToolChoiceMode = param.NewOpt(responses.ToolChoiceOptionsRequired)
	default:
		p.ToolChoice.OfFunctionTool = &responses.ToolChoiceFunctionParam{Name: a.force}
	}
	if a.native {
		p.Text.Format = param.Override[responses.ResponseFormatTextConfigUnionParam](raw(
			member{"type": "json_schema", "name": answerTool, "schema": a.Schema, "strict": closed(a.Schema)}))
	}
	for _, msg := range a.Messages {
		for _, item := range m.items(msg) {
			p.Input.OfInputItemList = append(p.Input.OfInputItemList, param.Override[responses.ResponseInputItemUnionParam](item))
		}
	}
	return p
}

func joinSystem(pieces []string) string {
	var said []string
	for _, s := range pieces {
		if s != "" {
			said = append(said, s)
		}
	}
	return strings.Join(said, "\n\n")
}

// items writes one message: results of tools first, then what was said in its order.
func (m *responder) items(msg Message) (out []json.RawMessage) {
	var content []any
	for _, b := range msg.Blocks {
		switch {
		case b.Kind == ToolResult:
			out = append(out, raw(member{"type": "function_call_output", "call_id": b.ID, "output": m.output(b)}))
		case msg.Role == User && b.Kind == Text && b.Text != "":
			content = append(content, member{"type": "input_text", "text": b.Text})
		case msg.Role == User && b.Kind == ImageBlock && b.Image != nil:
			content = append(content, member{"type": "input_image", "image_url": dataURL(b.Image), "detail": "auto"})
		case len(b.Native) > 0 && b.Provider == m.name:
			out = append(out, b.Native)
		case b.Kind == Text && b.Text != "":
			out = append(out, raw(member{"type": "message", "role": "assistant", "content": b.Text}))
		case b.Kind == ToolUse:
			out = append(out, raw(member{"type": "function_call", "call_id": b.ID, "name": b.Name, "arguments": sent(b)}))
		}
	}
	if len(content) > 0 {
		out = append(out, raw(member{"type": "message", "role": "user", "content": content}))
	}
	return out
}

// sent is what the arguments of a call are, as the model wrote them.
func sent(b Block) string {
	if b.Failed && b.Text != "" {
		return b.Text
	}
	return string(object(b.Input, "{}"))
}

func (m *responder) output(b Block) any {
	text := resultText(b)
	if b.Image == nil {
		return text
	}
	content := []any{member{"type": "input_image", "image_url": dataURL(b.Image), "detail": "auto"}}
	if text != "" {
		content = append([]any{member{"type": "input_text", "text": text}}, content...)
	}
	return content
}

// resultText says of a failure that it is one, where the provider has no sign for that.
func resultText(b Block) string {
	if b.Failed {
		return "Error: " + b.Text
	}
	return b.Text
}

func dataURL(i *Image) string {
	return "data:" + i.Type + ";base64," + base64.StdEncoding.EncodeToString(i.Data)
}
