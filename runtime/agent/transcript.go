package agent

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/model"
	"caper/runtime/session"
)

// past is what was said before a turn: it changes no more while the turn runs.
type past struct {
	system string
	list   messageList
	from   graph.ID // the oldest unit since the newest fold
}

// transcript is what a completion sends, derived from the walk: no node stores a list of messages (law S01). It ends
// before cell, or with what is on the tape.
func (t *turn) transcript(cell *session.Cell) (system string, messages []model.Message, err error) {
	list, err := t.said(cell)
	if err != nil {
		return "", nil, err
	}
	return t.past.system, list.messages, nil
}

// said is the list of messages up to a cell.
func (t *turn) said(cell *session.Cell) (*messageList, error) {
	if t.past == nil {
		var err error
		if t.past, err = t.r.past(t.node.Tail.ID(), t.node.Agent.ID()); err != nil {
			return nil, err
		}
	}
	list := t.past.list.fork()
	for _, c := range t.tape.Cells() {
		if cell != nil && c.ID == cell.ID {
			break
		}
		if err := t.say(list, false, c); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// past reads what was said from the newest fold, or the genesis, up to a unit.
func (r *Runner) past(to, agent graph.ID) (*past, error) {
	p := &past{from: to}
	var units []*session.Unit
	var tapes []*session.Tape
	for u, err := range session.Walk(r.Calls.Store, to) {
		if err != nil {
			return nil, err
		}
		if u.Genesis != nil {
			break
		}
		t, err := session.TapeOf(r.Calls.Store, u.ID)
		if err != nil {
			return nil, err
		}
		units, tapes, p.from = append(units, u), append(tapes, t), u.ID
		if slices.ContainsFunc(t.Cells(), func(c *session.Cell) bool { return c.Compact != nil }) {
			break
		}
	}
	g, err := session.GenesisOf(r.Calls.Store, agent)
	if err != nil {
		return nil, err
	}
	if p.system, err = r.genesis(g); err != nil {
		return nil, err
	}
	from := scribe{r: r}
	for i := len(units) - 1; i >= 0; i-- {
		for _, c := range tapes[i].Cells() {
			if err := from.say(&p.list, units[i].Closed(), c); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
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
	for _, k := range slices.Sorted(maps.Keys(g.Env)) {
		fmt.Fprintf(&b, "%s: %s\n", k, g.Env[k])
	}
	b.WriteString("</environment>\n")
	return b.String(), nil
}

// messageList joins what one side says in a row into one message, and keeps count of how much it is.
type messageList struct {
	messages []model.Message
	tokens   int64 // that were sent and made up to the newest answer that says so
	since    int64 // bytes that came after it
	cells    uint64
	bytes    int64
}

// fork is a list that grows by itself.
func (b *messageList) fork() *messageList {
	c := *b
	c.messages = slices.Clip(c.messages)
	if n := len(c.messages); n > 0 { // the last one may get more blocks
		c.messages = append(c.messages[:n-1:n-1], model.Message{Role: c.messages[n-1].Role, Blocks: slices.Clip(c.messages[n-1].Blocks)})
	}
	return &c
}

func (b *messageList) add(role model.Role, blocks ...model.Block) {
	if len(blocks) == 0 {
		return
	}
	for _, x := range blocks {
		n := int64(len(x.Text) + len(x.Name) + len(x.Input))
		if x.Kind == model.Other {
			n += int64(len(x.Native))
		}
		if x.Image != nil {
			n += imageBytes
		}
		b.since, b.bytes = b.since+n, b.bytes+n
	}
	if n := len(b.messages); n > 0 && b.messages[n-1].Role == role {
		b.messages[n-1].Blocks = append(b.messages[n-1].Blocks, blocks...)
		return
	}
	b.messages = append(b.messages, model.Message{Role: role, Blocks: blocks})
}

// imageBytes is what an image counts as: providers bill it by its area, about as much as a page of text.
const imageBytes = 6 << 10

// scribe reads cells. What it has read of a turn that runs it keeps.
type scribe struct {
	r       *Runner
	answers map[graph.ID]*model.Answer
	results map[graph.ID]result
}

// say adds one cell of a tape; closed says that its turn is.
func (s *scribe) say(b *messageList, closed bool, c *session.Cell) error {
	b.cells++
	switch {
	case c.Prompt != nil:
		d, err := s.r.Calls.Fetch(c.Prompt.Text)
		if err != nil {
			return err
		}
		text, _ := d.(string)
		if c.Prompt.Source != kind.SourceUser && c.Prompt.Source != kind.SourceSteer {
			text = note(c.Prompt.Source, text)
		}
		b.add(model.User, model.Block{Kind: model.Text, Text: text})
	case c.Compact != nil:
		text, err := s.r.fold(c.Compact)
		if err != nil {
			return err
		}
		*b = messageList{cells: 1}
		b.add(model.User, model.Block{Kind: model.Text, Text: text})
	case c.Completion != nil:
		return s.sayAnswer(b, closed, c)
	case c.React != nil:
		a, err := s.answerAt(c.React.Completion.ID())
		if err != nil {
			return err
		}
		for i, use := range uses(a) {
			if i >= len(c.Calls) {
				break
			}
			res, err := s.result(c.Calls[i])
			if err != nil {
				return err
			}
			b.add(model.User, model.Block{Kind: model.ToolResult, ID: use.ID, Name: use.Name, Text: res.text, Failed: res.failed})
		}
	}
	return nil
}

func (s *scribe) sayAnswer(b *messageList, closed bool, c *session.Cell) error {
	if c.Outcome == nil || c.Outcome.State != kind.Settled {
		return nil
	}
	a, err := s.answer(c)
	if err != nil {
		return err
	}
	b.add(model.Assistant, a.Blocks...)
	if n := ReceiptOf(c.Outcome).Tokens(); n > 0 {
		b.tokens, b.since = n, 0
	}
	calls := uses(a)
	if len(calls) == 0 && a.Stop == model.StopLength {
		b.add(model.User, model.Block{Kind: model.Text, Text: note("length", "The answer above was cut off at the longest that one may be. Go on where it ended, unless something else is asked below.")})
	}
	if closed && !c.Followed { // the turn was cut off between the answer and its calls
		for _, use := range calls {
			b.add(model.User, model.Block{Kind: model.ToolResult, ID: use.ID, Name: use.Name, Text: "the call was not made: the turn ended before it", Failed: true})
		}
	}
	return nil
}

// note is text of Caper itself among what a person says. It cannot be closed from inside.
func note(kind, text string) string {
	return "<note from=\"caper\" kind=\"" + kind + "\">\n" + strings.ReplaceAll(text, "</note>", "<\\/note>") + "\n</note>"
}

// answer reads what a completion answered: it is stored once, with its obligation.
func (s *scribe) answer(c *session.Cell) (*model.Answer, error) {
	return s.answerIn(c.ID, c.Completion.Bag)
}

func (s *scribe) answerAt(completion graph.ID) (*model.Answer, error) {
	if a, ok := s.answers[completion]; ok {
		return a, nil
	}
	n, err := s.r.Calls.Store.Node(completion)
	if err != nil {
		return nil, err
	}
	j, ok := n.(*kind.CompletionJob)
	if !ok {
		return nil, fmt.Errorf("%s is a %s, not a CompletionJob", completion, n.Kind().Name())
	}
	return s.answerIn(completion, j.Bag)
}

func (s *scribe) answerIn(completion graph.ID, bag uint64) (*model.Answer, error) {
	if a, ok := s.answers[completion]; ok {
		return a, nil
	}
	o, err := s.r.Calls.Store.Outcome(graph.ID{Session: completion.Session, Bag: bag})
	if err != nil {
		return nil, err
	}
	a := &model.Answer{}
	if o == nil || o.State != kind.Settled {
		return a, nil
	}
	d, err := s.r.Calls.Fetch(o.Value)
	if err != nil {
		return nil, err
	}
	text, _ := d.(string)
	if err := json.Unmarshal([]byte(text), a); err != nil {
		return nil, fmt.Errorf("%s: the answer on record cannot be read: %w", completion, err)
	}
	if s.answers != nil {
		s.answers[completion] = a
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

// Spoken is spokenText for others.
func Spoken(a *model.Answer) string { return spokenText(a) }
