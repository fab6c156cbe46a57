//go:build !caperdebug

package vm

// everySafepoint makes each safepoint a collection, to find words that the roots miss.
const everySafepoint = false

func (m *Machine) everyOther() bool { return false }
