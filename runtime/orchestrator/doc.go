// Package orchestrator takes up the work of sessions: it executes the jobs that the head leads to, each class by its
// executor, and honours the obligations that an earlier process left open, each kind by its actor. It looks again when
// something was committed and never polls. It decides nothing about calls and never runs an obligation through an
// executor. The assembly hands it its executors and actors as values.
package orchestrator
