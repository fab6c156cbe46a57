package assembly

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"caper/interp/syntax"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/program"
	"caper/runtime/session"
	"caper/runtime/view"
)

// This file defines templates: #{(expression)} in a constitution or in a prompt stands for what a program answers, which
// runs once, when the agent or the turn is made. \#{ stands for #{.

// template is one of a text: the text before it, and the program.
type template struct {
	before, source string
	line, column   int
}

// mostTemplates bounds the templates of one text, and mostExpanded the text that comes of it.
const (
	mostTemplates = 64
	mostExpanded  = 1 << 20
)

// templates finds the templates of a text. rest is what follows the last one.
func templates(name, text string) (all []template, rest string, err error) {
	var b strings.Builder
	for at := 0; ; {
		i := strings.Index(text[at:], "#{")
		if i < 0 {
			b.WriteString(text[at:])
			return all, b.String(), nil
		}
		i += at
		switch {
		case i > at && text[i-1] == '\\':
			b.WriteString(text[at:i-1] + "#{")
			at = i + 2
			continue
		case !strings.HasPrefix(text[i+2:], "("):
			b.WriteString(text[at : i+2])
			at = i + 2
			continue
		case len(all) == mostTemplates:
			return nil, "", fmt.Errorf("%s has more than %d templates", name, mostTemplates)
		}
		b.WriteString(text[at:i])
		// Blanks in place of what comes before keep the places in messages right.
		blank := strings.Map(func(r rune) rune {
			if r == '\n' || r == '\r' {
				return r
			}
			return ' '
		}, text[:i+2])
		r := syntax.NewReader(syntax.NewSource(name, blank+text[i+2:]), syntax.ReaderOptions{})
		datum, err := r.Next()
		if err != nil {
			return nil, "", fmt.Errorf("a template: %w", err)
		}
		end := i + 2 + r.Offset() - len(blank)
		after := strings.TrimLeft(text[end:], " \t\r\n")
		_, line, column := datum.Span.Position()
		if !strings.HasPrefix(after, "}") {
			return nil, "", fmt.Errorf("%s:%d:%d: the template %s is not closed by }", name, line, column, datum.Brief(60))
		}
		all = append(all, template{before: b.String(), source: text[i+2 : end], line: line, column: column - 2})
		b.Reset()
		at = len(text) - len(after) + 1
	}
}

// templateBudget is what one template may spend.
var templateBudget = kind.Budget{Fuel: 100_000_000, Memory: 64 << 20, Output: mostExpanded}

// Expand runs the templates of a text, each as a program of the bag, and answers the text with their results. Their calls
// are licensed as those of any program. Nobody waits for a person's answer here: what would wait is denied.
func (s *System) Expand(ctx context.Context, c call.Context, bag uint64, name, text string) (string, error) {
	if !strings.Contains(text, "#{") {
		return text, nil
	}
	all, rest, err := templates(name, text)
	if err != nil {
		return "", err
	}
	if c.Answerability == license.Queue {
		c.Answerability = license.None
	}
	var b strings.Builder
	for i, t := range all {
		result, err := s.expandOne(ctx, c, bag, name, i, t)
		if err != nil {
			return "", fmt.Errorf("%s:%d:%d: the template #{%s}: %w", name, t.line, t.column, brief(t.source), err)
		}
		b.WriteString(t.before + result)
		if b.Len() > mostExpanded {
			return "", fmt.Errorf("%s: with what its templates answer it has more than %d bytes", name, mostExpanded)
		}
	}
	return b.String() + rest, nil
}

// TemplateError is why a template came to no text: its program was denied, had spent its budget, raised …
type TemplateError struct {
	State program.State
	text  string
}

func (e *TemplateError) Error() string { return e.text }

// expandOne runs one template. In the bag of a call the programs of its templates come first, so that a call that goes on
// after a crash finds what each of them answered, or goes on with it.
func (s *System) expandOne(ctx context.Context, c call.Context, bag uint64, name string, nth int, t template) (string, error) {
	runner, err := s.Programs()
	if err != nil {
		return "", err
	}
	spec := program.Spec{Name: "template", Source: t.source, Context: c, Budget: templateBudget}
	if bag != graph.RootBag { // there it takes the next place
		spec.At = graph.ID{Session: c.Session, Bag: bag, Ord: uint64(nth)}
	}
	var out text
	r, err := s.runAt(ctx, runner, spec, bag != graph.RootBag, func(*program.Spec) error { return nil }, &out)
	switch {
	case view.Mistake(err):
		return "", errors.New(strings.TrimSpace(view.Fallen(r, err)))
	case err != nil:
		return "", err
	case r.State != program.Done:
		return "", &TemplateError{r.State, strings.TrimSpace(view.Fallen(r, nil))}
	case r.NoValue:
		return out.String(), nil
	}
	if text, ok := r.Value.(string); ok {
		return text, nil
	}
	return graph.Write(r.Value), nil
}

func brief(source string) string {
	const most = 80
	if len(source) <= most {
		return source
	}
	return strings.ToValidUTF8(source[:most], "") + "…"
}

// templateTime is how long the templates of a constitution may take.
const templateTime = time.Minute

// constitution is the text of a new agent's constitution, for its genesis.
func (s *System) constitution(c *call.Context, bag uint64, agent, text string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), templateTime)
	defer cancel()
	name := "the constitution"
	if agent != "" {
		name += " of " + agent
	}
	return s.Expand(ctx, *c, bag, name, text)
}

// ExpandPrompt runs the templates of what a person asks, with the posture that the turn will have.
func (s *System) ExpandPrompt(ctx context.Context, agent graph.ID, c call.Context, policy, text string) (string, error) {
	settings, err := session.SettingsOf(s.Store, agent.Session)
	if err != nil {
		return "", err
	}
	head, _, err := session.Head(s.Store, agent)
	if err != nil {
		return "", err
	}
	posture := policy
	if posture == "" {
		if posture, err = session.EffectivePolicy(s.Store, head); err != nil {
			return "", err
		}
	}
	c.Posture, c.Mode = license.ParsePosture(posture), license.ParseMode(settings.Mode)
	return s.Expand(ctx, c, graph.RootBag, "the prompt", text)
}
