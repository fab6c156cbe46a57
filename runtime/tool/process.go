package tool

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// This file defines the child of an external call. Prepare forks a stub that leads a session of its own and waits for one line on
// descriptor 3. If its owner dies first, it reads the end of the pipe and leaves without a trace. Released, it runs the command
// with its output going to spool files, and writes the exit code as its very last act: whoever finds that file knows that the
// command has ended and how, without having been there.

// stub takes umask, stdout, stderr, exit, shell, command. The spool is opened before the command runs and for nobody else. The exit
// code goes out in one write of a few bytes, which no kill can tear; a reader takes only the whole line. It sets no variable
// that a command could see.
const stub = `IFS= read -r _caper_go <&3 && [ "$_caper_go" = go ] || exit 0
exec 3<&-
umask 077
(umask "$1"; unset _caper_go; exec "$5" %s -c -- "$6") </dev/null >>"$2" 2>>"$3"
_caper_go=$?
printf '%%s end\n' "$_caper_go" >"$4"
exit "$_caper_go"`

// process is a stub, waiting or released.
type process struct {
	cmd   *exec.Cmd
	pid   int
	facts Facts
	spool spool
	gate  *os.File      // writing "go" releases
	ended chan struct{} // closed when the stub is reaped

	out, err stream
}

// stream is an output file as far as it was handed to Env.Stream.
type stream struct {
	name string
	path string
	file *os.File
	sent int64
}

// fork starts the stub in the open folder cwd, whose path is dir.
func fork(env *Env, command, dir string, cwd int) (*process, error) {
	s, err := newSpool(env.Spool)
	if err != nil {
		return nil, fileError("cannot make the spool folder", env.Spool, err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fileError("cannot run", "/bin/sh", err)
	}
	defer r.Close()
	shell, flags := findShell()
	cmd := exec.Command("/bin/sh", "-c", fmt.Sprintf(stub, flags), "caper-stub",
		fmt.Sprintf("%04o", env.Umask&0o777), s.stdout, s.stderr, s.exit, shell, command)
	cmd.Dir = openedFolder(cwd, dir)
	cmd.Env = childEnviron(env, dir)
	cmd.ExtraFiles = []*os.File{r}
	// A session, not only a group: without a terminal a command that wants a password fails instead of stopping.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		w.Close()
		return nil, fileError("cannot run", "/bin/sh", err)
	}
	p := &process{cmd: cmd, pid: cmd.Process.Pid, spool: s, gate: w, ended: make(chan struct{})}
	p.out = stream{name: "stdout", path: s.stdout}
	p.err = stream{name: "stderr", path: s.stderr}
	start, err := startTime(p.pid)
	if err != nil {
		p.abandon()
		return nil, fileError("cannot look at the process of", "/bin/sh", err)
	}
	p.facts = Facts{
		"pid": int64(p.pid), "pgid": int64(p.pid), "start": start, "boot": bootID(), "marker": env.CallID,
		"spool": env.Spool, "attempt": s.attempt,
	}
	return p, nil
}

// findShell answers the shell for commands and its flags: nothing may be read before the command.
func findShell() (path, flags string) {
	for _, path := range []string{"/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/run/current-system/sw/bin/bash", "/opt/homebrew/bin/bash"} {
		if unix.Access(path, unix.X_OK) == nil {
			return path, "--norc --noprofile"
		}
	}
	return "/bin/sh", ""
}

// childEnviron is the environment of the command: what would make a shell run or change something before the command is left out.
func childEnviron(env *Env, dir string) []string {
	drop := map[string]bool{
		"CAPER_CALL": true, "PWD": true, "BASH_ENV": true, "ENV": true, "SHELLOPTS": true, "BASHOPTS": true, "PS4": true,
		"CDPATH": true, "OLDPWD": true, "GLOBIGNORE": true, "_caper_go": true,
	}
	list := make([]string, 0, len(env.Environ)+2)
	for _, v := range env.Environ {
		name, _, _ := strings.Cut(v, "=")
		if !drop[name] && !strings.HasPrefix(name, "BASH_FUNC_") && !strings.Contains(v, "\x00") {
			list = append(list, v)
		}
	}
	return append(list, "PWD="+dir, "CAPER_CALL="+env.CallID)
}

func (p *process) release() error {
	_, err := p.gate.WriteString("go\n")
	if e := p.gate.Close(); err == nil {
		err = e
	}
	p.gate = nil
	if err == nil {
		go p.reap()
	}
	return err
}

func (p *process) reap() {
	_ = p.cmd.Wait()
	close(p.ended)
}

// abandon ends a stub that was never released.
func (p *process) abandon() {
	if p.gate != nil {
		p.gate.Close()
		p.gate = nil
	}
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// status is the exit code of a stub that wrote none, as a shell would say it.
func (p *process) status() int {
	if s, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return 128 + int(s.Signal())
	}
	return p.cmd.ProcessState.ExitCode()
}

// watchEvery is how often a running command's output is looked at.
const watchEvery = 30 * time.Millisecond

// watch waits until the stub has ended, and answers "", or until there is a reason to end it, and answers its code.
func (p *process) watch(ctx context.Context, env *Env, timeout time.Duration) string {
	var limit <-chan time.Time
	if timeout > 0 {
		timer := time.NewTimer(timeout)
		defer timer.Stop()
		limit = timer.C
	}
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-p.ended:
			return ""
		case <-ctx.Done():
			return CodeCancelled
		case <-limit:
			return CodeTimeout
		case <-tick.C:
			p.stream(env)
			if p.out.size()+p.err.size() > maxSpool {
				return CodeOutputLimit
			}
		}
	}
}

const leftNote = "processes that the command left running were ended"

// leftovers gives what the command left running a moment, then ends it.
func (p *process) leftovers(ctx context.Context) []string {
	deadline := time.NewTimer(WaitDelay)
	defer deadline.Stop()
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		if !p.outlived() {
			return nil
		}
		wait := time.NewTimer(pause)
		select {
		case <-wait.C:
			continue
		case <-deadline.C:
		case <-ctx.Done():
		}
		wait.Stop()
		break
	}
	if _, err := endProcesses(p.facts, p.pid, TermGrace); err != nil {
		return []string{leftNote, err.Error()}
	}
	return []string{leftNote}
}

// outlived reports whether something that the command started is still there.
func (p *process) outlived() bool {
	if unix.Kill(-p.pid, 0) != unix.ESRCH && groupAlive(p.pid) {
		return true
	}
	return len(marked(p.facts, true, true)) > 0
}

func (s *stream) open() bool {
	if s.file == nil {
		s.file, _ = os.Open(s.path)
	}
	return s.file != nil
}

func (s *stream) size() int64 {
	if !s.open() {
		return 0
	}
	info, err := s.file.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

// stream hands on what is new in the spool.
func (p *process) stream(env *Env) {
	if env.Stream == nil {
		return
	}
	buf := make([]byte, 64<<10)
	for _, s := range []*stream{&p.out, &p.err} {
		for s.open() {
			n, _ := s.file.ReadAt(buf, s.sent)
			if n <= 0 {
				break
			}
			env.Stream(s.name, append([]byte(nil), buf[:n]...))
			s.sent += int64(n)
		}
	}
}

func (p *process) closeStreams() {
	for _, s := range []*stream{&p.out, &p.err} {
		if s.file != nil {
			s.file.Close()
			s.file = nil
		}
	}
}

// EndGroup ends whatever is left of an external call whose owner is gone: the members of its group, and what left the group but
// carries its mark. It answers how many processes it ended. Facts of another boot, or of a tool without processes, mean nothing.
func EndGroup(f Facts) (int, error) {
	if f.int("pid") == 0 || f.text("marker") == "" || f.text("boot") == "" || f.text("boot") != bootID() {
		return 0, nil
	}
	return endProcesses(f, 0, TermGrace)
}

// endProcesses sends TERM, waits, sends KILL, until none is left. own is the group of a child of this process, whose number cannot
// have been given away; 0 if there is none.
func endProcesses(f Facts, own int, grace time.Duration) (int, error) {
	seen := map[int]bool{}
	deadline := time.Now().Add(grace)
	signal, sent := unix.SIGTERM, map[int]bool{}
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		alive := marked(f, own != 0, false)
		if own != 0 {
			group := groupAlive(own)
			if !group && len(alive) == 0 {
				return len(seen), nil
			}
			if group && !sent[-own] {
				_ = unix.Kill(-own, signal)
				_ = unix.Kill(-own, unix.SIGCONT)
				sent[-own] = signal == unix.SIGTERM
			}
		} else if len(alive) == 0 {
			return len(seen), nil
		}
		for _, q := range alive {
			seen[q.pid] = true
			if !sent[q.pid] {
				q.signal(signal)
				q.signal(unix.SIGCONT)
				sent[q.pid] = signal == unix.SIGTERM // KILL is repeated: members may fork
			}
		}
		if time.Now().After(deadline) {
			if signal == unix.SIGKILL {
				return len(seen), fail(CodeIO, "%d processes of the call %s do not end, not even by KILL", len(alive), f.text("marker"))
			}
			signal, sent = unix.SIGKILL, map[int]bool{}
			deadline = time.Now().Add(grace)
			continue
		}
		time.Sleep(pause)
	}
}

// EndMarked ends the processes that carry a mark in their environment, as CAPER_CALL, and the group of a child of this process
// that was not yet waited for; 0 for none.
func EndMarked(mark string, child int, grace time.Duration) (int, error) {
	return endProcesses(Facts{"marker": mark, "pid": int64(child)}, child, grace)
}
