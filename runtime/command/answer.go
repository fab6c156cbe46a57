package command

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"caper/interp/syntax"
	"caper/runtime/assembly"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/program"
	"caper/runtime/program/bind"
	"caper/runtime/store"
	"caper/runtime/view"

	"github.com/spf13/cobra"
)

func (v *verb) approvalsCommand() *cobra.Command {
	return &cobra.Command{Use: "approvals [ID]", Short: "List what waits for a person, or show one of them whole", Args: atMost(1, "one id"), RunE: func(_ *cobra.Command, args []string) error {
		if len(args) == 1 {
			if ofThread(args[0]) {
				return v.showThreadQuestion(args[0])
			}
			return v.showApproval(args)
		}
		s, err := v.system()
		if err != nil {
			return err
		}
		t, err := view.Approvals(s.Store, s.Calls)
		if err != nil {
			return err
		}
		unread := v.threadRows(&t)
		return errors.Join(v.table("approval", t), unread)
	}}
}

// showApproval shows a call that waits as a terminal would ask for it, or of an uncertain one all that is known.
func (v *verb) showApproval(args []string) error {
	s, e, err := v.waiting(args)
	if err != nil {
		return err
	}
	switch program.Status(e) {
	case "waiting":
		q, err := v.describer(s)(e)
		if err != nil {
			return err
		}
		if v.json {
			return v.emitAs("approval", view.AskedObject(q))
		}
		_, err = fmt.Fprint(v.Stdout, view.Asked(v.Style, q))
		return err
	case "uncertain":
		return v.show(s, e)
	}
	return failf(ExitUsage, "caper approvals lists what waits", "%s does not wait for a person", e.ID)
}

func (v *verb) describer(s *assembly.System) view.Describe {
	return func(e store.Entry) (call.Question, error) { return s.Describe(v.ctx, e, v.Environ, v.env) }
}

// reach is how far a yes of a scope goes, for a sentence.
func reach(scope string) string {
	if scope == "once" {
		return "this once"
	}
	return "and for the " + scope + " what it remembers"
}

// waiting reads a call that waits for a person.
func (v *verb) waiting(args []string) (*assembly.System, store.Entry, error) {
	s, err := v.system()
	if err != nil {
		return nil, store.Entry{}, err
	}
	id, err := graph.ParseID(args[0])
	if err != nil {
		return nil, store.Entry{}, failf(ExitUsage, "caper approvals lists what waits", "%w; found %q", err, args[0])
	}
	e, err := s.Store.Entry(id)
	if err != nil && !absent(err) {
		return nil, e, err
	}
	if err != nil {
		return nil, e, failf(ExitUsage, v.lastBefore(s, id, "caper approvals lists what waits"), "there is no job %s", id)
	}
	if e.Outcome != nil {
		return nil, e, failf(ExitUsage, "caper show "+id.String()+" says how", "%s has ended already: %s", id, e.Outcome.State)
	}
	return s, e, nil
}

// by names who answered, and from where.
func (v *verb) by() string {
	who := v.env["USER"]
	if who == "" {
		who = fmt.Sprintf("user %d", os.Getuid())
	}
	return who + " with caper"
}

func (v *verb) approveCommand() *cobra.Command {
	var scope string
	c := &cobra.Command{Use: "approve ID", Short: "Allow a call that waits", Example: "  caper approve 3.2.1\n  caper approve 3.2.1 --for session", Args: exact(1, "the id of a call"),
		RunE: func(_ *cobra.Command, args []string) error {
			if ofThread(args[0]) {
				if scope != "once" {
					return failf(ExitUsage, "approve it once", "what an agent of a thread asks is not remembered")
				}
				return v.answerThread(args[0], true)
			}
			s, e, err := v.waiting(args)
			if err != nil {
				return err
			}
			parked := question(e)
			if parked == nil || program.Status(e) != "waiting" {
				return notAsked(e)
			}
			a := call.Answer{Yes: true, Scope: scope, By: v.by()}
			switch scope {
			case "once":
			case "session", "project":
				if graph.Field(parked, "remember-"+scope) == nil {
					return failf(ExitUsage, "approve it once", "nothing can be remembered for this %s", scope)
				}
			default:
				return failf(ExitUsage, "", "--for is once, session or project, found %q", scope)
			}
			what := fmt.Sprintf("%s approved, %s: %s", e.ID, reach(scope), view.CallLine(v.Style, s.Calls, e))
			heard := s.Calls.Answer(e.ID, a)
			if !heard {
				if err := s.Approve(v.ctx, e, a, parked); err != nil {
					return err
				}
				a.Scope, a.To = "once", graph.TextField(parked, "digest") // what it remembers is on record
				heard = s.Calls.Answer(e.ID, a)                           // it may have begun to listen meanwhile
			}
			if heard {
				return v.say("%s\n  its program goes on\n", what)
			}
			return v.say("%s\n  caper resume %s continues its program\n", what, v.owner(s, e.ID))
		}}
	c.Flags().StringVar(&scope, "for", "once", "once, session or project")
	return c
}

func (v *verb) denyCommand() *cobra.Command {
	return &cobra.Command{Use: "deny ID", Short: "Refuse a call that waits", Example: "  caper deny 3.2.1", Args: exact(1, "the id of a call"),
		RunE: func(_ *cobra.Command, args []string) error {
			if ofThread(args[0]) {
				return v.answerThread(args[0], false)
			}
			s, e, err := v.waiting(args)
			if err != nil {
				return err
			}
			if question(e) == nil || program.Status(e) != "waiting" {
				return notAsked(e)
			}
			no := call.Answer{By: v.by()}
			heard := s.Calls.Answer(e.ID, no)
			if !heard {
				note := kind.Fact{What: kind.FactDeniedBy, By: no.By, At: s.Calls.Now()}
				if _, err := s.Store.Apply(e.ID.Session, store.Note{ID: e.ID, Fact: note}, store.Unwait{ID: e.ID}); err != nil {
					return err
				}
				heard = s.Calls.Answer(e.ID, no) // it may have begun to listen meanwhile
			}
			if heard {
				return v.say("%s denied; its program goes on\n", e.ID)
			}
			return v.say("%s denied; caper resume %s continues its program\n", e.ID, v.owner(s, e.ID))
		}}
}

// notAsked says that a call does not wait for a yes, and what it waits for.
func notAsked(e store.Entry) error {
	hint := "caper resume continues its program"
	if program.Status(e) == "uncertain" {
		hint = "caper resolve answers what is uncertain"
	}
	return failf(ExitUsage, hint, "%s does not wait for an approval", e.ID)
}

// question is the newest question about a call, nil for none.
func question(e store.Entry) graph.Datum {
	for _, f := range slices.Backward(e.Facts) {
		if f.What == kind.FactParked {
			return f.Value.Datum
		}
	}
	return nil
}

// owner is the program that a call belongs to, at the top, as far as it can be found.
func (v *verb) owner(s *assembly.System, id graph.ID) graph.ID {
	top, _ := s.Program(id) // it only stands in a hint
	return top
}

func (v *verb) say(format string, a ...any) error {
	if v.quiet {
		return nil
	}
	if v.json {
		return v.emit(map[string]any{"type": "note", "text": strings.TrimSpace(fmt.Sprintf(format, a...))})
	}
	_, err := fmt.Fprintf(v.Stdout, format, a...)
	return err
}

func (v *verb) resolveCommand() *cobra.Command {
	var happened, not, retry bool
	var value string
	c := &cobra.Command{Use: "resolve ID", Short: "Say what became of an uncertain call", Example: "  caper resolve 3.2.1 --happened --value '((exit-code . 0))'\n  caper resolve 3.2.1 --did-not\n  caper resolve 3.2.1 --retry",
		Args: exact(1, "the id of a call"),
		RunE: func(_ *cobra.Command, args []string) error {
			s, e, err := v.waiting(args)
			if err != nil {
				return err
			}
			if program.Status(e) != "uncertain" {
				return failf(ExitUsage, "caper approvals lists what waits", "%s is not uncertain", e.ID)
			}
			how := map[string]bool{call.Happened: happened, call.DidNot: not, call.Retry: retry}
			chosen := ""
			for name, on := range how {
				if on && chosen != "" {
					return failf(ExitUsage, "", "say one of --happened, --did-not, --retry")
				} else if on {
					chosen = name
				}
			}
			if chosen == "" || value != "" && !happened {
				return failf(ExitUsage, "caper resolve "+args[0]+" --happened [--value DATUM] | --did-not | --retry", "say one of --happened, --did-not, --retry")
			}
			d, err := resolvedValue(e, value)
			if err != nil {
				return err
			}
			if s.Calls.Answer(e.ID, call.Answer{How: chosen, Value: d, By: v.by()}) {
				return v.say("%s resolved: %s; its program goes on\n", e.ID, chosen)
			}
			if err := s.Resolve(e, chosen, d, v.by()); err != nil {
				return err
			}
			return v.say("%s resolved: %s; caper resume %s continues its program\n", e.ID, chosen, v.owner(s, e.ID))
		}}
	c.Flags().BoolVar(&happened, "happened", false, "its effect took place")
	c.Flags().StringVar(&value, "value", "", "with --happened: what the call answers, as a Scheme datum")
	c.Flags().BoolVar(&not, "did-not", false, "its effect did not take place: the call fails")
	c.Flags().BoolVar(&retry, "retry", false, "run it again")
	return c
}

// resolvedValue is what a call that happened answers: what the person says, else what output is left of it.
func resolvedValue(e store.Entry, text string) (graph.Datum, error) {
	if text == "" {
		for _, f := range e.Facts {
			if f.What == kind.FactUncertain {
				if d := graph.Field(f.Value.Datum, "output"); d != nil {
					return d, nil
				}
			}
		}
		return graph.Void{}, nil
	}
	forms, err := syntax.ReadAll(syntax.NewSource("--value", text))
	if err != nil {
		return nil, failf(ExitUsage, "", "%w", err)
	}
	if len(forms) != 1 {
		return nil, failf(ExitUsage, "", "--value: one datum is wanted, found %d", len(forms))
	}
	d, err := bind.DatumOf(forms[0])
	if err != nil {
		return nil, failf(ExitUsage, "", "--value: %w", err)
	}
	return d, nil
}

func (v *verb) cancelCommand() *cobra.Command {
	return &cobra.Command{Use: "cancel ID", Short: "End a program", Example: "  caper cancel 3.1.0", Args: exact(1, "the id of a program"),
		RunE: func(_ *cobra.Command, args []string) error {
			s, id, err := v.job(args)
			if err != nil {
				return err
			}
			if e, err := s.Store.Entry(id); err == nil && e.Outcome != nil {
				return failf(ExitUsage, "caper show "+id.String()+" says how", "%s has ended already: %s", id, e.Outcome.State)
			}
			running, err := s.Cancel(v.ctx, id, v.by(), v.Environ, v.env)
			var part *assembly.PartError
			if errors.As(err, &part) {
				return failf(ExitUsage, "caper cancel "+part.Program.String()+" ends all of it", "%w", err)
			}
			if err != nil {
				return err
			}
			if running {
				return v.say("%s is being cancelled\n", id)
			}
			return v.say("%s cancelled\n", id)
		}}
}

func (v *verb) forgetCommand() *cobra.Command {
	return &cobra.Command{Use: "forget SESSION", Short: "Delete a session and all that is kept of it", Example: "  caper forget 3", Args: exact(1, "the number of a session"),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := v.system()
			if err != nil {
				return err
			}
			session, err := v.session(s, args)
			if err != nil {
				return err
			}
			if s.Running(session) {
				return failf(ExitUsage, "caper cancel ends it", "session %d is running", session)
			}
			if err := s.Forget(session); err != nil {
				return err
			}
			return v.say("session %d is forgotten\n", session)
		}}
}
