package model

import (
	"encoding/base64"
	"slices"
	"strings"
	"time"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/packages/param"
)

// messages is Anthropic's Messages.
type messages struct {
	name    string // as Block.Provider has it
	service anthropic.MessageService
}

func newMessages(name, base string) *messages {
	opts := []option.RequestOption{option.WithEnvironmentProduction(), option.WithMaxRetries(0), option.WithoutOpenTelemetry()}
	if base != "" {
		opts = append(opts, option.WithBaseURL(base))
	}
	return &messages{name, anthropic.NewMessageService(opts...)}
}

const (
	anthropicTokens = 16000 // Messages demands a bound
	mostUnstreamed  = 20000 // tokens beyond which an answer streams whether anyone listens or not
	leastThinking   = 1024
	mostThinking    = 32768
)

// thinkingTokens is what an effort means to models that want a number.
var thinkingTokens = map[string]int64{"minimal": 1024, "low": 2048, "medium": 8192, "high": 16384}

// Families of models that differ on the wire, by the beginnings of their names.
var (
	anthropicNoSchema = []string{"claude-2", "claude-3", "claude-opus-4-0", "claude-opus-4-2", "claude-sonnet-4-0", "claude-sonnet-4-2"}
	anthropicBudget   = append([]string{"claude-opus-4-1", "claude-opus-4-5", "claude-sonnet-4-5", "claude-haiku-4-5"}, anthropicNoSchema...)
)

func begins(model string, with []string) bool {
	return slices.ContainsFunc(with, func(w string) bool { return strings.HasPrefix(model, w) })
}

func (m *messages) native(r Request) bool {
	return !begins(r.Model, anthropicNoSchema) && closed(r.Schema)
}

func (m *messages) streams(r Request) bool { return r.MaxTokens > mostUnstreamed }

func (m *messages) complete(x *exchange, a ask, hear func(Delta)) (*Answer, error) {
	p, notes := m.params(a)
	opts := []option.RequestOption{
		option.WithHTTPClient(x),
		option.WithRequestTimeout(24 * time.Hour), // the exchange watches the time; this keeps the SDK from doing so
	}
	var answer *Answer
	var err error
	if x.stream {
		answer, err = m.read(x, p, opts, hear)
	} else {
		answer, err = m.once(x, p, opts)
	}
	if err != nil {
		return nil, err
	}
	answer.Notes = append(notes, answer.Notes...)
	return answer, nil
}

// params writes the request. Notes say what the provider does not take.
func (m *messages) params(a ask) (p anthropic.MessageNewParams, notes []string) {
	p.Model, p.MaxTokens = a.Model, int64(a.MaxTokens)
	if p.MaxTokens <= 0 {
		p.MaxTokens = anthropicTokens
		if strings.HasPrefix(a.Model, "claude-3-") {
			p.MaxTokens = 4096
		}
	}
	stable := anthropic.NewCacheControlEphemeralParam()
	for _, s := range a.System {
		if s != "" {
			p.System = append(p.System, anthropic.TextBlockParam{Text: s})
		}
	}
	// At most four places can be marked: the end of the tools, of the stable piece and of the whole system text, and the end.
	if n := len(p.System); n > 0 {
		p.System[0].CacheControl, p.System[n-1].CacheControl = stable, stable
	}
	for i, t := range a.Tools {
		tool := anthropic.ToolParam{Name: t.Name, InputSchema: param.Override[anthropic.ToolInputSchemaParam](object(t.Schema, `{"type":"object"}`))}
		if t.Description != "" {
			tool.Description = anthropic.String(t.Description)
		}
		if i == len(a.Tools)-1 {
			tool.CacheControl = stable
		}
		p.Tools = append(p.Tools, anthropic.ToolUnionParam{OfTool: &tool})
	}
	switch a.force {
	case "":
	case anyTool:
		p.ToolChoice.OfAny = &anthropic.ToolChoiceAnyParam{}
	default:
		p.ToolChoice.OfTool = &anthropic.ToolChoiceToolParam{Name: a.force}
	}
	if a.native {
		// As it was written: the order of members matters to models.
		p.OutputConfig.Format = param.Override[anthropic.JSONOutputFormatParam](raw(member{"type": "json_schema", "schema": a.Schema}))
	}
	notes = m.effort(a, &p)
	for _, msg := range a.Messages {
		if blocks := m.blocks(msg); len(blocks) > 0 {
			p.Messages = append(p.Messages, anthropic.MessageParam{Role: anthropic.MessageParamRole(msg.Role), Content: blocks})
		}
	}
	if n := len(p.Messages); n > 0 {
		last := p.Messages[n-1].Content
		if c := last[len(last)-1].GetCacheControl(); c != nil {
			*c = stable
		}
	}
	return p, notes
}

// effort asks for thinking: as effort where the model knows that, else as a number of tokens.
func (m *messages) effort(a ask, p *anthropic.MessageNewParams) (notes []string) {
	thinks := false
	switch {
	case a.Effort == "":
	case a.Effort == "none":
		p.Thinking.OfDisabled = &anthropic.ThinkingConfigDisabledParam{}
	case a.force != "":
		notes = append(notes, "no thinking: the model was made to call a tool, which excludes it")
	case begins(a.Model, anthropicBudget):
		budget, known := thinkingTokens[a.Effort]
		if !known {
			budget = mostThinking
		}
		budget = min(budget, p.MaxTokens-leastThinking)
		if budget < leastThinking {
			notes = append(notes, "no thinking: max_tokens leaves no room for it")
			break
		}
		p.Thinking.OfEnabled = &anthropic.ThinkingConfigEnabledParam{BudgetTokens: budget}
		thinks = true
	default:
		p.OutputConfig.Effort = anthropic.OutputConfigEffort(a.Effort)
		p.Thinking.OfAdaptive = &anthropic.ThinkingConfigAdaptiveParam{Display: anthropic.ThinkingConfigAdaptiveDisplaySummarized}
		thinks = true
	}
	if a.Temperature != nil {
		if thinks {
			return append(notes, "no temperature: thinking excludes it")
		}
		p.Temperature = anthropic.Float(*a.Temperature)
	}
	return notes
}

// blocks writes one message. Results of tools go first, as the provider demands.
func (m *messages) blocks(msg Message) (out []anthropic.ContentBlockParamUnion) {
	results := 0
	for _, b := range msg.Blocks {
		var u anthropic.ContentBlockParamUnion
		switch {
		case len(b.Native) > 0 && b.Provider == m.name:
			u = param.Override[anthropic.ContentBlockParamUnion](b.Native)
		case b.Kind == Text && b.Text != "":
			u = anthropic.NewTextBlock(b.Text)
		case b.Kind == ToolUse:
			u = anthropic.NewToolUseBlock(b.ID, object(b.Input, "{}"), b.Name)
		case b.Kind == ToolResult:
			u = m.result(b)
			out = slices.Insert(out, results, u)
			results++
			continue
		case b.Kind == ImageBlock && b.Image != nil:
			u = anthropic.NewImageBlockBase64(b.Image.Type, base64.StdEncoding.EncodeToString(b.Image.Data))
		default:
			continue // of another provider, or empty
		}
		out = append(out, u)
	}
	return out
}

func (m *messages) result(b Block) anthropic.ContentBlockParamUnion {
	r := anthropic.ToolResultBlockParam{ToolUseID: b.ID}
	if b.Text != "" || b.Image == nil {
		text := b.Text
		if text == "" {
			text = "(nothing)" // empty text is refused
		}
		r.Content = append(r.Content, anthropic.ToolResultBlockParamContentUnion{OfText: &anthropic.TextBlockParam{Text: text}})
	}
	if b.Image != nil {
		image := anthropic.NewImageBlockBase64(b.Image.Type, base64.StdEncoding.EncodeToString(b.Image.Data)).OfImage
		r.Content = append(r.Content, anthropic.ToolResultBlockParamContentUnion{OfImage: image})
	}
	if b.Failed {
		r.IsError = anthropic.Bool(true)
	}
	return anthropic.ContentBlockParamUnion{OfToolResult: &r}
}
