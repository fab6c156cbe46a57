package vm

import (
	"errors"

	"caper/interp/heap"
)

// parked is what a parked machine keeps in Go memory.
type parked struct {
	heap *heap.Parked
}

// ErrParked says that a machine must be unparked first.
var ErrParked = errors.New("the machine is parked")

// Park gives the machine's address range to others while it waits. Words that the host holds stay good, since
// everything comes back to the same place, but it can neither read nor make any until Unpark.
func (m *Machine) Park() error {
	if m.mem == nil || m.image == nil || m.tainted {
		return ErrEnded
	}
	if m.Used() > parkSlack {
		swept := m.swept
		m.collectIdle()
		m.swept = swept // what the host wants costs the program nothing: its fuel must not depend on how long it waits
	}
	shared := m.prepared.staticEnd()
	p, cage := m.Detach(m.privates, m.stackEnd()-heap.StackLo, shared)
	m.parked, m.mem = &parked{heap: p}, nil
	m.liveness = nil
	clear(m.ctx.Cache) // what primitives can compute again
	m.ready = append([]heap.Word(nil), m.ready[m.readyHead:]...)
	m.readyHead = 0
	m.image.put(cage)
	return nil
}

// parkSlack is how much garbage may be parked.
const parkSlack = 8 << 10

// Unpark takes an address range again.
func (m *Machine) Unpark() error {
	if m.parked == nil {
		return nil
	}
	cage, err := m.image.take()
	if err != nil {
		return err
	}
	if err := m.Attach(m.parked.heap, cage); err != nil {
		_ = cage.Free() // it may be half filled
		return err
	}
	m.mem, m.parked = cage.Base(), nil
	for at := m.prepared; at != nil; at = at.before {
		copy(m.Words(at.before.staticEnd(), at.end), at.words)
	}
	m.setLimit()
	*rg(m.mem, stackBase) = heap.False
	*rg(m.mem, stackBase+8) = baseReturn
	return nil
}

// Parked reports whether the machine is parked.
func (m *Machine) Parked() bool { return m.parked != nil }

// ParkedSize is the number of bytes of Go memory that a parked machine's data takes.
func (m *Machine) ParkedSize() int {
	if m.parked == nil {
		return 0
	}
	return m.parked.heap.Size()
}

// collectIdle collects in a machine that does not run: its stack holds nothing.
func (m *Machine) collectIdle() bool {
	return m.collectTo(stackBase)
}
