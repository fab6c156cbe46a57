// Package program is InterpretSchemeRepl: it executes a ProgrammaticJob. It is the trampoline (run the machine, admit
// each suspended call as a child job, join, resume) and the replay that continues a program after its process died.
// Only this room and bind below it join a running machine to the runtime. It shows nothing and opens no store.
//
// The journal of a bag is its children: calls, nested bags, and reading cells for what is no job. It is a view over the
// graph. A continued program is interpreted again from its stored source; what it asks for is answered from the journal,
// in the order in which the store settled it, until the journal ends and the program goes on live. A snapshot spares the
// replay of what lies before it, where it holds.
package program
