package agent

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/session"
)

// resultBudget is how many bytes of an outcome a model is sent. The whole is on record, and the handle reads on (law S32).
const resultBudget = 16 << 10

// result is what a model is told of a call.
type result struct {
	text   string
	failed bool
}

// result reads what a model is told of a call. One in the background is told of in a note when it ends, here only that it
// runs: what was sent once is sent again unchanged.
func (s *scribe) result(c session.Call) (result, error) {
	switch {
	case c.Entry == nil:
		return result{"the call was not made: the turn ended before it", true}, nil
	case c.Entry.Detached():
		f := c.Entry.Newest(kind.FactDetached)
		if f == nil || f.Value.IsZero() {
			return result{fmt.Sprintf("the call runs in the background as job %s; you will be told when it ends", c.ID), false}, nil
		}
		answer, err := s.r.Calls.Fetch(f.Value)
		failed, _ := graph.Field(answer, "failed").(bool)
		return result{fmt.Sprintf("%s\nwhat it sent to the background goes on as job %s; you will be told when that ends", clip(graph.TextField(answer, "text"), resultBudget), c.ID), failed}, err
	case c.Entry.Outcome == nil:
		return result{"the call had not ended when the turn did", true}, nil
	}
	if res, ok := s.results[c.ID]; ok {
		return res, nil
	}
	text, failed, err := s.r.outcomeText(c.Entry)
	res := result{excerpt(text, c.ID, resultBudget), failed}
	if err == nil && s.results != nil {
		s.results[c.ID] = res
	}
	return res, err
}

// outcomeText is how a job ended, whole.
func (r *Runner) outcomeText(e *kind.Entry) (text string, failed bool, err error) {
	o := e.Outcome
	if o.State == kind.Settled || o.State == kind.Happened {
		d, err := r.Calls.Fetch(o.Value)
		if err != nil {
			return "", false, err
		}
		return Shown(d), false, nil
	}
	text = string(o.State)
	if o.Error != nil {
		text = o.Error.Message
		if d, err := r.Calls.Fetch(o.Error.Data); err == nil {
			hints, _ := graph.Field(d, "hints").(graph.List)
			for _, h := range hints {
				if s, ok := h.(string); ok {
					text += "\nhint: " + s
				}
			}
		}
	}
	return text, true, nil
}

// Shown is a value as a model reads it: text as it is, what is data as JSON, the rest as it would be written in Scheme.
func Shown(d graph.Datum) string {
	switch d := d.(type) {
	case nil, graph.Void:
		return "done"
	case string:
		return d
	case graph.List:
		if len(d) == 0 {
			return "[]" // a list of nothing, not an object without members
		}
	}
	if b, err := graph.ToJSON(d); err == nil {
		return string(b)
	}
	return graph.Write(d)
}

// excerpt is the beginning and the end of a text that is over its budget, with what was left out and how to read it.
func excerpt(text string, handle graph.ID, budget int) string {
	if len(text) <= budget {
		return text
	}
	head, tail := budget*3/4, budget/4
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	from := len(text) - tail
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	if i := strings.LastIndexByte(text[:head], '\n'); i > head/2 {
		head = i + 1
	}
	return fmt.Sprintf("%s\n[… %d of %d bytes left out; read-outcome with handle %q and offset %d shows what follows …]\n%s",
		text[:head], from-head, len(text), handle, head, text[from:])
}

// clip is the beginning and the end of a text that nobody reads on.
func clip(text string, budget int) string {
	if len(text) <= budget {
		return text
	}
	head, from := runeAt(text, budget*3/4), runeAt(text, len(text)-budget/4)
	return fmt.Sprintf("%s\n[… %d bytes left out …]\n%s", text[:head], from-head, text[from:])
}
