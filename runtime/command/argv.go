package command

import "strings"

// storeless reports command lines that never touch the store: they must not wait for its lock.
func storeless(args []string) bool {
	for i, a := range args {
		if a == "--" {
			break
		}
		if a == "--help" || a == "-h" || a == "--version" || a == "-v" {
			return true
		}
		if !strings.HasPrefix(a, "-") {
			if a == "policy" && i+1 < len(args) && (args[i+1] == "approvals" || args[i+1] == "forget") {
				return false // what is kept changes in the process that has the store
			}
			if a == "worker" && i+1 < len(args) && args[i+1] == "start" {
				return false // agents of our own work on the store
			}
			if withoutStore[a] {
				return true
			}
			return a == "version" || a == "help" || a == "policy" || a == "agents" || a == "thread" || a == "worker"
		}
	}
	return false
}

// withoutStore are the verbs that look at texts and tables only.
var withoutStore = map[string]bool{"fmt": true, "check": true, "tools": true, "new": true, "completion": true, "doctor": true}

// durabilityOf reads --durability before the command line is parsed: the store is opened by the first verb that needs it.
func durabilityOf(args []string) string { return flagOf(args, "--durability", "sync") }

// memoryOf reads --memory, for the same reason; 0 when there is none.
func memoryOf(args []string) uint64 {
	n, _ := parseSize(flagOf(args, "--memory", ""))
	return n
}

func flagOf(args []string, name, otherwise string) string {
	for i, a := range args {
		if a == "--" {
			break
		}
		if v, ok := strings.CutPrefix(a, name+"="); ok {
			return v
		}
		if a == name && i+1 < len(args) {
			return args[i+1]
		}
	}
	return otherwise
}

// given reports whether a flag stands on a command line.
func given(args []string, flag string) bool {
	for _, a := range args {
		if a == "--" {
			break
		}
		if a == flag || strings.HasPrefix(a, flag+"=") {
			return true
		}
	}
	return false
}

// acceptsLoss reads --accept-loss, for the same reason.
func acceptsLoss(args []string) bool {
	for _, a := range args {
		if a == "--" {
			break
		}
		if a == "--accept-loss" || a == "--accept-loss=true" {
			return true
		}
	}
	return false
}

// runs answers the verb of a command line that runs programs, which a guest goes on with when the owner ends, "" for others.
func runs(args []string) string {
	for _, a := range args {
		switch a {
		case "run", "eval", "resume", "input", "serve":
			return a
		case "ask":
			if given(args, "--steer") {
				return "" // it is said once, and done
			}
			return a
		case "--":
			return ""
		}
	}
	return ""
}

// flagsOf keeps the flags of a run that its continuation needs.
func flagsOf(args []string) []string {
	var out []string
	if verb := runs(args); verb == "eval" || verb == "input" { // it prints its value without being told
		out = append(out, "--value")
	}
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		switch a := args[i]; {
		case a == "--json", a == "--quiet", a == "--unattended", a == "--park", a == "--value":
			out = append(out, a)
		case a == "--timeout", a == "--durability", a == "--rules":
			if i+1 < len(args) {
				out = append(out, a, args[i+1])
				i++
			}
		case strings.HasPrefix(a, "--timeout="), strings.HasPrefix(a, "--durability="), strings.HasPrefix(a, "--rules="):
			out = append(out, a)
		}
	}
	return out
}
