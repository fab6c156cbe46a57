package agent

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/model"
	"caper/runtime/session"
)

// transcript is what a completion sends, derived from the walk: no node stores a list of messages (law S01). It goes back
// from the head to the newest fold, or to the genesis.
func (r *Runner) transcript(head graph.ID) (system string, messages []model.Message, err error) {
	var walk []*session.Unit
	var tapes []*session.Tape
	folded := false
	for u, err := range session.Walk(r.Calls.Store, head) {
		if err != nil {
			return "", nil, err
		}
		if u.Genesis != nil {
			if system, err = r.genesis(u.Genesis); err != nil {
				return "", nil, err
			}
			break
		}
		if folded {
			continue // only the constitution is still wanted
		}
		t, err := session.TapeOf(r.Calls.Store, u.ID)
		if err != nil {
			return "", nil, err
		}
		walk, tapes = append(walk, u), append(tapes, t)
		folded = slices.ContainsFunc(t.Cells(), func(c *session.Cell) bool { return c.Compact != nil })
		if folded {
			g, err := session.GenesisOf(r.Calls.Store, u.Agent())
			if err != nil {
				return "", nil, err
			}
			if system, err = r.genesis(g); err != nil {
				return "", nil, err
			}
			break
		}
	}
	var b messageList
	for i := len(walk) - 1; i >= 0; i-- {
		for _, c := range tapes[i].Cells() {
			if err := r.say(&b, walk[i], c); err != nil {
				return "", nil, err
			}
		}
	}
	return system, b.messages, nil
}

// genesis is the constitution with the environment laid over it.
func (r *Runner) genesis(g *kind.SessionSystemPrompt) (string, error) {
	d, err := r.Calls.Fetch(g.Constitution)
	if err != nil {
		return "", err
	}
	text, _ := d.(string)
	if len(g.Env) == 0 {
		return text, nil
	}
	var b strings.Builder
	b.WriteString(text)
	b.WriteString("\n\n<environment>\n")
	for _, k := range sortedKeys(g.Env) {
		fmt.Fprintf(&b, "%s: %s\n", k, g.Env[k])
	}
	b.WriteString("</environment>\n")
	return b.String(), nil
}

// messageList joins what one side says in a row into one message.
type messageList struct{ messages []model.Message }

func (b *messageList) add(role model.Role, blocks ...model.Block) {
	if len(blocks) == 0 {
		return
	}
	if n := len(b.messages); n > 0 && b.messages[n-1].Role == role {
		b.messages[n-1].Blocks = append(b.messages[n-1].Blocks, blocks...)
		return
	}
	b.messages = append(b.messages, model.Message{Role: role, Blocks: blocks})
}

// say adds one cell of a tape.
func (r *Runner) say(b *messageList, u *session.Unit, c *session.Cell) error {
	switch {
	case c.Prompt != nil:
		d, err := r.Calls.Fetch(c.Prompt.Text)
		if err != nil {
			return err
		}
		text, _ := d.(string)
		if c.Prompt.Source != kind.SourceUser && c.Prompt.Source != kind.SourceSteer {
			text = "<note from=\"caper\" kind=\"" + c.Prompt.Source + "\">\n" + text + "\n</note>"
		}
		b.add(model.User, model.Block{Kind: model.Text, Text: text})
	case c.Compact != nil:
		b.messages = nil
		text, err := r.fold(c.Compact)
		if err != nil {
			return err
		}
		b.add(model.User, model.Block{Kind: model.Text, Text: text})
	case c.Completion != nil:
		if c.Outcome == nil || c.Outcome.State != kind.Settled {
			return nil
		}
		a, err := r.answer(c)
		if err != nil {
			return err
		}
		b.add(model.Assistant, a.Blocks...)
		if !answered(u, c) { // a turn that was cut off between the answer and its calls
			for _, use := range uses(a) {
				b.add(model.User, model.Block{Kind: model.ToolResult, ID: use.ID, Name: use.Name, Text: "the call was not made: the turn ended before it", Failed: true})
			}
		}
	case c.React != nil:
		done := c.React.Completion.ID()
		e, err := r.answerAt(done)
		if err != nil {
			return err
		}
		for i, use := range uses(e) {
			if i >= len(c.Calls) {
				break
			}
			text, failed, err := r.resultText(c.Calls[i])
			if err != nil {
				return err
			}
			b.add(model.User, model.Block{Kind: model.ToolResult, ID: use.ID, Name: use.Name, Text: text, Failed: failed})
		}
	}
	return nil
}

// answered reports whether a completion's calls have a round on the tape, or may still get one.
func answered(u *session.Unit, c *session.Cell) bool {
	return !u.Closed() || c.Followed
}

// answer reads what a completion answered: it is stored once, with its obligation.
func (r *Runner) answer(c *session.Cell) (*model.Answer, error) {
	return r.answerIn(c.ID, c.Completion.Bag)
}

func (r *Runner) answerAt(completion graph.ID) (*model.Answer, error) {
	n, err := r.Calls.Store.Node(completion)
	if err != nil {
		return nil, err
	}
	j, ok := n.(*kind.CompletionJob)
	if !ok {
		return nil, fmt.Errorf("%s is a %s, not a CompletionJob", completion, n.Kind().Name())
	}
	return r.answerIn(completion, j.Bag)
}

func (r *Runner) answerIn(completion graph.ID, bag uint64) (*model.Answer, error) {
	o, err := r.Calls.Store.Outcome(graph.ID{Session: completion.Session, Bag: bag})
	if err != nil {
		return nil, err
	}
	a := &model.Answer{}
	if o == nil || o.State != kind.Settled {
		return a, nil
	}
	d, err := r.Calls.Fetch(o.Value)
	if err != nil {
		return nil, err
	}
	text, _ := d.(string)
	if err := json.Unmarshal([]byte(text), a); err != nil {
		return nil, fmt.Errorf("%s: the answer on record cannot be read: %w", completion, err)
	}
	return a, nil
}

// uses are the calls that an answer asks for, in order.
func uses(a *model.Answer) (out []model.Block) {
	for _, b := range a.Blocks {
		if b.Kind == model.ToolUse {
			out = append(out, b)
		}
	}
	return out
}

// receiptOf is what the tape keeps of an answer.
func receiptOf(a *model.Answer, asked string, micros int64) Receipt {
	r := Receipt{Model: asked, Stop: string(a.Stop), Micros: micros,
		Usage: [5]int64{a.Usage.Input, a.Usage.CacheRead, a.Usage.CacheWrite, a.Usage.Output, a.Usage.Reasoning}}
	if connection, _, ok := strings.Cut(asked, ":"); ok && a.Model != "" {
		r.Model = connection + ":" + a.Model
	}
	r.Thought = a.Usage.Reasoning > 0
	for _, b := range a.Blocks {
		switch b.Kind {
		case model.ToolUse:
			r.Calls++
		case model.Thinking:
			r.Thought = true
		case model.Other:
			r.Thought = r.Thought || strings.Contains(b.Name, "think") || strings.Contains(b.Name, "reason")
		case model.Text:
			spoken, thought := splitThinking(b.Text)
			r.Spoken = r.Spoken || strings.TrimSpace(spoken) != ""
			r.Thought = r.Thought || thought
		}
	}
	return r
}

// splitThinking takes the inline thinking out of a text: what models of some servers write between <think> tags.
func splitThinking(text string) (spoken string, thought bool) {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "<think>")
		b.WriteString(before)
		if !ok {
			return b.String(), thought
		}
		thought = true
		_, after, closed := strings.Cut(rest, "</think>")
		if !closed {
			return b.String(), thought
		}
		text = after
	}
}

// spokenText is the visible text of an answer, without inline thinking.
func spokenText(a *model.Answer) string {
	spoken, _ := splitThinking(a.Said())
	return strings.TrimSpace(spoken)
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
