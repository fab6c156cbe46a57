package driver

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"
)

// Codex drives codex app-server: calls, answers and notices as JSON objects, a line each.
type Codex struct{}

type codex struct {
	*process
	hooks Hooks

	mu      sync.Mutex
	ids     int
	thread  string
	turn    string                        // that runs
	pending map[string]context.CancelFunc // questions, by their request
	asks    sync.WaitGroup
	calls   map[string]json.RawMessage // what items of this turn were called with, whose call was told
	total   codexUsage                 // of the thread
	before  codexUsage                 // when the turn began
	counted bool
}

type codexUsage struct{ InputTokens, CachedInputTokens, OutputTokens uint64 }

type codexLine struct {
	ID     json.RawMessage
	Method string
	Params codexParams
	Result struct {
		Thread struct{ ID string }
		Turn   struct{ ID string }
	}
	Error *struct {
		Code    int
		Message string
	}
}

type codexParams struct {
	ItemID    string
	RequestID json.RawMessage
	Reason    string
	Command   json.RawMessage
	Cwd       string
	Message   string
	Meta      map[string]json.RawMessage `json:"_meta"`
	WillRetry bool
	Error     struct{ Message string }
	Item      codexItem
	Usage     struct{ Total codexUsage } `json:"tokenUsage"`
	Turn      struct {
		ID, Status string
		DurationMs int64
		Error      *struct {
			Message string
			Details string `json:"additionalDetails"`
		}
	}
}

type codexItem struct {
	ID, Type, Text, Status, Server, Tool string
	Summary                              []string
	Command                              json.RawMessage
	Cwd                                  string
	AggregatedOutput                     string
	ExitCode                             *int
	Changes                              []json.RawMessage
	Arguments                            json.RawMessage
	Result, Error                        json.RawMessage
}

// Start implements Driver.
func (Codex) Start(ctx context.Context, s Spec, h Hooks) (Agent, error) {
	args := []string{"app-server"}
	p, err := start(s, args)
	if err != nil {
		return nil, err
	}
	c := &codex{process: p, hooks: h, pending: map[string]context.CancelFunc{}}
	if err := c.open(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Sandbox is what codex confines commands to.
const Sandbox = "workspace-write"

func (c *codex) open(ctx context.Context) error {
	if _, err := c.call(ctx, "initialize", object{"clientInfo": object{"name": "caper", "title": "Caper", "version": "1"}, "capabilities": nil}); err != nil {
		return err
	}
	if err := c.send(object{"method": "initialized"}); err != nil {
		return err
	}
	policy := "untrusted"
	if c.spec.Autonomous {
		policy = "never"
	}
	params := object{"cwd": c.spec.WorkFolder, "approvalPolicy": policy, "sandbox": Sandbox}
	if c.spec.Model != "" {
		params["model"] = c.spec.Model
	}
	method := "thread/start"
	if c.spec.SessionID != "" {
		method = "thread/resume"
		params["threadId"], params["excludeTurns"] = c.spec.SessionID, true
	}
	l, err := c.call(ctx, method, params)
	if err != nil {
		return err
	}
	if l.Result.Thread.ID == "" {
		return failed(CodeProtocol, "%s answered %s without a thread", c.spec.Executable, method)
	}
	c.thread = l.Result.Thread.ID
	c.hooks.Event(Event{Kind: Status, Text: "sandbox_" + strings.ReplaceAll(Sandbox, "-", "_")})
	return nil
}

// request sends a call and answers its number.
func (c *codex) request(method string, params object) (string, error) {
	c.mu.Lock()
	c.ids++
	id := c.ids
	c.mu.Unlock()
	b, _ := json.Marshal(id)
	return string(b), c.send(object{"id": id, "method": method, "params": params})
}

// call sends a call and reads on until its answer.
func (c *codex) call(ctx context.Context, method string, params object) (codexLine, error) {
	id, err := c.request(method, params)
	if err != nil {
		if _, gone := c.next(ctx); gone != nil { // its last words say why
			return codexLine{}, gone
		}
		return codexLine{}, err
	}
	for {
		l, err := c.line(ctx)
		if err != nil {
			return l, err
		}
		if l.Method == "" && string(l.ID) == id {
			if l.Error != nil {
				return l, failed(CodeCrashed, "%s refused %s: %s", c.spec.Executable, method, excerpt(l.Error.Message, 500))
			}
			return l, nil
		}
		if _, _, err := c.notice(ctx, l); err != nil {
			return l, err
		}
	}
}

func (c *codex) line(ctx context.Context) (l codexLine, err error) {
	line, err := c.next(ctx)
	if err != nil {
		return l, err
	}
	var head struct{ Method string }
	if err := json.Unmarshal(line, &head); err != nil {
		return l, failed(CodeProtocol, "%s wrote an object of another form: %v", c.spec.Executable, err)
	}
	if head.Method != "" && !codexNotices[head.Method] {
		var id struct{ ID json.RawMessage }
		_ = json.Unmarshal(line, &id)
		return codexLine{Method: head.Method, ID: id.ID}, nil // of no interest: its form is not ours to know
	}
	if err := json.Unmarshal(line, &l); err != nil {
		return l, failed(CodeProtocol, "%s wrote an object of another form: %v", c.spec.Executable, err)
	}
	return l, nil
}

const (
	askCommand = "item/commandExecution/requestApproval"
	askChange  = "item/fileChange/requestApproval"
	askElicit  = "mcpServer/elicitation/request"
)

// codexNotices are what is read whole.
var codexNotices = map[string]bool{"item/started": true, "item/completed": true, "turn/started": true, "turn/completed": true, "thread/tokenUsage/updated": true,
	"error": true, "serverRequest/resolved": true, askCommand: true, askChange: true, askElicit: true}

// Turn implements Agent.
func (c *codex) Turn(ctx context.Context, _ uint64, prompt string) (End, error) {
	end, err := c.run(ctx, prompt)
	c.mu.Lock()
	c.turn = ""
	c.mu.Unlock()
	c.void("")
	c.asks.Wait()
	if err != nil {
		err = errors.Join(err, c.Close())
	}
	return end, err
}

func (c *codex) run(ctx context.Context, prompt string) (End, error) {
	c.heard.Store(time.Now().UnixNano())
	c.calls, c.before, c.counted = map[string]json.RawMessage{}, c.total, c.spec.SessionID == "" || c.counted
	params := object{"threadId": c.thread, "input": []any{object{"type": "text", "text": prompt}}}
	if c.spec.Effort != "" {
		params["effort"] = c.spec.Effort
	}
	l, err := c.call(ctx, "turn/start", params)
	if err != nil {
		return End{}, err
	}
	c.mu.Lock()
	c.turn = l.Result.Turn.ID
	c.mu.Unlock()
	for {
		l, err := c.line(ctx)
		if err != nil {
			return End{}, err
		}
		if end, done, err := c.notice(ctx, l); err != nil || done {
			return end, err
		}
	}
}

// notice handles a line that answers nothing.
func (c *codex) notice(ctx context.Context, l codexLine) (end End, done bool, err error) {
	switch p := l.Params; l.Method {
	case "":
	case "turn/started": // before it nothing of the thread is kept
		c.hooks.Session(c.thread)
	case "item/started":
		c.called(p.Item)
	case "item/completed":
		c.completed(p.Item)
	case "thread/tokenUsage/updated":
		if !c.counted { // of a thread that goes on, what came before is not this turn's
			c.counted = true
		}
		c.total = p.Usage.Total
	case "error":
		if p.WillRetry {
			c.hooks.Event(Event{Kind: Status, Text: "retrying"})
		}
	case "serverRequest/resolved":
		c.void(string(p.RequestID))
	case "turn/completed":
		end = End{Interrupted: p.Turn.Status == "interrupted", Duration: time.Duration(p.Turn.DurationMs) * time.Millisecond,
			InputTokens: less(c.total.InputTokens, c.before.InputTokens), InputTokensCached: less(c.total.CachedInputTokens, c.before.CachedInputTokens),
			OutputTokens: less(c.total.OutputTokens, c.before.OutputTokens)}
		if p.Turn.Status == "failed" {
			why := "it did not say why"
			if p.Turn.Error != nil {
				why = strings.TrimSpace(p.Turn.Error.Message + " " + p.Turn.Error.Details)
			}
			return end, true, failed(CodeCrashed, "the turn failed: %s", excerpt(why, 500))
		}
		return end, true, nil
	case askCommand, askChange, askElicit:
		c.question(ctx, l)
	default:
		if len(l.ID) > 0 {
			_ = c.send(object{"id": l.ID, "error": object{"code": -32601, "message": "not supported here"}})
		}
	}
	return end, false, nil
}

func less(a, b uint64) uint64 {
	if a < b {
		return a
	}
	return a - b
}

// called tells of an item that is a call, once.
func (c *codex) called(i codexItem) {
	name, input := "", any(nil)
	switch i.Type {
	case "commandExecution":
		name, input = "shell", object{"command": i.Command, "cwd": i.Cwd}
	case "fileChange":
		name, input = "apply_patch", object{"changes": i.Changes}
	case "mcpToolCall":
		name, input = i.Server+"/"+i.Tool, i.Arguments
	case "dynamicToolCall", "webSearch":
		name, input = i.Type, i.Arguments
		if i.Tool != "" {
			name = i.Tool
		}
	default:
		return
	}
	if c.calls[i.ID] != nil {
		return
	}
	if c.calls == nil {
		c.calls = map[string]json.RawMessage{}
	}
	b, err := json.Marshal(input)
	if err != nil {
		b = json.RawMessage("null")
	}
	c.calls[i.ID] = b
	c.hooks.Event(Event{Kind: ToolCall, Tool: name, InvocationID: i.ID, Input: b})
}

func (c *codex) completed(i codexItem) {
	switch i.Type {
	case "agentMessage":
		c.hooks.Event(Event{Kind: Text, Text: i.Text})
		return
	case "reasoning":
		if text := strings.Join(i.Summary, "\n"); text != "" {
			c.hooks.Event(Event{Kind: Thinking, Text: text})
		}
		return
	}
	c.called(i)
	if c.calls[i.ID] == nil {
		return
	}
	c.calls[i.ID] = json.RawMessage{} // nothing is asked about it any more: a turn may have many
	text := i.AggregatedOutput
	if text == "" {
		text = i.Status
		for _, raw := range []json.RawMessage{i.Result, i.Error} {
			if len(raw) > 0 && string(raw) != "null" {
				text = string(raw)
			}
		}
	}
	c.hooks.Event(Event{Kind: ToolResult, InvocationID: i.ID, Text: text, Failed: i.Status == "failed" || i.Status == "declined" || i.ExitCode != nil && *i.ExitCode != 0})
}

// question asks beside the reading of lines.
func (c *codex) question(ctx context.Context, l codexLine) {
	p := l.Params
	q := Question{InvocationID: p.ItemID, Reason: p.Reason}
	answers := [2]object{{"decision": "decline"}, {"decision": "accept"}}
	var input any
	switch l.Method {
	case askCommand:
		q.Tool, input = "shell", object{"command": p.Command, "cwd": p.Cwd}
	case askChange:
		q.Tool, input = "apply_patch", c.calls[p.ItemID] // the question itself does not say what would change
	case askElicit:
		answers = [2]object{{"action": "decline", "content": nil}, {"action": "accept", "content": object{}}}
		var kind, name string
		_ = json.Unmarshal(p.Meta["codex_approval_kind"], &kind)
		_ = json.Unmarshal(p.Meta["tool_name"], &name)
		if kind != "mcp_tool_call" { // a server wants data from a person: nobody here gives it
			_ = c.send(object{"id": l.ID, "result": answers[0]})
			return
		}
		q.Tool, q.Reason, input = "mcp/"+name, p.Message, p.Meta["tool_params"]
	}
	q.Input, _ = json.Marshal(input)
	id := string(l.ID)
	actx, stop := context.WithCancel(ctx)
	c.mu.Lock()
	c.pending[id] = stop
	c.mu.Unlock()
	done := c.waiting()
	c.asks.Go(func() {
		defer done()
		defer stop()
		a := Answer{Allow: true}
		if !c.spec.Autonomous {
			a = c.hooks.Ask(actx, q)
		}
		c.mu.Lock()
		_, open := c.pending[id]
		delete(c.pending, id)
		c.mu.Unlock()
		if open && actx.Err() == nil {
			choice := 0
			if a.Allow {
				choice = 1
			}
			_ = c.send(object{"id": l.ID, "result": answers[choice]})
		}
	})
}

func (c *codex) void(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for q, stop := range c.pending {
		if id == "" || q == id {
			stop()
			delete(c.pending, q)
		}
	}
}

// Steer implements Agent.
func (c *codex) Steer(text string) error {
	c.mu.Lock()
	turn := c.turn
	c.mu.Unlock()
	_, err := c.request("turn/steer", object{"threadId": c.thread, "expectedTurnId": turn, "input": []any{object{"type": "text", "text": text}}})
	return err
}

// Interrupt implements Agent. A command of the turn goes on until the agent is closed.
func (c *codex) Interrupt() error {
	c.mu.Lock()
	turn := c.turn
	c.mu.Unlock()
	_, err := c.request("turn/interrupt", object{"threadId": c.thread, "turnId": turn})
	return err
}
