package assembly

import (
	"context"
	"errors"
	"fmt"

	"caper/runtime/agent"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
	"caper/runtime/tool"
)

// This file holds the bodies of the tools that change the session that a program runs in. Each does the same again
// where an earlier process may have done it.

// note appends a fact to the session's root.
func (s *System) note(n uint64, what string, d graph.Datum, by string) error {
	_, err := s.Store.Apply(n, store.Note{ID: graph.RootID(n), Fact: kind.Fact{What: what, Value: kind.Of(d), By: by, At: s.Calls.Now()}})
	return err
}

const maxKv = 4 << 10

// kvsSet is the body of kvs-set!.
func (s *System) kvsSet(ctx context.Context, w call.Work) (tool.Result, call.Rest, error) {
	key, ok := graph.Name(w.Args["key"])
	value, isText := graph.Name(w.Args["value"])
	if w.Args["value"] == "" {
		isText = true
	}
	switch {
	case !ok || len(key) > 200:
		return tool.Result{}, "", wrong("kvs-set!: the key is a symbol or a string; found %.100s", graph.Write(w.Args["key"]))
	case !isText && w.Args["value"] != false:
		return tool.Result{}, "", wrong("kvs-set!: the value is a string, or #f to remove it; found %.100s", graph.Write(w.Args["value"]))
	case len(value) > maxKv:
		return tool.Result{}, "", wrong("kvs-set!: the value has %d bytes; at most %d are kept", len(value), maxKv)
	}
	if (key == agent.KvMaxTokens || key == agent.KvMaxMicros || key == agent.KvMaxAgents) && !w.Operator {
		return tool.Result{}, "", wrong("kvs-set!: %s bounds what the session may spend: a person sets it, with caper ask --for session", key)
	}
	if key == "model" && isText {
		full, err := s.modelName(ctx, &w.Context, value)
		if err != nil {
			return tool.Result{}, "", err
		}
		value = full
	}
	var d graph.Datum = value
	if !isText {
		d = false
	}
	pair := &graph.Dotted{Items: []graph.Datum{key}, Tail: d}
	return tool.Result{Value: graph.Void{}}, "", s.note(w.ID.Session, kind.FactKv, pair, w.ID.String())
}

// defineAgent is the body of define-agent.
func (s *System) defineAgent(ctx context.Context, w call.Work) (tool.Result, call.Rest, error) {
	recipe := graph.List{}
	for _, name := range []string{"name", "description", "constitution", "model", "tools", "keep-alive", "void-legal"} {
		if v, ok := w.Args[name]; ok {
			recipe = append(recipe, graph.Pair(name, v))
		}
	}
	recipe = append(recipe, graph.Pair("nature", graph.Symbol(kind.NatureSession)))
	spec, err := s.specData(recipe)
	if err != nil {
		return tool.Result{}, "", wrong("define-agent: %s", err)
	}
	files, err := s.fileRecipes(&w.Context)
	if err != nil {
		return tool.Result{}, "", err
	}
	for _, f := range files {
		if f.Name == spec.Name {
			return tool.Result{}, "", &tool.Error{Code: "exists", Message: fmt.Sprintf("define-agent: the name %s is that of %s", spec.Name, f.File)}
		}
	}
	if spec.Model != "" {
		if spec.Model, err = s.modelName(ctx, &w.Context, spec.Model); err != nil {
			return tool.Result{}, "", err
		}
	}
	return tool.Result{Value: graph.Symbol(spec.Name)}, "", s.note(w.ID.Session, kind.FactRecipe, spec.Datum(), w.ID.String())
}

// jobOf is the job of this session that a call names.
func (s *System) jobOf(w call.Work) (kind.Entry, error) {
	text, _ := w.Args["job"].(string)
	id, err := graph.ParseID(text)
	if err != nil {
		return kind.Entry{}, wrong("%s: %s", w.Request.Tool, err)
	}
	if id.Session != w.ID.Session {
		return kind.Entry{}, wrong("%s: %s belongs to another session", w.Request.Tool, id)
	}
	e, err := s.Store.Entry(id)
	if err != nil {
		return e, &tool.Error{Code: "no-job", Message: fmt.Sprintf("%s: there is no job %s", w.Request.Tool, id)}
	}
	return e, nil
}

// detachJob is the body of detach.
func (s *System) detachJob(_ context.Context, w call.Work) (tool.Result, call.Rest, error) {
	e, err := s.jobOf(w)
	if err != nil {
		return tool.Result{}, "", err
	}
	if e.Outcome != nil || e.InBackground() {
		return tool.Result{Value: false}, "", nil
	}
	if err := s.Agents.Detach(e.ID, "program", nil); err != nil {
		return tool.Result{}, "", &tool.Error{Code: "busy", Message: "detach: " + err.Error()}
	}
	return tool.Result{Value: true}, "", nil
}

// cancelJob is the body of cancel.
func (s *System) cancelJob(ctx context.Context, w call.Work) (tool.Result, call.Rest, error) {
	e, err := s.jobOf(w)
	if err != nil {
		return tool.Result{}, "", err
	}
	id := e.ID
	if e.Outcome != nil {
		return tool.Result{Value: false}, "", nil
	}
	if around, err := s.Calls.Below(w.ID, id); err != nil || around {
		if err == nil {
			err = &tool.Error{Code: "busy", Message: fmt.Sprintf("cancel: the program that calls it is a part of %s; (exit) ends it", id)}
		}
		return tool.Result{}, "", err
	}
	_, err = s.Cancel(ctx, id, "program", w.Context.Environ, w.Context.Env)
	var part *PartError
	if errors.As(err, &part) {
		err = &tool.Error{Code: "busy", Message: "cancel: " + part.Error() + "; only what runs in the background ends alone"}
	}
	return tool.Result{Value: true}, "", err
}

// serve makes a procedure of a program reachable: as a model.
func (s *System) serve(session uint64, what, name string, p call.Procedure) (end func(), err error) {
	if what != "model" {
		return nil, fmt.Errorf("nothing here is made of a %s", what)
	}
	return s.models.define(session, name, p)
}

// readings are what programs ask of the graph beside their own jobs.
func (s *System) readings() map[string]call.Reading {
	return map[string]call.Reading{
		"session": func(_ context.Context, c *call.Context, _ graph.List) (graph.Datum, error) {
			return graph.RootID(c.Session).String(), nil
		},
		"session-agent": s.ofSession(s.readAgent),
		"session-head":  s.ofSession(s.readHead),
		"session-turns": s.ofSession(s.readTurns),
		"session-mode":  s.ofSession(s.readMode),
		"turn-tail":     s.ofTurn(turnTail),
		"turn-text":     s.ofTurn(s.turnText),
		"turn-prompt":   s.ofTurn(s.turnPrompt),
		"turn-policy":   s.ofTurn(s.turnPolicy),
		"turn-model":    s.ofTurn(s.turnModel),
		"kvs-ref":       s.readKv,
		"agents":        s.readAgents,
		"agent-spec":    s.readSpec,
		"agent-head":    s.readAgentHead,
		"models":        s.readModels,
		"model-cost":    s.readCost,
		"job-usage":     s.readUsage,
	}
}
