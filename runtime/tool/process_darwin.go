package tool

import (
	"strconv"

	"golang.org/x/sys/unix"
)

func openedFolder(_ int, path string) string { return path }

// bootID names this boot of the machine by the second it began.
func bootID() string {
	t, err := unix.SysctlTimeval("kern.boottime")
	if err != nil {
		return ""
	}
	return strconv.FormatInt(t.Sec, 10)
}

type running struct {
	pid   int
	start int64
}

// startTime answers microseconds since 1970.
func startTime(pid int) (int64, error) {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return 0, err
	}
	return p.Proc.P_starttime.Nano() / 1000, nil
}

// marked lists the stub itself where it still lives: other processes do not show their environment here.
func marked(f Facts, _, _ bool) []running {
	pid := int(f.int("pid"))
	start, err := startTime(pid)
	if pid == 0 || err != nil || start != f.int("start") {
		return nil
	}
	return []running{{pid, start}}
}

// signal reaches the stub's whole group.
func (q running) signal(s unix.Signal) { _ = unix.Kill(-q.pid, s) }

func groupAlive(group int) bool { return unix.Kill(-group, 0) != unix.ESRCH }
