package interp

import (
	"caper/interp/snapshot"
	"caper/interp/syntax"
	"caper/interp/vm"
)

// This file defines long waits: machines that hold no address range, and machines that are bytes.

// Park gives the machine's address range to others while it waits for the host. Its words stay what they are, but until
// Unpark it cannot be run, answered or read.
func (m *Machine) Park() error { return m.vm.Park() }

// Unpark makes a parked machine usable again; of any other it does nothing.
func (m *Machine) Unpark() error { return m.vm.Unpark() }

// Parked reports whether the machine is parked.
func (m *Machine) Parked() bool { return m.vm.Parked() }

// Pending lists the host calls that wait for answers, by number.
func (m *Machine) Pending() []Call { return m.vm.Pending() }

// FuelLeft is the most that the fiber of a pending call may use of fuel, where a with-budget says so.
func (m *Machine) FuelLeft(call uint64) (int64, bool) { return m.vm.FuelLeft(call) }

// Snapshot is a machine that waits, or is out of fuel, as bytes. The machine can go on; words that the host held are stale.
// The bytes tell what is damaged from what is not, but not who wrote them: whoever keeps them seals them.
func (m *Machine) Snapshot() ([]byte, error) {
	if m.vm.Parked() {
		if err := m.vm.Unpark(); err != nil {
			return nil, err
		}
		b, err := m.take()
		if perr := m.vm.Park(); err == nil {
			err = perr
		}
		return b, err
	}
	return m.take()
}

func (m *Machine) take() ([]byte, error) {
	b, err := snapshot.Take(m.vm)
	if err != nil {
		return nil, err
	}
	return append(m.log(), b...), nil
}

// Restore makes a machine of a snapshot. texts are what the machine had loaded, in order; they give it its code. It fails
// when the bytes are damaged (snapshot.ErrDamaged) or belong to other texts or another library (vm.ErrOther): then the
// program is to be run again from its source.
func (e *Engine) Restore(c Config, texts []*syntax.Source, b []byte) (*Machine, error) {
	m := &Machine{config: c, engine: e}
	log, b, err := cutLog(b)
	if err != nil {
		return nil, err
	}
	kept, err := m.repeat(log, texts)
	if err != nil {
		return nil, err
	}
	m.vm, err = snapshot.Restore(m.inner(), m.units(), b)
	if err != nil {
		return nil, err
	}
	if err := m.know(kept); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// Errors of Restore.
var (
	ErrDamaged = snapshot.ErrDamaged
	ErrOther   = vm.ErrOther
)
