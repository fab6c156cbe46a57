package sim

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const asks = `(display "before\n")
(write-file "asked.txt" "written\n")
(display "after\n")
'finished
`

// program writes a program into a folder.
func program(t testing.TB, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestParkedApproval: run asks, is killed; the question waits in the queue; approve and resume finish it.
func TestParkedApproval(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "sync")
	program(t, w.work, "ask.scm", asks)
	x := w.terminal(w.work, "run", "ask.scm")
	x.expect("allow it?")
	x.kill()
	if out := w.ok("approvals"); !strings.Contains(out, "1.2.0") || !strings.Contains(out, "write-file") {
		t.Fatalf("approvals: %s", out)
	}
	// Resumed with nobody there before the answer, it goes on waiting.
	if r := w.caper(nil, "resume"); r.code != 7 {
		t.Fatalf("resume before the answer: %v", r)
	}
	w.ok("approve", "1.2.0")
	r := w.caper(nil, "resume", "--value")
	if r.code != 0 || r.stdout != "before\nafter\nfinished\n" {
		t.Fatalf("resume: %v", r)
	}
	w.mustHave(filepath.Join(w.work, "asked.txt"), "written\n")
	if out := w.ok("approvals"); strings.Contains(out, "1.2.0") {
		t.Fatalf("still in the queue: %s", out)
	}
}

// TestApprovalOfSomethingElse: what was approved has changed meanwhile; the yes is worth nothing and the queue asks again.
func TestApprovalOfSomethingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "sync")
	program(t, w.work, "ask.scm", asks)
	x := w.terminal(w.work, "run", "ask.scm")
	x.expect("allow it?")
	x.kill()
	w.ok("approve", "1.2.0")
	w.write("asked.txt", "someone else was here\n")
	if r := w.caper(nil, "resume"); r.code != 7 {
		t.Fatalf("resume: %v", r)
	}
	w.mustHave(filepath.Join(w.work, "asked.txt"), "someone else was here\n")
	if out := w.ok("approvals"); !strings.Contains(out, "1.2.0") {
		t.Fatalf("not in the queue again: %s", out)
	}
	w.ok("approve", "1.2.0")
	if r := w.caper(nil, "resume", "--value"); r.code != 0 {
		t.Fatalf("resume: %v", r)
	}
	w.mustHave(filepath.Join(w.work, "asked.txt"), "written\n")
}

// TestTwoTerminals: the second attaches to the first, under its own folder and terminal; the first is killed, the second
// takes over and its program finishes; the first one's waits and can be resumed.
func TestTwoTerminals(t *testing.T) {
	t.Parallel()
	for _, answeredBefore := range []bool{true, false} {
		w := newWorld(t, "sync")
		one, two := w.sub("one"), w.sub("two")
		program(t, one, "ask.scm", asks)
		program(t, two, "ask.scm", `(write-file "first.txt" "first\n")
(bash "sleep 0.2; printf 'x\\n' >> \"$COUNTER\"")
(write-file "second.txt" "second\n")
'second
`)
		a := w.terminal(one, "run", "--value", "ask.scm")
		a.expect("allow it?")
		b := w.terminal(two, "run", "--value", "ask.scm")
		b.expect("first.txt")
		if strings.Contains(a.shown(), "first.txt") {
			t.Fatalf("the question came to the wrong terminal:\n%s", a.shown())
		}
		b.asked(1)
		if answeredBefore {
			b.send("y\n")
			b.asked(2)
		}
		a.kill()
		// The new owner asks what stood open again, at the same terminal.
		b.asked(2)
		if answeredBefore {
			b.asked(3)
		} else {
			b.send("y\n")
			b.asked(3)
		}
		b.send("y\n")
		b.asked(4)
		b.send("y\n")
		b.ends(0)
		b.expect("second")
		w.mustHave(filepath.Join(two, "first.txt"), "first\n")
		w.mustHave(filepath.Join(two, "second.txt"), "second\n")
		w.mustHave(w.counter, "x\n")
		if out := w.ok("approvals"); !strings.Contains(out, "1.2.0") {
			t.Fatalf("the first one's question is not in the queue: %s", out)
		}
		w.ok("approve", "1.2.0")
		if r := w.caper(nil, "resume", "1.1.0", "--value"); r.code != 0 || !strings.HasSuffix(r.stdout, "finished\n") {
			t.Fatalf("resume of the first: %v", r)
		}
		w.mustHave(filepath.Join(one, "asked.txt"), "written\n")
		if err := w.noneLeft(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestGuestFlags: how the store is open is its owner's choice; a guest that wants it otherwise is told, not ignored.
func TestGuestFlags(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "sync")
	program(t, w.work, "ask.scm", asks)
	a := w.terminal(w.work, "run", "--durability", "sync", "ask.scm")
	a.expect("allow it?")
	for _, row := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"approvals"}, 0, ""},
		{[]string{"--durability", "sync", "jobs"}, 0, ""},
		{[]string{"--durability", "fast", "jobs"}, 2, "the store is open with --durability sync"},
		{[]string{"run", "--durability=fast", "ask.scm"}, 2, "--durability fast cannot hold"},
		{[]string{"--accept-loss", "jobs"}, 2, "--accept-loss is for opening it"},
	} {
		if r := w.caper(nil, row.args...); r.code != row.code || !strings.Contains(r.stderr, row.says) {
			t.Errorf("caper %v: %v", row.args, r)
		}
	}
}

// TestOwnerEnds: the owner ends in peace while a guest's command runs: the command comes to its end, then the guest takes
// over and goes on.
func TestOwnerEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "sync")
	one, two := w.sub("one"), w.sub("two")
	program(t, one, "ask.scm", asks)
	program(t, two, "long.scm", `(bash "printf 'a\\n' >> \"$COUNTER\"; until test -e go; do sleep 0.01; done; printf 'b\\n' >> \"$COUNTER\"")
(bash "printf 'c\\n' >> \"$COUNTER\"")
'long
`)
	a := w.terminal(one, "run", "ask.scm")
	a.expect("allow it?")
	b := w.terminal(two, "run", "--policy", "yolo", "--value", "long.scm")
	until(t, "the guest's command runs", func() bool { return w.read(w.counter) == "a\n" })
	a.send("n\n")
	a.expect("denied")
	until(t, "the owner waits", func() bool { return strings.Contains(a.shown(), "still running") })
	program(t, two, "go", "")
	a.ends(3)
	b.ends(0)
	b.expect("long")
	w.mustHave(w.counter, "a\nb\nc\n")
}

// TestEvalOfAGuest: an expression that was begun in an owner that dies is not begun again.
func TestEvalOfAGuest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "sync")
	one := w.sub("one")
	program(t, one, "ask.scm", asks)
	a := w.terminal(one, "run", "ask.scm")
	a.expect("allow it?")
	b := w.terminal(w.work, "eval", "--policy", "yolo", `(begin (bash "printf 'a\\n' >> \"$COUNTER\"") (bash "echo > begun; until test -e go; do sleep 0.01; done") 'evaluated)`)
	until(t, "the second command runs", func() bool { return w.read(filepath.Join(w.work, "begun")) == "\n" })
	a.kill()
	b.answer("did it happen?", "l", 0) // later
	b.ends(5)
	w.write("go", "")
	w.ok("resolve", "2.2.1", "--retry")
	if out := w.ok("resume", "--value", "2.1.0"); out != "evaluated\n" {
		t.Fatalf("resume: %q", out)
	}
	w.mustHave(w.counter, "a\n")
	if err := w.noneLeft(); err != nil {
		t.Fatal(err)
	}
}

// TestSignals: TERM and HUP park, INT cancels; what the program had running is gone.
func TestSignals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		signal syscall.Signal
		exit   int
		state  string
	}{
		{syscall.SIGTERM, 7, "interrupted"},
		{syscall.SIGHUP, 7, "interrupted"},
		{syscall.SIGINT, 130, "cancelled"},
	} {
		w := newWorld(t, "sync")
		program(t, w.work, "long.scm", `(write-file "a.txt" "a\n")
(bash "sleep 600 & printf 'x\\n' >> \"$COUNTER\"; sleep 600")
`)
		x := w.terminal(w.work, "run", "--policy", "yolo", "long.scm")
		until(t, "the command runs", func() bool { return w.read(w.counter) == "x\n" })
		x.signal(c.signal)
		x.ends(c.exit)
		if err := w.noneLeft(); err != nil {
			t.Fatalf("%v: %v", c.signal, err)
		}
		jobs := w.ok("jobs")
		t.Logf("%v: %s", c.signal, jobs)
		if c.exit == 130 && !strings.Contains(jobs, c.state) {
			t.Fatalf("%v: %s", c.signal, jobs)
		}
		if c.exit == 7 {
			if r := w.caper(nil, "resume"); r.code != 5 {
				t.Fatalf("%v: resume: %v", c.signal, r)
			}
			w.ok("resolve", "1.2.1", "--did-not")
			if r := w.caper(nil, "resume"); r.code != 1 {
				t.Fatalf("%v: resume after resolve: %v", c.signal, r)
			}
		}
	}
}

// TestRunningTwice: a program that runs is not run a second time beside itself, and can be ended from elsewhere.
func TestRunningTwice(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "sync")
	program(t, w.work, "long.scm", `(bash "printf 'a\\n' >> \"$COUNTER\"; sleep 600")`)
	x := w.terminal(w.work, "run", "--policy", "yolo", "long.scm")
	until(t, "the command runs", func() bool { return w.read(w.counter) == "a\n" })
	for _, args := range [][]string{{"resume", "1.1.0"}, {"resume", "1.2.0"}, {"resume"}, {"forget", "1"}} {
		if r := w.caper(nil, args...); r.code != 2 {
			t.Fatalf("caper %v beside it: %v", args, r)
		}
	}
	w.mustHave(w.counter, "a\n")
	w.ok("cancel", "1.1.0")
	x.ends(130)
	if err := w.noneLeft(); err != nil {
		t.Fatal(err)
	}
	if r := w.caper(nil, "resume", "1.1.0"); r.code != 130 {
		t.Fatalf("resumed after its cancellation: %v", r)
	}
}

// TestGuestGoes: what happens to a guest's program, which runs in the owner, when the guest is signalled or killed.
func TestGuestGoes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		signal syscall.Signal
		exit   int
		resume int // exit code of resume afterwards
	}{
		{syscall.SIGTERM, 7, 5},
		{syscall.SIGINT, 130, 130},
		{syscall.SIGKILL, -1, 5},
	} {
		w := newWorld(t, "fast")
		one := w.sub("one")
		program(t, one, "ask.scm", asks)
		program(t, w.work, "long.scm", `(bash "sleep 600 & printf 'x\\n' >> \"$COUNTER\"; sleep 600")`)
		a := w.terminal(one, "run", "ask.scm")
		a.asked(1)
		b := w.terminal(w.work, "run", "--policy", "yolo", "long.scm")
		until(t, "the guest's command runs", func() bool { return w.read(w.counter) == "x\n" })
		b.signal(c.signal)
		b.ends(c.exit)
		if err := w.noneLeft(); err != nil {
			t.Fatalf("%v: %v", c.signal, err)
		}
		until(t, "the owner has let the job go", func() bool { return w.caper(nil, "resume", "2.1.0").code == c.resume })
		a.send("y\n")
		a.ends(0)
		w.mustHave(w.counter, "x\n")
	}
}

// TestLongHome: a home whose path is longer than a socket's address may be is served and attached to like any other.
func TestLongHome(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "fast")
	w.home = filepath.Join(w.root, strings.Repeat("long/", 60), "home")
	program(t, w.work, "ask.scm", asks)
	a := w.terminal(w.work, "run", "--value", "ask.scm")
	a.asked(1)
	w.ok("approve", "1.2.0")
	a.ends(0)
	a.expect("finished")
}

// TestResumeKeepsWhatItBeganWith: arguments, rules and paths named on the command line hold for the rest of a program's
// life, wherever it is continued.
func TestResumeKeepsWhatItBeganWith(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "sync")
	elsewhere := w.sub("elsewhere")
	program(t, elsewhere, "data.txt", "read me\n")
	program(t, w.root, "rules.yaml", "deny:\n  - write-file\n")
	program(t, w.work, "p.scm", `(bash "true")
(define args (command-line-arguments))
(write args)
(display (read-file (string-append (car args) "/data.txt")))
(guard (e ((denied? e) (display "denied\n"))) (write-file "x.txt" "x"))
`)
	r := w.caper([]string{"CAPER_FAULT=exited:1"}, "run", "--policy", "yolo", "--rules", filepath.Join(w.root, "rules.yaml"), "p.scm", "--", elsewhere, "two")
	if !r.killed {
		t.Fatal(r)
	}
	if out, want := w.ok("resume"), `("`+elsewhere+`" "two")read me`+"\ndenied\n"; out != want {
		t.Fatalf("resume: %q, want %q", out, want)
	}
}

// TestThreeTerminals: when the owner dies, one of two guests becomes the owner and the other attaches to it.
func TestThreeTerminals(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "fast")
	var terminals []*terminal
	for _, name := range []string{"one", "two", "three"} {
		dir := w.sub(name)
		program(t, dir, "ask.scm", asks)
		x := w.terminal(dir, "run", "--value", "ask.scm")
		x.asked(1)
		terminals = append(terminals, x)
	}
	terminals[0].kill()
	for _, x := range terminals[1:] {
		x.asked(2)
	}
	for _, x := range terminals[1:] { // the end of the first makes the other an owner, which asks once more
		x.yes(1)
		x.ends(0)
		x.expect("finished")
	}
	for name, text := range map[string]string{"one": "", "two": "written\n", "three": "written\n"} {
		w.mustHave(filepath.Join(w.root, name, "asked.txt"), text)
	}
}
