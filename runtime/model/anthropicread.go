package model

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

// once reads an answer that comes whole.
func (m *messages) once(x *exchange, p anthropic.MessageNewParams, opts []option.RequestOption) (*Answer, error) {
	msg, err := m.service.New(x.ctx, p, opts...)
	if err != nil {
		return nil, m.failed(x, err)
	}
	if msg == nil || !msg.JSON.Content.Valid() {
		return nil, &Error{Code: CodeMalformed, Temporary: true, Message: "the provider's answer is no message"}
	}
	c := &collector{x: x}
	for _, b := range msg.Content {
		i, err := c.block(m.opened(b.RawJSON()))
		if err != nil {
			return nil, err
		}
		text := b.Text
		switch b.Type {
		case "tool_use":
			text = string(b.Input)
		case "thinking":
			text = b.Thinking
		}
		if err := c.add(i, text); err != nil {
			return nil, err
		}
		c.close(i)
	}
	c.answer.ID, c.answer.Model = msg.ID, msg.Model
	c.answer.Stop, c.answer.StopDetail = m.stop(msg.StopReason, msg.StopSequence, msg.StopDetails)
	c.answer.Usage = Usage{msg.Usage.InputTokens, msg.Usage.CacheReadInputTokens, msg.Usage.CacheCreationInputTokens, msg.Usage.OutputTokens, msg.Usage.OutputTokensDetails.ThinkingTokens}
	return &c.answer, nil
}

// opened makes a block of the provider's own words for it.
func (m *messages) opened(raw string) Block {
	var head struct {
		Type, ID, Name string
	}
	_ = json.Unmarshal([]byte(raw), &head) // what is missing stays empty
	native := func(kind BlockKind, name string) Block {
		return Block{Kind: kind, Name: name, Provider: m.name, Native: json.RawMessage(raw)}
	}
	switch head.Type {
	case "text":
		if only(raw, "type", "text") {
			return Block{Kind: Text}
		}
		return native(Text, "")
	case "thinking", "redacted_thinking":
		return native(Thinking, "")
	case "tool_use":
		b := Block{Kind: ToolUse}
		if !only(raw, "type", "id", "name", "input", "caller") {
			b = native(ToolUse, "")
		}
		b.ID, b.Name = head.ID, head.Name
		return b
	}
	return native(Other, head.Type)
}

// open is a block that streams.
type open struct {
	at        int // in the answer
	json      strings.Builder
	signature strings.Builder
	citations []json.RawMessage
	started   string
	kind      string
	strange   bool // something came that cannot be put together
}

// read reads an answer as it streams.
func (m *messages) read(x *exchange, p anthropic.MessageNewParams, opts []option.RequestOption, hear func(Delta)) (*Answer, error) {
	s := m.service.NewStreaming(x.ctx, p, opts...)
	defer s.Close()
	c := &collector{x: x, hear: hear}
	blocks := map[int64]*open{}
	whole := false
	for !whole && s.Next() {
		ev := s.Current()
		switch ev.Type {
		case "message_start":
			u := ev.Message.Usage
			c.answer.ID, c.answer.Model = ev.Message.ID, ev.Message.Model
			c.answer.Usage = Usage{u.InputTokens, u.CacheReadInputTokens, u.CacheCreationInputTokens, u.OutputTokens, u.OutputTokensDetails.ThinkingTokens}
		case "content_block_start":
			raw := ev.ContentBlock.RawJSON()
			if blocks[ev.Index] != nil || raw == "" {
				return nil, c.broken("a block begins twice or without a kind")
			}
			i, err := c.block(m.opened(raw))
			if err != nil {
				return nil, c.paid(err)
			}
			o := &open{at: i, started: raw, kind: ev.ContentBlock.Type}
			blocks[ev.Index] = o
			if err := c.add(i, ev.ContentBlock.Text+ev.ContentBlock.Thinking); err != nil {
				return nil, c.paid(err)
			}
			o.signature.WriteString(ev.ContentBlock.Signature)
		case "content_block_delta":
			o := blocks[ev.Index]
			if o == nil {
				return nil, c.broken("a piece came for a block that did not begin")
			}
			if err := m.piece(c, o, ev.Delta); err != nil {
				return nil, c.paid(err)
			}
		case "content_block_stop":
			o := blocks[ev.Index]
			if o == nil {
				return nil, c.broken("a block ends that did not begin")
			}
			delete(blocks, ev.Index)
			m.closed(c, o)
		case "message_delta":
			c.answer.Stop, c.answer.StopDetail = m.stop(ev.Delta.StopReason, ev.Delta.StopSequence, ev.Delta.StopDetails)
			u := ev.Usage // the counts so far, of which some may be left out
			for _, n := range []struct {
				to   *int64
				from int64
			}{{&c.answer.Usage.Input, u.InputTokens}, {&c.answer.Usage.CacheRead, u.CacheReadInputTokens}, {&c.answer.Usage.CacheWrite, u.CacheCreationInputTokens},
				{&c.answer.Usage.Output, u.OutputTokens}, {&c.answer.Usage.Reasoning, u.OutputTokensDetails.ThinkingTokens}} {
				if n.from > 0 {
					*n.to = n.from
				}
			}
		case "message_stop":
			whole = true
		}
	}
	if !whole {
		if err := s.Err(); err != nil {
			return nil, c.paid(m.failed(x, err))
		}
		return nil, c.paid(x.cut())
	}
	if len(blocks) > 0 {
		return nil, c.broken("a block did not end")
	}
	return &c.answer, nil
}

// piece adds what came for a block.
func (m *messages) piece(c *collector, o *open, d anthropic.MessageStreamEventUnionDelta) *Error {
	switch d.Type {
	case "text_delta":
		return c.add(o.at, d.Text)
	case "thinking_delta":
		return c.add(o.at, d.Thinking)
	case "signature_delta":
		o.signature.WriteString(d.Signature)
		return c.grow(len(d.Signature))
	case "citations_delta":
		raw := d.Citation.RawJSON()
		o.citations = append(o.citations, json.RawMessage(raw))
		return c.grow(len(raw))
	case "input_json_delta":
		if c.answer.Blocks[o.at].Kind == ToolUse {
			return c.add(o.at, d.PartialJSON)
		}
		o.json.WriteString(d.PartialJSON)
		return c.grow(len(d.PartialJSON))
	}
	o.strange = true
	return nil
}

// closed ends a block: what came in pieces goes into its native form.
func (m *messages) closed(c *collector, o *open) {
	c.close(o.at)
	text := c.parts[o.at].String()
	b := &c.answer.Blocks[o.at]
	members := map[string]any{}
	switch {
	case o.strange:
		b.Native, b.Provider = nil, ""
		c.answer.Notes = append(c.answer.Notes, "a "+clip(o.kind)+" came in pieces that are not known here; it cannot be sent back")
		return
	case o.kind == "thinking":
		members["thinking"], members["signature"] = text, o.signature.String()
	case o.kind == "text" && len(o.citations) > 0:
		b.Native, b.Provider = json.RawMessage(o.started), m.name
		members["text"], members["citations"] = text, o.citations
	case o.kind == "text" && b.Native != nil:
		members["text"] = text
	case b.Kind == ToolUse && b.Native != nil:
		members["input"] = b.Input
	case o.json.Len() > 0:
		input, failed, _ := arguments(o.json.String())
		if failed {
			b.Native, b.Provider = nil, ""
			return
		}
		members["input"] = input
	}
	if b.Native != nil && len(members) > 0 {
		b.Native = with(string(b.Native), members)
	}
}

// broken is an answer that does not keep the protocol.
func (c *collector) broken(why string) *Error {
	return c.paid(&Error{Code: CodeMalformed, Temporary: true, Message: "the provider's answer does not keep its protocol: " + why})
}

// paid puts on an error what the answer had cost so far.
func (c *collector) paid(e *Error) *Error {
	e.Usage = c.answer.Usage
	return e
}

// cut is a stream that ended without an end.
func (x *exchange) cut() *Error {
	if x.err != nil || x.ctx.Err() != nil {
		return x.failed(errors.New("ended"))
	}
	return &Error{Code: CodeCut, Temporary: true, Message: "the stream ended before the answer did"}
}

func (m *messages) stop(reason anthropic.StopReason, sequence string, d anthropic.RefusalStopDetails) (Stop, string) {
	switch reason {
	case anthropic.StopReasonEndTurn:
		return StopEnd, ""
	case anthropic.StopReasonStopSequence:
		return StopEnd, sequence
	case anthropic.StopReasonToolUse:
		return StopTools, ""
	case anthropic.StopReasonMaxTokens:
		return StopLength, ""
	case anthropic.StopReasonModelContextWindowExceeded:
		return StopLength, "the context window is full"
	case anthropic.StopReasonPauseTurn:
		return StopPause, ""
	case anthropic.StopReasonRefusal:
		return StopRefusal, strings.TrimPrefix(strings.TrimSuffix(string(d.Category)+": "+d.Explanation, ": "), ": ")
	}
	return StopOther, clip(string(reason))
}

// failed reads the SDK's error.
func (m *messages) failed(x *exchange, err error) *Error {
	var api *anthropic.Error
	if x.err != nil || x.ctx.Err() != nil || !errors.As(err, &api) {
		return x.failed(err)
	}
	var said struct {
		Error *struct{ Type, Message string }
	}
	f := failure{status: api.StatusCode, requestNumber: api.RequestID, now: x.clock.Now(), inStream: api.StatusCode < 300}
	if json.Unmarshal([]byte(api.RawJSON()), &said) == nil && said.Error != nil {
		f.kind, f.message = said.Error.Type, said.Error.Message
	} else {
		f.message = api.RawJSON() // of somebody who says it in other words
	}
	if api.Response != nil && !f.inStream {
		f.header = api.Response.Header
	}
	e := f.error()
	e.Message = x.scrub(e.Message)
	return e
}
