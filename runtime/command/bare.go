package command

import (
	"slices"
	"strings"
)

// bare reports a command line without a command: a person wants to type.
func bare(args []string) bool {
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "--help", a == "-h", a == "--version", a == "-v", !strings.HasPrefix(a, "-"):
			return false
		case !strings.Contains(a, "=") && slices.Contains(valued, a):
			i++
		}
	}
	return true
}

// valued are the flags of every command that take the next word.
var valued = []string{"--policy", "--rules", "--mode", "--durability", "--fuel", "--memory", "--timeout", "--editor"}
