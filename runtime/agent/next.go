package agent

import (
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/session"
)

// Act is what a turn does next.
type Act string

// The acts.
const (
	Join     Act = "join"     // wait for a round of calls
	Complete Act = "complete" // ask the model: for a new cell, or for the one that has no answer yet
	Call     Act = "call"     // make the round of calls that an answer asks for
	Take     Act = "take"     // put what was said meanwhile on the tape
	Nudge    Act = "nudge"    // tell it to go on
	Judge    Act = "judge"    // ask the intern whether to go on
	Seal     Act = "seal"
)

// Step is an act with what it is about.
type Step struct {
	Act  Act
	Cell *session.Cell // of a join, of a completion without an answer, of the answer that calls
	Note string        // of a nudge: its source
	Why  string        // of a seal: done, question, thoughts, failed
}

// Bounds of what goes on without a person (laws S29 and S30).
const (
	maxNudges   = 2
	maxThoughts = 8
)

// Situation is what the tape does not say.
type Situation struct {
	Said   int  // what was said meanwhile and is not on the tape: steers, notes of jobs in the background
	Judged bool // the text-only judge is on
}

// Next answers what a turn does next. It is pure: the tape and the situation decide.
func Next(t *session.Tape, s Situation) Step {
	if len(t.Queue) > 0 {
		c := t.Queue[0]
		switch {
		case c.React != nil:
			return Step{Act: Join, Cell: c}
		case c.Completion != nil:
			return Step{Act: Complete, Cell: c}
		}
	}
	cells := t.Cells()
	if len(cells) == 0 || cells[len(cells)-1].Completion == nil {
		return Step{Act: Complete}
	}
	last := cells[len(cells)-1]
	if last.Outcome.State != kind.Settled {
		return Step{Act: Seal, Why: "failed", Cell: last}
	}
	r := ReceiptOf(last.Outcome)
	switch {
	case r.Calls > 0:
		return Step{Act: Call, Cell: last}
	case s.Said > 0:
		return Step{Act: Take}
	case r.Stop == "pause" || r.Stop == "length" && r.Spoken:
		if streak(cells, openPage) > maxThoughts {
			return Step{Act: Seal, Why: "length"}
		}
		return Step{Act: Complete}
	case r.Stop == "refusal":
		return Step{Act: Seal, Why: "refused", Cell: last}
	case r.Thought && !r.Spoken:
		if streak(cells, thoughtOnly) >= maxThoughts {
			return Step{Act: Seal, Why: "thoughts"}
		}
		return Step{Act: Nudge, Note: kind.SourceThoughtContinue}
	case s.Judged && r.Spoken:
		return textOnly(t, cells, last)
	}
	return Step{Act: Seal, Why: "done"}
}

// textOnly is a round of text alone, which the judge reads once.
func textOnly(t *session.Tape, cells []*session.Cell, last *session.Cell) Step {
	if nudges(cells) >= maxNudges {
		return Step{Act: Seal, Why: "done"}
	}
	switch v := verdictOf(t, last.ID); {
	case v == nil:
		return Step{Act: Judge, Cell: last}
	case v.Intent && !v.Awaiting:
		return Step{Act: Nudge, Note: kind.SourceNudge}
	case v.Awaiting:
		return Step{Act: Seal, Why: "question"}
	}
	return Step{Act: Seal, Why: "done"}
}

// streak counts the rounds at the end of a tape that are all of one sort, whatever notes stand between them.
func streak(cells []*session.Cell, is func(Receipt) bool) (n int) {
	for i := len(cells) - 1; i >= 0; i-- {
		c := cells[i]
		switch {
		case c.Completion != nil && c.Outcome != nil && is(ReceiptOf(c.Outcome)):
			n++
		case c.Prompt != nil && c.Prompt.Source == kind.SourceThoughtContinue:
		default:
			return n
		}
	}
	return n
}

func thoughtOnly(r Receipt) bool { return r.Thought && !r.Spoken && r.Calls == 0 }

func openPage(r Receipt) bool { return r.Stop == "pause" || r.Stop == "length" }

// nudges counts the judge's nudges in a row: work tools begin the count again.
func nudges(cells []*session.Cell) (n int) {
	for i := len(cells) - 1; i >= 0; i-- {
		c := cells[i]
		switch {
		case c.React != nil:
			return n
		case c.Prompt != nil && c.Prompt.Source == kind.SourceNudge:
			n++
		case c.Prompt != nil && c.Prompt.Source != kind.SourceThoughtContinue:
			return n
		}
	}
	return n
}

// Receipt is what the tape says of an answer; the answer itself lies with its obligation.
type Receipt struct {
	Model   string // the one that answered
	Stop    string
	Calls   int  // how many it asks for
	Spoken  bool // it has text that is no thinking
	Thought bool
	Usage   [5]int64 // input, read from and written to the cache, output, of it reasoning
	Micros  int64    // what it cost in millionths of a dollar, -1 unknown
}

// Datum is the receipt as the outcome of a CompletionJob holds it.
func (r Receipt) Datum() graph.Datum {
	usage := graph.List{}
	for _, n := range r.Usage {
		usage = append(usage, n)
	}
	return graph.List{graph.Pair("model", r.Model), graph.Pair("stop", graph.Symbol(r.Stop)), graph.Pair("calls", int64(r.Calls)),
		graph.Pair("spoken", r.Spoken), graph.Pair("thought", r.Thought), graph.Pair("usage", usage), graph.Pair("micros", r.Micros)}
}

// ReceiptOf reads the receipt in the outcome of a CompletionJob.
func ReceiptOf(o *kind.Outcome) Receipt {
	d := o.Value.Datum
	r := Receipt{Model: graph.TextField(d, "model"), Micros: -1}
	if s, ok := graph.Field(d, "stop").(graph.Symbol); ok {
		r.Stop = string(s)
	}
	n, _ := graph.Field(d, "calls").(int64)
	r.Calls = int(n)
	r.Spoken, _ = graph.Field(d, "spoken").(bool)
	r.Thought, _ = graph.Field(d, "thought").(bool)
	usage, _ := graph.Field(d, "usage").(graph.List)
	for i := range r.Usage {
		if i < len(usage) {
			r.Usage[i], _ = usage[i].(int64)
		}
	}
	if m, ok := graph.Field(d, "micros").(int64); ok {
		r.Micros = m
	}
	return r
}

// Tokens are all that were sent and made.
func (r Receipt) Tokens() int64 { return r.Usage[0] + r.Usage[1] + r.Usage[2] + r.Usage[3] }

// verdict is what the text-only judge said.
type verdict struct{ Intent, Awaiting bool }

// verdictOf finds the judge's answer on a completion, nil where it was not asked. A judge that failed says nothing of an
// intent: the turn is sealed.
func verdictOf(t *session.Tape, completion graph.ID) *verdict {
	for i := range t.Children {
		e := &t.Children[i]
		j, ok := e.Node.(*kind.CompletionJob)
		if !ok || j.Tail != nil || j.Why != "continue" || j.About == nil || !j.About.Refers(completion) || e.Outcome == nil {
			continue
		}
		v := &verdict{}
		if e.Outcome.State == kind.Settled {
			v.Intent, _ = graph.Field(e.Outcome.Value.Datum, "intent").(bool)
			v.Awaiting, _ = graph.Field(e.Outcome.Value.Datum, "awaiting-user").(bool)
		}
		return v
	}
	return nil
}
