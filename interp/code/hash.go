package code

// Sum is the hash of a unit's content.
func (u *Unit) Sum() [32]byte { return [32]byte{} }
