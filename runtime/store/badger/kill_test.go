package badger

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"

	"go.uber.org/goleak"
)

const childVar = "CAPER_TEST_STORE_CHILD"

func TestMain(m *testing.M) {
	if spec := os.Getenv(childVar); spec != "" {
		child(spec)
		return
	}
	// What Badger leaves behind when it refuses to open is beyond us; everything else has ended.
	goleak.VerifyTestMain(m,
		goleak.IgnoreTopFunction("github.com/dgraph-io/ristretto/v2/z.(*AllocatorPool).freeupAllocators"),
		goleak.IgnoreTopFunction("github.com/dgraph-io/badger/v4.(*DB).monitorCache"))
}

// child commits calls for ever and says each one that was acknowledged. spec is "dir durability point occurrence": with a
// point, the child kills itself there.
func child(spec string) {
	var dir, point string
	var how Durability
	var left int
	if _, err := fmt.Sscan(spec, &dir, &how, &point, &left); err != nil {
		panic(err)
	}
	s, err := Open(dir, Options{Durability: how, Balloon: -1, Hook: func(p string) {
		if p == point {
			if left--; left == 0 {
				syscall.Kill(os.Getpid(), syscall.SIGKILL)
			}
		}
	}})
	if err != nil {
		fmt.Println("open:", err)
		return
	}
	n, err := s.NewSession(&kind.SessionRoot{SessionID: "child"})
	if err != nil {
		fmt.Println("session:", err)
		return
	}
	pad := strings.Repeat("x", 700)
	for ord := uint64(0); ; ord++ {
		if point == "before-clean" && ord == 60 {
			s.Close()
		}
		id := graph.ID{Session: n, Bag: 1, Ord: ord}
		if _, err := s.Apply(n, store.Mint{ID: id, Open: true, Node: &kind.ToolCallJob{Tool: "t", Args: kind.Of(pad)}}); err != nil {
			fmt.Println("mint:", err)
			return
		}
		settle := store.Settle{ID: id, Outcome: kind.Outcome{State: kind.Settled, Value: kind.Of(int64(ord))}}
		if ord%3 == 0 {
			_, err = s.Ride(n, settle) // acknowledged by the next mint
			if err == nil {
				continue
			}
		} else {
			_, err = s.Apply(n, settle)
		}
		if err != nil {
			fmt.Println("settle:", err)
			return
		}
		fmt.Println("ack", n, ord)
	}
}

// killed runs a child and ends it after a number of acknowledgements; it answers the last one of each session.
func killed(t *testing.T, dir string, how Durability, point string, occurrence, acks int) (session, last uint64) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^$")
	cmd.Env = append(os.Environ(), childVar+"="+fmt.Sprintf("%s %d %s %d", dir, how, point, occurrence))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	count := 0
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) != 3 || f[0] != "ack" {
			t.Fatalf("the child says %q", lines.Text())
		}
		session, _ = strconv.ParseUint(f[1], 10, 64)
		last, _ = strconv.ParseUint(f[2], 10, 64)
		if count++; count == acks {
			cmd.Process.Kill()
		}
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("the child ended otherwise: %v", err)
	}
	return session, last
}

// checkAcked opens the store and looks for all that was acknowledged.
func checkAcked(t *testing.T, dir string, how Durability, session, last uint64) {
	t.Helper()
	s := open(t, dir, Options{Durability: how, NoIdleDrop: true})
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	if s.Lost() != nil {
		t.Fatalf("lost: %+v", s.Lost())
	}
	if _, err := content(s); err != nil {
		t.Fatal(err)
	}
	if session == 0 {
		return // killed before the first acknowledgement
	}
	next := uint64(0)
	for e, err := range s.Children(session, graph.RootBag, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.ID.Ord != next {
			t.Fatalf("call %d where %d should be", e.ID.Ord, next)
		}
		if e.Outcome == nil && next <= last {
			t.Errorf("call %d was acknowledged up to %d and has no outcome", next, last)
		}
		next++
	}
	if next <= last {
		t.Errorf("%d calls are there, call %d was acknowledged", next, last)
	}
}

func TestKilledAnywhere(t *testing.T) {
	for _, how := range []Durability{Fast, Sync} {
		rounds, most := 8, 4000
		if how == Sync {
			most = 400
		}
		dir := t.TempDir()
		rng := rand.New(rand.NewPCG(1, uint64(how)))
		for range rounds {
			session, last := killed(t, dir, how, "nowhere", 0, 1+rng.IntN(most))
			checkAcked(t, dir, how, session, last)
		}
	}
}

func TestKilledAtEachBoundary(t *testing.T) {
	for _, how := range []Durability{Fast, Sync} {
		for _, c := range []struct {
			point       string
			occurrences []int
		}{
			{"before-open", []int{1}}, {"after-open", []int{1}}, {"before-clean", []int{1}},
			{"before-commit", []int{1, 2, 7}}, {"after-commit", []int{1, 2, 7}},
			{"before-anchor", []int{1, 2, 7}}, {"after-anchor", []int{1, 2, 7}},
		} {
			dir := t.TempDir()
			session, last := killed(t, dir, how, "nowhere", 0, 20)
			checkAcked(t, dir, how, session, last)
			killed(t, dir, how, "nowhere", 0, 20) // so that the next one opens after a kill
			for _, occurrence := range c.occurrences {
				session, last := killed(t, dir, how, c.point, occurrence, -1)
				checkAcked(t, dir, how, session, last)
			}
		}
	}
}
