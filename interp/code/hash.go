package code

import "crypto/sha256"

// Sum is the hash of a unit's content: of its canonical encoding.
func (u *Unit) Sum() [32]byte { return sha256.Sum256(Encode(u)) }
