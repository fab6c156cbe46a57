package view

import (
	"encoding/json"
	"fmt"
	"time"

	"caper/runtime/agent"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
)

// Details is all that is known of one job, as show prints it.
type Details struct {
	Job
	Source   string          `json:"source,omitempty"`
	Value    string          `json:"value,omitempty"` // as a datum
	JSON     json.RawMessage `json:"value_json,omitempty"`
	Fiber    string          `json:"fiber,omitempty"`
	Ordinal  uint64          `json:"ordinal"`
	Decision *Licensed       `json:"decision,omitempty"`
	Effect   string          `json:"effect,omitempty"`
	Facts    string          `json:"facts,omitempty"` // what was measured before the effect
	Paths    []string        `json:"paths,omitempty"`
	By       string          `json:"by,omitempty"` // who ended it
	History  []Past          `json:"history,omitempty"`
	Cwd      string          `json:"cwd,omitempty"`
	Posture  string          `json:"posture,omitempty"`
	Rules    string          `json:"rules,omitempty"` // the file of rules that a session names
	Output   string          `json:"output,omitempty"`
	Resume   string          `json:"resume,omitempty"` // of an interrupted one: the program to resume
}

// States of what is no job.
const (
	stateRead    = "read"
	stateSession = "session"
)

// Licensed is what the license said of a call when it was made.
type Licensed struct {
	Verdict string `json:"verdict"`
	Rule    string `json:"rule,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Who     string `json:"who,omitempty"`
}

// Past is something that happened to a job.
type Past struct {
	What  string    `json:"what"`
	By    string    `json:"by,omitempty"`
	At    time.Time `json:"at,omitzero"`
	Value string    `json:"value,omitempty"`
}

// Show reads all that is known of a job. calls may be nil: then what lies in blobs is not read.
func Show(calls *call.Service, e store.Entry) (*Details, error) {
	r := reader{calls: calls}
	if calls != nil {
		r.store = calls.Store
	}
	d := &Details{}
	if j := r.job(e); j != nil {
		d.Job = *j
	} else {
		d.ID, d.Kind, d.Name = e.ID.String(), e.Node.Kind().Name(), e.Node.Kind().Name()
	}
	var err error
	written := func(v kind.Value) string {
		text, werr := r.written(v)
		if err == nil {
			err = werr
		}
		return text
	}
	switch n := e.Node.(type) {
	case *kind.ProgrammaticJob:
		d.Source, d.Args, d.Cwd, d.Posture = n.Source, written(n.Args), n.Cwd, n.Posture
		d.Fiber, d.Ordinal = n.Parent.Fiber, n.Parent.Ordinal
	case kind.ToolCall:
		c := n.Call()
		d.Args, d.Facts, d.Effect = written(c.Args), written(c.Facts), string(c.Effect)
		d.Fiber, d.Ordinal, d.Decision = c.Place.Fiber, c.Place.Ordinal, &Licensed{c.Decision.Verdict, c.Decision.Rule, c.Decision.Reason, c.Decision.Who}
		if m, ok := n.(*kind.FileMutateToolJob); ok {
			d.Paths = m.Paths
		}
	case *kind.Cell:
		d.Name, d.Value, d.State = n.Read, written(n.Value), stateRead
		d.Fiber, d.Ordinal = n.Place.Fiber, n.Place.Ordinal
	case *kind.SessionRoot:
		d.Cwd, d.Posture, d.Rules, d.State = n.Path, n.StandingPolicy, n.PolicyProgram, stateSession
	}
	if _, ok := e.Node.(*kind.ProgrammaticJob); ok && e.Outcome == nil && calls != nil {
		if d.took, err = r.soFar(calls.Store, e.ID, d.Began); err != nil {
			return nil, err
		}
		d.Seconds = d.took.Seconds()
	}
	if d.Tokens == 0 && calls != nil {
		if err := agent.Spent(calls.Store, e.ID, func(_ graph.ID, paid kind.Receipt) {
			d.Tokens, d.Micros = d.Tokens+paid.Tokens(), d.Micros+max(paid.Micros, 0)
		}); err != nil {
			return nil, err
		}
	}
	if d.State == interrupted && calls != nil {
		d.Resume = top(calls.Store, e.ID).String()
	}
	if o := e.Outcome; o != nil {
		d.By = o.By
		if !o.Value.IsZero() {
			d.Value = written(o.Value)
			d.JSON = r.json(o.Value)
		}
	}
	for _, f := range e.Facts {
		if f.What == kind.FactOutput {
			datum, ferr := r.datum(f.Value)
			if err == nil {
				err = ferr
			}
			b, _ := datum.([]byte)
			d.Output += string(b)
			continue
		}
		d.History = append(d.History, Past{f.What, f.By, f.At, written(f.Value)})
	}
	return d, err
}

// written is a kept value as write shows it.
func (r reader) written(v kind.Value) (string, error) {
	d, err := r.datum(v)
	if err != nil || d == nil {
		return "", err
	}
	return graph.Write(d), nil
}

func (r reader) datum(v kind.Value) (graph.Datum, error) {
	switch {
	case v.Blob == "":
		return v.Datum, nil
	case r.calls == nil || r.calls.Blobs == nil:
		return graph.Opaque{Text: fmt.Sprintf("#<%s>", size(v.Size))}, nil
	}
	d, err := r.calls.Fetch(v)
	if err != nil {
		return nil, fmt.Errorf("read what was kept of it: %w", err)
	}
	return d, nil
}

func (r reader) json(v kind.Value) json.RawMessage {
	d, err := r.datum(v)
	if err != nil || d == nil {
		return nil
	}
	b, err := graph.ToJSON(d)
	if err != nil {
		return nil
	}
	return b
}

// maxShown bounds one text of show; --json has the whole.
const maxShown = 8 << 10

// Text is the details for a terminal.
func (d *Details) Text(s Style) string {
	p := &paragraph{s: s}
	mark := s.mark(&d.Job)
	if d.State == stateRead || d.State == stateSession {
		mark = own(plain, s.glyph("●", "*"))
	}
	head := line{mark, own(plain, " "), s.data(bold, d.Name), own(dim, "  "+d.ID+"  "+d.Kind)}
	p.add(head...)
	state := join(", ", d.State, d.by())
	if d.Seconds > 0 {
		state += " after " + duration(d.took)
	}
	p.entry("state", state)
	if d.Resume != "" {
		p.entry("to go on", "caper resume "+d.Resume+" continues it")
	}
	p.entry("began", moment(d.Began))
	p.entry("code", d.Code)
	p.entry("message", d.Message)
	p.entry("receipt", d.Receipt)
	p.entry("cost", d.cost())
	p.entry("arguments", d.Args)
	for _, x := range d.Paths {
		p.entry("path", x)
	}
	p.entry("folder", d.Cwd)
	p.entry("posture", d.Posture)
	p.entry("rules", d.Rules)
	if d.Fiber != "" {
		p.entry("place", fmt.Sprintf("fiber %s, number %d", d.Fiber, d.Ordinal))
	}
	p.entry("effect", d.Effect)
	if x := d.Decision; x != nil {
		p.entry("decision", join(": ", x.Verdict, x.Reason))
		p.entry("rule", x.Rule)
		p.entry("decided by", x.Who)
	}
	p.entry("facts", d.Facts)
	p.entry("value", d.Value)
	for _, h := range d.History {
		text := join(" ", moment(h.At), h.What)
		if h.By != "" {
			text += " by " + h.By
		}
		p.entry("history", join("  ", text, h.Value))
	}
	p.block("source", d.Source)
	p.block("output", d.Output)
	return p.String()
}

func (d *Details) by() string {
	if d.By == "" {
		return ""
	}
	return "by " + d.By
}

// entry writes a name and a text, broken over lines that stand below each other.
func (p *paragraph) entry(name, text string) {
	if text == "" {
		return
	}
	cut := len(text) > maxShown
	if cut {
		text = text[:runeEnd(text, maxShown)]
	}
	const col = 13
	for i, piece := range p.s.words(p.s.clean(text), p.s.prose()-col) {
		if i > 0 {
			name = ""
		}
		p.add(append(line{own(dim, "  "+name)}.pad(p.s, col), span{piece, plain})...)
	}
	if cut {
		p.add(own(dim, "             "+p.s.ellipsis()+" caper show --json has the rest"))
	}
}

// block writes a text of several lines behind a rule.
func (p *paragraph) block(name, text string) {
	if text == "" {
		return
	}
	p.add(own(dim, "  "+name))
	cut := len(text) > maxShown
	if cut {
		text = text[:runeEnd(text, maxShown)]
	}
	for _, l := range splitLines(text) {
		for _, piece := range p.s.fold(p.s.clean(tabs(" " + l)[1:]), p.s.prose()-4) {
			p.add(own(dim, p.s.glyph("  │ ", "  | ")), span{piece, plain})
		}
	}
	if cut {
		p.add(own(dim, "  "+p.s.ellipsis()+" caper show --json has the rest"))
	}
}
