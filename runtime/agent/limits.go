package agent

import (
	"fmt"
	"slices"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/tool"
)

// What models may set going, however they come to it. How many agents there may be a person sets as other budgets
// (caper ask --max-agents); the figure here holds below a turn that is in no other one, where nobody did.
const (
	mostCalls  = 128  // that one answer asks for
	mostDepth  = 16   // of agents that agents call
	mostAgents = 1000 // with all that those make
)

// tooManyCalls says that an answer asks for more than is made. It counts as no answer: it was paid, and nothing of it is done.
func tooManyCalls(n int) *kind.Error {
	return &kind.Error{Code: "model-calls", Message: fmt.Sprintf("the model asked for %d calls in one answer; at most %d are made, and none of these was", n, mostCalls)}
}

// admit counts an agent that a call is about to make, in every budget around it. back takes that back.
func (r *Runner) admit(job graph.ID) (back func(), err error) {
	bounds, err := r.bounds(job)
	if err != nil {
		return nil, err
	}
	bounds = slices.DeleteFunc(bounds, func(b bound) bool { return b.limit.Agents == 0 })
	depth, top := 0, graph.ID{}
	for id := job; id.Bag != graph.RootBag; {
		if id, err = r.Calls.Store.Owner(id.Session, id.Bag); err != nil {
			return nil, err
		}
		n, err := r.Calls.Store.Node(id)
		if err != nil {
			return nil, err
		}
		if _, ok := n.(*kind.SessionTurn); ok {
			depth, top = depth+1, id
		}
	}
	if depth > mostDepth {
		return nil, &tool.Error{Code: "agent-depth", Message: fmt.Sprintf("agents that call agents go %d deep at most: this one cannot call another", mostDepth)}
	}
	if !top.IsZero() && !slices.ContainsFunc(bounds, func(b bound) bool { return b.id == top }) {
		bounds = append(bounds, bound{top, "turn " + top.String(), kind.Spending{Agents: mostAgents}})
	}
	r.ledger.mu.Lock()
	defer r.ledger.mu.Unlock()
	for _, b := range bounds {
		n, err := r.agentsOf(b.id)
		if err != nil {
			return nil, err
		}
		if n >= b.limit.Agents {
			return nil, &tool.Error{Code: "budget", Message: fmt.Sprintf("%s may make %d agents, with those that they make, and has made %d; caper ask --max-agents sets how many", b.what, b.limit.Agents, n)}
		}
	}
	for _, b := range bounds {
		r.ledger.agents[b.id]++
	}
	return func() {
		r.ledger.mu.Lock()
		defer r.ledger.mu.Unlock()
		for _, b := range bounds {
			r.ledger.agents[b.id]--
		}
	}, nil
}

// agentsOf is how many agents calls below a job have made: read from the record when that is first asked for. Called with
// mu held.
func (r *Runner) agentsOf(id graph.ID) (uint64, error) {
	if n, ok := r.ledger.agents[id]; ok {
		return n, nil
	}
	n := uint64(0)
	err := below(r.Calls.Store, id, func(e kind.Entry) bool {
		if _, ok := e.Node.(*kind.Agent); ok && e.ID.Bag != graph.RootBag {
			n++
		}
		return true
	})
	if err != nil {
		return 0, err
	}
	if r.ledger.agents == nil {
		r.ledger.agents = map[graph.ID]uint64{}
	}
	r.ledger.agents[id] = n
	return n, nil
}
