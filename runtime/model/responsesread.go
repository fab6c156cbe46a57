package model

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/openai/openai-go/v3/responses"
)

// once reads an answer that comes whole.
func (m *responder) once(x *exchange, p responses.ResponseNewParams) (*Answer, error) {
	res, err := m.service.New(x.ctx, p, forExchange(x)...)
	if err != nil {
		return nil, openaiFailed(x, err)
	}
	if res == nil || !res.JSON.Output.Valid() && !res.JSON.Error.Valid() {
		return nil, &Error{Code: CodeMalformed, Temporary: true, Message: "the provider's answer is no response"}
	}
	r := &responseReader{m: m, collector: collector{x: x}, at: map[int64]int{}}
	if e := r.finish(*res); e != nil {
		return nil, e
	}
	return &r.answer, nil
}

// read reads an answer as it streams.
func (m *responder) read(x *exchange, p responses.ResponseNewParams, hear func(Delta)) (*Answer, error) {
	s := m.service.NewStreaming(x.ctx, p, forExchange(x)...)
	defer s.Close()
	r := &responseReader{m: m, collector: collector{x: x, hear: hear}, at: map[int64]int{}}
	for !r.whole && s.Next() {
		if e := r.event(s.Current()); e != nil {
			return nil, r.paid(e)
		}
	}
	if !r.whole {
		if err := s.Err(); err != nil {
			return nil, r.paid(openaiFailed(x, err))
		}
		return nil, r.paid(x.cut())
	}
	return &r.answer, nil
}

// responseReader puts a response together from its items.
type responseReader struct {
	m *responder
	collector
	at      map[int64]int // the block of each item
	ended   map[int64]bool
	refused string
	whole   bool
}

func (r *responseReader) event(ev responses.ResponseStreamEventUnion) *Error {
	i, known := r.at[ev.OutputIndex]
	switch ev.Type {
	case "response.created", "response.in_progress":
		r.answer.ID, r.answer.Model = ev.Response.ID, ev.Response.Model
	case "response.output_item.added":
		if known {
			return r.broken("an item begins twice")
		}
		return r.begin(ev.OutputIndex, ev.Item)
	case "response.output_text.delta", "response.reasoning_summary_text.delta", "response.reasoning_text.delta", "response.function_call_arguments.delta":
		if !known {
			return r.broken("a piece came for an item that did not begin")
		}
		return r.add(i, ev.Delta)
	case "response.reasoning_summary_part.added":
		if known && ev.SummaryIndex > 0 {
			return r.add(i, "\n\n")
		}
	case "response.output_item.done":
		if !known {
			if e := r.begin(ev.OutputIndex, ev.Item); e != nil {
				return e
			}
		}
		return r.end(ev.OutputIndex, ev.Item)
	case "response.completed", "response.incomplete", "response.failed":
		return r.finish(ev.Response)
	case "error":
		return failure{code: ev.Code, message: ev.Message, now: r.x.clock.Now(), inStream: true}.error()
	}
	return nil
}

// begin opens the block of an item.
func (r *responseReader) begin(at int64, it responses.ResponseOutputItemUnion) *Error {
	b := Block{Kind: Other, Name: it.Type}
	switch it.Type {
	case "message":
		b = Block{Kind: Text}
	case "reasoning":
		b = Block{Kind: Thinking}
	case "function_call":
		b = Block{Kind: ToolUse, ID: it.CallID, Name: it.Name}
	case "":
		return r.broken("an item has no type")
	}
	i, e := r.block(b)
	r.at[at] = i
	return e
}

// end closes the block of an item, which is whole now.
func (r *responseReader) end(at int64, it responses.ResponseOutputItemUnion) *Error {
	i := r.at[at]
	if r.ended[at] {
		return r.broken("an item ends twice")
	}
	if r.ended == nil {
		r.ended = map[int64]bool{}
	}
	r.ended[at] = true
	b := &r.answer.Blocks[i]
	keep, text := false, ""
	switch b.Kind {
	case Text:
		keep = !only(it.RawJSON(), "type", "id", "role", "status", "content")
		for _, c := range it.Content {
			text += c.Text
			if c.Type == "refusal" {
				r.refused += c.Refusal
			} else {
				keep = keep || !only(c.RawJSON(), "type", "text", "annotations", "logprobs") || len(c.Annotations) > 0
			}
		}
	case Thinking:
		keep = true
		var parts []string
		for _, s := range it.Summary {
			parts = append(parts, s.Text)
		}
		for _, c := range it.Content { // of open models
			parts = append(parts, c.Text)
		}
		text = strings.Join(parts, "\n\n")
	case ToolUse:
		keep = !only(it.RawJSON(), "type", "id", "status", "call_id", "name", "arguments")
		b.ID, b.Name = it.CallID, it.Name
		text = it.Arguments.OfString
	default:
		keep = true
	}
	if b.Kind != Other && r.parts[i].Len() == 0 && len(r.held[i]) == 0 {
		if e := r.add(i, text); e != nil {
			return e
		}
	}
	r.close(i)
	if keep {
		b.Provider, b.Native = r.m.name, json.RawMessage(strings.Clone(it.RawJSON()))
		return r.grow(len(b.Native))
	}
	return nil
}

// finish reads what is said of the answer as a whole, and the items that did not come before.
func (r *responseReader) finish(res responses.Response) *Error {
	r.answer.ID, r.answer.Model = res.ID, res.Model
	u := res.Usage
	cached := u.InputTokensDetails.CachedTokens
	r.answer.Usage = Usage{Input: max(u.InputTokens-cached, 0), CacheRead: cached, Output: u.OutputTokens, Reasoning: u.OutputTokensDetails.ReasoningTokens}
	if res.Status == "failed" || res.JSON.Error.Valid() && res.Error.Message != "" {
		return failure{code: string(res.Error.Code), message: res.Error.Message, now: r.x.clock.Now(), inStream: true}.error()
	}
	for i, it := range res.Output {
		at := int64(i)
		if _, known := r.at[at]; !known {
			if e := r.begin(at, it); e != nil {
				return e
			}
		}
		if !r.ended[at] {
			if e := r.end(at, it); e != nil {
				return e
			}
		}
	}
	for at, i := range r.at { // what the whole does not list
		if !r.ended[at] {
			r.close(i)
		}
	}
	r.whole = true
	r.answer.Blocks = emptied(r.answer.Blocks)
	r.answer.Stop, r.answer.StopDetail = StopEnd, ""
	for _, b := range r.answer.Blocks {
		if b.Kind == ToolUse {
			r.answer.Stop = StopTools
		}
	}
	switch reason := res.IncompleteDetails.Reason; {
	case r.refused != "":
		r.answer.Stop, r.answer.StopDetail = StopRefusal, r.refused
	case reason == "max_output_tokens":
		r.answer.Stop = StopLength
	case reason == "content_filter":
		r.answer.Stop, r.answer.StopDetail = StopRefusal, reason
	case res.Status != "completed" && res.Status != "":
		r.answer.Stop, r.answer.StopDetail = StopOther, clip(strings.TrimSpace(string(res.Status)+" "+reason))
	}
	return nil
}

// emptied leaves out texts that say nothing and stand for nothing.
func emptied(blocks []Block) []Block {
	kept := blocks[:0]
	for _, b := range blocks {
		if b.Kind != Text || b.Text != "" || len(b.Native) > 0 {
			kept = append(kept, b)
		}
	}
	return kept
}

// openaiFailed reads the SDK's error.
func openaiFailed(x *exchange, err error) *Error {
	var stream *ssestream.StreamError
	f := failure{now: x.clock.Now()}
	switch {
	case x.err != nil || x.ctx.Err() != nil:
		return x.failed(err)
	case x.status != 0:
		f.status, f.header, f.requestNumber = x.status, x.header, x.header.Get("X-Request-Id")
		f.read(x.said)
	case errors.As(err, &stream):
		f.inStream = true
		f.read(stream.Event.Data)
	default:
		return x.failed(err)
	}
	e := f.error()
	e.Message = x.scrub(e.Message)
	return e
}

// read finds what OpenAI, and who follows it, says of a failure. What is said in other words is taken as it is.
func (f *failure) read(body []byte) {
	var said struct {
		Error *struct {
			Type, Message string
			Code          any // some give a number
		}
	}
	if json.Unmarshal(body, &said) != nil || said.Error == nil {
		f.message = string(body)
		return
	}
	f.kind, f.message = said.Error.Type, said.Error.Message
	f.code, _ = said.Error.Code.(string)
}
