// Package repl is what a person types to: it reads forms and commands, has them run, and shows what came of them. It
// runs nothing itself: each input, and most commands, are command lines that a Host runs, in this process or in the one
// that owns the store. Only package command imports it.
//
// Three front ends stand behind one interface: the form editor, for terminals; liner, by --editor=liner; and plain lines,
// for pipes and for terminals that cannot move their cursor.
package repl
