package model

import (
	"context"
	"encoding/json"
)

// direct asks one provider, once.
type direct struct {
	provider
	*wire
}

// Complete is Connection's.
func (d *direct) Complete(ctx context.Context, r Request, hear func(Delta)) (*Answer, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	if len(r.Schema) > 0 {
		return d.shaped(ctx, r, hear)
	}
	return d.once(ctx, ask{Request: r}, hear)
}

func (d *direct) once(ctx context.Context, a ask, hear func(Delta)) (answer *Answer, err error) {
	x, end := d.begin(ctx, hear != nil || d.streams(a.Request))
	defer end()
	hearing := false
	heard := hear
	if hear != nil {
		heard = func(d Delta) { hearing = true; hear(d); hearing = false }
	}
	defer func() {
		if hearing {
			return // a panic of the hearer is his own
		}
		if p := recover(); p != nil {
			answer, err = nil, errorf(CodeMalformed, "the provider's answer cannot be read")
		}
	}()
	answer, err = d.complete(x, a, heard)
	if err != nil {
		return nil, asError(x.ctx, err)
	}
	answer.Notes = append(answer.Notes, x.notes()...)
	return answer, nil
}

// check refuses what no provider takes.
func (r Request) check() error {
	if r.Model == "" {
		return errorf(CodeBadRequest, "no model is named")
	}
	if len(r.Messages) == 0 {
		return errorf(CodeBadRequest, "there is no message")
	}
	for i, m := range r.Messages {
		if m.Role != User && m.Role != Assistant {
			return errorf(CodeBadRequest, "message %d is by %q, not by user or assistant", i+1, clip(string(m.Role)))
		}
		for _, b := range m.Blocks {
			if len(b.Native) > 0 && !json.Valid(b.Native) {
				return errorf(CodeBadRequest, "message %d holds a block whose native form is no JSON", i+1)
			}
		}
	}
	for _, t := range r.Tools {
		if len(t.Schema) > 0 && !json.Valid(t.Schema) {
			return errorf(CodeBadRequest, "the schema of the tool %s is no JSON", clip(t.Name))
		}
	}
	return nil
}
