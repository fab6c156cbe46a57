// Package graph holds the pure geometry of the work graph: node addresses, the datum, the Job class, the walks and the
// collectors. It never stores, runs or licenses anything and imports nothing of this module; every room may import it.
package graph
