// Package sim is the proof that nothing is done twice and nothing is lost: real processes on real stores are killed at
// every boundary, damaged, starved and taken over, and the result is compared with that of an unbroken run. It holds tests
// only, never a part of the product, and nobody imports it.
package sim
