package view

import (
	"testing"
	"time"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
	"caper/runtime/store/mem"
	"caper/runtime/tool"
)

// world is a store in memory with a clock that only the test moves.
type world struct {
	t     testing.TB
	st    *store.Ledger
	calls *call.Service
	clock time.Time
	ords  map[graph.ID]uint64 // the next child of a program
	stop  func()              // ends the process that runs the newest program
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{t: t, clock: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), ords: map[graph.ID]uint64{}}
	st, err := mem.Open(store.Options{Now: w.now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	set, err := tool.NewSet(tool.All()...)
	if err != nil {
		t.Fatal(err)
	}
	w.st, w.calls = st, &call.Service{Store: st, Tools: set, Now: w.now}
	return w
}

func (w *world) now() time.Time { return w.clock }

func (w *world) apply(session uint64, changes ...store.Change) {
	w.t.Helper()
	if _, err := w.st.Apply(session, changes...); err != nil {
		w.t.Fatal(err)
	}
}

// program makes a session with a program that runs.
func (w *world) program(name string) graph.ID {
	w.t.Helper()
	s, err := w.st.NewSession(&kind.SessionRoot{Path: "/home/u/ws", StandingPolicy: "manual"})
	if err != nil {
		w.t.Fatal(err)
	}
	id := graph.ID{Session: s, Bag: graph.RootBag}
	stop, _ := w.calls.Track(id, func(error) {})
	w.stop = stop
	return w.mint(id, &kind.ProgrammaticJob{Name: name, Workspace: "/home/u/ws", StartedAt: w.clock})
}

func (w *world) mint(id graph.ID, p *kind.ProgrammaticJob) graph.ID {
	w.t.Helper()
	bag, err := w.st.NewBag(id.Session)
	if err != nil {
		w.t.Fatal(err)
	}
	p.Bag = bag
	w.apply(id.Session, store.Mint{ID: id, Node: p, Open: true})
	return id
}

// next is the address of the next child of a program.
func (w *world) next(parent graph.ID) graph.ID {
	w.t.Helper()
	n, err := w.st.Node(parent)
	if err != nil {
		w.t.Fatal(err)
	}
	ord := w.ords[parent]
	w.ords[parent]++
	return graph.ID{Session: parent.Session, Bag: n.(*kind.ProgrammaticJob).Bag, Ord: ord}
}

func (w *world) nested(parent graph.ID, fiber, name, source string) graph.ID {
	w.t.Helper()
	return w.mint(w.next(parent), &kind.ProgrammaticJob{Name: name, Source: source, StartedAt: w.clock, Parent: kind.Place{Fiber: fiber}})
}

func (w *world) node(fiber, name string, args graph.List, verdict string) *kind.SystemToolJob {
	return &kind.SystemToolJob{ToolCallJob: kind.ToolCallJob{Tool: name, Place: kind.Place{Fiber: fiber}, Args: kind.Of(args),
		Decision: kind.Decision{Verdict: verdict, Rule: "posture"}, MintedAt: w.clock.UnixMicro()}}
}

// call makes a call; an outcome without a state leaves it running.
func (w *world) call(parent graph.ID, fiber, name string, args graph.List, o kind.Outcome) graph.ID {
	w.t.Helper()
	id := w.next(parent)
	changes := []store.Change{store.Mint{ID: id, Node: w.node(fiber, name, args, "allow"), Open: true}}
	if o.State != "" {
		changes = append(changes, store.Settle{ID: id, Outcome: o})
	}
	w.apply(id.Session, changes...)
	return id
}

func (w *world) settle(id graph.ID, o kind.Outcome) {
	w.t.Helper()
	w.apply(id.Session, store.Settle{ID: id, Outcome: o})
}

// ask makes a call that waits for a yes.
func (w *world) ask(parent graph.ID, fiber, name string, args graph.List) graph.ID {
	w.t.Helper()
	id := w.next(parent)
	w.apply(id.Session, store.Mint{ID: id, Node: w.node(fiber, name, args, "ask")}, store.Wait{ID: id},
		store.Note{ID: id, Fact: kind.Fact{What: kind.FactParked, By: "policy", At: w.clock, Value: kind.Of(graph.List{pairOf("rule", "manual"), pairOf("origin", "session"),
			pairOf("reason", "no rule speaks about it"), pairOf("remember-session", graph.List{"write-file(notes/summary.md)"}), pairOf("remember-project", graph.List{"write-file(notes/**)", ""})})}})
	return id
}

func (w *world) uncertain(parent graph.ID, fiber, name string, args graph.List) graph.ID {
	w.t.Helper()
	id := w.call(parent, fiber, name, args, kind.Outcome{})
	w.apply(id.Session, store.Wait{ID: id}, store.Note{ID: id, Fact: kind.Fact{What: kind.FactUncertain, By: "recovery", At: w.clock,
		Value: kind.Of(graph.List{pairOf("reason", "the command had begun and did not end by itself"), pairOf("output", graph.List{pairOf("stdout", "Counting objects\n")})})}})
	return id
}

func pairOf(name string, d graph.Datum) graph.Datum {
	return &graph.Dotted{Items: []graph.Datum{graph.Symbol(name)}, Tail: d}
}

// ok is a call that went well, with pairs of a receipt.
func ok(took time.Duration, receipt ...any) kind.Outcome {
	o := kind.Outcome{State: kind.Settled, Duration: took, By: "tool", Value: kind.Of(graph.Void{})}
	var l graph.List
	for i := 0; i+1 < len(receipt); i += 2 {
		l = append(l, pairOf(receipt[i].(string), int64(receipt[i+1].(int))))
	}
	if l != nil {
		o.Receipt = kind.Of(l)
	}
	return o
}

func failed(code, message string) kind.Outcome {
	return kind.Outcome{State: kind.Failed, By: "tool", Error: &kind.Error{Code: code, Message: message}}
}

func denied(rule, origin, reason string) kind.Outcome {
	return kind.Outcome{State: kind.Denied, By: "policy", Error: &kind.Error{Code: "denied", Message: "it was denied: " + reason,
		Data: kind.Of(graph.List{pairOf("rule", rule), pairOf("origin", origin), pairOf("step", "protections"), pairOf("reason", reason), pairOf("by", "policy")})}}
}
