package assembly

import (
	"errors"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
)

// NewConversation makes a session with an agent: the recipe of the catalogue that is named, or the default one.
func (s *System) NewConversation(c *call.Context, name string) (graph.ID, error) {
	spec := defaultSpec()
	if name != "" {
		var err error
		if spec, err = s.specFor(c, name); err != nil {
			return graph.ID{}, err
		}
	}
	n, err := s.Calls.NewSession(c)
	if err != nil {
		return graph.ID{}, err
	}
	c.Session = n
	id, err := s.beginAgent(c, n, spec)
	if err != nil { // a template failed: a session without an agent is of no use
		if gone := s.Forget(n); gone != nil {
			err = errors.Join(err, gone)
		}
	}
	return id, err
}

// defaultConstitution is what an agent is told that has no recipe.
const defaultConstitution = `You help a person in a folder of theirs, with the tools that you are given. Every call of a tool is asked of the person's
policy first: a call that was denied is not tried again in another way. Say what you did and what you found in few words.`

// defaultSpec is the recipe of such an agent.
func defaultSpec() kind.Spec {
	return kind.Spec{AgentSpec: &kind.AgentSpec{Name: "caper", Nature: kind.NatureSession, Constitution: kind.Of(defaultConstitution)}}
}
