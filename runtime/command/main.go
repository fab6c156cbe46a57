package command

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"caper/repl"
	"caper/runtime/assembly"
	"caper/runtime/owner"
	"caper/runtime/store"
	"caper/runtime/store/badger"
	"caper/runtime/view"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// startGC is the collector's target until the store is open: building the engine makes little garbage and much that stays,
// so collecting on the way only costs time. An owner, which lives long, goes back to what is usual.
const startGC = 400

// ownerGC is the collector's target of an owner. Garbage of Go may take as much as what lives, a dozen megabytes, before
// it is collected; of a process that was given little memory for its program only a third of that.
func ownerGC(memory uint64) int {
	if memory > 0 && memory < 128<<20 {
		return 33
	}
	return 100
}

// Main runs the process's own command line and answers its exit code. Where another process owns the store, the command
// runs there, and this process takes over when that one goes away.
func Main() int {
	debug.SetGCPercent(startGC)
	umask := unix.Umask(0o077)
	inv := processInvocation()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	go func() {
		for s := range signals {
			if hears := inv.catch.Load(); s == os.Interrupt && hears != nil {
				(*hears)()
			} else if s == os.Interrupt {
				cancel(owner.ErrInterrupt)
			} else {
				cancel(owner.ErrPark)
			}
		}
	}()
	p := &process{inv: inv, umask: umask, letGo: func() { signal.Stop(signals) }}
	return p.run(ctx, inv.Args)
}

// process is this process in one of its two roles: owner of the store, or guest of the owner.
type process struct {
	inv   *Invocation
	umask int
	home  assembly.Home

	letGo func() // stops to catch signals
	open  func() (*assembly.System, error)

	mu     sync.Mutex
	system *assembly.System
	broken error // why it could not be opened
}

func (p *process) run(ctx context.Context, args []string) int {
	if storeless(args) {
		return Execute(ctx, p.inv, func() (*assembly.System, error) { return nil, errors.New("this command has no store") })
	}
	p.inv.prepare()
	home, err := assembly.FindHome(p.inv.env)
	if err != nil {
		return p.fail(ExitUsage, err)
	}
	if err := notFromCall(home, os.Getpid()); err != nil {
		return p.fail(ExitDenied, err)
	}
	p.home = home
	if _, err := os.Stat(home.Store()); errors.Is(err, os.ErrNotExist) {
		p.inv.First = true
	}
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		lock, err := badger.Acquire(home.Store(), false)
		switch {
		case err == nil:
			return p.own(ctx, home, lock, args)
		case !errors.Is(err, store.ErrLocked):
			return p.fail(ExitStore, err)
		}
		if bare(args) { // a person sits here, whoever owns the store
			p.inv.remote = func(ctx context.Context, inv *Invocation) int {
				return (&process{inv: inv, umask: p.umask, letGo: func() {}}).run(ctx, inv.Args)
			}
			return Execute(ctx, p.inv, func() (*assembly.System, error) { return nil, errors.New("another process has the store") })
		}
		code, err := p.attach(ctx, home, args)
		var gone *owner.ErrGone
		switch {
		case errors.As(err, &gone):
			if gone.Job != "" {
				args = append([]string{"resume", gone.Job}, flagsOf(args)...)
			}
			wait = time.Millisecond
		case !errors.Is(err, owner.ErrNoOwner):
			if err != nil {
				return p.fail(ExitStore, err)
			}
			return code
		}
		// The lock is free in a moment, or another guest has it and serves.
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			if errors.Is(context.Cause(ctx), owner.ErrPark) {
				return ExitParked
			}
			return ExitInterrupted
		}
	}
}

// notFromCall refuses a process that a program's own command started: it would answer the questions of that program, or
// run others as a person does. A caper on another store is a program like any other.
func notFromCall(home assembly.Home, pid int) error {
	marker := owner.CallOf(pid)
	if marker == "" {
		return nil
	}
	id, err := os.ReadFile(filepath.Join(home.Data, "id"))
	if store, _, _ := strings.Cut(marker, "."); err != nil || store != string(id) {
		return nil
	}
	return fmt.Errorf("this caper was started by a command of a program (call %s), and no program may run Caper on its own store", strings.TrimPrefix(marker, string(id)+"."))
}

func (p *process) fail(code int, err error) int {
	fmt.Fprint(p.inv.Stderr, view.Error(p.inv.Style, err))
	return code
}

// own runs the command as the owner and serves guests meanwhile. The store is opened when a command first needs it.
func (p *process) own(ctx context.Context, home assembly.Home, lock *badger.Lock, args []string) int {
	p.inv.Args = args
	p.open = func() (*assembly.System, error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.system == nil && p.broken == nil { // a store that cannot be opened has given its lock back: no second try
			p.system, p.broken = assembly.Open(lock, assembly.Options{Home: home, Engine: sync.OnceValues(newEngine), Sync: durabilityOf(args) != "fast", Umask: p.umask, Faults: faults(),
				AcceptLoss: acceptsLoss(args), Alarm: func(err error) { os.Exit(p.fail(ExitStore, err)) }})
			debug.SetGCPercent(ownerGC(memoryOf(args)))
			if p.system != nil && p.system.Lost != nil {
				fmt.Fprintf(p.inv.Stderr, "caper: the store lost data: %s (%d event records); caper log shows where\n", p.system.Lost.Reason, p.system.Lost.Records)
			}
		}
		return p.system, p.broken
	}
	server, err := owner.Serve(home.Socket(), Version, p.host)
	if err != nil {
		return p.fail(ExitStore, errors.Join(err, lock.Release()))
	}
	code := Execute(ctx, p.inv, p.open)
	p.letGo() // from here on a signal ends the process at once: guests recover what they were about
	late := time.AfterFunc(time.Second, func() {
		fmt.Fprintln(p.inv.Stderr, "caper: a command of another terminal is still running here; it is handed over when it ends (Ctrl-C hands it over now)")
	})
	err = server.Close()
	late.Stop()
	if p.system != nil {
		err = errors.Join(err, p.system.Close())
	} else {
		err = errors.Join(err, lock.Release())
	}
	if err != nil {
		return p.fail(ExitStore, err)
	}
	return code
}

// host runs a guest's command on the store that this process owns.
func (p *process) host(ctx context.Context, g *owner.Guest) int {
	inv := &Invocation{Args: g.Args, Cwd: g.Cwd, Environ: g.Environ, Stdout: g.Stdout, Stderr: g.Stderr, Screen: g.Screen,
		Style: view.Style{Width: g.Width, Color: g.Color, ASCII: g.ASCII, Live: g.Terminal && g.Width > 0},
		Job:   func(id string) { _ = g.Job(id) }}
	if g.Terminal {
		inv.Terminal = g
	} else {
		inv.Stdin = &lines{ctx: ctx, read: g.ReadLine}
	}
	inv.Freed, inv.guest = g.Free, true
	if g.Holds {
		inv.Held = func(ctx context.Context, f repl.Failure) (r repl.Restart) {
			if b, err := json.Marshal(f); err == nil {
				if b, err = g.Hold(ctx, b); err == nil {
					_ = json.Unmarshal(b, &r) // what cannot be read is no restart
				}
			}
			return r
		}
	}
	g.Again = runs(g.Args) != ""
	if err := openedAs(g.Args, p.inv.Args); err != nil {
		fmt.Fprint(inv.Stderr, view.Error(inv.Style, err))
		return ExitUsage
	}
	if g.Again && durabilityOf(g.Args) != "fast" && durabilityOf(p.inv.Args) == "fast" {
		fmt.Fprintln(inv.Stderr, "caper: the store is open with --durability fast, in another caper: what runs here does not survive power loss either")
	}
	if err := notFromCall(p.home, g.PID); err != nil {
		fmt.Fprint(inv.Stderr, view.Error(inv.Style, err))
		return ExitDenied
	}
	return Execute(ctx, inv, p.open)
}

// openedAs compares what a guest wants of the store with how its owner opens it: a guest cannot change that, and must not
// think that it did.
func openedAs(guest, owner []string) error {
	if want, has := durabilityOf(guest), durabilityOf(owner); want != has && given(guest, "--durability") {
		return failf(ExitUsage, "without another caper at work the flag holds", "the store is open with --durability %s, in another caper; --durability %s cannot hold beside it", has, want)
	}
	if acceptsLoss(guest) && !acceptsLoss(owner) {
		return failf(ExitUsage, "without another caper at work the flag holds", "the store is open in another caper; --accept-loss is for opening it")
	}
	return nil
}

func (p *process) attach(ctx context.Context, home assembly.Home, args []string) (int, error) {
	r := owner.Request{Version: Version, Args: args, Cwd: p.inv.Cwd, Environ: p.inv.Environ, Terminal: p.inv.Terminal != nil, Screen: p.inv.Screen,
		Width: p.inv.Style.Width, Color: p.inv.Style.Color, ASCII: p.inv.Style.ASCII,
		Told: p.inv.Job, Freed: p.inv.Freed}
	if held := p.inv.Held; held != nil {
		r.Holds, r.Held = true, func(ctx context.Context, b json.RawMessage) json.RawMessage {
			var f repl.Failure
			if json.Unmarshal(b, &f) != nil {
				return json.RawMessage("{}")
			}
			b, _ = json.Marshal(held(ctx, f)) // texts and booleans
			return b
		}
	}
	input := p.inv.Terminal
	if input == nil {
		input = p.inv.pipe
	}
	return owner.Attach(ctx, home.Socket(), r, p.inv.Stdout, p.inv.Stderr, input)
}

// processInvocation is the command line, folder, environment and terminal of this process.
func processInvocation() *Invocation {
	cwd, err := os.Getwd()
	if err != nil {
		cwd = "/"
	}
	inv := &Invocation{Args: os.Args[1:], Cwd: cwd, Environ: os.Environ(), Stdout: os.Stdout, Stderr: os.Stderr, pipe: newPipe(os.Stdin), catch: &atomic.Pointer[func()]{}}
	inv.Stdin = &lines{ctx: context.Background(), read: inv.pipe.ReadLine}
	inv.Screen = term.IsTerminal(1)
	if term.IsTerminal(0) && term.IsTerminal(2) {
		inv.Terminal = &terminal{in: bufio.NewReader(os.Stdin)}
		width, _, err := term.GetSize(2)
		if err != nil || width <= 0 {
			width = 80
		}
		inv.Style = view.TerminalStyle(width, os.Getenv)
	}
	return inv
}

// terminal reads lines from standard input, one reader at a time.
type terminal struct {
	mu sync.Mutex
	in *bufio.Reader
}

// Flush implements owner.Terminal.
func (t *terminal) Flush() {
	if !t.mu.TryLock() {
		return // what is typed now belongs to whoever reads
	}
	defer t.mu.Unlock()
	_, _ = t.in.Discard(t.in.Buffered())
	_ = flushTyped(0) // a terminal that cannot be flushed only keeps type-ahead
}

func (t *terminal) ReadLine(ctx context.Context) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if t.in.Buffered() > 0 {
		return t.in.ReadString('\n')
	}
	if err := waitReadable(ctx, 0); err != nil {
		return "", err
	}
	return t.in.ReadString('\n')
}

// waitReadable waits until fd has something to read or ctx ends.
func waitReadable(ctx context.Context, fd int) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	defer w.Close()
	stop := context.AfterFunc(ctx, func() { _, _ = w.Write([]byte{0}) })
	defer stop()
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}, {Fd: int32(r.Fd()), Events: unix.POLLIN}}
	for {
		_, err := unix.Poll(fds, -1)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return err
		}
		if fds[1].Revents != 0 {
			return ctx.Err()
		}
		if fds[0].Revents&(unix.POLLIN|unix.POLLHUP|unix.POLLERR) != 0 {
			return nil
		}
		return io.EOF
	}
}
