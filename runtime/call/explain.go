package call

import (
	"context"

	"caper/runtime/graph"
	"caper/runtime/license"
	"caper/runtime/tool"
)

// Explain answers what would be decided of a call now. Nothing happens.
func (s *Service) Explain(ctx context.Context, c *Context, name string, args graph.List) (license.Decision, error) {
	r := Request{Tool: name}
	var err error
	if r.Positional, r.Keywords, err = SplitArgs(args); err != nil {
		return license.Decision{}, err
	}
	return s.Weigh(ctx, c, r)
}

// Weigh answers what would be decided of a request now. Nothing happens.
func (s *Service) Weigh(ctx context.Context, c *Context, r Request) (license.Decision, error) {
	l := &life{s: s, c: c, r: r}
	if err := l.bind(); err != nil {
		return license.Decision{}, err
	}
	err := l.decide(ctx)
	if err != nil && tool.Code(err) != "" { // no tool can follow its paths; the license has its own view
		err = l.weigh(ctx)
		return l.decided, err
	}
	return l.decided, err
}
