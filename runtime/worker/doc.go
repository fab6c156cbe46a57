// Package worker takes over threads that their users hand to it: it drives one agent for each in its work folder, reports
// what the agent says and does as items, asks a person where the thread says so, and goes on after its own death.
package worker
