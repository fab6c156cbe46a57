// Package agent runs the turns of agents: it asks a model, has the calls of its answer made, tells it what came of them,
// and goes on until the turn is over. What to do next is read from the turn's tape each time, so a turn that a crash cut
// short goes on from its tape. It makes no call itself: those go through package call. The assembly builds it, the command
// line and the libraries of programs use it.
package agent
