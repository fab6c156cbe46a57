package command

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"caper/interp/syntax"
	"caper/repl"
	"caper/runtime/assembly"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/program"
	"caper/runtime/program/bind"
	"caper/runtime/view"

	"github.com/spf13/cobra"
)

// This file defines the verb that evaluates one input of a REPL: a bag that goes on in the machine of an earlier one.

type inputFlags struct {
	number, session uint64
	after           string
}

func (v *verb) inputCommand() *cobra.Command {
	var f inputFlags
	c := &cobra.Command{Use: "input [TEXT]", Short: "Evaluate one input of a REPL; without one, say whether there is the session", Hidden: true, Args: atMost(1, "one text"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				return v.evaluate(args[0], f)
			}
			s, err := v.system()
			if err == nil {
				_, err = v.session(s, []string{strconv.FormatUint(f.session, 10)})
			}
			return err
		}}
	c.Flags().Uint64Var(&f.number, "number", 1, "the number of the input")
	c.Flags().Uint64Var(&f.session, "session", 0, "its session; else a new one")
	c.Flags().StringVar(&f.after, "after", "", "the input in whose machine it goes on")
	return c
}

// inputName is the name of the program that an input is.
func inputName(number uint64) string { return fmt.Sprintf("input-%d", number) }

// inputNumber is the number of the input that a program is, 0 for another.
func inputNumber(job *kind.ProgrammaticJob) uint64 {
	number, is := strings.CutPrefix(job.Name, "input-")
	if !is || !job.Open {
		return 0
	}
	n, _ := strconv.ParseUint(number, 10, 64) // what is no number is no input
	return n
}

func (v *verb) evaluate(text string, f inputFlags) error {
	s, err := v.system()
	if err != nil {
		return err
	}
	spec, err := v.spec(inputName(f.number), text, nil, runFlags{})
	if err != nil {
		return err
	}
	spec.Dir, spec.Open = v.Cwd, true
	if spec.Context.Session = f.session; f.session == 0 {
		if _, err := s.NewConversation(&spec.Context, ""); err != nil {
			return err
		}
	}
	if f.after != "" {
		if spec.After, err = graph.ParseID(f.after); err != nil {
			return failf(ExitUsage, "", "%w", err)
		}
		values, err := pastValues(s, spec.After, text)
		if err != nil {
			return err
		}
		var data graph.List
		for _, p := range values {
			data = append(data, graph.Pair(p.name, p.value))
		}
		if data != nil {
			spec.Data = data
		}
	}
	runner, err := s.Programs()
	if err != nil {
		return err
	}
	ctx, done := v.work()
	defer done()
	out := v.output()
	var live *view.Live
	asks, _ := v.asker.(*asker)
	away, leave := context.WithCancel(context.Background())
	defer leave()
	if asks != nil {
		asks.away = away
	}
	told := func(id graph.ID) {
		if v.Job != nil {
			v.Job(id.String())
		}
		if v.quiet || v.json || !v.Style.Live {
			return
		}
		live = view.LiveCalls(v.Stderr, v.Style, s.Store, s.Calls, id)
		if out.live = live; asks != nil {
			asks.live = live
		}
	}
	shown := false // why it failed
	if v.Held != nil {
		spec.Restart = func(ctx context.Context, h program.Held) program.Restart {
			if live != nil {
				live.Hide()
				defer live.Show()
			}
			var r program.Restart
			r, shown = v.restart(ctx, s, spec, h)
			return r
		}
	}
	show := func(r program.Result, err error) error {
		if live != nil {
			live.Close()
		}
		if err != nil {
			return v.broken(err)
		}
		if shown && (r.State == program.Raised || r.State == program.Denied) {
			r.Error = nil
		}
		return v.shown(r, f.number)
	}
	early := false
	var failed error
	var late sync.WaitGroup
	stop := make(chan struct{})
	spec.Ended = func(r program.Result, err error) {
		early = true
		failed = show(r, err)
		if asks != nil {
			leave()
		}
		if err == nil && !r.ID.IsZero() {
			late.Go(func() { v.tellLate(s, r.ID, stop) })
		}
		if v.Freed != nil {
			v.Freed()
		}
	}
	r, err := runner.Run(ctx, spec, program.Locked(out), told)
	close(stop)
	late.Wait()
	if early {
		return errors.Join(failed, err)
	}
	return show(r, err)
}

// restart asks how an input goes on that failed; shown says that the person knows why.
func (v *verb) restart(ctx context.Context, s *assembly.System, spec program.Spec, h program.Held) (r program.Restart, shown bool) {
	f := repl.Failure{Text: view.Failure(v.Style, h.Result), Retry: h.Retry, At: -1}
	if trace := h.Result.Error.Trace; len(trace) > 0 && trace[len(trace)-1].File == spec.Name {
		f.At = int(trace[len(trace)-1].At.Start)
	}
	bare, e := h.Result, *h.Result.Error
	e.Trace, bare.Error = nil, &e
	f.Head = view.Failure(v.Style, bare)
	for _, at := range h.Result.Error.Trace {
		frame := repl.Frame{Title: view.Frame(v.Style, at), Source: view.Source(v.Style, at.At), Kept: at.Kept}
		for _, l := range at.Vars {
			frame.Vars = append(frame.Vars, repl.Var{Name: l.Name, Value: l.Value})
		}
		f.Frames = append(f.Frames, frame)
	}
	a := v.Held(ctx, f)
	if a.Use == "" {
		return program.Restart{Retry: a.Retry}, a.Shown
	}
	d, err := expression(s, spec.After, a.Use)
	if err != nil {
		fmt.Fprint(v.Stderr, view.Error(v.Style, err))
		return program.Restart{}, false
	}
	return program.Restart{Use: true, Value: d}, false
}

// expression is a text as data that evaluates to what it says, with the values of earlier inputs that it names.
func expression(s *assembly.System, after graph.ID, text string) (graph.Datum, error) {
	forms, err := syntax.ReadAll(syntax.NewSource(",use", text))
	if err != nil {
		return nil, err
	}
	if len(forms) != 1 {
		return nil, failf(ExitUsage, "", ",use wants one expression; found %d", len(forms))
	}
	d, err := bind.DatumOf(forms[0])
	if err != nil {
		return nil, err
	}
	values, err := pastValues(s, after, text)
	if err != nil {
		return nil, err
	}
	if len(values) == 0 {
		return d, nil
	}
	var bindings graph.List
	for _, p := range values {
		bindings = append(bindings, graph.List{graph.Symbol(p.name), graph.List{graph.Symbol("quote"), p.value}})
	}
	return graph.List{graph.Symbol("let"), bindings, d}, nil
}

// shown shows what an input came to.
func (v *verb) shown(r program.Result, number uint64) error {
	if v.json || r.State != program.Done || r.NoValue || !v.Screen {
		return v.finish(r, runFlags{value: true})
	}
	head := fmt.Sprintf("$%d = ", number)
	text, folded := view.Pretty(v.Style, r.Value, len(head))
	if folded {
		text += fmt.Sprintf("\n; folded: (write $%d) shows all of it", number)
	}
	if _, err := fmt.Fprintln(v.Stdout, head+text); err != nil {
		return err
	}
	return v.finish(r, runFlags{})
}

// tellLate says of each child that a program sent to the background how it ended, until stop.
func (v *verb) tellLate(s *assembly.System, id graph.ID, stop <-chan struct{}) {
	n, err := s.Store.Node(id)
	job, ok := n.(*kind.ProgrammaticJob)
	if err != nil || !ok {
		return
	}
	token, end := s.Store.Watch(id.Session)
	defer end()
	told := map[graph.ID]bool{}
	for last := false; ; {
		for e, err := range s.Store.Children(id.Session, job.Bag, 0) {
			if err != nil {
				return // who asks for them is told
			}
			child, ok := e.Node.(*kind.ProgrammaticJob)
			if !ok || !child.Background || e.Outcome == nil || told[e.ID] {
				continue
			}
			told[e.ID] = true
			text := string(e.Outcome.State)
			switch d, err := s.Calls.Fetch(e.Outcome.Value); {
			case e.Outcome.Error != nil:
				text += ": " + e.Outcome.Error.Message
			case err == nil && e.Outcome.State == kind.Settled && d != nil && d != (graph.Datum)(graph.Void{}):
				value, _ := view.Pretty(v.Style, d, len(e.ID.String())+20)
				text += ": " + value
			}
			fmt.Fprintf(v.Stderr, "; background %s %s\n", e.ID, strings.TrimRight(text, "\n"))
		}
		if last {
			return
		}
		select {
		case <-token:
		case <-stop:
			last = true
		}
	}
}

var pastName = regexp.MustCompile(`\$[0-9]+`)

type pastValue struct {
	name  string
	value graph.Datum
}

// pastValues are the values of earlier inputs that a text names, by their names. They are data: what is none, such as a
// procedure, has to be given a name by a definition.
func pastValues(s *assembly.System, after graph.ID, text string) (list []pastValue, err error) {
	wanted := map[string]bool{}
	for _, name := range pastName.FindAllString(text, -1) {
		wanted[name] = true
	}
	for at := after; !at.IsZero() && len(wanted) > 0; {
		e, err := s.Store.Entry(at)
		if err != nil {
			return nil, err
		}
		job, ok := e.Node.(*kind.ProgrammaticJob)
		if !ok {
			return nil, fmt.Errorf("%s is no program", at)
		}
		number, _ := strings.CutPrefix(job.Name, "input-")
		name := "$" + number
		if wanted[name] && e.Outcome != nil && e.Outcome.State == kind.Settled {
			d, err := s.Calls.Fetch(e.Outcome.Value)
			if err != nil {
				return nil, err
			}
			if o, _, opaque := graph.Opaques(d); opaque {
				return nil, failf(ExitUsage, "name it where it is made: (define name …)", "the value of input %s holds %s, which is no data: %s cannot stand for it", number, o.Text, name)
			}
			list = append(list, pastValue{name, d})
			delete(wanted, name)
		}
		at = graph.ID{}
		if job.After != nil {
			at = job.After.ID()
		}
	}
	return list, nil
}
