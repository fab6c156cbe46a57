// Package store keeps the graph of every session: nodes, how they ended, what was learned about them, and one gapless
// chain of events a session. It holds the contract, the committer and the key schema; the bytes lie in a Backend (package
// badger or mem). It never decides, runs or reads a clock of its own, and everything above kind may import it.
//
// # The order of things
//
// A request gets its place (its event numbers, its link in the hash chain, and, for a settle, its settle order) at the
// moment it is queued, under one lock, after its checks passed against everything queued before it. Commits take the
// queue from the front, so what is on disk is always a prefix of what was given out. That is why a commit that fails
// poisons the store: nothing behind it can be placed any more.
package store
