package assembly

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"caper/interp/near"
	"caper/runtime/call"
	"caper/runtime/catalogue"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/session"
	"caper/runtime/store"
)

// This file finds recipes: those of the files of the user and of the repository, and those that the programs of a session
// defined. No name is ever shadowed: the user's files come first, then the repository's, then the session's.

// oneShot begins the name of a recipe that is stamped on an agent for one question (law S06).
const oneShot = "agent/one-shot/"

// Catalogue are the recipes of the files that hold in a workspace, unreadable and unused ones included.
func Catalogue(h Home, workspace string) ([]catalogue.Recipe, error) {
	return catalogue.Read(h.Config, workspace)
}

// fileRecipes are those that can be used.
func (s *System) fileRecipes(c *call.Context) ([]catalogue.Recipe, error) {
	all, err := Catalogue(s.Home, c.Workspace)
	if err != nil {
		return nil, err
	}
	var out []catalogue.Recipe
	for _, r := range all {
		if r.Err == nil && r.Ignored == "" {
			out = append(out, r)
		}
	}
	return out, nil
}

// sessionRecipes are those that programs of a session defined, the newest of each name.
func (s *System) sessionRecipes(n uint64) ([]kind.AgentSpec, error) {
	if n == 0 {
		return nil, nil
	}
	facts, err := s.Store.Facts(graph.RootID(n))
	if err != nil {
		return nil, err
	}
	var out []kind.AgentSpec
	for _, f := range facts {
		if f.What != kind.FactRecipe {
			continue
		}
		spec, err := kind.SpecOf(f.Value.Datum)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(out, func(s kind.AgentSpec) bool { return s.Name == spec.Name }); i >= 0 {
			out[i] = spec
			continue
		}
		out = append(out, spec)
	}
	return out, nil
}

// recipes are all that a session can make agents of.
func (s *System) recipes(c *call.Context) ([]kind.AgentSpec, error) {
	files, err := s.fileRecipes(c)
	if err != nil {
		return nil, err
	}
	var all []kind.AgentSpec
	taken := map[string]bool{}
	for _, f := range files {
		all = append(all, f.AgentSpec)
		taken[f.Name] = true
	}
	defined, err := s.sessionRecipes(c.Session)
	for _, d := range defined {
		if !taken[d.Name] {
			all = append(all, d)
		}
	}
	return all, err
}

// AgentError is a name that there is no recipe of, or none that can be read.
type AgentError struct{ text string }

func (e *AgentError) Error() string { return e.text }

// named is the recipe of a name.
func (s *System) named(c *call.Context, name string) (kind.AgentSpec, error) {
	all, err := s.recipes(c)
	if err != nil {
		return kind.AgentSpec{}, err
	}
	var names []string
	for _, r := range all {
		if r.Name == name {
			return r, nil
		}
		names = append(names, r.Name)
	}
	files, err := Catalogue(s.Home, c.Workspace)
	if err != nil {
		return kind.AgentSpec{}, err
	}
	for _, f := range files {
		if f.Name == name && f.Err != nil {
			return kind.AgentSpec{}, &AgentError{fmt.Sprintf("the recipe of %s cannot be read: %s", name, f.Err)}
		}
	}
	text := fmt.Sprintf("there is no agent %q in the catalogue", name)
	switch q := near.Question(near.Names(name, names)); {
	case q != "":
		text += "; " + q
	case len(names) > 0:
		text += "; there are " + strings.Join(names, ", ")
	default:
		text += ", which is empty: .caper/agents/NAME.md or (define-agent 'name …) adds to it"
	}
	return kind.AgentSpec{}, &AgentError{text}
}

// specFor is the snapshot that an agent is made with: of a name, of one for a question, or of a recipe as data.
func (s *System) specFor(c *call.Context, d graph.Datum) (kind.Spec, error) {
	if name, ok := graph.Name(d); ok {
		stamp, one := strings.CutPrefix(name, oneShot)
		r, err := s.named(c, stamp)
		if err != nil {
			return kind.Spec{}, err
		}
		if one {
			return kind.Spec{AskAgentSpec: &kind.AskAgentSpec{Stamp: &r}}, nil
		}
		return kind.Spec{AgentSpec: &r}, nil
	}
	r, err := s.specData(d)
	if err != nil {
		return kind.Spec{}, err
	}
	if r.Nature == "" {
		r.Nature = kind.NatureSession
	}
	return kind.Spec{AgentSpec: &r}, nil
}

const maxConstitution = 64 << 10

// specData reads a recipe that is data.
func (s *System) specData(d graph.Datum) (kind.AgentSpec, error) {
	r, err := kind.SpecOf(jsonLists(d))
	if err != nil {
		return r, err
	}
	if r.Name != "" && !catalogue.Name(r.Name) {
		return r, fmt.Errorf("the name %.60q is none: letters, digits, - and _, at most 64", r.Name)
	}
	text, _ := r.Constitution.Datum.(string)
	switch {
	case r.Name == "":
		return r, errors.New("the recipe has no name")
	case text == "":
		return r, errors.New("the recipe has no constitution: what its agents are told")
	case len(text) > maxConstitution || len(r.Description) > maxKv:
		return r, fmt.Errorf("a constitution has at most %d bytes and a description %d", maxConstitution, maxKv)
	}
	for _, t := range r.Tools {
		if _, ok := s.Calls.Tools.Get(t); !ok {
			return r, s.Calls.Tools.Unknown(t)
		}
	}
	return r, nil
}

// jsonLists makes the vector of tools, as JSON has it, a list.
func jsonLists(d graph.Datum) graph.Datum {
	list, ok := d.(graph.List)
	if !ok {
		return d
	}
	out := make(graph.List, len(list))
	for i, x := range list {
		if p, ok := x.(*graph.Dotted); ok && len(p.Items) == 1 {
			if v, ok := p.Tail.(graph.Vector); ok {
				x = append(graph.List{p.Items[0]}, v...)
			}
		}
		out[i] = x
	}
	return out
}

// Refresh looks whether the recipe of an agent changed in the catalogue since it was made or refreshed. A changed one is a
// new snapshot beside the old, and an event; the genesis stays as it was (law S03).
func (s *System) Refresh(_ context.Context, c *call.Context, agent graph.ID) (changed bool, err error) {
	e, err := s.Store.Entry(agent)
	if err != nil {
		return false, err
	}
	a, ok := e.Node.(*kind.Agent)
	if !ok || a.Spec.AgentSpec == nil {
		return false, nil
	}
	was, err := session.Spec(s.Store, agent)
	if err != nil {
		return false, err
	}
	own := *c
	own.Session = agent.Session
	all, err := s.recipes(&own)
	if err != nil {
		return false, err
	}
	for _, r := range all {
		if r.Name != was.Name || r.Nature != was.Nature || graph.Equal(r.Datum(), was.Datum()) {
			continue
		}
		_, err := s.Store.Apply(agent.Session, store.Note{ID: agent, Fact: kind.Fact{What: kind.FactSpec, Value: kind.Of(r.Datum()), By: "catalogue", At: s.Calls.Now()}})
		return err == nil, err
	}
	return false, nil
}
