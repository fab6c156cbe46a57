package agent

import (
	"slices"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/session"
)

// Painted is one item of a transcript: of a unit, in the order of its tape. It is read from the tape, never from the
// collectors: what runs in the background would flood it (law S09).
type Painted struct {
	Unit   *session.Unit
	Head   bool // the unit is the session's head
	Policy string
	Cells  []PaintedCell
}

// PaintedCell is one cell of a tape.
type PaintedCell struct {
	ID     graph.ID
	Kind   string // constitution, prompt, answer, calls, fold
	Source string // of a prompt
	Text   string
	Calls  []session.Call
	Failed string // why there is no answer
}

// Paint reads the transcript of an agent, oldest first. most bounds how many units are read, from the head back; 0: all.
func (r *Runner) Paint(agent graph.ID, most int) ([]Painted, error) {
	st := r.Calls.Store
	head, _, err := session.Head(st, agent)
	if err != nil {
		return nil, err
	}
	var out []Painted
	for u, err := range session.Walk(st, head) {
		if err != nil {
			return nil, err
		}
		p := Painted{Unit: u, Head: u.ID == head}
		if p.Policy, err = session.EffectivePolicy(st, u.ID); err != nil {
			return nil, err
		}
		if u.Genesis != nil {
			d, err := r.Calls.Fetch(u.Genesis.Constitution)
			if err != nil {
				return nil, err
			}
			text, _ := d.(string)
			p.Cells = []PaintedCell{{ID: u.ID, Kind: "constitution", Text: text}}
		} else if p.Cells, err = r.paintTape(u); err != nil {
			return nil, err
		}
		out = append(out, p)
		if most > 0 && len(out) == most {
			break
		}
	}
	slices.Reverse(out)
	return out, nil
}

func (r *Runner) paintTape(u *session.Unit) ([]PaintedCell, error) {
	tape, err := session.TapeOf(r.Calls.Store, u.ID)
	if err != nil {
		return nil, err
	}
	var out []PaintedCell
	for _, c := range tape.Cells() {
		p := PaintedCell{ID: c.ID}
		switch {
		case c.Prompt != nil:
			d, err := r.Calls.Fetch(c.Prompt.Text)
			if err != nil {
				return nil, err
			}
			p.Kind, p.Source = "prompt", c.Prompt.Source
			p.Text, _ = d.(string)
		case c.Compact != nil:
			p.Kind = "fold"
			if p.Text, err = r.fold(c.Compact); err != nil {
				return nil, err
			}
		case c.React != nil:
			p.Kind, p.Calls = "calls", c.Calls
		default:
			p.Kind = "answer"
			if c.Outcome != nil && c.Outcome.State != kind.Settled && c.Outcome.Error != nil {
				p.Failed = c.Outcome.Error.Message
			}
			a, err := (&scribe{r: r}).answer(c)
			if err != nil {
				return nil, err
			}
			p.Text = spokenText(a)
		}
		out = append(out, p)
	}
	return out, nil
}
