package view

import (
	"errors"
	"time"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/session"
	"caper/runtime/store"
)

// Sessions lists the sessions, oldest first. calls may be nil.
func Sessions(st store.Store, calls *call.Service) (Table, error) {
	t := Table{Columns: []Column{{Name: "session"}, {Name: "began", From: 100}, {Name: "programs", From: 60}, {Name: "state"}, {Name: "posture", From: 60}, {Name: "mode", From: 100}, {Name: "workspace", Wide: true}},
		Empty: "there is no session yet: caper run FILE makes the first one"}
	all, err := st.Sessions()
	if err != nil {
		return t, err
	}
	waits, err := waitingBy(st)
	if err != nil {
		return t, err
	}
	for _, n := range all {
		row, err := sessionRow(reader{store: st, calls: calls}, n, waits)
		if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrNoSession) {
			continue // forgotten meanwhile
		}
		if err != nil {
			return t, err
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

func sessionRow(r reader, n uint64, waits map[graph.ID]int) ([]any, error) {
	st := r.store
	root, err := session.SettingsOf(st, n)
	if err != nil {
		return nil, err
	}
	var began time.Time
	for e, err := range st.Events(n, 1) {
		if err != nil {
			return nil, err
		}
		began = e.At
		break
	}
	// What stands at the top is counted by its places, and only the ends are read: there may be very many turns.
	programs, err := st.Next(n, graph.RootBag)
	if err != nil {
		return nil, err
	}
	state := "empty"
	for ord := programs; ord > 0 && state == "empty"; ord-- {
		e, err := st.Entry(graph.ID{Session: n, Bag: graph.RootBag, Ord: ord - 1})
		if err != nil {
			return nil, err
		}
		if !e.Node.Kind().Leaf() {
			state = r.programState(e, waits)
		}
	}
	for ord := range min(programs, 2) { // an agent and its genesis come first
		if node, err := st.Node(graph.ID{Session: n, Bag: graph.RootBag, Ord: ord}); err == nil && node.Kind().Leaf() {
			programs--
		}
	}
	posture := root.StandingPolicy
	if posture == "" {
		posture = kind.Manual
	}
	mode := root.Mode
	if mode == "" {
		mode = kind.Act
	}
	return []any{n, began, programs, state, posture, mode, root.Path}, nil
}

// waitingBy counts the calls that wait for a person by the program at the top that they belong to.
func waitingBy(st store.Store) (map[graph.ID]int, error) {
	out := map[graph.ID]int{}
	for id, err := range st.Waiting() {
		if err != nil {
			return nil, err
		}
		out[top(st, id)]++
	}
	return out, nil
}

// top is the program at the top that a call belongs to.
func top(st store.Store, id graph.ID) graph.ID {
	for depth := 0; id.Bag != graph.RootBag && depth < 10*maxDepth; depth++ {
		up, err := st.Owner(id.Session, id.Bag)
		if err != nil {
			return id
		}
		id = up
	}
	return id
}

// programState is the state of a program at the top: open ones wait when a call of theirs does.
func (r reader) programState(e store.Entry, waits map[graph.ID]int) string {
	switch {
	case e.Outcome != nil:
		return string(e.Outcome.State)
	case r.runs(e.ID) && waits[e.ID] == 0:
		return running
	}
	if state := r.stopped(e); state == left || waits[e.ID] == 0 {
		return state
	}
	return waiting
}

// shownJobs is how many programs that ended are listed without --all.
const shownJobs = 20

// Jobs lists the programs at the top of all sessions, the newest last: those that have not ended and the last ones that
// have, or all. calls may be nil.
func Jobs(st store.Store, calls *call.Service, all bool) (Table, error) {
	t := Table{Columns: []Column{{Name: "job"}, {Name: "state"}, {Name: "began", From: 70}, {Name: "took", From: 60}, {Name: "waiting", From: 100}, {Name: "program", Wide: true}, {Name: "workspace", Wide: true, From: 100}},
		Empty: "no program has run yet: caper run FILE runs one"}
	sessions, err := st.Sessions()
	if err != nil {
		return t, err
	}
	waits, err := waitingBy(st)
	if err != nil {
		return t, err
	}
	r := reader{store: st, calls: calls}
	ended := 0
	for i := len(sessions) - 1; i >= 0; i-- { // the newest first, then turned round
		open, err := openTops(st, sessions[i])
		if errors.Is(err, store.ErrNoSession) {
			continue
		}
		if err != nil {
			return t, err
		}
		next, err := st.Next(sessions[i], graph.RootBag)
		if err != nil {
			return t, err
		}
		for ord := next; ord > 0; ord-- { // of those that ended only the newest are read
			id := graph.ID{Session: sessions[i], Bag: graph.RootBag, Ord: ord - 1}
			if !all && ended >= shownJobs && !open[id] {
				if len(open) == 0 {
					break
				}
				continue
			}
			delete(open, id)
			e, err := st.Entry(id)
			if errors.Is(err, store.ErrNotFound) {
				continue
			}
			if err != nil {
				return t, err
			}
			row, err := r.jobRow(e, waits)
			if err != nil {
				return t, err
			}
			if row == nil || row[1] == left && !all {
				continue
			}
			if state := row[1]; state != running && state != interrupted && state != waiting {
				ended++
			}
			t.Rows = append(t.Rows, row)
		}
	}
	for i, k := 0, len(t.Rows)-1; i < k; i, k = i+1, k-1 {
		t.Rows[i], t.Rows[k] = t.Rows[k], t.Rows[i]
	}
	return t, nil
}

// openTops are the jobs at the top of a session that have not ended.
func openTops(st store.Store, n uint64) (map[graph.ID]bool, error) {
	open := map[graph.ID]bool{}
	for id, err := range st.OpenFrom(n, graph.RootBag, 0) {
		if err != nil {
			return nil, err
		}
		open[id] = true
	}
	return open, nil
}

// jobRow is the row of a program or of a turn; nil for what is neither.
func (r reader) jobRow(e store.Entry, waits map[graph.ID]int) ([]any, error) {
	var began time.Time
	var name, workspace string
	switch n := e.Node.(type) {
	case *kind.ProgrammaticJob:
		began, name, workspace = n.StartedAt, n.Name, n.Workspace
	case *kind.SessionTurn:
		root, err := session.SettingsOf(r.store, e.ID.Session)
		if err != nil {
			return nil, err
		}
		began, name, workspace = time.UnixMicro(n.StartedAt), "turn: "+keep(r.prompt(e.ID.Session, n.Bag)), root.Path
	default:
		return nil, nil
	}
	var took time.Duration
	var err error
	n := uint64(0)
	if e.Outcome != nil {
		took = e.Outcome.Duration
	} else {
		n = uint64(waits[e.ID])
		took, err = r.soFar(r.store, e.ID, began)
	}
	return []any{e.ID.String(), r.programState(e, waits), began, took, n, name, workspace}, err
}

// Approvals lists the calls that wait for a person. calls may be nil.
func Approvals(st store.Store, calls *call.Service) (Table, error) {
	t := Table{Columns: []Column{{Name: "call"}, {Name: "what"}, {Name: "tool"}, {Name: "arguments", Wide: true}, {Name: "why", Wide: true, From: 60}, {Name: "since", From: 100}, {Name: "program", From: 100}, {Name: "workspace", Wide: true, From: 120}},
		Empty: "nothing waits for a person"}
	r := reader{store: st, calls: calls}
	for id, err := range st.Waiting() {
		if err != nil {
			return t, err
		}
		e, err := st.Entry(id)
		if err != nil {
			if errors.Is(err, store.ErrNotFound) {
				continue
			}
			return t, err
		}
		if away, err := session.Dormant(st, id); err != nil || away {
			continue // on a branch that the head has left
		}
		j := r.job(e)
		if j == nil {
			continue
		}
		what := "approve"
		if j.State == uncertain {
			what = "resolve"
		}
		why, since := waitsFor(e)
		program := top(st, id)
		workspace := ""
		if n, err := st.Node(program); err == nil {
			if p, ok := n.(*kind.ProgrammaticJob); ok {
				workspace = p.Workspace
			}
		}
		t.Rows = append(t.Rows, []any{j.ID, what, j.Name, argumentText(j), why, since, program.String(), workspace})
	}
	return t, nil
}

// argumentText is a call's arguments on one line.
func argumentText(j *Job) string {
	var parts []string
	for _, a := range ranked(j.tool, j.given) {
		text := datumText(a)
		if a.keyword != "" && a.rank != 0 {
			text = "#:" + a.keyword + " " + text
		}
		parts = append(parts, text)
	}
	return join(" ", parts...)
}

// waitsFor says why a call waits, and since when.
func waitsFor(e store.Entry) (why string, since time.Time) {
	for _, f := range e.Facts {
		switch f.What {
		case kind.FactParked, kind.FactUncertain:
			if reason := graph.TextField(f.Value.Datum, "reason"); reason != "" {
				why = reason
			}
			since = f.At
		}
	}
	return why, since
}
