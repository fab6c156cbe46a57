package command

import (
	"encoding/json"
	"fmt"
	"io"

	"caper/runtime/graph"
	"caper/runtime/program"
	"caper/runtime/view"
)

// printer is where a program's output goes: standard output, or JSON events.
type printer struct {
	v    *verb
	live *view.Live
}

func (v *verb) output() *printer { return &printer{v: v} }

func (p *printer) Write(b []byte) (int, error) {
	if p.v.json {
		return len(b), p.v.emit(map[string]any{"type": "output", "text": string(b)})
	}
	if a, ok := p.v.asker.(*asker); ok {
		text := b
		if p.v.Screen {
			text = tame(b)
		}
		return len(b), a.curtain.pass(text, p.show)
	}
	return len(b), p.show(b)
}

func (p *printer) show(b []byte) error {
	var err error
	if p.live != nil {
		_, err = p.live.Print(p.v.Stdout, b)
	} else {
		_, err = p.v.Stdout.Write(b)
	}
	return err
}

// emit prints one JSON object on a line.
func (v *verb) emit(x any) error {
	e := json.NewEncoder(v.Stdout)
	e.SetEscapeHTML(false)
	return e.Encode(x)
}

// emitAs prints an object of a type that does not say it itself.
func (v *verb) emitAs(kind string, x any) error {
	text, err := json.Marshal(x)
	if err != nil {
		return err
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	fields["type"], _ = json.Marshal(kind) // a string can always be written
	return v.emit(fields)
}

// states are the exit codes of results.
var states = map[program.State]int{
	program.Done: ExitOK, program.Raised: ExitRaised, program.Denied: ExitDenied, program.Budget: ExitBudget,
	program.Uncertain: ExitUncertain, program.Parked: ExitParked, program.Cancelled: ExitInterrupted,
}

// finish shows a result and sets the exit code.
func (v *verb) finish(r program.Result, f runFlags) error {
	v.code = states[r.State]
	if r.State == program.Exited {
		v.code = r.Code
	}
	if r.Rest != "" { // the program ended, but what it sent to the background waits
		v.code = states[r.Rest]
	}
	if v.json {
		return v.emitResult(r)
	}
	if f.value && r.State == program.Done && !r.NoValue {
		if err := graph.WriteTo(v.Stdout, r.Value); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(v.Stdout); err != nil {
			return err
		}
	}
	if r.Error != nil {
		fmt.Fprint(v.Stderr, view.Failure(v.Style, r))
	} else {
		fmt.Fprint(v.Stderr, view.Unwritten(v.Style, r))
	}
	if len(r.Waiting) > 0 {
		s, err := v.system()
		if err != nil {
			return err
		}
		text, err := view.Waiting(v.Style, s.Store, s.Calls, v.describer(s), r)
		if err != nil {
			return err
		}
		_, err = io.WriteString(v.Stderr, text)
		return err
	}
	return nil
}

// failureObject is why a program ended: where it was raised, and of a denial the rule.
func failureObject(f *program.Failure) map[string]any {
	o := map[string]any{"kind": f.Kind, "message": f.Message, "irritants": f.Irritants}
	for _, frame := range f.Trace {
		if frame.File != "" && frame.Line > 0 {
			o["where"] = fmt.Sprintf("%s:%d:%d", frame.File, frame.Line, frame.Column)
			break
		}
	}
	for _, name := range []string{"rule", "origin", "reason"} {
		if text := graph.TextField(f.Data, name); text != "" {
			o[name] = text
		}
	}
	if len(f.Hints) > 0 {
		o["hints"] = f.Hints
	}
	return o
}

func (v *verb) emitResult(r program.Result) error {
	e := map[string]any{"type": "result", "status": string(r.State), "exit": v.code}
	if r.ID != (graph.ID{}) {
		e["job"] = r.ID.String()
	}
	if r.State == program.Done {
		if !r.NoValue {
			e["datum"] = graph.Write(r.Value)
		}
		if j, err := graph.ToJSON(r.Value); err == nil {
			e["value"] = json.RawMessage(j)
		}
	}
	if r.Error != nil {
		e["error"] = failureObject(r.Error)
	}
	if r.Unwritten != nil {
		e["unwritten"] = r.Unwritten
	}
	var waiting []string
	for _, id := range r.Waiting {
		waiting = append(waiting, id.String())
	}
	if waiting != nil {
		e["waiting"] = waiting
	}
	return v.emit(e)
}
