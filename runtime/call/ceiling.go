package call

import (
	"slices"
	"sync"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/session"
	"caper/runtime/tool"
)

// ceilings are what the calls of a bag may use at most, by bag: a bag never moves, and what its turns may use is frozen.
type ceilings struct {
	mu sync.Mutex
	of map[[2]uint64][]ceiling
}

// ceiling is the frozen definition of one turn that a bag hangs below.
type ceiling struct {
	turn  graph.ID
	tools []string
}

// maxCeilings bounds how many bags are remembered.
const maxCeilings = 4096

// above answers the ceilings of a bag: those of all turns that it hangs below. Programs of an agent, and programs of those,
// may call what the agent may, however they come to it.
func (s *Service) above(n, bag uint64) ([]ceiling, error) {
	key := [2]uint64{n, bag}
	s.ceilings.mu.Lock()
	found, ok := s.ceilings.of[key]
	s.ceilings.mu.Unlock()
	if ok {
		return found, nil
	}
	for bag > graph.RootBag {
		id, err := s.Store.Owner(n, bag)
		if err != nil {
			return nil, err
		}
		node, err := s.Store.Node(id)
		if err != nil {
			return nil, err
		}
		if _, ok := node.(*kind.SessionTurn); ok {
			tools, err := session.EffectiveTools(s.Store, id)
			if err != nil {
				return nil, err
			}
			if tools != nil {
				found = append(found, ceiling{id, tools})
			}
		}
		bag = id.Bag
	}
	s.ceilings.mu.Lock()
	if s.ceilings.of == nil || len(s.ceilings.of) >= maxCeilings {
		s.ceilings.of = map[[2]uint64][]ceiling{}
	}
	s.ceilings.of[key] = found
	s.ceilings.mu.Unlock()
	return found, nil
}

// withheld says that a tool is not among those of an agent that the call hangs below. What is private, or touches nothing
// itself, no ceiling speaks of.
func (l *life) withheld() error {
	if l.own != nil || l.tool.Private || l.tool.Effect == tool.Inner || l.r.ID.Bag <= graph.RootBag {
		return nil
	}
	all, err := l.s.above(l.r.ID.Session, l.r.ID.Bag)
	if err != nil {
		return err
	}
	for _, c := range all {
		if !slices.Contains(c.tools, l.tool.Name) {
			return &tool.Error{Code: "unknown-tool", Message: l.tool.Name + " is not among the tools of this agent (turn " + c.turn.String() + ")"}
		}
	}
	return nil
}
