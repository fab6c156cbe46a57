package vm_test

import (
	"runtime"
	"testing"

	"caper/interp/heap"
	"caper/interp/vm"
)

// waiting is a program that waits for the host inside twenty frames with a list of a hundred cells in hand.
const waiting = `
(define table (vector 1 2 3))
(define (upto n) (if (= n 0) '() (cons n (upto (- n 1)))))
(define (sum l) (if (null? l) 0 (+ (car l) (sum (cdr l)))))
(define l (upto 100))
(define (deep n) (if (= n 0) (%host 'ask 'how "many" n) (+ 1 (deep (- n 1)))))
(let ((answer (deep 20))) (+ answer (sum l) (vector-ref table 1)))`

func TestPark(t *testing.T) {
	units := program(t, waiting)
	const n = 500
	var machines []*vm.Machine
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range n {
		m := machine(t, 0, units)
		s := m.Run(plenty)
		if s.Kind != vm.Suspended || len(s.Calls) != 1 || s.Calls[0].Name != "ask" || m.Describe(s.Calls[0].Args) != `(how "many" 0)` {
			t.Fatal(show(m, s), s.Calls)
		}
		if err := m.Park(); err != nil {
			t.Fatal(err)
		}
		machines = append(machines, m)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := (after.HeapAlloc - before.HeapAlloc) / n; each > 20<<10 {
		t.Errorf("a parked machine takes %d bytes", each)
	} else {
		t.Logf("a parked machine takes %d bytes", each)
	}
	if err := machines[0].Resume(1, 0); err != vm.ErrParked {
		t.Error(err)
	}
	for i, m := range machines {
		if err := m.Unpark(); err != nil {
			t.Fatal(err)
		}
		if err := m.Resume(1, heap.Fixnum(int64(i))); err != nil {
			t.Fatal(err)
		}
		if s := m.Run(plenty); s.Kind != vm.Done || s.Value != heap.Fixnum(int64(i)+20+5050+2) {
			t.Fatal(show(m, s))
		}
		m.Close()
	}
}

// TestParkingIsFree holds that a program does not pay for the collections of parking, which would be 900 each here; those
// of its own come at other times, with a little more or less to do.
func TestParkingIsFree(t *testing.T) {
	units := program(t, `(define l (vector->list (make-vector 20000 1))) (%host 'ask) (%host 'ask) (length l)`)
	spent := func(park bool) int64 {
		m := machine(t, 0, units)
		for m.Run(plenty).Kind == vm.Suspended {
			for _, c := range m.Pending() {
				if park {
					if err := m.Park(); err != nil {
						t.Fatal(err)
					}
					if err := m.Unpark(); err != nil {
						t.Fatal(err)
					}
				}
				if err := m.Resume(c.ID, heap.False); err != nil {
					t.Fatal(err)
				}
			}
		}
		return m.Spent()
	}
	if alone, parked := spent(false), spent(true); parked > alone+100 {
		t.Errorf("%d of fuel, %d with parking", alone, parked)
	}
}
