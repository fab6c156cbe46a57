// Package storetest is the contract of a store as tests: every backend runs it. It never ships in the binary; only tests
// import it.
package storetest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
)

// Place is where a store lies: it can be opened, closed and opened again.
type Place interface {
	Open(t *testing.T, o store.Options) store.Store
}

// Run drives the whole contract. fresh answers an empty place for each test.
func Run(t *testing.T, fresh func(t *testing.T) Place) {
	for _, c := range contract {
		t.Run(c.name, func(t *testing.T) { c.run(t, fresh(t)) })
	}
}

var contract = []struct {
	name string
	run  func(*testing.T, Place)
}{
	{"a call from mint to outcome", callLife},
	{"a refused request leaves no trace", refusals},
	{"one of many settles wins", oneSettleWins},
	{"events are gapless and chained", gaplessChain},
	{"links of the chain", links},
	{"settles are ordered as events", settleOrder},
	{"a store opened again shows everything", reopen},
	{"a settle that rides", riding},
	{"the timer ends a ride", rideTimer},
	{"the queue of those who wait", waiting},
	{"open calls of a bag", openCalls},
	{"bags and their owners", bags},
	{"children from an ordinal on", children},
	{"kinds of a newer version survive", unknownKinds},
	{"large values", largeValues},
	{"a request beyond one transaction", largeBatch},
	{"watching", watching},
	{"forgetting a session", forgetting},
	{"closed", closed},
	{"a program that iterates may write", writeWhileReading},
}

// Clock is a clock that moves one millisecond a reading.
func Clock() func() time.Time {
	var mu sync.Mutex
	at := time.UnixMilli(1_700_000_000_000)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at = at.Add(time.Millisecond)
		return at
	}
}

func opened(t *testing.T, p Place) store.Store {
	t.Helper()
	return p.Open(t, store.Options{Now: Clock()})
}

func closing(t *testing.T, s store.Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatalf("close: %v", err)
	}
}

func newSession(t *testing.T, s store.Store) uint64 {
	t.Helper()
	id, err := s.NewSession(&kind.SessionRoot{SessionID: "01J0", Path: "/w", Mode: kind.Act})
	if err != nil {
		t.Fatalf("new session: %v", err)
	}
	return id
}

func apply(t *testing.T, s store.Store, session uint64, c ...store.Change) store.Receipt {
	t.Helper()
	r, err := s.Apply(session, c...)
	if err != nil {
		t.Fatalf("apply: %v", err)
	}
	return r
}

func call(tool string, ord uint64) *kind.SystemToolJob {
	return &kind.SystemToolJob{ToolCallJob: kind.ToolCallJob{
		Tool: tool, Version: "1", Place: kind.Place{Ordinal: ord},
		Args: kind.Of(graph.List{graph.Symbol("x"), int64(ord)}), Effect: kind.EffectRead,
	}}
}

func value(d graph.Datum) kind.Outcome { return kind.Outcome{State: kind.Settled, Value: kind.Of(d)} }

func at(session, bag, ord uint64) graph.ID { return graph.ID{Session: session, Bag: bag, Ord: ord} }

func events(t *testing.T, s store.Store, session, from uint64) (out []store.Event) {
	t.Helper()
	for e, err := range s.Events(session, from) {
		if err != nil {
			t.Fatalf("events: %v", err)
		}
		out = append(out, e)
	}
	return out
}

func told(t *testing.T, s store.Store, session, from uint64) string {
	t.Helper()
	var b strings.Builder
	for _, e := range events(t, s, session, from) {
		fmt.Fprintf(&b, "%d %s %s", e.Seq, e.What, e.ID)
		if e.Detail != "" {
			fmt.Fprintf(&b, " %s", e.Detail)
		}
		b.WriteString("; ")
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func ids(t *testing.T, seq func(func(graph.ID, error) bool)) string {
	t.Helper()
	var out []string
	seq(func(id graph.ID, err error) bool {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, id.String())
		return true
	})
	return strings.Join(out, " ")
}

func want[T comparable](t *testing.T, what string, got, expected T) {
	t.Helper()
	if got != expected {
		t.Errorf("%s:\n got %v\nwant %v", what, got, expected)
	}
}

func wantErr(t *testing.T, what string, got, expected error) {
	t.Helper()
	if !errors.Is(got, expected) {
		t.Errorf("%s: got error %v, want %v", what, got, expected)
	}
}
