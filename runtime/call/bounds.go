package call

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
)

// Bounds are what no call of a context goes beyond, whoever makes it: what with-policy forms around it say, and for
// another agent the rights of the one that called it.
type Bounds struct {
	Posture license.Posture // the loosest that there may be; "" for no bound
	Tighten []license.Layer
	Consult []Procedure // policy procedures
}

// within answers bounds that are b and those of a request together.
func (b Bounds) within(r *Request) Bounds {
	b.Posture = Tighter(b.Posture, r.Posture)
	b.Tighten = append(slices.Clip(b.Tighten), r.Tighten...)
	b.Consult = append(slices.Clip(b.Consult), r.Consult...)
	return b
}

// Tighter answers the tighter one of two postures, of which either may be none.
func Tighter(p, q license.Posture) license.Posture {
	if p == "" || q != "" && q.Tighter(p) {
		return q
	}
	return p
}

func (l *life) bounds() Bounds { return l.c.Bounds.within(&l.r) }

// KeepBounds is what a job keeps of the bounds around it, so that a later process that finds the job alone does not let it
// do more. Of procedures, which live in a running program, it keeps how many there were.
func (s *Service) KeepBounds(b Bounds, mode license.Mode) (kind.Bounds, error) {
	k := kind.Bounds{Posture: string(b.Posture), Plan: mode == license.Plan, Procedures: uint64(len(b.Consult))}
	rules := graph.List{}
	for _, l := range b.Tighten {
		for _, r := range l.Deny {
			rules = append(rules, graph.List{graph.Symbol(license.KindDeny), r.Text, r.Origin})
		}
		for _, r := range l.Ask {
			rules = append(rules, graph.List{graph.Symbol(license.KindAsk), r.Text, r.Origin})
		}
	}
	if len(rules) == 0 {
		return k, nil
	}
	var err error
	k.Rules, err = s.Keep(rules)
	return k, err
}

// RecallBounds adds to the bounds of a context those that a job keeps. Forms that are there already, since the call goes on
// that they are around, are not added again; for a procedure that is no more, a person is asked.
func (s *Service) RecallBounds(b Bounds, k kind.Bounds) (Bounds, error) {
	if k.Posture != "" {
		b.Posture = Tighter(b.Posture, license.ParsePosture(k.Posture))
	}
	if len(b.Tighten) > 0 || len(b.Consult) > 0 {
		return b, nil
	}
	for range k.Procedures {
		b.Consult = append(b.Consult, gone{})
	}
	d, err := s.Fetch(k.Rules)
	if err != nil {
		return b, err
	}
	rules, _ := d.(graph.List)
	layer := license.Layer{Name: "with-policy", Tightening: true}
	for _, d := range rules {
		part, _ := d.(graph.List)
		if len(part) != 3 {
			return b, fmt.Errorf("a rule on record cannot be read: %.100s", graph.Write(d))
		}
		text, _ := part[1].(string)
		origin, _ := part[2].(string)
		r, err := license.ParseRule(text, origin)
		if err != nil {
			return b, fmt.Errorf("a rule on record cannot be read: %w", err)
		}
		if part[0] == graph.Symbol(license.KindDeny) {
			layer.Deny = append(layer.Deny, r)
		} else {
			layer.Ask = append(layer.Ask, r)
		}
	}
	if len(rules) > 0 {
		b.Tighten = []license.Layer{layer}
	}
	return b, nil
}

// gone stands for a policy procedure of a program that does not run any more.
type gone struct{}

func (gone) Call(context.Context, graph.List) (graph.Datum, error) {
	return nil, errors.New("the program that it is part of does not run here")
}
