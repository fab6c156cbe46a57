package assembly

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/model"
)

// This file defines how a procedure of messages and tools is a model. A message is ((role . user) (text . "…") (blocks
// block …)); a block has a kind: text, tool-use with id, name and input, tool-result with id, name and text. A tool is ((name .
// "read-file") (description . "…")). The procedure answers a string, or a list of what it says and does: strings,
// (text "…"), (thinking "…") and (call name (argument . value) …). Where a schema is asked for its answer is data.

// schemeModel is a connection made of a procedure.
func schemeModel(p call.Procedure) model.Connection {
	return model.Func(func(ctx context.Context, q model.Request, hear func(model.Delta)) (*model.Answer, error) {
		messages, tools := messageData(q), toolData(q)
		d, err := p.Call(ctx, graph.List{messages, tools})
		if ctx.Err() != nil {
			return nil, &model.Error{Code: model.CodeCancelled, Message: "the call was cancelled"}
		}
		if err != nil {
			return nil, &model.Error{Code: "scheme", Message: err.Error()}
		}
		a, err := answerOf(d, q)
		if err != nil {
			return nil, &model.Error{Code: model.CodeMalformed, Message: err.Error()}
		}
		// Of tokens nothing is known: four bytes are about one.
		a.Usage = model.Usage{Input: int64(len(graph.Write(messages))+len(graph.Write(tools))) / 4, Output: int64(len(graph.Write(d)))/4 + 1}
		for i, b := range a.Blocks {
			if hear != nil && b.Kind == model.Text {
				hear(model.Delta{Index: i, Kind: b.Kind, Text: b.Text})
			}
		}
		return a, nil
	})
}

func messageData(q model.Request) graph.List {
	out := graph.List{}
	if len(q.System) > 0 {
		out = append(out, graph.List{graph.Pair("role", graph.Symbol("system")), graph.Pair("text", strings.Join(q.System, "\n\n"))})
	}
	for _, m := range q.Messages {
		var text []string
		blocks := graph.List{}
		for _, b := range m.Blocks {
			d := graph.List{graph.Pair("kind", graph.Symbol(b.Kind))}
			add := func(name, s string) {
				if s != "" {
					d = append(d, graph.Pair(name, s))
				}
			}
			add("id", b.ID)
			add("name", b.Name)
			add("text", b.Text)
			if b.Kind == model.Text {
				text = append(text, b.Text)
			}
			if input, err := graph.FromJSON(b.Input); err == nil && len(b.Input) > 0 {
				d = append(d, graph.Pair("input", input))
			}
			if b.Failed {
				d = append(d, graph.Pair("failed", true))
			}
			blocks = append(blocks, d)
		}
		out = append(out, graph.List{graph.Pair("role", graph.Symbol(m.Role)), graph.Pair("text", strings.Join(text, "\n")), graph.Pair("blocks", blocks)})
	}
	return out
}

func toolData(q model.Request) graph.List {
	out := graph.List{}
	for _, t := range q.Tools {
		out = append(out, graph.List{graph.Pair("name", t.Name), graph.Pair("description", t.Description)})
	}
	return out
}

// answerOf reads what a procedure answered.
func answerOf(d graph.Datum, q model.Request) (*model.Answer, error) {
	a := &model.Answer{Model: q.Model, Stop: model.StopEnd}
	if len(q.Schema) > 0 {
		value, err := schemaValue(d)
		if err != nil {
			return nil, err
		}
		a.Value = value
		a.Blocks = []model.Block{{Kind: model.Text, Text: string(value)}}
		return a, nil
	}
	items, ok := d.(graph.List)
	if _, single := head(items); single {
		items = graph.List{d}
	}
	if s, isText := d.(string); isText {
		items, ok = graph.List{s}, true
	}
	if !ok {
		return nil, fmt.Errorf("the procedure answered %.100s; a string or a list of blocks is wanted, such as (call read-file (path . \"a\"))", graph.Write(d))
	}
	for i, x := range items {
		b, err := blockOf(x, len(q.Messages), i)
		if err != nil {
			return nil, err
		}
		if b.Kind == model.ToolUse {
			a.Stop = model.StopTools
		}
		a.Blocks = append(a.Blocks, b)
	}
	return a, nil
}

// schemaValue is data as the JSON that was asked for; text is JSON already.
func schemaValue(d graph.Datum) (json.RawMessage, error) {
	if s, ok := d.(string); ok {
		if !json.Valid([]byte(s)) {
			return nil, fmt.Errorf("data that fits a schema is wanted; the procedure answered the text %.100q, which is no JSON", s)
		}
		return json.RawMessage(s), nil
	}
	return graph.ToJSON(d)
}

func head(list graph.List) (graph.Symbol, bool) {
	if len(list) == 0 {
		return "", false
	}
	s, ok := list[0].(graph.Symbol)
	return s, ok
}

func blockOf(d graph.Datum, message, number int) (model.Block, error) {
	bad := fmt.Errorf("a block is a string, (text \"…\"), (thinking \"…\") or (call name (argument . value) …); found %.100s", graph.Write(d))
	if s, ok := d.(string); ok {
		return model.Block{Kind: model.Text, Text: s}, nil
	}
	list, _ := d.(graph.List)
	kind, ok := head(list)
	if !ok || len(list) < 2 {
		return model.Block{}, bad
	}
	switch kind {
	case "text", "thinking":
		if s, ok := list[1].(string); ok && len(list) == 2 {
			return model.Block{Kind: model.BlockKind(kind), Text: s}, nil
		}
	case "call":
		name, ok := graph.Name(list[1])
		if !ok {
			return model.Block{}, bad
		}
		input, err := graph.ToJSON(list[2:])
		if err != nil {
			return model.Block{}, fmt.Errorf("the arguments of %s: %w", name, err)
		}
		if len(list) == 2 {
			input = []byte("{}")
		}
		return model.Block{Kind: model.ToolUse, ID: fmt.Sprintf("call_%d_%d", message, number), Name: strings.ReplaceAll(name, "/", "__"), Input: input}, nil
	}
	return model.Block{}, bad
}
