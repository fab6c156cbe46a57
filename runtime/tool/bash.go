package tool

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"caper/runtime/graph"
)

// This file defines the tool bash. Its facts, all of them about the stub that waits to run the command (process.go):
//
//	pid, pgid   of the stub, which leads its own session and group
//	start       its start time in clock ticks since boot (field 22 of /proc/PID/stat)
//	boot        the kernel's boot id
//	marker      the value of CAPER_CALL in its environment
//	spool       the folder of its spool files
//	attempt     part of their names

const (
	// TermGrace is how long a group has to end after TERM.
	TermGrace = 2 * time.Second
	// WaitDelay is how long what a command left running may go on after its shell has ended.
	WaitDelay = time.Second

	maxCommand = 128<<10 - 1 // one argument of a process (MAX_ARG_STRLEN)
	maxStream  = 1 << 20     // of each output stream in the value
	maxSpool   = 256 << 20   // of both together
)

// Bash is the tool bash.
func Bash() *Tool {
	return &Tool{
		Name: "bash", Version: "1", Effect: External, Doc: doc("bash"),
		Summary:  "Run a shell command and answer its output and exit code.",
		Keywords: "terminal script execute program process git make build test sh exit install", Often: 4,
		Params: []Param{
			{Name: "command", Kind: String, Required: true, Access: CommandAccess, Doc: "for bash -c"},
			{Name: "timeout", Kind: Number, Keyword: true, Doc: "seconds until it is ended; no limit if not given"},
			{Name: "cwd", Kind: String, Keyword: true, Access: CwdAccess, Default: ".", Doc: "the folder it runs in; the current folder if not given"},
		},
		Prepare: bashPrepare,
		Perform: bashPerform,
		Recover: bashRecover,
		Preview: bashPreview,
	}
}

func bashCheck(args Args) (command string, timeout time.Duration, err error) {
	command = args.text("command")
	for i := range len(command) {
		if command[i] == 0 {
			return "", 0, fail(CodeArguments, "bash: the command has a NUL in it, at byte %d", i)
		}
	}
	if len(command) > maxCommand {
		return "", 0, fail(CodeTooLarge, "bash: the command has %d bytes; at most %d are possible: write it to a file and run that", len(command), maxCommand)
	}
	timeout, err = args.Timeout("bash")
	return command, timeout, err
}

func bashPrepare(ctx context.Context, env *Env, args Args) (Facts, error) {
	command, _, err := bashCheck(args)
	if err != nil {
		return nil, err
	}
	t, err := env.target("cwd")
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, cancelled("bash", err)
	}
	if env.CallID == "" {
		return nil, fail(CodeArguments, "bash: the call has no id, so what it starts could not be found again")
	}
	fd, m, err := env.open("cannot run a command in", t, unix.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	if !m.isDir() {
		return nil, fail(CodeNotDirectory, "cannot run a command in %s: it is not a folder", showPath(t.Path))
	}
	env.Close()
	p, err := fork(env, command, t.Path, fd)
	if err != nil {
		return nil, err
	}
	env.live = p
	env.fault("forked")
	return p.facts, nil
}

func bashPerform(ctx context.Context, env *Env, args Args, f Facts) (Result, error) {
	_, timeout, err := bashCheck(args)
	if err != nil {
		return Result{}, err
	}
	p := env.live
	if p == nil || int64(p.pid) != f.int("pid") || p.facts.int("start") != f.int("start") {
		return Result{}, fail(CodeStale, "bash: the process that waits to run the command is not there; nothing was done")
	}
	env.live = nil
	defer p.closeStreams()
	if err := ctx.Err(); err != nil {
		p.abandon()
		return Result{}, cancelled("bash", err)
	}
	env.fault("before-release")
	if err := p.release(); err != nil {
		p.abandon()
		return Result{}, fail(CodeStale, "bash: the process that waits to run the command is gone (%v); nothing was done", err)
	}
	env.fault("released")
	why := p.watch(ctx, env, timeout)
	var notes []string
	if why == "" {
		env.fault("exited")
		notes = p.leftovers(ctx)
	} else {
		if _, err := endProcesses(p.facts, p.pid, TermGrace); err != nil {
			notes = append(notes, err.Error())
		} else {
			<-p.ended
		}
	}
	p.stream(env)
	r, err := spooled(env, p.spool)
	if err != nil {
		return Result{}, partial("cannot read the output kept in", env.Spool, err)
	}
	r.Receipt.Pid = p.pid
	r.Receipt.Notes = append(r.Receipt.Notes, notes...)
	env.fault("spooled")
	if why != "" {
		return Result{}, p.stopped(why, timeout, r, ctx.Err())
	}
	code, known := p.spool.exitCode()
	if !known {
		// The command has killed the stub too, or the disk is full.
		code = p.status()
		r.Receipt.Notes = append(r.Receipt.Notes, "the exit code could not be kept: the command's group was killed, or the disk is full")
	}
	r.Value = append(r.Value.(graph.List), pair("exit-code", int64(code)))
	return r, nil
}

// stopped is the error of a command that was ended: its output so far is in the data.
func (p *process) stopped(why string, timeout time.Duration, r Result, cause error) error {
	e := &Error{Code: why, Partial: true, Data: r.Value, Receipt: r.Receipt, Err: cause}
	switch why {
	case CodeTimeout:
		e.Message = fmt.Sprintf("bash: the command was ended after %v (#:timeout)", timeout)
	case CodeOutputLimit:
		e.Message = "bash: the command was ended because it had written more than 256 MiB; send output to a file, or through head or tail"
	default:
		e.Message = "bash: cancelled while the command ran; it was ended"
	}
	return e
}

func bashRecover(_ context.Context, env *Env, _ Args, f Facts) (Recovery, error) {
	boot := f.text("boot") == bootID()
	dir := env.Spool
	if dir == "" {
		dir = f.text("spool")
	}
	s := spoolOf(dir, f.int("attempt"))
	ended := 0
	if boot {
		var err error
		if ended, err = EndGroup(f); err != nil {
			return Recovery{}, err
		}
	}
	if code, known := s.exitCode(); known && boot {
		r, err := spooled(env, s)
		if err != nil {
			return Recovery{}, fileError("cannot read the output kept in", dir, err)
		}
		r.Receipt.Pid = int(f.int("pid"))
		if ended > 0 {
			r.Receipt.Notes = append(r.Receipt.Notes, leftNote)
		}
		r.Value = append(r.Value.(graph.List), pair("exit-code", int64(code)))
		return Recovery{Outcome: Done, Result: r}, nil
	}
	if boot && !s.begun() {
		return Recovery{Outcome: NotDone}, nil
	}
	r, err := spooled(env, s)
	if err != nil {
		return Recovery{}, fileError("cannot read the output kept in", dir, err)
	}
	r.Receipt.Pid = int(f.int("pid"))
	reason := "the command had begun and did not end by itself"
	switch code, known := s.exitCode(); {
	case !boot && known:
		reason = fmt.Sprintf("the machine was restarted after the command had ended with exit code %d; its output may not be whole", code)
	case !boot:
		reason = "the machine was restarted; whether the command ran, and how far, cannot be known"
	case ended > 0:
		reason = "the command was still running without its owner and was ended"
	}
	return Recovery{Outcome: Unknown, Result: r, Reason: reason}, nil
}

func bashPreview(_ context.Context, env *Env, args Args) (Preview, error) {
	command, timeout, err := bashCheck(args)
	if err != nil {
		return Preview{}, err
	}
	t, err := env.target("cwd")
	if err != nil {
		return Preview{}, err
	}
	p := Preview{Command: command, Cwd: t.Path}
	if timeout > 0 {
		p.Note = fmt.Sprintf("ended after %v", timeout)
	}
	return p, nil
}
