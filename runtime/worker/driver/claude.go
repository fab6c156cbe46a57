package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// Claude drives the claude client: a JSON object a line both ways, questions by its control channel.
type Claude struct{}

type claude struct {
	*process
	hooks Hooks

	mu      sync.Mutex
	pending map[string]context.CancelFunc // questions, by their request
	asks    sync.WaitGroup
	ids     int
	cost    float64 // so far: the client counts over the session
	known   bool    // cost is of this session
}

// Start implements Driver.
func (Claude) Start(_ context.Context, s Spec, h Hooks) (Agent, error) {
	args := []string{"-p", "--output-format", "stream-json", "--input-format", "stream-json", "--verbose", "--permission-prompt-tool", "stdio"}
	for _, f := range []struct{ name, value string }{{"--model", s.Model}, {"--effort", s.Effort}, {"--resume", s.SessionID}} {
		if f.value != "" {
			args = append(args, f.name+"="+f.value)
		}
	}
	p, err := start(s, args, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1")
	if err != nil {
		return nil, err
	}
	return &claude{process: p, hooks: h, pending: map[string]context.CancelFunc{}, known: s.SessionID == "" || s.Ours}, nil
}

type object = map[string]any

func (c *claude) say(text string) error {
	return c.send(object{"type": "user", "message": object{"role": "user", "content": text}})
}

// Steer implements Agent.
func (c *claude) Steer(text string) error { return c.say(text) }

// Interrupt implements Agent.
func (c *claude) Interrupt() error {
	c.mu.Lock()
	c.ids++
	id := fmt.Sprintf("caper-%d", c.ids)
	c.mu.Unlock()
	return c.send(object{"type": "control_request", "request_id": id, "request": object{"subtype": "interrupt"}})
}

type claudeLine struct {
	Type      string
	Subtype   string
	SessionID string `json:"session_id"`
	RequestID string `json:"request_id"`
	Request   struct {
		Subtype   string
		ToolName  string `json:"tool_name"`
		ToolUseID string `json:"tool_use_id"`
		Input     json.RawMessage
		Reason    string `json:"description"`
	}
	Message struct {
		Content json.RawMessage
	}
	IsError        bool   `json:"is_error"`
	Synthetic      bool   `json:"isSynthetic"`
	TerminalReason string `json:"terminal_reason"`
	Result         string
	Errors         []string
	Queued         int      `json:"queued_turn_count"`
	DurationMs     int64    `json:"duration_ms"`
	Cost           *float64 `json:"total_cost_usd"`
	Usage          struct {
		Input      uint64 `json:"input_tokens"`
		CacheRead  uint64 `json:"cache_read_input_tokens"`
		CacheWrite uint64 `json:"cache_creation_input_tokens"`
		Output     uint64 `json:"output_tokens"`
	}
}

// Turn implements Agent.
func (c *claude) Turn(ctx context.Context, _ uint64, prompt string) (End, error) {
	end, err := c.turn(ctx, prompt)
	c.void("")
	c.asks.Wait()
	if err != nil {
		err = errors.Join(err, c.Close())
	}
	return end, err
}

func (c *claude) turn(ctx context.Context, prompt string) (End, error) {
	var end End
	c.heard.Store(time.Now().UnixNano())
	if err := c.say(prompt); err != nil {
		if p := c.drained(); p != nil {
			return end, p
		}
		return end, err
	}
	for {
		line, err := c.next(ctx)
		if err != nil {
			return end, err
		}
		var l claudeLine
		if err := json.Unmarshal(line, &l); err != nil {
			return end, failed(CodeProtocol, "%s wrote an object of another form: %v", c.spec.Executable, err)
		}
		switch l.Type {
		case "system":
			c.system(l)
		case "assistant", "user":
			c.message(l)
		case "control_request":
			c.question(ctx, l)
		case "control_cancel_request":
			c.void(l.RequestID)
		case "result":
			end.InputTokens += l.Usage.Input + l.Usage.CacheRead + l.Usage.CacheWrite
			end.InputTokensCached += l.Usage.CacheRead
			end.OutputTokens += l.Usage.Output
			end.Duration += time.Duration(l.DurationMs) * time.Millisecond
			if l.Cost != nil && *l.Cost >= c.cost {
				if c.known {
					spent := *l.Cost - c.cost
					if end.Cost != nil {
						spent += *end.Cost
					}
					end.Cost = &spent
				}
				c.cost, c.known = *l.Cost, true
			}
			if strings.HasPrefix(l.TerminalReason, "aborted") {
				end.Interrupted = true
				return end, nil
			}
			if l.IsError {
				why := l.Result
				if why == "" {
					why = strings.Join(l.Errors, "; ")
				}
				if why == "" {
					why = l.Subtype + " " + l.TerminalReason
				}
				return end, failed(CodeCrashed, "the turn failed: %s", excerpt(why, 500))
			}
			if l.Queued == 0 {
				return end, nil
			}
		}
	}
}

// drained answers why a client that does not listen is gone, when its last words say that.
func (c *claude) drained() error {
	for {
		ctx, stop := context.WithTimeout(context.Background(), time.Second)
		_, err := c.next(ctx)
		stop()
		if err != nil {
			if errors.Is(err, context.DeadlineExceeded) {
				return nil
			}
			return err
		}
	}
}

func (c *claude) system(l claudeLine) {
	switch l.Subtype {
	case "init":
		if l.SessionID != "" {
			c.hooks.Session(l.SessionID)
		}
	case "api_retry":
		c.hooks.Event(Event{Kind: Status, Text: "retrying"})
	case "model_fallback":
		c.hooks.Event(Event{Kind: Status, Text: "model_fallback"})
	}
}

func (c *claude) message(l claudeLine) {
	var text string
	if json.Unmarshal(l.Message.Content, &text) == nil {
		if l.Type == "assistant" && text != "" {
			c.hooks.Event(Event{Kind: Text, Text: text})
		}
		return
	}
	var blocks []struct {
		Type, Text, Thinking, ID, Name string
		Input, Content                 json.RawMessage
		ToolUseID                      string `json:"tool_use_id"`
		IsError                        bool   `json:"is_error"`
	}
	if json.Unmarshal(l.Message.Content, &blocks) != nil {
		return
	}
	for _, b := range blocks {
		switch {
		case b.Type == "text" && l.Type == "assistant":
			c.hooks.Event(Event{Kind: Text, Text: b.Text})
		case b.Type == "thinking":
			c.hooks.Event(Event{Kind: Thinking, Text: b.Thinking})
		case b.Type == "tool_use":
			c.hooks.Event(Event{Kind: ToolCall, Tool: b.Name, InvocationID: b.ID, Input: b.Input})
		case b.Type == "tool_result":
			c.hooks.Event(Event{Kind: ToolResult, InvocationID: b.ToolUseID, Text: contentText(b.Content), Failed: b.IsError})
		}
	}
}

// contentText is the text of content that is a text or a list of blocks.
func contentText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var blocks []struct{ Type, Text string }
	_ = json.Unmarshal(raw, &blocks)
	var out []string
	for _, b := range blocks {
		if b.Type == "text" {
			out = append(out, b.Text)
		} else {
			out = append(out, "("+b.Type+")")
		}
	}
	return strings.Join(out, "\n")
}

// question asks whether a tool may be used, beside the reading of lines.
func (c *claude) question(ctx context.Context, l claudeLine) {
	reply := func(response object) {
		_ = c.send(object{"type": "control_response", "response": response}) // a client that is gone shows at the next line
	}
	if l.Request.Subtype != "can_use_tool" {
		reply(object{"subtype": "error", "request_id": l.RequestID, "error": "not supported here"})
		return
	}
	actx, stop := context.WithCancel(ctx)
	c.mu.Lock()
	c.pending[l.RequestID] = stop
	c.mu.Unlock()
	done := c.waiting()
	c.asks.Go(func() {
		defer done()
		defer stop()
		answer := Answer{Allow: true}
		if !c.spec.Autonomous {
			answer = c.hooks.Ask(actx, Question{Tool: l.Request.ToolName, InvocationID: l.Request.ToolUseID, Input: l.Request.Input, Reason: l.Request.Reason})
		}
		c.mu.Lock()
		_, open := c.pending[l.RequestID]
		delete(c.pending, l.RequestID)
		c.mu.Unlock()
		if !open || actx.Err() != nil {
			return // taken back meanwhile
		}
		response := object{"behavior": "allow", "updatedInput": l.Request.Input}
		if !answer.Allow {
			response = object{"behavior": "deny", "message": answer.Message}
		}
		reply(object{"subtype": "success", "request_id": l.RequestID, "response": response})
	})
}

// void takes a question back, or all.
func (c *claude) void(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for q, stop := range c.pending {
		if id == "" || q == id {
			stop()
			delete(c.pending, q)
		}
	}
}
