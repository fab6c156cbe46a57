package wire

import (
	"encoding/json"
	"time"
)

// ItemType is metadata.type of an item; one that a user posts has none.
type ItemType string

const (
	Text           ItemType = "text"
	ToolCall       ItemType = "tool_call"
	ToolResult     ItemType = "tool_result"
	Thinking       ItemType = "thinking"
	Status         ItemType = "status"
	TurnEnd        ItemType = "turn_end"
	Prompt         ItemType = "pending_prompt"
	PromptResolved ItemType = "pending_prompt_resolved"
	ThreadFailed   ItemType = "thread_failed"
)

// Item is one entry of a thread, in the order of Seq.
type Item struct {
	Seq       uint64       `json:"seq"`
	UserID    string       `json:"user_id"`
	CreatedAt time.Time    `json:"created_at"`
	Content   []Content    `json:"content"`
	Metadata  ItemMetadata `json:"metadata"`
}

// Content is a piece of what a reader sees.
type Content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// ItemMetadata says what an item is. Which members an item has follows from its type.
type ItemMetadata struct {
	Type         ItemType `json:"type,omitempty"`
	Tool         *ToolUse `json:"tool,omitempty"`
	InvocationID string   `json:"invocation_id,omitempty"` // of a result and of a question
	IsError      bool     `json:"is_error,omitempty"`
	Text         string   `json:"text,omitempty"`      // the whole of what content is brief of
	Truncated    bool     `json:"truncated,omitempty"` // content or text is an excerpt
	Status       string   `json:"status,omitempty"`
	Turn         uint64   `json:"turn,omitempty"`
	Through      uint64   `json:"through,omitempty"` // the last item of a user that a turn was told
	Usage        *Usage   `json:"usage,omitempty"`
	Question     string   `json:"prompt_id,omitempty"`  // of a question, its end, and of a user's item that answers it and no other
	Resolution   string   `json:"resolution,omitempty"` // allowed, denied or cancelled
	By           string   `json:"by,omitempty"`
	Answer       uint64   `json:"answer,omitempty"` // the item that answered a question
	Alias        string   `json:"alias,omitempty"`
	Code         string   `json:"code,omitempty"`
	Message      string   `json:"message,omitempty"`
}

// ToolUse is what an agent called.
type ToolUse struct {
	Name         string          `json:"name"`
	InvocationID string          `json:"invocation_id"`
	Input        json.RawMessage `json:"input"`
}

// Usage is what a turn took. InputTokens counts cached and uncached ones.
type Usage struct {
	InputTokens       uint64   `json:"input_tokens"`
	InputTokensCached uint64   `json:"input_tokens_cached"`
	OutputTokens      uint64   `json:"output_tokens"`
	Cost              *float64 `json:"cost_usd,omitempty"` // nil when the client does not say
	DurationMs        int64    `json:"duration_ms"`
}

// Say is the content of a text.
func Say(text string) []Content { return []Content{{Type: "text", Text: text}} }

// TextOf is the text of an item.
func (i Item) TextOf() string {
	text := ""
	for _, c := range i.Content {
		text += c.Text
	}
	return text
}
