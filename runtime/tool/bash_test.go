package tool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"caper/runtime/graph"
)

// field answers one field of a record.
func field(t testing.TB, d graph.Datum, name string) graph.Datum {
	t.Helper()
	list, _ := d.(graph.List)
	for _, item := range list {
		if p, ok := item.(*graph.Dotted); ok && p.Items[0] == graph.Symbol(name) {
			return p.Tail
		}
	}
	t.Fatalf("no field %s in %v", name, d)
	return nil
}

func TestBashAnswersOutputAndExitCode(t *testing.T) {
	for _, c := range []struct {
		command, stdout, stderr string
		code                    int64
	}{
		{"echo hi", "hi\n", "", 0},
		{"echo out; echo err >&2; exit 3", "out\n", "err\n", 3},
		{"printf 'a\\nb'", "a\nb", "", 0},
		{"cat", "", "", 0}, // no standard input
		{"kill -9 $$", "", "", 137},
		{"printf '\\xff\\x00x'", "\\xff\x00x", "", 0},
		{"[[ a == a ]] && echo \"$0 $#\"", "bash 0\n", "", 0},
		{"-x", "", "bash: line 1: -x: command not found\n", 127},
		{"umask; echo $CAPER_CALL; cat <&3", "0027\nCALL\n", "bash: line 1: 3: Bad file descriptor\n", 1},
		{"pwd; echo $PWD", "DIR\nDIR\n", "", 0},
		{"env | grep -c -e BASH_ENV -e caper_go", "0\n", "", 1},
		{"tty; echo x >/dev/tty", "not a tty\n", "bash: line 1: /dev/tty: No such device or address\n", 1},
	} {
		w := newWorld(t)
		w.env.Umask = 0o027
		w.env.Environ = append(os.Environ(), "BASH_ENV=/nonexistent", "BASH_FUNC_echo%%=() { printf tricked; }")
		r, err := w.run(Bash(), c.command)
		if err != nil {
			t.Errorf("%s: %v", c.command, err)
			continue
		}
		stderr := strings.ReplaceAll(field(t, r.Value, "stderr").(string), "/usr/bin/bash", "bash")
		stderr = strings.ReplaceAll(stderr, "/bin/bash", "bash")
		stdout := strings.ReplaceAll(field(t, r.Value, "stdout").(string), w.dir, "DIR")
		stdout = strings.ReplaceAll(stdout, w.env.CallID, "CALL")
		stdout = strings.ReplaceAll(strings.ReplaceAll(stdout, "/usr/bin/bash", "bash"), "/bin/bash", "bash")
		if stdout != c.stdout || stderr != c.stderr || field(t, r.Value, "exit-code") != c.code {
			t.Errorf("%s: %q", c.command, r.Value)
			for _, f := range r.Value.(graph.List) {
				t.Logf("%q", f.(*graph.Dotted).Tail)
			}
		}
	}
}

// gone checks that no process of the call is left.
func gone(t *testing.T, call string) {
	t.Helper()
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		env, _ := os.ReadFile(dir + "/environ")
		if !strings.Contains("\x00"+string(env), "\x00CAPER_CALL="+call+"\x00") {
			continue
		}
		cmd, _ := os.ReadFile(dir + "/cmdline")
		if len(cmd) > 0 { // a zombie has none
			t.Errorf("%s is still there: %q", dir, cmd)
		}
	}
}

func TestBashEndsEverythingItStarted(t *testing.T) {
	for _, c := range []struct {
		name, command, code string
		note                bool
	}{
		{"ended", "echo begun; sleep 60", CodeTimeout, false},
		{"ended, TERM does not impress it", "trap '' TERM; echo begun; while :; do sleep 1; done", CodeTimeout, false},
		{"ended with children", "echo begun; sleep 60 | sleep 60 & sleep 60", CodeTimeout, false},
		{"ended with an escapee", "echo begun; setsid sleep 60 & sleep 60", CodeTimeout, false},
		{"a child in the background", "echo begun; sleep 60 &", "", true},
		{"a background child with closed output", "echo begun; sleep 60 >/dev/null 2>&1 &", "", true},
		{"an escapee", "echo begun; setsid -f sleep 60", "", true},
		{"job control", "echo begun; set -m; sleep 60 &", "", true},
		{"a child without its mark", "echo begun; env -i sleep 60 &", "", true},
		{"killing its own group", "echo begun; kill -KILL 0", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			args := Args{"command": c.command}
			if c.code == CodeTimeout {
				args["timeout"] = 0.2 // it may not even have begun
			}
			r, err := w.call(Bash(), args)
			if Code(err) != c.code {
				t.Fatalf("%v", err)
			}
			gone(t, w.env.CallID)
			if noted := len(r.Receipt.Notes) > 0 && r.Receipt.Notes[0] == leftNote; noted != c.note {
				t.Errorf("notes %q", r.Receipt.Notes)
			}
			if c.code == "" {
				if out := field(t, r.Value, "stdout"); out != "begun\n" {
					t.Errorf("output %q", out)
				}
				return
			}
			// Cancelled once it has begun, it ends as surely, and its output is there.
			w = newWorld(t)
			ctx, cancel := context.WithCancel(context.Background())
			w.env.Stream = func(string, []byte) { cancel() }
			delete(args, "timeout")
			f := w.prepare(Bash(), args)
			_, err = Bash().Perform(ctx, w.env, args, f)
			e, ok := err.(*Error)
			if !ok || e.Code != CodeCancelled || !e.Partial || field(t, e.Data, "stdout") != "begun\n" {
				t.Errorf("%v", err)
			}
			gone(t, w.env.CallID)
		})
	}
}

func TestBashLongOutput(t *testing.T) {
	w := newWorld(t)
	var streamed int
	w.env.Stream = func(_ string, chunk []byte) { streamed += len(chunk) }
	r, err := w.run(Bash(), "seq 1 400000")
	if err != nil {
		t.Fatal(err)
	}
	out := field(t, r.Value, "stdout").(string)
	whole := w.blobs[r.Receipt.Stdout]
	if len(out) > maxStream+100 || !strings.HasPrefix(out, "1\n2\n") || !strings.HasSuffix(out, "399999\n400000\n") || !strings.Contains(out, "bytes are left out here]\n") {
		t.Errorf("%d bytes: %q … %q", len(out), out[:20], out[len(out)-20:])
	}
	if cut := graph.Write(graph.Field(r.Value, "truncated")); cut != "(stdout)" || field(t, r.Value, "stdout-blob") != r.Receipt.Stdout || graph.Field(r.Value, "stderr-blob") != nil {
		t.Errorf("cut %s, blob %v", cut, graph.Field(r.Value, "stdout-blob"))
	}
	if streamed != len(whole) || len(r.Blobs) != 1 || !strings.HasSuffix(string(whole), "\n400000\n") {
		t.Errorf("streamed %d, kept %d", streamed, len(whole))
	}
	r, err = w.run(Bash(), "seq 1 1000; seq 1 400000 >&2")
	if err != nil {
		t.Fatal(err)
	}
	if cut := graph.Write(graph.Field(r.Value, "truncated")); cut != "(stderr)" || len(w.blobs[field(t, r.Value, "stderr-blob").(string)]) != len(whole) {
		t.Errorf("cut %s", cut)
	}
	if r, err = w.run(Bash(), "seq 1 1000"); err != nil || len(r.Value.(graph.List)) != 3 {
		t.Errorf("%s %v", graph.Write(r.Value), err)
	}
}

func TestBashFloodIsEnded(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 256 MiB: run without -short")
	}
	w := newWorld(t)
	_, err := w.run(Bash(), "yes | tee /dev/stderr")
	if Code(err) != CodeOutputLimit {
		t.Fatal(err)
	}
	gone(t, w.env.CallID)
}

func TestBashNeverReleased(t *testing.T) {
	w := newWorld(t)
	args := Args{"command": "touch effect"}
	f := w.prepare(Bash(), args)
	w.env.Close()
	gone(t, w.env.CallID)
	if r := w.recover(Bash(), args, f); r.Outcome != NotDone {
		t.Error(r.Outcome)
	}
	if _, err := os.Stat(filepath.Join(w.dir, "effect")); err == nil {
		t.Error("the command ran")
	}
}

func TestBashOfAnotherBoot(t *testing.T) {
	w := newWorld(t)
	args := Args{"command": "sleep 60"}
	f := w.prepare(Bash(), args)
	defer w.env.Close()
	old := f.with("boot", "another")
	if n, err := EndGroup(old); n != 0 || err != nil {
		t.Errorf("ended %d, %v", n, err)
	}
	if r := w.recover(Bash(), args, old); r.Outcome != Unknown {
		t.Error(r.Outcome)
	}
	// A number that was given away again is left alone: what has it began later and has no mark.
	reused := f.with("start", f.int("start")-1).with("marker", "nobody")
	if n, _ := EndGroup(reused); n != 0 {
		t.Errorf("ended %d of a foreign group", n)
	}
	if _, err := startTime(int(f.int("pid"))); err != nil {
		t.Error("the stub was ended")
	}
}

// TestEndMarkedInAContainer: there, processes that were started from outside are in group and session 0, as is all that they start.
func TestEndMarkedInAContainer(t *testing.T) {
	container := []string{"--pid", "--fork", "--mount-proc"}
	if os.Getuid() != 0 {
		container = append(container, "--user", "--map-root-user")
	}
	if out, err := exec.Command("unshare", append(container, "true")...).CombinedOutput(); err != nil {
		t.Skipf("unshare (util-linux) makes no namespaces here, which it does for root: %v: %s", err, out)
	}
	cmd := exec.Command("unshare", append(container, os.Args[0])...)
	cmd.Env = append(os.Environ(), "END_MARKED=the-mark")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// endBesideOthers starts two processes in its own group and session, ends the one with a mark, and sees that the other lives.
func endBesideOthers(mark string) error {
	cat := func(env string) (*exec.Cmd, io.Closer, error) { // it ends when its input does
		c := exec.Command("cat")
		c.Env = []string{env}
		in, err := c.StdinPipe()
		return c, in, errors.Join(err, c.Start())
	}
	marked, in, err := cat("CAPER_CALL=" + mark)
	if err != nil {
		return err
	}
	defer in.Close()
	other, in, err := cat("CAPER_CALL=another")
	if err != nil {
		return err
	}
	if n, err := EndMarked(mark, 0, TermGrace); n != 1 || err != nil {
		return fmt.Errorf("ended %d, not 1: %v", n, err)
	}
	if err := marked.Wait(); err == nil || marked.ProcessState.String() != "signal: terminated" {
		return fmt.Errorf("the marked one: %v", err)
	}
	in.Close()
	if err := other.Wait(); err != nil {
		return fmt.Errorf("the other one: %v", err)
	}
	return nil
}

func BenchmarkBash(b *testing.B) {
	w := newWorld(b)
	for b.Loop() {
		w.env.Spool = filepath.Join(b.TempDir(), "s")
		if _, err := w.run(Bash(), "true"); err != nil {
			b.Fatal(err)
		}
	}
}

// What a bare shell costs, to compare.
func BenchmarkBareShell(b *testing.B) {
	for b.Loop() {
		if err := exec.Command("/bin/bash", "--norc", "--noprofile", "-c", "true").Run(); err != nil {
			b.Fatal(err)
		}
	}
}
