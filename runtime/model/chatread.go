package model

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// completion is an answer, or a piece of one that streams.
type completion struct {
	ID      string `json:"id"`
	Model   string `json:"model"`
	Choices []struct {
		Message      map[string]json.RawMessage `json:"message"`
		Delta        map[string]json.RawMessage `json:"delta"`
		FinishReason string                     `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		Prompt     int64 `json:"prompt_tokens"`
		Completion int64 `json:"completion_tokens"`
		In         struct {
			Cached int64 `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
		Out struct {
			Reasoning int64 `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
	} `json:"usage"`
}

// whole reads an answer that comes whole.
func (m *chat) whole(x *exchange, p member) (*Answer, error) {
	body, err := m.once(x, p)
	if err != nil {
		return nil, openaiFailed(x, err)
	}
	var res completion
	if err := json.Unmarshal(body, &res); err != nil {
		return nil, x.failed(err)
	}
	if len(res.Choices) == 0 {
		f := failure{now: x.clock.Now(), inStream: true} // some send errors with the status of success
		if f.read(body); f.message != string(body) {
			return nil, f.error()
		}
		return nil, &Error{Code: CodeMalformed, Temporary: true, Message: "the provider's answer is no completion"}
	}
	r := m.reader(x, nil)
	if e := r.take(res, res.Choices[0].Message); e != nil {
		return nil, r.paid(e)
	}
	r.end()
	return &r.answer, nil
}

// read reads an answer as it streams.
func (m *chat) read(x *exchange, p member, hear func(Delta)) (*Answer, error) {
	s := m.events(x, p)
	defer s.Close()
	r := m.reader(x, hear)
	for s.Next() {
		ev := s.Current()
		var delta map[string]json.RawMessage
		if len(ev.Choices) > 0 {
			delta = ev.Choices[0].Delta
		}
		if e := r.take(ev, delta); e != nil {
			return nil, r.paid(e)
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

// take takes in an answer, or a piece of one.
func (r *chatReader) take(c completion, said map[string]json.RawMessage) *Error {
	if c.ID != "" {
		r.answer.ID = c.ID
	}
	if c.Model != "" {
		r.answer.Model = c.Model
	}
	if u := c.Usage; u != nil {
		r.answer.Usage = Usage{Input: max(u.Prompt-u.In.Cached, 0), CacheRead: u.In.Cached, Output: u.Completion, Reasoning: u.Out.Reasoning}
	}
	if len(c.Choices) > 0 && c.Choices[0].FinishReason != "" {
		r.finish = c.Choices[0].FinishReason
	}
	if e := r.extras(said); e != nil {
		return e
	}
	if e := r.said(spoken(said["content"])); e != nil {
		return e
	}
	r.refused += spoken(said["refusal"])
	if e := r.grow(len(said["refusal"])); e != nil {
		return e
	}
	var calls []struct {
		Index    *int64
		ID, Type string
		Function struct {
			Name      string
			Arguments any // a text; some send the object itself
		}
	}
	if v := said["tool_calls"]; len(v) > 0 && json.Unmarshal(v, &calls) != nil {
		return r.broken("tool_calls is no list of calls")
	}
	for i, call := range calls {
		at := int64(i)
		if call.Index != nil {
			at = *call.Index
		}
		arguments, isText := call.Function.Arguments.(string)
		if !isText && call.Function.Arguments != nil {
			arguments = string(raw(call.Function.Arguments))
		}
		if e := r.call(at, call.ID, call.Function.Name, arguments); e != nil {
			return e
		}
	}
	return nil
}

// spoken reads a text, or a list of parts of which some have one.
func spoken(v json.RawMessage) string {
	var text string
	if len(v) == 0 || json.Unmarshal(v, &text) == nil {
		return text
	}
	var parts []struct{ Text string }
	_ = json.Unmarshal(v, &parts) // what is neither says nothing
	for _, p := range parts {
		text += p.Text
	}
	return text
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
func (r *chatReader) extras(said map[string]json.RawMessage) *Error {
	for _, n := range slices.Sorted(maps.Keys(said)) {
		switch n {
		case "role", "content", "refusal", "tool_calls":
			continue
		}
		v := string(said[n])
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
			g.last = json.RawMessage(v)
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

func (r *chatReader) end() {
	for i := range r.answer.Blocks {
		r.close(i)
	}
	thought := member{}
	for _, n := range slices.Sorted(maps.Keys(r.own)) {
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
