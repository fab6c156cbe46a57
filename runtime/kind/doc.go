// Package kind holds every kind of node that a session's graph is made of, one file a family, and the one table that
// codes them. It never decides, runs or stores anything; every room above graph may import it.
package kind
