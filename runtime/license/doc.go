// Package license decides whether a call may happen: rules, shell commands, paths, approvals, postures.
// It never performs a call, asks a person or a judge, or keeps state: Survey reads facts through a World, Decide is
// pure. Package call, what builds and shows programs, and the command line may import it.
//
// The order of Decide is fixed and has seven steps (see Step). A denial of an earlier step is never undone by a later
// one; neither how specific a rule is nor where it stands in its file has any weight.
package license
