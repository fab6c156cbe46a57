// Package call owns the life of one call: admit, decide, ask, start, settle, cancel, recover. It is the only caller of a
// tool's body, so that nothing reaches the world without the license (the import law in imports_test.go proves it).
// Programs, turns and clients of every kind go through it; it never interprets a program and never shows anything.
//
//	admitted → decided → started → performed → settled
//	               ↘ denied   ↘ cancelled  ↘ uncertain → resolved by a person
//	               ↘ waiting (parked) → approved | denied
package call
