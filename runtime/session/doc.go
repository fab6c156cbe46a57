// Package session reads a conversation from the graph: heads and how they move, tails, genesis, what a turn inherits, what
// lies on its tape, and what is dormant. It is pure: it reads through a Reader and answers nodes to be minted; it never
// writes, runs or decides. Only packages of the runtime import it.
package session

import (
	"iter"

	"caper/runtime/graph"
	"caper/runtime/kind"
)

// Reader is what a store answers of its graph.
type Reader interface {
	Node(id graph.ID) (kind.Node, error)
	Outcome(id graph.ID) (*kind.Outcome, error)
	Entry(id graph.ID) (kind.Entry, error)
	Facts(id graph.ID) ([]kind.Fact, error)
	Children(session, bag, from uint64) iter.Seq2[kind.Entry, error]
	Next(session, bag uint64) (uint64, error)
}
