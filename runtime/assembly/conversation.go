package assembly

import (
	"fmt"
	"time"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/program"
	"caper/runtime/store"
)

// NewConversation makes a session with an agent: the recipe of the catalogue that is named, or the default one.
func (s *System) NewConversation(c *call.Context, name string) (graph.ID, error) {
	spec, err := s.recipe(name)
	if err != nil {
		return graph.ID{}, err
	}
	n, err := s.Store.NewSession(&kind.SessionRoot{SessionID: program.SessionID(s.Calls.Now()), Path: c.Workspace, Mode: string(c.Mode),
		StandingPolicy: string(c.Posture), ReadAllowlist: c.ReadAllow})
	if err != nil {
		return graph.ID{}, err
	}
	c.Session = n
	return s.Agents.Begin(graph.RootBag, c, spec, nil, "", func(id graph.ID) store.Change {
		return store.Note{ID: graph.RootID(n), Fact: kind.Fact{What: kind.FactAgent, Value: kind.Of(id.String()), At: s.Calls.Now().Truncate(time.Microsecond)}}
	})
}

// defaultConstitution is what an agent is told that has no recipe.
const defaultConstitution = `You help a person in a folder of theirs, with the tools that you are given. Every call of a tool is asked of the person's
policy first: a call that was denied is not tried again in another way. Say what you did and what you found in few words.`

// recipe is the recipe of a name.
func (s *System) recipe(name string) (kind.Spec, error) {
	if name == "" {
		return kind.Spec{AgentSpec: &kind.AgentSpec{Name: "caper", Nature: kind.NatureSession, Constitution: kind.Of(defaultConstitution)}}, nil
	}
	return kind.Spec{}, fmt.Errorf("there is no agent %q in the catalogue", name)
}
