// Package view is what a terminal shows: trees, tables, questions, diffs, progress and errors. It reads the graph and
// turns it into text; it never runs, decides or changes anything, and no byte of data reaches the terminal unescaped. The
// command line and the loop may import it.
package view
