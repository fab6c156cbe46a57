package agent

import (
	"fmt"

	"caper/runtime/kind"
	"caper/runtime/session"
)

// overBudget says why no further round may be asked for, "" when one may: what the turn has spent is read from its tape.
func (t *turn) overBudget() string {
	b := t.node.Budget
	if b == (kind.Spending{}) {
		return ""
	}
	tape, err := session.TapeOf(t.r.Calls.Store, t.id)
	if err != nil {
		return ""
	}
	tokens, micros := Spent(tape)
	switch {
	case b.Tokens > 0 && uint64(tokens) >= b.Tokens:
		return fmt.Sprintf("the turn may use %d tokens and has used %d", b.Tokens, tokens)
	case b.Micros > 0 && uint64(micros) >= b.Micros:
		return fmt.Sprintf("the turn may cost $%.4f and has cost $%.4f", float64(b.Micros)/1e6, float64(micros)/1e6)
	}
	return ""
}

// Spent is what the rounds of a turn used, interns included.
func Spent(t *session.Tape) (tokens, micros int64) {
	for i := range t.Children {
		e := &t.Children[i]
		if _, ok := e.Node.(*kind.CompletionJob); ok && e.Outcome != nil {
			r := ReceiptOf(e.Outcome)
			tokens += r.Tokens()
			micros += max(r.Micros, 0)
		}
	}
	return tokens, micros
}
