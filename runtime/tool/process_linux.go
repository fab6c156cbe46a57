package tool

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"
	"time"

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
	pid, parent, group, session int

	start int64
	bare  bool // has no memory of a program: is being replaced by another one, or is ending, or belongs to the kernel
	state byte
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
	q.parent, _ = strconv.Atoi(fields[1])
	q.group, _ = strconv.Atoi(fields[2])
	q.session, _ = strconv.Atoi(fields[3])
	q.bare = len(fields) > 48 && fields[48] == "0" // where its environment ends
	q.start, err = strconv.ParseInt(fields[19], 10, 64)
	return q, err
}

// marked lists the living processes of a call: those that carry its mark, and, where one of them shows that the group's number is
// still the call's, all of its group and session. Of a live call, whose stub this process has started, it is: a number that still
// names a group or session is not given away. With recent only process numbers after the stub's are looked at.
func marked(f Facts, live, recent bool) []running {
	leader := int(f.int("pid"))
	for range 10 {
		newest := lastPid()
		found := scan(f, live, recent && newest >= leader) // else numbers have begun anew
		// A process that forks and ends while the list is read may hide its child.
		if len(found) > 0 || lastPid() == newest {
			return found
		}
	}
	return nil
}

func scan(f Facts, live, recent bool) []running {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	names, _ := dir.Readdirnames(-1)
	dir.Close()
	leader, start := int(f.int("pid")), f.int("start")
	mark := []byte("CAPER_CALL=" + f.text("marker"))
	var ours, others []running
	whole := live // the group is still the call's
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || recent && pid < leader {
			continue
		}
		q, err := statOf(pid)
		if err != nil || q.gone() || q.start < start {
			continue
		}
		has, shown := hasMark(pid, mark)
		for range 200 {
			// Without its own memory a process shows no environment; that does not last.
			if has || !shown || q.parent == kernelThreads {
				break
			}
			now, err := statOf(pid)
			if err != nil || now.gone() || now.start != q.start {
				q.state = 'Z'
				break
			}
			if has, shown = hasMark(pid, mark); has || !now.bare {
				break
			}
			time.Sleep(time.Millisecond)
		}
		if q.gone() {
			continue
		}
		// In a container, group and session of what was started from outside are 0: no process leads those.
		inGroup := leader != 0 && (q.group == leader || q.session == leader)
		whole = whole || pid == leader && q.start == start || has && inGroup
		if has {
			ours = append(ours, q)
		} else if inGroup {
			others = append(others, q)
		}
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

// kernelThreads is the parent of all that have no environment for good.
const kernelThreads = 2

// hasMark reports whether a process has the mark in its environment, and whether it shows that: another user's does not.
func hasMark(pid int, mark []byte) (has, shown bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return false, false
	}
	for v := range bytes.SplitSeq(text, []byte{0}) {
		if bytes.Equal(v, mark) {
			return true, true
		}
	}
	return false, true
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
