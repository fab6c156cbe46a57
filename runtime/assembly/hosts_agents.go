package assembly

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"caper/runtime/agent"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/model"
	"caper/runtime/session"
	"caper/runtime/store"
	"caper/runtime/tool"
)

// This file holds the bodies of the tools that ask models and lead agents.

func wrong(format string, a ...any) error {
	return &tool.Error{Code: tool.CodeArguments, Message: fmt.Sprintf(format, a...)}
}

// complete is the body of complete.
func (s *System) complete(ctx context.Context, w call.Work) (tool.Result, call.Rest, error) {
	q := model.Request{MaxTokens: s.Agents.MaxTokens, Session: w.ID.String()}
	prompt, _ := w.Args["prompt"].(string)
	q.Messages = []model.Message{{Role: model.User, Blocks: []model.Block{{Kind: model.Text, Text: prompt}}}}
	if system, ok := w.Args["system"].(string); ok {
		q.System = []string{system}
	}
	if n, ok := w.Args["max-tokens"].(int64); ok {
		if n < 1 || n > 1<<20 {
			return tool.Result{}, "", wrong("complete: #:max-tokens is from 1 to %d; found %d", 1<<20, n)
		}
		q.MaxTokens = int(n)
	}
	var err error
	if q.Schema, err = schemaOf(w.Args["schema"]); err != nil {
		return tool.Result{}, "", err
	}
	name, err := s.modelFor(ctx, w, w.Args["model"], "")
	if err != nil {
		return tool.Result{}, "", err
	}
	a, err := s.Agents.Completion(ctx, w, name, q)
	if err != nil {
		return tool.Result{}, "", err
	}
	if a.Stop == model.StopRefusal {
		return tool.Result{}, "", &tool.Error{Code: "model-refused", Message: "the model refused to answer"}
	}
	if q.Schema == nil {
		return tool.Result{Value: agent.Spoken(a)}, "", nil
	}
	value := a.Value
	if value == nil {
		value = json.RawMessage(agent.Spoken(a))
	}
	d, err := graph.FromJSON(value)
	if err != nil {
		return tool.Result{}, "", &tool.Error{Code: "model-malformed", Message: "the model's answer is not the data that was asked for: " + err.Error()}
	}
	return tool.Result{Value: d}, "", nil
}

// schemaOf reads a JSON schema given as text or as data.
func schemaOf(d graph.Datum) (json.RawMessage, error) {
	if d == nil {
		return nil, nil
	}
	text, ok := d.(string)
	if !ok {
		b, err := graph.ToJSON(d)
		if err != nil {
			return nil, wrong("complete: #:schema is a JSON schema, as text or as data: %s", err)
		}
		text = string(b)
	}
	var object map[string]any
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		return nil, wrong("complete: #:schema is a JSON schema, an object such as {\"type\":\"object\",\"properties\":{…}}: %s", err)
	}
	return json.RawMessage(text), nil
}

// modelFor is the connection:model that a call asks: the one that it names, else the session's, else the recipe's, else
// the settings' (law S28).
func (s *System) modelFor(ctx context.Context, w call.Work, given graph.Datum, recipe string) (string, error) {
	if given != nil {
		name, ok := graph.Name(given)
		if !ok {
			return "", wrong("%s: #:model is a name such as \"anthropic:claude-sonnet-4-5\"; found %.100s", w.Request.Tool, graph.Write(given))
		}
		return s.modelName(ctx, &w.Context, name)
	}
	settings, err := session.SettingsOf(s.Store, w.ID.Session)
	if err != nil {
		return "", err
	}
	name := settings.Kvs["model"]
	if name == "" {
		name = recipe
	}
	if name == "" {
		if agent, _, err := s.Agents.Caller(w.ID); err != nil {
			return "", err
		} else if agent != nil {
			spec, err := session.Spec(s.Store, *agent)
			if err != nil {
				return "", err
			}
			name = spec.Model
		}
	}
	if name == "" && s.Agents.Default != nil {
		name = s.Agents.Default()
	}
	return s.modelName(ctx, &w.Context, name)
}

// modelName is the full name of a model that a program or a recipe names. A file is a model only if the license lets the
// one who names it read it; who set that of the session might read it, unless it is denied by now.
func (s *System) modelName(ctx context.Context, c *call.Context, name string) (string, error) {
	if !strings.Contains(name, ":") {
		if full, ok := s.models.has(c.Session, name); ok {
			return full, nil
		}
	}
	file, ok := strings.CutPrefix(name, SchemeConnection+":")
	if !ok {
		return name, nil
	}
	if _, ok := s.models.has(c.Session, strings.TrimPrefix(file, fmt.Sprint(c.Session, "/"))); ok {
		return name, nil
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(c.Cwd, file)
	}
	settings, err := session.SettingsOf(s.Store, c.Session)
	if err != nil {
		return "", err
	}
	d, err := s.Calls.Explain(ctx, c, "read-file", graph.List{file})
	if err != nil {
		return "", err
	}
	sessions := settings.Kvs["model"] == SchemeConnection+":"+file && d.Verdict != license.Deny
	if d.Verdict != license.Allow && !s.models.allowed(file) && !sessions {
		return "", &tool.Error{Code: "denied", Message: fmt.Sprintf("the model %s is a file that may not be read here: %s", name, d.Reason)}
	}
	s.models.allow(file)
	return SchemeConnection + ":" + file, nil
}

// spawnAgent is the body of spawn-agent.
func (s *System) spawnAgent(ctx context.Context, w call.Work) (tool.Result, call.Rest, error) {
	child := agent.Child{}
	child.Prompt, _ = w.Args["prompt"].(string)
	var recipe kind.AgentSpec
	if name, ok := graph.Name(w.Args["spec"]); ok {
		if id, err := graph.ParseID(name); err == nil {
			if child.Agent, recipe, err = s.alive(w, id); err != nil {
				return tool.Result{}, "", err
			}
		}
	}
	if child.Agent == nil {
		var err error
		if child.Spec, err = s.specFor(&w.Context, w.Args["spec"]); err != nil {
			return tool.Result{}, "", &tool.Error{Code: "no-agent", Message: "spawn-agent: " + err.Error()}
		}
		recipe = child.Spec.Recipe()
	}
	return s.lead(ctx, w, child, recipe)
}

// askAgent is the body of ask-agent: an agent without a recipe.
func (s *System) askAgent(ctx context.Context, w call.Work) (tool.Result, call.Rest, error) {
	child := agent.Child{Spec: kind.Spec{AskAgentSpec: &kind.AskAgentSpec{}}}
	child.Prompt, _ = w.Args["prompt"].(string)
	if system, ok := w.Args["system"].(string); ok {
		child.Spec.AskAgentSpec.Stamp = &kind.AgentSpec{Constitution: kind.Of(system)}
	}
	return s.lead(ctx, w, child, child.Spec.Recipe())
}

func (s *System) lead(ctx context.Context, w call.Work, child agent.Child, recipe kind.AgentSpec) (tool.Result, call.Rest, error) {
	var err error
	if child.Tools, err = s.toolsFor(w, child.Agent, recipe); err != nil {
		return tool.Result{}, "", err
	}
	if child.Model, err = s.modelFor(ctx, w, w.Args["model"], recipe.Model); err != nil {
		return tool.Result{}, "", err
	}
	r, err := s.Agents.Lead(ctx, w, child)
	if err != nil {
		return tool.Result{}, "", err
	}
	return r.Given(recipe.VoidLegal)
}

// toolsFor are the tools of a called agent: those that the call or else the recipe names, of those that the recipe allows
// and the caller has. Where neither names any there are none: nothing is inherited unasked (law S05).
func (s *System) toolsFor(w call.Work, again *graph.ID, recipe kind.AgentSpec) ([]string, error) {
	have := agent.Ceiling(s.Calls.Tools, nil)
	_, turn, err := s.Agents.Caller(w.ID)
	if err != nil {
		return nil, err
	}
	if turn != nil {
		if have, err = session.EffectiveTools(s.Store, *turn); err != nil {
			return nil, err
		}
	}
	wanted := recipe.Tools
	switch given := w.Args["tools"].(type) {
	case nil:
		if again != nil { // what it had
			head, _, err := session.Head(s.Store, *again)
			if err != nil {
				return nil, err
			}
			if wanted, err = session.EffectiveTools(s.Store, head); err != nil {
				return nil, err
			}
		}
	case bool: // #t
		wanted = have
	case graph.List:
		wanted = []string{}
		for _, x := range given {
			name, ok := graph.Name(x)
			if !ok {
				return nil, wrong("%s: #:tools is a list of names, or #t; found %.100s in it", w.Request.Tool, graph.Write(x))
			}
			if _, ok := s.Calls.Tools.Get(name); !ok {
				return nil, s.Calls.Tools.Unknown(name)
			}
			wanted = append(wanted, name)
		}
	case graph.Vector: // as JSON has it
		w.Args["tools"] = graph.List(given)
		return s.toolsFor(w, again, recipe)
	default:
		return nil, wrong("%s: #:tools is a list of names, or #t; found %.100s", w.Request.Tool, graph.Write(given))
	}
	out := []string{}
	for _, name := range have {
		if slices.Contains(wanted, name) && (recipe.Tools == nil || slices.Contains(recipe.Tools, name)) {
			out = append(out, name)
		}
	}
	return out, nil
}

// alive is the agent of an earlier call, which can be asked again because its recipe keeps it alive.
func (s *System) alive(w call.Work, job graph.ID) (*graph.ID, kind.AgentSpec, error) {
	refuse := func(format string, a ...any) (*graph.ID, kind.AgentSpec, error) {
		return nil, kind.AgentSpec{}, &tool.Error{Code: "no-agent", Message: fmt.Sprintf(w.Request.Tool+": "+format, a...)}
	}
	if job.Session != w.ID.Session {
		return refuse("%s belongs to another session", job)
	}
	e, err := s.Store.Entry(job)
	if err != nil {
		return refuse("there is no job %s", job)
	}
	if p, ok := e.Node.(*kind.ProgrammaticJob); ok && p.Background { // a call that went to the background is the one that its bag makes
		for c, err := range s.Store.Children(job.Session, p.Bag, 0) {
			if err != nil {
				return nil, kind.AgentSpec{}, err
			}
			if _, ok := c.Node.(*kind.AgentCallJob); ok {
				e = c
				break
			}
		}
	}
	c, ok := e.Node.(*kind.AgentCallJob)
	if !ok {
		return refuse("%s is a %s, not a call that an agent answered", job, e.Node.Kind().Name())
	}
	id, found, err := session.Called(s.Store, e.ID.Session, c.Bag)
	if err != nil || !found {
		return refuse("%s made no agent: one that is asked again is named by the job that made it", job)
	}
	spec, err := session.Spec(s.Store, id)
	if err != nil {
		return nil, spec, err
	}
	if !spec.KeepAlive {
		return refuse("the agent of %s does not keep alive: its recipe would say keep-alive", job)
	}
	head, _, err := session.Head(s.Store, id)
	if err != nil {
		return nil, spec, err
	}
	if u, err := session.At(s.Store, head); err != nil {
		return nil, spec, err
	} else if u.Turn != nil && !u.Closed() && u.Turn.Parent.Fiber != w.ID.String() {
		return refuse("the agent of %s has not answered yet", job)
	}
	return &id, spec, nil
}

// turn is the body of turn: a turn of the session's own agent.
func (s *System) turn(ctx context.Context, w call.Work) (tool.Result, call.Rest, error) {
	id, ok, err := session.AgentOf(s.Store, w.ID.Session)
	if err != nil {
		return tool.Result{}, "", err
	}
	caller, _, err := s.Agents.Caller(w.ID)
	if err != nil {
		return tool.Result{}, "", err
	}
	if !ok {
		if id, err = s.beginAgent(&w.Context, w.ID.Session, defaultSpec()); err != nil {
			return tool.Result{}, "", err
		}
	} else if caller != nil && *caller == id {
		return tool.Result{}, "", &tool.Error{Code: "busy", Message: "turn: the program is a part of the agent's own turn, and the next one cannot begin before it ends"}
	}
	name := ""
	if w.Args["model"] != nil {
		if name, err = s.modelFor(ctx, w, w.Args["model"], ""); err != nil {
			return tool.Result{}, "", err
		}
	}
	prompt, _ := w.Args["prompt"].(string)
	r, err := s.Agents.TurnFor(ctx, w, id, prompt, name)
	if err != nil {
		return tool.Result{}, "", err
	}
	return r.Given(true)
}

// beginAgent gives a session its agent.
func (s *System) beginAgent(c *call.Context, n uint64, spec kind.Spec) (graph.ID, error) {
	own := *c
	own.Session = n
	return s.Agents.Begin(graph.RootBag, &own, spec, nil, "", func(id graph.ID) store.Change {
		return store.Note{ID: graph.RootID(n), Fact: kind.Fact{What: kind.FactAgent, Value: kind.Of(id.String()), At: s.Calls.Now().Truncate(time.Microsecond)}}
	})
}
