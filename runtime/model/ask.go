package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// ask is a request as one provider gets it.
type ask struct {
	Request
	native bool   // Schema is asked for in the provider's own way; else it is not the provider's business
	force  string // the tool that must be called; anyTool: some tool must
}

const anyTool = "*"

// provider is what stands behind a connection: one question, one answer, no retries.
type provider interface {
	complete(x *exchange, a ask, hear func(Delta)) (*Answer, error)
	native(r Request) bool // it takes this schema in its own way
	streams(r Request) bool
}

// collector puts an answer together, within bounds.
type collector struct {
	x      *exchange
	answer Answer
	parts  []*strings.Builder // the text of each block, or its arguments
	held   [][]byte           // what came last for each block, and may go on as a secret
	size   int
	hear   func(Delta)
}

func (c *collector) grow(n int) *Error {
	if c.size += n; c.size > maxAnswer {
		return errorf(CodeTooBig, "the answer is larger than %d MiB", maxAnswer>>20)
	}
	return nil
}

// block begins a block at the end of the answer and answers its place.
func (c *collector) block(b Block) (int, *Error) {
	if len(c.answer.Blocks) >= maxBlocks {
		return 0, errorf(CodeTooBig, "the answer has more than %d blocks", maxBlocks)
	}
	i := len(c.answer.Blocks)
	c.answer.Blocks = append(c.answer.Blocks, b)
	c.parts, c.held = append(c.parts, &strings.Builder{}), append(c.held, nil)
	if b.Kind == ToolUse {
		tell(c.hear, Delta{Index: i, Kind: ToolUse, ID: b.ID, Name: b.Name})
	}
	return i, c.grow(len(b.Native) + len(b.ID) + len(b.Name))
}

// add lengthens a block.
func (c *collector) add(i int, text string) *Error {
	if text == "" {
		return nil
	}
	if err := c.grow(len(text)); err != nil {
		return err
	}
	if len(c.x.secrets) > 0 {
		b := append(c.held[i], text...)
		hold := hush(b, c.x.secrets)
		text = string(b[:len(b)-hold])
		c.held[i] = append(b[:0], b[len(b)-hold:]...)
	}
	c.say(i, text)
	return nil
}

func (c *collector) say(i int, text string) {
	if text != "" {
		c.parts[i].WriteString(text)
		tell(c.hear, Delta{Index: i, Kind: c.answer.Blocks[i].Kind, Text: text})
	}
}

// close gives a block its text or its arguments.
func (c *collector) close(i int) {
	c.say(i, string(c.held[i]))
	c.held[i] = nil
	b, text := &c.answer.Blocks[i], c.parts[i].String()
	if b.Kind == ToolUse {
		b.Input, b.Failed, b.Text = arguments(text)
	} else if b.Kind != Other {
		b.Text = text
	}
}

// arguments reads what a model gave as the arguments of a call. What is no JSON object is kept as text.
func arguments(text string) (input json.RawMessage, failed bool, kept string) {
	t := strings.TrimSpace(text)
	if t == "" {
		return json.RawMessage("{}"), false, ""
	}
	if t[0] != '{' || !json.Valid([]byte(t)) {
		return json.RawMessage("{}"), true, text
	}
	return json.RawMessage(t), false, ""
}

// object checks that JSON of ours is an object, as the SDKs' writers do not.
func object(raw json.RawMessage, empty string) json.RawMessage {
	t := bytes.TrimSpace(raw)
	if len(t) == 0 || t[0] != '{' || !json.Valid(t) {
		return json.RawMessage(empty)
	}
	return t
}

// only says whether an object of JSON has no member but these.
func only(raw string, names ...string) bool {
	var m map[string]json.RawMessage
	if json.Unmarshal([]byte(raw), &m) != nil {
		return false
	}
	for _, n := range names {
		delete(m, n)
	}
	for _, v := range m {
		if s := string(v); s != "null" && s != "[]" {
			return false
		}
	}
	return true
}

// with answers an object of JSON with members added or replaced.
func with(raw string, members map[string]any) json.RawMessage {
	m := map[string]json.RawMessage{}
	if json.Unmarshal([]byte(raw), &m) != nil {
		return nil
	}
	for k, v := range members {
		b, err := json.Marshal(v)
		if err != nil {
			return nil
		}
		m[k] = b
	}
	b, err := json.Marshal(m)
	if err != nil {
		return nil
	}
	return b
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
