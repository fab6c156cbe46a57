package tool

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// openedFolder names an open folder so that a child can change to exactly that: the descriptor is still there when it does.
func openedFolder(fd int, _ string) string { return "/proc/self/fd/" + strconv.Itoa(fd) }

// bootID names this boot of the machine.
func bootID() string {
	text, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(text))
}

// running is a process as /proc shows it.
type running struct {
	pid, group, session int
	start               int64
	state               byte
}

func (q running) gone() bool { return q.state == 'Z' || q.state == 'X' }

func startTime(pid int) (int64, error) {
	q, err := statOf(pid)
	return q.start, err
}

// statOf reads /proc/PID/stat. The name in it may hold anything; what follows its last parenthesis does not.
func statOf(pid int) (running, error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return running{}, err
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 20 {
		return running{}, errors.New("/proc/PID/stat is too short")
	}
	q := running{pid: pid, state: fields[0][0]}
	q.group, _ = strconv.Atoi(fields[2])
	q.session, _ = strconv.Atoi(fields[3])
	q.start, err = strconv.ParseInt(fields[19], 10, 64)
	return q, err
}

// marked lists the living processes of a call: those that carry its mark, and, where one of them shows that the group's number is
// still the call's, all of its group and session. With recent only process numbers after the stub's are looked at.
func marked(f Facts, recent bool) []running {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	names, _ := dir.Readdirnames(-1)
	dir.Close()
	leader, start := int(f.int("pid")), f.int("start")
	recent = recent && lastPid() >= leader // numbers have not begun anew
	mark := []byte("CAPER_CALL=" + f.text("marker"))
	var ours, others []running
	whole := false // the group is still the call's
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || recent && pid < leader {
			continue
		}
		q, err := statOf(pid)
		if err != nil || q.gone() || q.start < start {
			continue
		}
		inGroup := q.group == leader || q.session == leader
		switch {
		case hasMark(pid, mark):
			ours = append(ours, q)
			whole = whole || inGroup
		case inGroup:
			others = append(others, q)
		}
		whole = whole || pid == leader && q.start == start
	}
	if whole {
		ours = append(ours, others...)
	}
	return ours
}

// lastPid is the number given to the newest process.
func lastPid() int {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(fields[len(fields)-1])
	return n
}

func hasMark(pid int, mark []byte) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return false
	}
	for v := range bytes.SplitSeq(text, []byte{0}) {
		if bytes.Equal(v, mark) {
			return true
		}
	}
	return false
}

// signal reaches this process and no later one of its number.
func (q running) signal(s unix.Signal) {
	fd, err := unix.PidfdOpen(q.pid, 0)
	if err != nil {
		if errors.Is(err, unix.ENOSYS) {
			_ = unix.Kill(q.pid, s)
		}
		return
	}
	defer unix.Close(fd)
	if now, err := statOf(q.pid); err == nil && now.start == q.start {
		_ = unix.PidfdSendSignal(fd, s, nil, 0)
	}
}

// groupAlive reports whether a group has a member that is not a zombie.
func groupAlive(group int) bool {
	if unix.Kill(-group, 0) == unix.ESRCH {
		return false
	}
	dir, err := os.Open("/proc")
	if err != nil {
		return true
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			if q, err := statOf(pid); err == nil && q.group == group && !q.gone() {
				return true
			}
		}
	}
	return false
}
