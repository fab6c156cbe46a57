package program

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"caper/interp/syntax"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
)

// loader reads what a program includes and imports. Every file goes through the license as a read-file call of the bag,
// so that its text is on record and a continued program does not depend on files that changed.
type loader struct {
	b    *bag
	ctx  context.Context
	next *uint64 // ordinal of the next call
	only bool    // what is on record, and nothing else: the program was loaded before
}

// Library looks for a/b.sld beside the program, then in the folders of --lib.
func (l loader) Library(name []string, at syntax.Span) (*syntax.Source, error) {
	file := filepath.Join(name...) + ".sld"
	for _, part := range name {
		if part == "" || part == "." || part == ".." || strings.ContainsAny(part, "/\x00") {
			return nil, fmt.Errorf("(%s) cannot be the name of a file", strings.Join(name, " "))
		}
	}
	var dirs []string
	if l.b.spec.Dir != "" {
		dirs = append(dirs, l.b.spec.Dir)
	}
	for _, dir := range append(dirs, l.b.spec.Libs...) {
		src, err := l.read(filepath.Join(dir, file))
		if err != nil || src != nil {
			return src, err
		}
	}
	return nil, nil
}

// Include reads a file named relative to the file that names it.
func (l loader) Include(path string, from *syntax.Source, at syntax.Span) (*syntax.Source, error) {
	if !filepath.IsAbs(path) {
		dir := l.b.spec.Dir
		if from != nil && filepath.IsAbs(from.Name) {
			dir = filepath.Dir(from.Name)
		}
		if dir == "" {
			dir = l.b.spec.Context.Cwd
		}
		path = filepath.Join(dir, path)
	}
	src, err := l.read(path)
	if err == nil && src == nil {
		err = fmt.Errorf("include: there is no file %s", path)
	}
	return src, err
}

// read answers nil, nil for a file that is not there.
func (l loader) read(path string) (*syntax.Source, error) {
	b := l.b
	if !l.only {
		if err := b.mint(); err != nil {
			b.broken = err
			return nil, err
		}
	}
	r := call.Request{ID: graph.ID{Session: b.spec.Context.Session, Bag: b.job.Bag, Ord: *l.next},
		Place: kind.Place{Fiber: "load", Ordinal: *l.next}, Tool: "read-file", Positional: []graph.Datum{path},
		Tighten: b.base.Tighten, Posture: b.base.Posture, Consult: b.base.Consult}
	*l.next++
	o, err := l.outcome(r)
	if err != nil {
		if len(b.waiting) == 0 && !l.only {
			b.broken = err
		}
		return nil, err
	}
	if o.Error != nil {
		if o.Error.Code == "not-found" {
			return nil, nil
		}
		return nil, fmt.Errorf("%s", o.Error.Message)
	}
	d, err := b.calls.Fetch(o.Value)
	if err != nil {
		return nil, err
	}
	text, ok := d.(string)
	if !ok {
		return nil, fmt.Errorf("%s is not text", path)
	}
	return syntax.NewSource(path, text), nil
}

// outcome answers a load's call from the journal, or makes it now.
func (l loader) outcome(r call.Request) (*kind.Outcome, error) {
	b := l.b
	if l.only {
		e, err := b.calls.Store.Entry(r.ID)
		if err == nil && e.Outcome == nil {
			err = fmt.Errorf("%s has not ended", r.ID)
		}
		if err == nil {
			err = check(&e, r.Place, r.Tool, b.calls.Digest(r))
		}
		return e.Outcome, err
	}
	recorded := b.journal.recorded(r.ID.Ord)
	if recorded != nil {
		if err := check(recorded, r.Place, r.Tool, b.calls.Digest(r)); err != nil {
			return nil, err
		}
		if recorded.Outcome != nil {
			return recorded.Outcome, nil
		}
	}
	if b.shade {
		return nil, errShade
	}
	var e call.Ending
	if recorded != nil {
		e = b.calls.Continue(l.ctx, &b.spec.Context, r, *recorded)
	} else {
		e = b.calls.Begin(l.ctx, &b.spec.Context, r)
	}
	if e.Release != nil {
		defer e.Release()
	}
	switch {
	case e.Err != nil:
		return nil, e.Err
	case e.Rest != call.Settled:
		b.waiting[r.ID] = e
		return nil, errLoadRests
	}
	var changes []store.Change
	if e.Mint != nil {
		changes = append(changes, *e.Mint)
	}
	_, err := b.calls.Store.Apply(r.ID.Session, append(changes, store.Settle{ID: r.ID, Outcome: e.Outcome})...)
	return &e.Outcome, err
}
