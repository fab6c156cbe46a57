package program

import (
	"errors"
	"math"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
)

// This file defines shades. A program that has ended may have left children in the background that have not, and their
// machines are copies of its own. So it is run once more, as far as its record goes: it makes the same copies at the same
// points, shows nothing, records nothing, and does nothing that it had not done.

// errShade ends a shade where its record ends.
var errShade = errors.New("the record of an ended program is at its end")

// shadeError is what is wrong with a shade. What it was told as it was ended it may have heard at another moment, so that
// where it goes from there is no divergence.
func shadeError(err error) error {
	var d *Divergence
	if errors.Is(err, errShade) || errors.As(err, &d) {
		return nil
	}
	return err
}

func (b *bag) asShade() {
	b.shade = true
	b.out.mute, b.out.skip = true, math.MaxInt64
}

// Unfinished reports whether a program has children in the background, at any depth, that have not ended.
func Unfinished(calls *call.Service, id graph.ID) (bool, error) {
	for open, err := range calls.Store.Open(id.Session) {
		if err != nil {
			return false, err
		}
		n, err := calls.Store.Node(open)
		if err != nil {
			return false, err
		}
		if job, ok := n.(*kind.ProgrammaticJob); !ok || !job.Background || open == id {
			continue
		}
		if below, err := calls.Below(open, id); below || err != nil {
			return below, err
		}
	}
	return false, nil
}

// leaves reports whether a child of an earlier life has ended and left others that have not.
func (b *bag) leaves(e *store.Entry) (bool, error) {
	if e == nil || e.Outcome == nil {
		return false, nil
	}
	return Unfinished(b.calls, e.ID)
}

// pass does what is left of a nested program of an earlier life where its answer, or its end, comes from the journal: it
// shows what the program wrote, and takes up what it sent to the background.
func (b *bag) pass(p *pending) error {
	e := b.journal.recorded(p.id.Ord)
	if e == nil || p.begun || b.link || !p.nested() {
		return nil
	}
	if err := b.showJob(*e); err != nil {
		return err
	}
	job, ok := e.Node.(*kind.ProgrammaticJob)
	if !ok {
		return nil
	}
	if more, err := Unfinished(b.calls, e.ID); !more || err != nil {
		return err
	}
	spec, err := b.childSpec(p)
	if err != nil {
		return err
	}
	spec.Budget = job.Budget
	inner := b.r.newBag(spec, b.out.to)
	inner.base, inner.backgrounds = p.request, b.backgrounds
	inner.calls, inner.id, inner.isChild = b.calls, p.id, true
	inner.asShade()
	if err := inner.takeUp(*e); err != nil {
		inner.close()
		return err
	}
	b.addKid(kid{Ord: p.id.Ord, bag: inner, nested: true})
	b.backgrounds.start(inner)
	return nil
}
