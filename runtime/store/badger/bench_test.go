package badger

import (
	"sync/atomic"
	"testing"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
	"caper/runtime/store/mem"
)

// benchCalls is one no-op call after another: minted and started, then settled, each durable.
func benchCalls(b *testing.B, s store.Store, ride bool) {
	n, err := s.NewSession(&kind.SessionRoot{SessionID: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for ord := range uint64(b.N) {
		oneCall(b, s, n, 1, ord, ride)
	}
	if err := s.Flush(n); err != nil {
		b.Fatal(err)
	}
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
}

func oneCall(b *testing.B, s store.Store, session, bag, ord uint64, ride bool) {
	id := graph.ID{Session: session, Bag: bag, Ord: ord}
	mint := store.Mint{ID: id, Open: true, Node: &kind.SystemToolJob{ToolCallJob: kind.ToolCallJob{
		Tool: "read-file", Version: "1", Place: kind.Place{Fiber: "0", Ordinal: ord}, Digest: make([]byte, 32),
		Args:     kind.Of(graph.List{"README.md", graph.Keyword("limit"), int64(10)}),
		Decision: kind.Decision{Verdict: "allow", Rule: "read allowlist"}, Effect: kind.EffectRead,
	}}}
	if _, err := s.Apply(session, mint); err != nil {
		b.Fatal(err)
	}
	settle := store.Settle{ID: id, Outcome: kind.Outcome{State: kind.Settled, Value: kind.Of("forty bytes of text are what a tool gives"), Duration: 1000}}
	var err error
	if ride {
		_, err = s.Ride(session, settle)
	} else {
		_, err = s.Apply(session, settle)
	}
	if err != nil {
		b.Fatal(err)
	}
}

func BenchmarkCalls(b *testing.B) {
	for _, how := range []struct {
		name string
		d    Durability
		ride bool
	}{{"fast", Fast, false}, {"fast-ride", Fast, true}, {"sync", Sync, false}, {"sync-ride", Sync, true}} {
		b.Run(how.name, func(b *testing.B) {
			s := open(b, b.TempDir(), Options{Durability: how.d})
			defer s.Close()
			benchCalls(b, s, how.ride)
		})
	}
	b.Run("mem", func(b *testing.B) {
		s, err := mem.Open(store.Options{})
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		benchCalls(b, s, false)
	})
}

// BenchmarkCalls64 has 64 callers: what one commit costs, many share.
func BenchmarkCalls64(b *testing.B) {
	for _, how := range []struct {
		name string
		d    Durability
	}{{"fast", Fast}, {"sync", Sync}} {
		b.Run(how.name, func(b *testing.B) {
			s := open(b, b.TempDir(), Options{Durability: how.d})
			defer s.Close()
			n, err := s.NewSession(&kind.SessionRoot{SessionID: "bench"})
			if err != nil {
				b.Fatal(err)
			}
			var bag atomic.Uint64
			b.SetParallelism(32) // on two processors
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				mine := bag.Add(1) + 1
				for ord := uint64(0); pb.Next(); ord++ {
					oneCall(b, s, n, mine, ord, false)
				}
			})
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
		})
	}
}

func BenchmarkScan(b *testing.B) {
	s := open(b, b.TempDir(), Options{Durability: Fast})
	defer s.Close()
	n, err := s.NewSession(&kind.SessionRoot{SessionID: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	for ord := range uint64(10_000) {
		oneCall(b, s, n, 1, ord, true)
	}
	b.ResetTimer()
	for range b.N {
		for _, err := range s.Children(n, 1, 0) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N)*10_000/b.Elapsed().Seconds(), "nodes/s")
}
