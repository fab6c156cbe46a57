// Package command is the command line, one file a verb. A verb works on an Invocation, never on the process's own
// standard streams, folder or environment: the owner of a store runs verbs for attached processes too. It decides and
// stores nothing itself.
package command
