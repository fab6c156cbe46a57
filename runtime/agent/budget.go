package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/model"
	"caper/runtime/session"
	"caper/runtime/store"
)

// The names under which a session keeps its own budget.
const (
	KvMaxTokens = "max-tokens"
	KvMaxMicros = "max-micros" // millionths of a dollar
	KvMaxAgents = "max-agents"
)

// ledger is what jobs with a budget have spent, with all below them: read from the record once, then kept. What was spent
// stays spent, in whatever process.
type ledger struct {
	mu     sync.Mutex
	open   map[graph.ID]*account
	agents map[graph.ID]uint64 // that calls below them made
	freed  chan struct{}       // closed when room was given back
}

// account is of one turn or, with its root's id, of a session.
type account struct {
	tokens, micros         int64
	heldTokens, heldMicros int64 // of what is being asked now
	asking                 int   // how many of these holds end when a model has answered
	seen                   map[graph.ID]bool
}

// bound is a budget that holds for a completion.
type bound struct {
	id    graph.ID
	what  string
	limit kind.Spending
}

// Hold keeps room in budgets while a model is asked.
type Hold struct {
	l              *ledger
	ids            []graph.ID
	tokens, micros int64
	asking         int
}

// Release gives the room back: what was spent is on record by then.
func (h *Hold) Release() {
	if h == nil || h.l == nil {
		return
	}
	h.l.mu.Lock()
	defer h.l.mu.Unlock()
	for _, id := range h.ids {
		h.l.open[id].heldTokens -= h.tokens
		h.l.open[id].heldMicros -= h.micros
		h.l.open[id].asking -= h.asking
	}
	if h.l.freed != nil {
		close(h.l.freed)
	}
	h.l.freed = nil
	h.l = nil
}

// Where a budget bounds an answer, it gets at most boundedAnswer tokens, and at least leastAnswer, or is not asked for.
const (
	boundedAnswer = 8192
	leastAnswer   = 16
)

// Permit looks at the budgets around a completion before it is asked for: that of each turn above its place, and of the
// session. It bounds the answer to what is left; refused says why it may not be asked for at all. Where requests that are
// being answered keep the room that it needs it waits for them: most give back nearly all of it.
func (r *Runner) Permit(ctx context.Context, place graph.ID, name string, q *model.Request) (hold *Hold, refused *kind.Error, err error) {
	for {
		hold, refused, freed, err := r.permit(place, name, q, 1)
		if freed == nil {
			return hold, refused, err
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
}

// PermitLong is Permit for what asks models by itself, for as long as it likes: nobody waits for it, and it for nobody.
func (r *Runner) PermitLong(place graph.ID, name string, q *model.Request) (*Hold, *kind.Error, error) {
	hold, refused, _, err := r.permit(place, name, q, 0)
	return hold, refused, err
}

// permit answers freed where what is refused now may be allowed when that is closed.
func (r *Runner) permit(place graph.ID, name string, q *model.Request, asking int) (hold *Hold, refused *kind.Error, freed chan struct{}, err error) {
	bounds, err := r.bounds(place)
	bounds = slices.DeleteFunc(bounds, func(b bound) bool { return b.limit.Tokens == 0 && b.limit.Micros == 0 })
	if err != nil || len(bounds) == 0 {
		return nil, nil, nil, err
	}
	input, err := estimate(q)
	if err != nil {
		return nil, nil, nil, err
	}
	r.ledger.mu.Lock()
	defer r.ledger.mu.Unlock()
	cost, priced := r.Models.Cost(name, model.Usage{Input: input})
	each, _ := r.Models.Cost(name, model.Usage{Output: 1_000_000})
	most := int64(boundedAnswer)
	if q.MaxTokens > 0 {
		most = int64(q.MaxTokens)
	}
	least := min(most, leastAnswer) // who asks for less is not refused for it
	// room is how long an answer may be by one bound, beside what others keep.
	room := func(b bound, a *account, tokens, micros int64) int64 {
		long := int64(math.MaxInt64)
		if b.limit.Tokens > 0 {
			long = int64(b.limit.Tokens) - a.tokens - tokens - input
		}
		if b.limit.Micros > 0 {
			left := int64(b.limit.Micros) - a.micros - micros - cost
			if left < 0 {
				return -1
			}
			if each > 0 {
				long = min(long, int64(float64(left)/float64(each)*1e6))
			}
		}
		return long
	}
	for _, b := range bounds {
		a, err := r.account(b.id)
		if err != nil {
			return nil, nil, nil, err
		}
		if b.limit.Micros > 0 && !priced {
			return nil, overspent("%s may cost %s, and what %s costs is not known", b.what, Dollars(int64(b.limit.Micros)), name), nil, nil
		}
		if most = min(most, room(b, a, a.heldTokens, a.heldMicros)); most >= least {
			continue
		}
		if asking > 0 && a.asking > 0 && room(b, a, 0, 0) >= least {
			if r.ledger.freed == nil {
				r.ledger.freed = make(chan struct{})
			}
			freed = r.ledger.freed
		}
		if b.limit.Tokens > 0 && int64(b.limit.Tokens)-a.tokens-a.heldTokens-input < least {
			return nil, overspent("%s may use %d tokens and has used %d; the next request has about %d", b.what, b.limit.Tokens, a.tokens+a.heldTokens, input), freed, nil
		}
		return nil, overspent("%s may cost %s and has cost %s; the next request costs about %s", b.what, Dollars(int64(b.limit.Micros)), Dollars(a.micros+a.heldMicros), Dollars(cost)), freed, nil
	}
	q.MaxTokens = int(most)
	hold = &Hold{l: &r.ledger, tokens: input + most, micros: cost + int64(float64(most)*float64(each)/1e6), asking: asking}
	for _, b := range bounds {
		a := r.ledger.open[b.id]
		hold.ids = append(hold.ids, b.id)
		a.heldTokens += hold.tokens
		a.heldMicros += hold.micros
		a.asking += asking
	}
	return hold, nil, nil, nil
}

// Dollars writes millionths of a dollar.
func Dollars(micros int64) string { return fmt.Sprintf("$%.4f", float64(micros)/1e6) }

func overspent(format string, a ...any) *kind.Error {
	return &kind.Error{Code: "budget", Message: fmt.Sprintf(format, a...)}
}

// estimate is about how many tokens a request has. It is rather too high: what is asked for is paid.
func estimate(q *model.Request) (int64, error) {
	text, err := json.Marshal(q)
	return int64(len(text))/bytesAToken + 1, err
}

// bytesAToken is how many bytes of text are counted as a token: English has about four, code and other tongues fewer.
const bytesAToken = 4

// bounds are the budgets above a place: of the turns, through the calls that made them, and of the session.
func (r *Runner) bounds(place graph.ID) (out []bound, err error) {
	st := r.Calls.Store
	for bag := place.Bag; bag != graph.RootBag; {
		up, err := st.Owner(place.Session, bag)
		if err != nil {
			return nil, err
		}
		n, err := st.Node(up)
		if err != nil {
			return nil, err
		}
		if t, ok := n.(*kind.SessionTurn); ok && t.Budget != (kind.Spending{}) {
			out = append(out, bound{up, "turn " + up.String(), t.Budget})
		}
		bag = up.Bag
	}
	s, err := session.SettingsOf(st, place.Session)
	if err != nil {
		return nil, err
	}
	limit := kind.Spending{Tokens: number(s.Kvs[KvMaxTokens]), Micros: number(s.Kvs[KvMaxMicros]), Agents: number(s.Kvs[KvMaxAgents])}
	if limit != (kind.Spending{}) {
		out = append(out, bound{graph.RootID(place.Session), fmt.Sprintf("session %d", place.Session), limit})
	}
	return out, nil
}

func number(s string) uint64 {
	n, _ := strconv.ParseUint(s, 10, 63) // what is no number bounds nothing
	return n
}

// account answers that of a job, which is read from the record when it is first asked for. Called with mu held.
func (r *Runner) account(id graph.ID) (*account, error) {
	if a, ok := r.ledger.open[id]; ok {
		return a, nil
	}
	a := &account{seen: map[graph.ID]bool{}}
	err := Spent(r.Calls.Store, id, func(cell graph.ID, receipt Receipt) {
		a.add(cell, receipt)
	})
	if err != nil {
		return nil, err
	}
	if r.ledger.open == nil {
		r.ledger.open = map[graph.ID]*account{}
	}
	r.ledger.open[id] = a
	return a, nil
}

func (a *account) add(cell graph.ID, receipt Receipt) {
	if !a.seen[cell] {
		a.seen[cell] = true
		a.tokens += receipt.Tokens()
		a.micros += max(receipt.Micros, 0)
	}
}

// charge adds what a completion cost to the accounts above it. The outcome is on record.
func (r *Runner) charge(cell graph.ID, receipt Receipt) error {
	r.ledger.mu.Lock()
	defer r.ledger.mu.Unlock()
	if len(r.ledger.open) == 0 {
		return nil
	}
	if a, ok := r.ledger.open[graph.RootID(cell.Session)]; ok {
		a.add(cell, receipt)
	}
	for bag := cell.Bag; bag != graph.RootBag; {
		up, err := r.Calls.Store.Owner(cell.Session, bag)
		if err != nil {
			return err
		}
		if a, ok := r.ledger.open[up]; ok {
			a.add(cell, receipt)
		}
		bag = up.Bag
	}
	return nil
}

// Spent tells what every completion cost that hangs below a job or, with its root, in a session; interns and the judges
// of calls included.
func Spent(st session.Reader, id graph.ID, tell func(cell graph.ID, receipt Receipt)) error {
	return below(st, id, func(e kind.Entry) bool {
		switch e.Node.(type) {
		case *kind.CompletionJob:
			if e.Outcome != nil {
				tell(e.ID, ReceiptOf(e.Outcome))
			}
			return false
		case *kind.JudgeExpectation: // of a call: its receipt stands beside its verdict
			if e.Outcome != nil {
				tell(e.ID, ReceiptOf(&kind.Outcome{Value: kind.Of(graph.Field(e.Outcome.Value.Datum, "receipt"))}))
			}
			return false
		}
		return true
	})
}

// below shows each node below a job; into says whether those below that one are wanted.
func below(st session.Reader, id graph.ID, each func(kind.Entry) (into bool)) error {
	n, err := st.Node(id)
	if err != nil {
		return err
	}
	bags := []uint64{kind.OwnBag(n)}
	for len(bags) > 0 {
		bag := bags[len(bags)-1]
		bags = bags[:len(bags)-1]
		if bag == 0 {
			continue
		}
		for e, err := range st.Children(id.Session, bag, 0) {
			if err != nil {
				return err
			}
			if each(e) {
				bags = append(bags, kind.OwnBag(e.Node))
			}
		}
	}
	return nil
}

// Bound gives a session a budget, for all that is asked in it from now on and was before. What is 0 stays as it was.
func (r *Runner) Bound(n uint64, limit kind.Spending, by string) error {
	var changes []store.Change
	for _, x := range []struct {
		key   string
		value uint64
	}{{KvMaxTokens, limit.Tokens}, {KvMaxMicros, limit.Micros}, {KvMaxAgents, limit.Agents}} {
		if x.value > 0 {
			pair := &graph.Dotted{Items: []graph.Datum{x.key}, Tail: strconv.FormatUint(x.value, 10)}
			changes = append(changes, store.Note{ID: graph.RootID(n), Fact: kind.Fact{What: kind.FactKv, Value: kind.Of(pair), By: by, At: r.Calls.Now()}})
		}
	}
	if changes == nil {
		return nil
	}
	_, err := r.Calls.Store.Apply(n, changes...)
	return err
}
