//go:build caperdebug

package vm

const everySafepoint = true

// everyOther is true every second time: an instruction that collects is tried again and must then go on.
func (m *Machine) everyOther() bool {
	m.turn = !m.turn
	return m.turn
}
