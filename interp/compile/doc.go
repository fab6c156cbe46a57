// Package compile turns core forms into machine code (code.Unit): analysis of variables and procedures, optimisation,
// generation. It never reads source text, runs code or knows a machine's memory beyond the layout of words.
// The image, the embedding API and their tests import it.
package compile
