package call

import (
	"context"
	"slices"

	"caper/runtime/graph"
	"caper/runtime/license"
	"caper/runtime/tool"
)

// Own is a tool that a program defines, with its body: another program.
type Own struct {
	Tool *tool.Tool
	Run  func(context.Context, Work) (tool.Result, Rest, error)
	// Asks is set for what a repository carries: a call of it asks, whatever allows it.
	Asks bool
	// Alone is set where the body makes no calls: there is nothing below.
	Alone bool
}

// ToolsOf is the set of tools with those that were defined for a session.
func (s *Service) ToolsOf(session uint64) *tool.Set {
	if s.Own == nil {
		return s.Tools
	}
	all := s.Own(session)
	if len(all) == 0 {
		return s.Tools
	}
	more := make([]*tool.Tool, len(all))
	for i, o := range all {
		more[i] = o.Tool
	}
	return s.Tools.With(more...)
}

// find is the tool that a request means, and its own body where it has one.
func (s *Service) find(r Request) (*tool.Tool, *Own) {
	if r.Own != nil {
		return r.Own.Tool, r.Own
	}
	if t, ok := s.Tools.Get(r.Tool); ok || s.Own == nil {
		return t, nil
	}
	for _, o := range s.Own(r.ID.Session) {
		if o.Tool.Name == r.Tool {
			return o.Tool, o
		}
	}
	return nil, nil
}

// tightened adds that the call asks, where its tool does.
func (o *Own) tightened(r *Request) {
	if o == nil || !o.Asks {
		return
	}
	k, rule, err := license.ParseRuleDatum(graph.List{graph.Symbol("ask"), graph.Symbol(o.Tool.Name)}, "the repository's tools")
	if err == nil && k == license.KindAsk {
		layer := license.Layer{Name: "the repository's tools", Tightening: true}
		layer.Ask = append(layer.Ask, rule)
		r.Tighten = append(slices.Clip(r.Tighten), layer)
	}
}
