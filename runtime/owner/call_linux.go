package owner

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// maxAncestors bounds how far up CallOf looks.
const maxAncestors = 64

// CallOf answers the marker of the call that started a process, "" when none did: the process or one above it was given
// it by a command of a program. A command can hide from this only by leaving its ancestors and its environment behind.
func CallOf(pid int) string {
	for range maxAncestors {
		if pid <= 1 {
			return ""
		}
		env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)) // of another user or gone: nothing is known of it
		for entry := range bytes.SplitSeq(env, []byte{0}) {
			if v, ok := bytes.CutPrefix(entry, []byte("CAPER_CALL=")); ok {
				return string(v)
			}
		}
		pid = parent(pid)
	}
	return ""
}

func parent(pid int) int {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]) // the name before may hold anything
	if len(fields) < 2 {
		return 0
	}
	n, _ := strconv.Atoi(string(fields[1]))
	return n
}
