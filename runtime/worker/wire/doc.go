// Package wire holds the objects that a worker and its users share: threads with their settings and state, and the items
// of each. Wire is the way they travel; User and Worker are the two sides that write, and each refuses what is the other's.
package wire
