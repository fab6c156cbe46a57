package command

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"caper/runtime/assembly"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/program"
	"caper/runtime/session"
	"caper/runtime/store"
	"caper/runtime/view"

	"github.com/spf13/cobra"
)

func (v *verb) sessionsCommand() *cobra.Command {
	return &cobra.Command{Use: "sessions", Short: "List the sessions", Args: exact(0, "nothing"), RunE: func(*cobra.Command, []string) error {
		s, err := v.system()
		if err != nil {
			return err
		}
		rows, err := view.Sessions(s.Store, s.Calls)
		if err != nil {
			return err
		}
		return v.table("session", rows)
	}}
}

func (v *verb) jobsCommand() *cobra.Command {
	var all bool
	c := &cobra.Command{Use: "jobs", Short: "List the programs and where they stand", Args: exact(0, "nothing"), RunE: func(*cobra.Command, []string) error {
		s, err := v.system()
		if err != nil {
			return err
		}
		rows, err := view.Jobs(s.Store, s.Calls, all)
		if err != nil {
			return err
		}
		return v.table("job", rows)
	}}
	c.Flags().BoolVar(&all, "all", false, "also those that ended long ago, and turns that the head of their session has left")
	return c
}

// table prints rows as a table, or as JSON objects.
func (v *verb) table(kind string, t view.Table) error {
	if v.json {
		for _, row := range t.Objects() {
			if err := v.emitAs(kind, row); err != nil {
				return err
			}
		}
		return nil
	}
	_, err := fmt.Fprint(v.Stdout, t.Text(v.Style))
	return err
}

func (v *verb) treeCommand() *cobra.Command {
	return &cobra.Command{Use: "tree [ID]", Short: "Draw a program and its calls", Example: "  caper tree\n  caper tree 3.1.0", Args: atMost(1, "one id"),
		RunE: func(_ *cobra.Command, args []string) error {
			s, id, err := v.job(args)
			if err != nil {
				return err
			}
			tree, err := view.Tree(s.Store, s.Calls, id)
			if err != nil {
				return err
			}
			if v.json {
				return v.emitAs("job", tree)
			}
			_, err = fmt.Fprint(v.Stdout, tree.Draw(v.Style))
			return err
		}}
}

func (v *verb) showCommand() *cobra.Command {
	var stdout, stderr bool
	c := &cobra.Command{Use: "show ID", Short: "Show all that is known of a job", Example: "  caper show 3.2.1\n  caper show 3.2.1 --stdout", Args: exact(1, "the id of a job"),
		RunE: func(_ *cobra.Command, args []string) error {
			s, id, err := v.job(args)
			if err != nil {
				return err
			}
			e, err := s.Store.Entry(id)
			switch {
			case err != nil:
				return err
			case stdout:
				return v.stream(s, e, "stdout")
			case stderr:
				return v.stream(s, e, "stderr")
			}
			return v.show(s, e)
		}}
	c.Flags().BoolVar(&stdout, "stdout", false, "print what a command wrote, whole and nothing else")
	c.Flags().BoolVar(&stderr, "stderr", false, "the same of its standard error")
	return c
}

// stream prints what a command wrote: the blob where the value of its call has only a part.
func (v *verb) stream(s *assembly.System, e store.Entry, name string) error {
	if e.Outcome == nil {
		return fmt.Errorf("%s has not ended", e.ID)
	}
	of := e.Outcome.Value
	if e.Outcome.Error != nil {
		of = e.Outcome.Error.Data
	}
	value, err := s.Calls.Fetch(of)
	if err != nil {
		return err
	}
	if hash := graph.TextField(value, name+"-blob"); hash != "" {
		whole, err := s.Calls.Blobs.Get(hash)
		if err != nil {
			return err
		}
		_, err = v.Stdout.Write(whole)
		return err
	}
	text, ok := graph.Field(value, name).(string)
	if !ok {
		return fmt.Errorf("%s is no command that wrote to %s", e.ID, name)
	}
	_, err = io.WriteString(v.Stdout, text)
	return err
}

// show prints all that is known of a job; of a call that waits for a yes what would be asked comes first.
func (v *verb) show(s *assembly.System, e store.Entry) error {
	d, err := view.Show(s.Calls, e)
	if err != nil {
		return err
	}
	if v.json {
		return v.emitAs("job", d)
	}
	if program.Status(e) == "waiting" {
		if q, err := v.describer(s)(e); err == nil { // else what is on record serves
			fmt.Fprint(v.Stdout, view.Asked(v.Style, q))
		}
	}
	_, err = fmt.Fprint(v.Stdout, d.Text(v.Style))
	return err
}

func (v *verb) logCommand() *cobra.Command {
	var follow bool
	var from uint64
	c := &cobra.Command{Use: "log [SESSION]", Short: "Print a session's events", Example: "  caper log\n  caper log 3 --follow", Args: atMost(1, "one session"),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := v.system()
			if err != nil {
				return err
			}
			session, err := v.session(s, args)
			if err != nil {
				return err
			}
			token, stop := s.Store.Watch(session)
			defer stop()
			for {
				for e, err := range s.Store.Events(session, from) {
					if err != nil {
						return err
					}
					from = e.Seq + 1
					if v.json {
						err = v.emit(view.EventObject(e, view.EventJob(s.Store, s.Calls, e)))
					} else {
						_, err = fmt.Fprintln(v.Stdout, view.EventLine(v.Style, e, view.EventJob(s.Store, s.Calls, e)))
					}
					if err != nil {
						return err
					}
				}
				if !follow {
					return nil
				}
				select {
				case <-token:
				case <-v.ctx.Done():
					return nil
				}
			}
		}}
	c.Flags().BoolVar(&follow, "follow", false, "go on as events come, until interrupted")
	c.Flags().Uint64Var(&from, "from", 1, "the first event to print")
	return c
}

// session reads an optional session: its number, the id of its root, or the newest.
func (v *verb) session(s *assembly.System, args []string) (uint64, error) {
	all, err := s.Store.Sessions()
	if err != nil {
		return 0, err
	}
	if len(args) == 0 {
		if len(all) == 0 {
			return 0, failf(ExitUsage, "caper run FILE makes the first one", "there is no session yet")
		}
		return all[len(all)-1], nil
	}
	n, err := strconv.ParseUint(args[0], 10, 64)
	if err != nil {
		id, err := graph.ParseID(args[0])
		if err != nil {
			return 0, failf(ExitUsage, "caper sessions lists them", "a session's number is wanted, found %q", args[0])
		}
		if n = id.Session; id != graph.RootID(n) {
			return 0, failf(ExitUsage, fmt.Sprintf("%d is the session that it belongs to", n), "a session's number is wanted, found %s", id)
		}
	}
	if !slices.Contains(all, n) {
		hint := "caper sessions lists them"
		if len(all) > 0 {
			hint = fmt.Sprintf("the newest is %d; %s", all[len(all)-1], hint)
		}
		return 0, failf(ExitUsage, hint, "there is no session %d", n)
	}
	return n, nil
}

// job reads an optional job: its id, a session's number, or the newest program.
func (v *verb) job(args []string) (*assembly.System, graph.ID, error) {
	s, err := v.system()
	if err != nil {
		return nil, graph.ID{}, err
	}
	if len(args) == 1 {
		if id, err := graph.ParseID(args[0]); err == nil {
			if _, err := s.Store.Node(id); err != nil && !absent(err) {
				return nil, id, err
			} else if err != nil {
				return nil, id, failf(ExitUsage, v.lastBefore(s, id, "caper jobs lists the programs, caper tree ID their calls"), "there is no job %s", id)
			}
			return s, id, nil
		}
	}
	session, err := v.session(s, args)
	if err != nil {
		return nil, graph.ID{}, err
	}
	last, err := v.last(s, session, graph.RootBag)
	if err != nil {
		return nil, last, err
	}
	if last == (graph.ID{}) {
		return nil, last, failf(ExitUsage, "", "session %d has no program", session)
	}
	return s, last, nil
}

// last is the last job of a bag, the zero id where there is none.
func (v *verb) last(s *assembly.System, session, bag uint64) (graph.ID, error) {
	next, err := s.Store.Next(session, bag)
	if err != nil || next == 0 {
		return graph.ID{}, err
	}
	return graph.ID{Session: session, Bag: bag, Ord: next - 1}, nil
}

// lastBefore is what to do about the id of a job that there is none of: where its program has others it names the last.
func (v *verb) lastBefore(s *assembly.System, id graph.ID, hint string) string {
	last, err := v.last(s, id.Session, id.Bag)
	if err != nil || last == (graph.ID{}) {
		return hint
	}
	return fmt.Sprintf("the last one there is %s; %s", last, hint)
}

// unfinished reads the job to resume: its id, or the newest program that has not ended.
func (v *verb) unfinished(s *assembly.System, args []string) (graph.ID, error) {
	if len(args) == 1 {
		_, id, err := v.job(args)
		if err != nil {
			return id, err
		}
		return s.Program(id) // a call or a nested program goes on with the program around it
	}
	all, err := s.Store.Sessions()
	if err != nil {
		return graph.ID{}, err
	}
	for i := len(all) - 1; i >= 0; i-- {
		found := graph.ID{}
		looked := map[graph.ID]bool{}
		for _, ids := range []iter.Seq2[graph.ID, error]{s.Store.Open(all[i]), s.Store.Waiting()} {
			for id, err := range ids {
				if errors.Is(err, store.ErrNoSession) {
					break
				}
				if err != nil {
					return found, err
				}
				if id.Session != all[i] {
					continue
				}
				top, err := s.Program(id)
				if err != nil {
					return found, err
				}
				if looked[top] || top.Ord < found.Ord {
					continue
				}
				looked[top] = true
				e, err := s.Store.Entry(top)
				if err != nil {
					return found, err
				}
				open, err := open(s, e)
				if err != nil {
					return found, err
				}
				if open {
					found = e.ID
				}
			}
		}
		if found != (graph.ID{}) {
			return found, nil
		}
	}
	return graph.ID{}, failf(ExitUsage, "caper jobs lists what ended", "no program waits to be resumed")
}

// open reports whether a job at the top of a session can be gone on with: it has not ended, or what it sent to the
// background has not, and the head of its session leads to it.
func open(s *assembly.System, e store.Entry) (bool, error) {
	if e.Node.Kind().Leaf() || s.Calls.Running(e.ID) {
		return false, nil
	}
	if _, ok := e.Node.(*kind.ProgrammaticJob); ok && e.Outcome != nil {
		return program.Unfinished(s.Calls, e.ID)
	}
	if e.Outcome != nil { // a turn that left calls in the background
		left, err := s.Agents.Left(e.ID)
		if err != nil || !left {
			return false, err
		}
	}
	away, err := session.Dormant(s.Store, e.ID)
	return !away, err
}
