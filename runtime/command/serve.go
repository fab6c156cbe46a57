package command

import (
	"context"
	"errors"
	"fmt"

	"caper/runtime/assembly"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/owner"
	"caper/runtime/program"
	"caper/runtime/view"

	"github.com/spf13/cobra"
)

func (v *verb) serveCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "serve",
		Short: "Own the store and take up what was left open, until it is interrupted",
		Long: `Own the store and take up what was left open: programs and turns that were interrupted, and those that wait, as soon as
a person has answered. What would ask waits in the queue; caper approvals lists it, from any terminal. Ctrl-C parks what runs.`,
		Example: "  caper serve",
		Args:    exact(0, "nothing"),
		RunE:    func(*cobra.Command, []string) error { return v.serve() },
	}
}

func (v *verb) serve() error {
	s, err := v.system()
	if err != nil {
		return err
	}
	engine, err := newEngine()
	if err != nil {
		return err
	}
	runner := &program.Runner{Engine: engine, Open: func() (*call.Service, error) { return s.Calls, nil }}
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(v.ctx))
	defer cancel(nil)
	stop := context.AfterFunc(v.ctx, func() { // an owner that is told to stop leaves its work to the next one
		if errors.Is(context.Cause(v.ctx), owner.ErrHandover) {
			cancel(call.ErrHandover)
		} else {
			cancel(call.ErrParking)
		}
	})
	defer stop()
	queued := func(c call.Context) call.Context {
		c.Answerability, c.Terminal = license.Queue, nil
		return c
	}
	o := s.Orchestrator(assembly.Attendant{
		Context: func(_ uint64, workspace string) (call.Context, error) {
			c, err := v.context(workspace)
			return queued(c), err
		},
		Program: func(ctx context.Context, id graph.ID) error {
			_, err := runner.Resume(ctx, id, func(job *kind.ProgrammaticJob) (program.Spec, error) {
				spec, err := v.specOf(job)
				spec.Context, spec.Input = queued(spec.Context), nil
				return spec, err
			}, silent{})
			return err
		},
		Failed: func(id graph.ID, err error) {
			fmt.Fprint(v.Stderr, view.Error(v.Style, fmt.Errorf("%s: %w", id, err)))
		},
	})
	select {
	case s.Serving <- struct{}{}:
	default:
		if err := v.say("another caper serves %s; this one does when that one ends\n", s.Home.Store()); err != nil {
			return err
		}
		select {
		case s.Serving <- struct{}{}:
		case <-v.ctx.Done():
			return nil
		}
	}
	defer func() { <-s.Serving }()
	where := ""
	if v.guest {
		where = ", in another caper that has it open"
	}
	if err := v.say("serving %s%s\n", s.Home.Store(), where); err != nil {
		return err
	}
	if err := o.AttendAll(ctx, nil); err != nil && !call.Parking(ctx) {
		return err
	}
	return nil
}

// silent takes what programs print: it is on record.
type silent struct{}

func (silent) Write(b []byte) (int, error) { return len(b), nil }
