package repl

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// This file defines tracing. What is traced is an input like others, without a number: it is on record, and holds wherever
// the session is made again.

func (s *Shell) trace(ctx context.Context, args string) {
	switch names := s.tracedNames(); {
	case args != "":
		s.setTrace(ctx, args, true)
	case len(names) == 0:
		s.say("nothing is traced; ,trace NAME shows the calls of a procedure, or of a tool\n")
	default:
		s.say("%s\n", strings.Join(names, "\n"))
	}
}

func (s *Shell) untrace(ctx context.Context, args string) {
	names := strings.Fields(args)
	if len(names) == 0 {
		names = s.tracedNames()
	}
	for _, name := range names {
		if !s.traced[name] {
			s.fail("%s is not traced", name)
			continue
		}
		s.setTrace(ctx, name, false)
	}
}

func (s *Shell) tracedNames() (names []string) {
	for name := range s.traced {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (s *Shell) setTrace(ctx context.Context, name string, on bool) {
	var text string
	switch {
	case word(name) != name:
		s.fail(",trace wants one name; found %q", name)
		return
	case s.defined[name]:
		text = tracing(name, on)
	case s.Host.Tool(name):
		text = fmt.Sprintf("(#%%trace-tool '%s %s)", name, map[bool]string{true: "#t", false: "#f"}[on])
	default: // of a library: another stands before it from here on
		s.abort(ctx)
		if s.evalAs(ctx, 0, fmt.Sprintf("(define #%%of-library:%s (#%%traced '%s %s))", name, name, name)) != 0 {
			return
		}
		s.say("%s is of a library: its calls are shown in what is typed from here on\n", name)
		text, s.defined[name] = fmt.Sprintf("(define %s #%%of-library:%s)", name, name), true
	}
	s.abort(ctx)
	if s.evalAs(ctx, 0, text) == 0 {
		if s.traced[name] = true; !on {
			delete(s.traced, name)
		}
	}
}

func tracing(name string, on bool) string {
	if on {
		return fmt.Sprintf("(set! %s (#%%traced '%s %s))", name, name, name)
	}
	return fmt.Sprintf("(set! %s (#%%untraced %s))", name, name)
}

// retrace traces what an input defined again.
func (s *Shell) retrace(ctx context.Context, text string) {
	again := map[string]bool{}
	for _, name := range definitions(text) {
		if s.traced[name] && !again[name] {
			again[name] = true
			s.evalAs(ctx, 0, tracing(name, true))
		}
	}
}
