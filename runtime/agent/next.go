package agent

import (
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/model"
	"caper/runtime/session"
)

// Act is what a turn does next.
type Act string

// The acts.
const (
	Join     Act = "join"     // wait for a round of calls
	Complete Act = "complete" // ask the model: for a new cell, or for the one that has no answer yet
	Call     Act = "call"     // make the round of calls that an answer asks for
	Nudge    Act = "nudge"    // tell it to go on
	Judge    Act = "judge"    // ask the intern whether to go on
	Compact  Act = "compact"  // fold what was said into a summary
	Seal     Act = "seal"
)

// Step is an act with what it is about.
type Step struct {
	Act  Act
	Cell *session.Cell // of a join, of a completion without an answer, of the answer that calls or failed, of a fold the last cell before it
	Note string        // of a nudge: its source
	Why  string        // of a seal: done, question, thoughts, length, refused, failed
}

// Bounds of what goes on without a person (laws S29 and S30).
const (
	maxNudges   = 2
	maxThoughts = 8
)

// Situation is what the tape does not say.
type Situation struct {
	Judged bool // the text-only judge is on
	Full   bool // what would be sent nears the window of the model
	Folds  bool // compaction is on
}

// Next answers what a turn does next. It is pure: the tape and the situation decide.
func Next(t *session.Tape, s Situation) Step {
	for _, c := range t.Queue {
		switch {
		case c.React != nil:
			return Step{Act: Join, Cell: c}
		case c.Completion != nil:
			return Step{Act: Complete, Cell: c}
		}
	}
	cells := t.Cells()
	for _, c := range cells { // whatever was said meanwhile: the results go first
		if c.Completion != nil && !c.Followed && ReceiptOf(c.Outcome).Calls > 0 {
			return Step{Act: Call, Cell: c}
		}
	}
	if len(cells) == 0 || cells[len(cells)-1].Completion == nil { // something was said, done or folded that no completion has heard of
		return ask(t, s, cells)
	}
	last := cells[len(cells)-1]
	if last.Outcome.State != kind.Settled {
		if s.Folds && tooLong(last) && !folded(cells[:len(cells)-1]) && open(internOf(t, whyCompact, last.ID)) {
			return Step{Act: Compact, Cell: last}
		}
		return Step{Act: Seal, Why: "failed", Cell: last}
	}
	r := ReceiptOf(last.Outcome)
	switch {
	case r.Stop == "pause" || r.Stop == "length" && r.Spoken:
		if streak(cells, openPage) >= maxThoughts {
			return Step{Act: Seal, Why: "length"}
		}
		return ask(t, s, cells)
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

// ask is one more completion, or the fold that it needs first. A turn in which that failed goes on without, up to the
// error of the provider.
func ask(t *session.Tape, s Situation, cells []*session.Cell) Step {
	if s.Folds && s.Full && !folded(cells) {
		if last := lastHeard(cells); open(internOf(t, whyCompact, about(t, last))) && !foldFailed(t) {
			return Step{Act: Compact, Cell: last}
		}
	}
	return Step{Act: Complete}
}

// open reports an intern that is still to be asked, or to be asked again since a crash took its answer.
func open(e *kind.Entry) bool { return e == nil || e.Outcome == nil }

// foldFailed reports whether an intern of the turn could not write a summary.
func foldFailed(t *session.Tape) bool {
	for i := range t.Children {
		e := &t.Children[i]
		if j, ok := e.Node.(*kind.CompletionJob); ok && j.Tail == nil && j.Why == whyCompact && e.Outcome != nil && e.Outcome.State != kind.Settled {
			return true
		}
	}
	return false
}

// tooLong reports a completion that failed since it was sent too much.
func tooLong(c *session.Cell) bool {
	return c.Outcome.Error != nil && c.Outcome.Error.Code == "model-"+model.CodeTooLong
}

// folded reports whether nothing was answered since the last fold: another one would find nothing to fold.
func folded(cells []*session.Cell) bool {
	for i := len(cells) - 1; i >= 0; i-- {
		switch c := cells[i]; {
		case c.Compact != nil:
			return true
		case c.Completion != nil && c.Outcome != nil && c.Outcome.State == kind.Settled:
			return false
		}
	}
	return false
}

// lastHeard is the last cell that a completion has heard of, or did; nil where there is none in this turn.
func lastHeard(cells []*session.Cell) *session.Cell {
	for i := len(cells) - 1; i >= 0; i-- {
		if cells[i].Prompt == nil || cells[i].Done {
			return cells[i]
		}
	}
	return nil
}

// textOnly is a round of text alone, which the judge reads once.
func textOnly(t *session.Tape, cells []*session.Cell, last *session.Cell) Step {
	if nudges(cells) >= maxNudges {
		return Step{Act: Seal, Why: "done"}
	}
	switch v := verdictOf(internOf(t, whyContinue, last.ID)); {
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

// Receipt is what the tape says of an answer.
type Receipt = kind.Receipt

// ReceiptOf reads the receipt in the outcome of a CompletionJob.
func ReceiptOf(o *kind.Outcome) Receipt { return kind.ReceiptOf(o) }

// What an intern is asked for.
const (
	whyContinue = "continue"
	whyCompact  = "compact"
)

// about is what an intern speaks of: a cell, or where there is none yet the turn itself, as the place before its first.
func about(t *session.Tape, c *session.Cell) graph.ID {
	if c != nil {
		return c.ID
	}
	return graph.ID{Session: t.Next.Session, Bag: t.Next.Bag}
}

// internOf finds the intern that was asked for something about a cell, nil where there was none.
func internOf(t *session.Tape, why string, cell graph.ID) *kind.Entry {
	for i := range t.Children {
		j, ok := t.Children[i].Node.(*kind.CompletionJob)
		if ok && j.Tail == nil && j.Why == why && j.About != nil && j.About.Refers(cell) {
			return &t.Children[i]
		}
	}
	return nil
}

// verdict is what the text-only judge said.
type verdict struct{ Intent, Awaiting bool }

// verdictOf reads the judge's answer, nil where it was not asked or has not answered. A judge that failed says nothing of
// an intent: the turn is sealed.
func verdictOf(e *kind.Entry) *verdict {
	if e == nil || e.Outcome == nil {
		return nil
	}
	v := &verdict{}
	if e.Outcome.State == kind.Settled {
		v.Intent, _ = graph.Field(e.Outcome.Value.Datum, "intent").(bool)
		v.Awaiting, _ = graph.Field(e.Outcome.Value.Datum, "awaiting-user").(bool)
	}
	return v
}
