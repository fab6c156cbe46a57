// Package vm runs compiled units: the run loop, frames, fibers, continuations, budgets, conditions. A machine's data lies
// in its arena, so that a machine which does not run is bytes. It never parses, expands or compiles, never reaches the host
// (it suspends instead), and holds no goroutine. Embedders reach it through package interp; image and snapshot import it.
package vm
