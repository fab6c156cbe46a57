package program_test

import (
	"sync"
	"testing"

	"caper/runtime/graph"
	"caper/runtime/license"
)

// Two programs begin in one session at once, as two runs or inputs of two terminals do: each has a place of its own, and runs
// for all to see.
func TestTwoProgramsBeginAtOnce(t *testing.T) {
	h := newHouse(t)
	spec := h.spec("1", license.Yolo, nil)
	n, err := h.system.Calls.NewSession(&spec.Context)
	if err != nil {
		t.Fatal(err)
	}
	spec.Context.Session = n
	for range 300 {
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				r := h.run(t.Context(), spec, func(id graph.ID) {
					if !h.system.Calls.Running(id) {
						t.Errorf("%s began and does not run", id)
					}
				})
				if r.err != nil {
					t.Error(r.err)
				}
			})
		}
		both.Wait()
	}
}
