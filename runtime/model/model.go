package model

import (
	"context"
	"encoding/json"
	"strings"
)

// Connection is a way to ask a model.
type Connection interface {
	// Complete asks once. hear gets deltas as they stream, from the goroutine that called; nil asks for no streaming.
	// The answer is whole, or the error is an *Error.
	Complete(ctx context.Context, r Request, hear func(Delta)) (*Answer, error)
}

// Func is a connection made of a function.
type Func func(context.Context, Request, func(Delta)) (*Answer, error)

// Complete calls f.
func (f Func) Complete(ctx context.Context, r Request, hear func(Delta)) (*Answer, error) {
	return f(ctx, r, hear)
}

// Request is what a model is asked.
type Request struct {
	Model       string          `json:"model"`
	System      []string        `json:"system,omitempty"` // pieces, the stable one first
	Messages    []Message       `json:"messages"`
	Tools       []Tool          `json:"tools,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"` // structured output is wanted: a JSON schema
	MaxTokens   int             `json:"max_tokens,omitempty"`
	Effort      string          `json:"effort,omitempty"` // in the provider's words; none turns thinking off
	Temperature *float64        `json:"temperature,omitempty"`
	Session     string          `json:"session,omitempty"` // a stable key for prompt caches
}

// Role is who speaks in a message.
type Role string

const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is what one side said.
type Message struct {
	Role   Role    `json:"role"`
	Blocks []Block `json:"blocks"`
}

// BlockKind is what a block is.
type BlockKind string

const (
	Text       BlockKind = "text"
	Thinking   BlockKind = "thinking"
	ToolUse    BlockKind = "tool-use"
	ToolResult BlockKind = "tool-result"
	ImageBlock BlockKind = "image"
	Other      BlockKind = "other"
)

// Block is a part of a message. Which fields mean something depends on its kind:
//
//	text, thinking  Text
//	tool-use        ID, Name, Input; Failed when the arguments are not a JSON object: Text is what came instead, and
//	                Input is {}, so that the caller can answer the call with an error
//	tool-result     ID, Text, Failed; Image too, where the provider takes one in a result
//	image           Image
//	other           Native only; Name is what the provider calls it
type Block struct {
	Kind     BlockKind       `json:"kind"`
	Text     string          `json:"text,omitempty"`
	ID       string          `json:"id,omitempty"`
	Name     string          `json:"name,omitempty"`
	Input    json.RawMessage `json:"input,omitempty"`
	Failed   bool            `json:"failed,omitempty"`
	Image    *Image          `json:"image,omitempty"`
	Provider string          `json:"provider,omitempty"` // whose Native is
	Native   json.RawMessage `json:"native,omitempty"`   // the block as the provider sent it
}

// Image is a picture as bytes.
type Image struct {
	Type string `json:"type"` // image/png, image/jpeg, image/gif, image/webp
	Data []byte `json:"data"`
}

// Tool is what a model may call.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"` // of its arguments; nothing: an object of anything
}

// Stop is why a model stopped.
type Stop string

const (
	StopEnd     Stop = "end"
	StopTools   Stop = "tools" // it waits for the results of its calls
	StopLength  Stop = "length"
	StopRefusal Stop = "refusal"
	StopPause   Stop = "pause" // send the answer back as it is and it goes on
	StopOther   Stop = "other"
)

// Answer is what a model answered.
type Answer struct {
	ID         string          `json:"id,omitempty"`
	Model      string          `json:"model,omitempty"` // the one that answered
	Blocks     []Block         `json:"blocks"`
	Stop       Stop            `json:"stop"`
	StopDetail string          `json:"stop_detail,omitempty"`
	Usage      Usage           `json:"usage"`
	Value      json.RawMessage `json:"value,omitempty"` // what was asked for by Request.Schema, and fits it
	Notes      []string        `json:"notes,omitempty"` // what was mended or left out on the way, for a person
}

// Said answers the text of an answer's blocks.
func (a *Answer) Said() string {
	var b strings.Builder
	for _, x := range a.Blocks {
		if x.Kind == Text {
			b.WriteString(x.Text)
		}
	}
	return b.String()
}

// Usage counts tokens. Input excludes those that came from or went into a cache; Output includes Reasoning.
type Usage struct {
	Input      int64 `json:"input,omitempty"`
	CacheRead  int64 `json:"cache_read,omitempty"`
	CacheWrite int64 `json:"cache_write,omitempty"`
	Output     int64 `json:"output,omitempty"`
	Reasoning  int64 `json:"reasoning,omitempty"`
}

// Add answers the sum.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.Input + v.Input, u.CacheRead + v.CacheRead, u.CacheWrite + v.CacheWrite, u.Output + v.Output, u.Reasoning + v.Reasoning}
}

// Total is all tokens that were sent and made.
func (u Usage) Total() int64 { return u.Input + u.CacheRead + u.CacheWrite + u.Output }

// Delta is a piece of an answer as it streams. Index is the place of its block in the answer. The first delta of a
// tool-use has ID and Name; Text is then a piece of the arguments' JSON.
type Delta struct {
	Index int       `json:"index"`
	Kind  BlockKind `json:"kind,omitempty"`
	Text  string    `json:"text,omitempty"`
	ID    string    `json:"id,omitempty"`
	Name  string    `json:"name,omitempty"`
	Reset bool      `json:"reset,omitempty"` // forget what was heard: the answer begins again
}

// tell calls hear, if there is one.
func tell(hear func(Delta), d Delta) {
	if hear != nil {
		hear(d)
	}
}
