package call

import (
	"context"

	"caper/runtime/graph"
	"caper/runtime/license"
	"caper/runtime/tool"
)

// Explain answers what would be decided of a call now. Nothing happens.
func (s *Service) Explain(ctx context.Context, c *Context, name string, args graph.List) (license.Decision, error) {
	l := &life{s: s, c: c, r: Request{Tool: name}}
	var err error
	if l.r.Positional, l.r.Keywords, err = SplitArgs(args); err != nil {
		return license.Decision{}, err
	}
	if err := l.bind(); err != nil {
		return license.Decision{}, err
	}
	if err := l.decide(ctx); err != nil && tool.Code(err) != "" { // no tool can follow its paths; the license has its own view
		err = l.weigh(ctx)
		return l.decided, err
	} else if err != nil {
		return license.Decision{}, err
	}
	return l.decided, nil
}
