package agent

import (
	"context"
	"fmt"
	"unicode/utf8"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/session"
	"caper/runtime/tool"
)

// maxPage is how much of an outcome read-outcome gives at once: as much as a model is sent of any result, with its heading.
const maxPage = resultBudget - 256

// ReadOutcome is the body of read-outcome: a page of what a call answered, from an offset on (law S32).
func (r *Runner) ReadOutcome(_ context.Context, w call.Work) (tool.Result, call.Rest, error) {
	handle, _ := w.Args["handle"].(string)
	offset, _ := w.Args["offset"].(int64)
	limit, given := w.Args["limit"].(int64)
	if !given || limit > maxPage {
		limit = maxPage
	}
	refuse := func(format string, a ...any) (tool.Result, call.Rest, error) {
		return tool.Result{}, call.Settled, &tool.Error{Code: "no-outcome", Message: fmt.Sprintf(format, a...)}
	}
	id, err := graph.ParseID(handle)
	switch {
	case err != nil:
		return refuse("%q is no handle: it is what an excerpt names, such as \"1.3.2\"", handle)
	case limit < 1 || offset < 0:
		return refuse("offset is at least 0 and limit at least 1")
	}
	e, err := r.Calls.Store.Entry(id)
	if err != nil {
		return refuse("there is no call %s", handle)
	}
	if why, err := r.reaches(w.ID, id); err != nil || why != "" {
		if err != nil {
			return tool.Result{}, call.Settled, err
		}
		return refuse("%s %s", handle, why)
	}
	if _, ok := e.Node.(kind.ToolCall); !ok {
		return refuse("%s is a %s, not a call", handle, e.Node.Kind().Name())
	}
	if e.Outcome == nil {
		return refuse("%s has not ended yet", handle)
	}
	text, _, err := r.outcomeText(&e)
	if err != nil {
		return tool.Result{}, call.Settled, err
	}
	if offset > int64(len(text)) {
		return refuse("%s has %d bytes; offset %d is behind them", handle, len(text), offset)
	}
	from, to := runeAt(text, int(offset)), runeAt(text, int(min(offset+limit, int64(len(text)))))
	if to <= from && to < len(text) { // a limit smaller than a letter
		_, n := utf8.DecodeRuneInString(text[from:])
		to = from + n
	}
	page := fmt.Sprintf("[bytes %d to %d of %d", from, to, len(text))
	if to < len(text) {
		page += fmt.Sprintf("; offset %d goes on", to)
	}
	return tool.Result{Value: page + "]\n" + text[from:to], Receipt: tool.Receipt{Bytes: int64(to - from)}}, call.Settled, nil
}

// runeAt is the begin of the letter at a byte.
func runeAt(s string, i int) int {
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

// reaches says why one call may not read what another answered, "" when it may: each turn that is above the other must lie
// on the walk from the head of an agent above the one that reads, so that nobody reads of an abandoned branch, and a child
// nothing of its parent's.
func (r *Runner) reaches(reader, other graph.ID) (string, error) {
	mine, err := r.turnsAbove(reader)
	if err != nil {
		return "", err
	}
	theirs, err := r.turnsAbove(other)
	foreign := reader.Session != other.Session // that of a fork can be on the walk nevertheless
	switch {
	case err != nil:
		return "", err
	case foreign && (len(mine) == 0 || len(theirs) == 0):
		return "belongs to another session", nil
	case len(theirs) == 0:
		return "", nil
	case len(mine) == 0:
		return "belongs to a turn of an agent, and what reads it does not", nil
	}
	// The nearest agent above the reader must have the other's call on its walk, directly or below one of its turns.
	own, err := session.At(r.Calls.Store, mine[0])
	if err != nil {
		return "", err
	}
	for _, id := range theirs {
		u, err := session.At(r.Calls.Store, id)
		if err != nil {
			return "", err
		}
		on, err := session.Reaches(r.Calls.Store, own.ID, id)
		if err != nil {
			return "", err
		}
		if on {
			return "", nil
		}
		if u.Agent() == own.Agent() {
			return "belongs to a branch of the conversation that was left", nil
		}
	}
	if foreign {
		return "belongs to another session", nil
	}
	return "belongs to a conversation that is not this agent's", nil
}

// turnsAbove are the turns around a job, the nearest first.
func (r *Runner) turnsAbove(id graph.ID) (turns []graph.ID, err error) {
	for id.Bag != graph.RootBag {
		if id, err = r.Calls.Store.Owner(id.Session, id.Bag); err != nil {
			return nil, err
		}
		n, err := r.Calls.Store.Node(id)
		if err != nil {
			return nil, err
		}
		if _, ok := n.(*kind.SessionTurn); ok {
			turns = append(turns, id)
		}
	}
	return turns, nil
}
