// Package check looks at a program without running it: what it would be told when it is loaded, and which tools it may
// call with which arguments. It follows the core forms of the program and of every library that it uses, with values of
// which only literals, lists, records and procedures are known. It decides nothing and touches nothing.
package check
