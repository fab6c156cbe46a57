package model

import (
	"encoding/json"
	"sort"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/respjson"
)

// once reads an answer that comes whole.
func (m *chat) once(x *exchange, p openai.ChatCompletionNewParams) (*Answer, error) {
	res, err := m.service.New(x.ctx, p, forExchange(x)...)
	if err != nil {
		return nil, openaiFailed(x, err)
	}
	if res == nil || len(res.Choices) == 0 {
		if res != nil {
			if e := m.inPlace(x, res.RawJSON()); e != nil {
				return nil, e
			}
		}
		return nil, &Error{Code: CodeMalformed, Temporary: true, Message: "the provider's answer is no completion"}
	}
	r := m.reader(x, nil)
	r.answer.ID, r.answer.Model = res.ID, res.Model
	r.usage(res.Usage)
	msg := res.Choices[0].Message
	e := r.extras(msg.JSON.ExtraFields)
	if e == nil {
		e = r.said(msg.Content)
	}
	for i, c := range msg.ToolCalls {
		if e != nil {
			break
		}
		if c.Type != "" && c.Type != "function" {
			_, e = r.block(Block{Kind: Other, Name: c.Type})
			r.answer.Notes = append(r.answer.Notes, "a call of the kind "+clip(c.Type)+" is not known here")
			continue
		}
		e = r.call(int64(i), c.ID, c.Function.Name, c.Function.Arguments)
	}
	if e != nil {
		return nil, r.paid(e)
	}
	r.refused, r.finish = msg.Refusal, res.Choices[0].FinishReason
	r.end()
	return &r.answer, nil
}

// inPlace finds the error that some providers send with the status of success.
func (m *chat) inPlace(x *exchange, body string) *Error {
	var said struct {
		Error *struct {
			Type, Message string
			Code          any
		}
	}
	if json.Unmarshal([]byte(body), &said) != nil || said.Error == nil {
		return nil
	}
	code, _ := said.Error.Code.(string)
	e := failure{kind: said.Error.Type, code: code, message: said.Error.Message, now: x.clock.Now(), inStream: true}.error()
	e.Message = x.scrub(e.Message)
	return e
}

// read reads an answer as it streams.
func (m *chat) read(x *exchange, p openai.ChatCompletionNewParams, hear func(Delta)) (*Answer, error) {
	s := m.service.NewStreaming(x.ctx, p, forExchange(x)...)
	defer s.Close()
	r := m.reader(x, hear)
	for s.Next() {
		ev := s.Current()
		if ev.ID != "" {
			r.answer.ID, r.answer.Model = ev.ID, ev.Model
		}
		if ev.JSON.Usage.Valid() {
			r.usage(ev.Usage)
		}
		if len(ev.Choices) == 0 {
			continue
		}
		d := ev.Choices[0].Delta
		e := r.extras(d.JSON.ExtraFields)
		if e == nil {
			e = r.said(d.Content)
		}
		for _, c := range d.ToolCalls {
			if e == nil {
				e = r.call(c.Index, c.ID, c.Function.Name, c.Function.Arguments)
			}
		}
		if e != nil {
			return nil, r.paid(e)
		}
		r.refused += d.Refusal
		if f := ev.Choices[0].FinishReason; f != "" {
			r.finish = f
		}
	}
	if err := s.Err(); err != nil {
		return nil, r.paid(openaiFailed(x, err))
	}
	if r.finish == "" || x.err != nil || x.ctx.Err() != nil {
		return nil, r.paid(x.cut())
	}
	r.end()
	return &r.answer, nil
}

// chatReader puts a completion together. Blocks stand in the order in which they began.
type chatReader struct {
	m *chat
	collector
	text, thought   int // blocks, -1: none yet
	calls           map[int64]int
	own             map[string]*gathered // members that are not of the protocol
	refused, finish string
}

func (m *chat) reader(x *exchange, hear func(Delta)) *chatReader {
	return &chatReader{m: m, collector: collector{x: x, hear: hear}, text: -1, thought: -1, calls: map[int64]int{}, own: map[string]*gathered{}}
}

func (r *chatReader) said(text string) (e *Error) {
	if text == "" {
		return nil
	}
	if r.text < 0 {
		if r.text, e = r.block(Block{Kind: Text}); e != nil {
			return e
		}
	}
	return r.add(r.text, text)
}

// call lengthens a call. Some providers number all calls alike: another ID begins another call.
func (r *chatReader) call(at int64, id, name, arguments string) (e *Error) {
	i, known := r.calls[at]
	if !known || id != "" && r.answer.Blocks[i].ID != "" && id != r.answer.Blocks[i].ID {
		if i, e = r.block(Block{Kind: ToolUse, ID: id, Name: name}); e != nil {
			return e
		}
		r.calls[at] = i
	} else if b := &r.answer.Blocks[i]; b.Name == "" {
		b.Name = name
	}
	return r.add(i, arguments)
}

// gathered is a member that comes in pieces: texts and lists go on, of other things the last counts.
type gathered struct {
	text strings.Builder
	list []json.RawMessage
	last json.RawMessage
}

func (g *gathered) value() any {
	switch {
	case g.text.Len() > 0:
		return g.text.String()
	case len(g.list) > 0:
		return g.list
	}
	return g.last
}

const mostMembers = 100

// extras takes in the members that are not of the protocol: what was thought, and what only the provider knows.
func (r *chatReader) extras(fields map[string]respjson.Field) *Error {
	names := make([]string, 0, len(fields))
	for n := range fields {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		v := fields[n].Raw()
		if v == "" || v == "null" || v == `""` || v == "[]" {
			continue
		}
		g := r.own[n]
		if g == nil {
			if len(r.own) >= mostMembers {
				return errorf(CodeTooBig, "the answer has more than %d members that are not known", mostMembers)
			}
			g = &gathered{}
			r.own[n] = g
		}
		if e := r.grow(len(v)); e != nil {
			return e
		}
		var s string
		var list []json.RawMessage
		switch {
		case json.Unmarshal([]byte(v), &s) == nil:
			g.text.WriteString(s)
			if n == "reasoning_content" || n == "reasoning" && r.own["reasoning_content"] == nil {
				if e := r.think(s); e != nil {
					return e
				}
			}
		case json.Unmarshal([]byte(v), &list) == nil:
			g.list = append(g.list, list...)
		default:
			g.last = json.RawMessage(strings.Clone(v))
		}
	}
	return nil
}

func (r *chatReader) think(s string) (e *Error) {
	if r.thought < 0 {
		if r.thought, e = r.block(Block{Kind: Thinking}); e != nil {
			return e
		}
	}
	return r.add(r.thought, s)
}

func (r *chatReader) usage(u openai.CompletionUsage) {
	cached := u.PromptTokensDetails.CachedTokens
	r.answer.Usage = Usage{Input: max(u.PromptTokens-cached, 0), CacheRead: cached, Output: u.CompletionTokens, Reasoning: u.CompletionTokensDetails.ReasoningTokens}
}

func (r *chatReader) end() {
	for i := range r.answer.Blocks {
		r.close(i)
	}
	thought := member{}
	var names []string
	for n := range r.own {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		if strings.HasPrefix(n, "reasoning") {
			thought[n] = r.own[n].value()
			continue
		}
		r.answer.Blocks = append(r.answer.Blocks, Block{Kind: Other, Name: n, Provider: r.m.name, Native: raw(member{n: r.own[n].value()})})
	}
	if len(thought) > 0 {
		if r.thought < 0 { // thought that cannot be read
			r.answer.Blocks = append([]Block{{Kind: Thinking}}, r.answer.Blocks...)
			r.thought = 0
		}
		b := &r.answer.Blocks[r.thought]
		b.Provider, b.Native = r.m.name, raw(thought)
	}
	r.answer.Stop, r.answer.StopDetail = StopOther, clip(r.finish)
	switch r.finish {
	case "stop", "tool_calls", "function_call", "":
		r.answer.Stop, r.answer.StopDetail = StopEnd, ""
		for _, b := range r.answer.Blocks {
			if b.Kind == ToolUse {
				r.answer.Stop = StopTools
			}
		}
	case "length":
		r.answer.Stop, r.answer.StopDetail = StopLength, ""
	case "content_filter":
		r.answer.Stop = StopRefusal
	case "error":
		r.answer.Notes = append(r.answer.Notes, "the provider ended with an error")
	}
	if r.refused != "" {
		r.answer.Stop, r.answer.StopDetail = StopRefusal, r.refused
	}
}
