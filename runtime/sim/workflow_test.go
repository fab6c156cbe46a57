package sim

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"caper/runtime/store/badger"

	"github.com/google/go-cmp/cmp"
)

// ending is what an unbroken run and a broken one must have in common.
type ending struct {
	Stdout string // complete output and value
	Files  string
	Ticks  []string // external effects, counted outside
}

//go:embed testdata/workflow.scm
var workflowText string

func workflow(t testing.TB, w *world) {
	t.Helper()
	w.write("workflow.scm", workflowText)
	w.write("in.txt", "input\n")
	w.write("old.txt", "old\n")
	w.write("gone.txt", "gone\n")
	// A file with two names is written in place, not replaced.
	w.write("twin.txt", "rather long before\n")
	if err := os.Link(filepath.Join(w.work, "twin.txt"), filepath.Join(w.work, "other-twin.txt")); err != nil {
		t.Fatal(err)
	}
}

// run is the command line that begins the workflow.
func (w *world) runArgs() []string {
	return []string{"run", "--policy", "yolo", "--value", "--durability", w.durability, "workflow.scm"}
}

func (w *world) resumeArgs(id string) []string {
	return []string{"resume", "--value", "--durability", w.durability, id}
}

func (w *world) ending(r result) ending {
	return ending{ownID.ReplaceAllString(r.stdout, "job N"), shared.ReplaceAllString(w.files(), `"3 and 4"`), w.lines()}
}

// ownID is the line with the program's own id: a run that died before it was on record leaves an empty session.
var ownID = regexp.MustCompile(`(?m)^job \d+\.1\.0$`)

// shared is the file to which two fibers append: their order is free.
var shared = regexp.MustCompile(`"(3\\n4|4\\n3)\\n"`)

// unbroken runs the workflow without a fault and answers how it ended and what points it passed, in order.
func unbroken(t testing.TB, durability string) (ending, []string) {
	t.Helper()
	w := newWorld(t, durability)
	workflow(t, w)
	log := filepath.Join(w.root, "points")
	r := w.caper([]string{"CAPER_FAULT_LOG=" + log}, w.runArgs()...)
	if r.code != 0 {
		t.Fatalf("the unbroken run: %v", r)
	}
	if err := w.noneLeft(); err != nil {
		t.Fatal(err)
	}
	return w.ending(r), strings.Fields(w.read(log))
}

// passages counts how often each point was passed.
func passages(points []string) map[string]int {
	n := map[string]int{}
	for _, p := range points {
		n[p]++
	}
	return n
}

func names(n map[string]int) []string {
	var out []string
	for p := range n {
		out = append(out, p)
	}
	sort.Strings(out)
	return out
}

// uncertainID finds calls that wait for resolve in the table of approvals.
var uncertainID = regexp.MustCompile(`\b\d+\.\d+\.\d+\b`)

// tally counts what the recoveries of a test met.
type tally struct{ kills, resumes, uncertain, happened, again int }

func (n tally) String() string {
	return fmt.Sprintf("%d kills, %d resumes, %d uncertain (%d had happened, %d ran again)", n.kills, n.resumes, n.uncertain, n.happened, n.again)
}

func (n *tally) add(m tally) {
	n.kills += m.kills
	n.resumes += m.resumes
	n.uncertain += m.uncertain
	n.happened += m.happened
	n.again += m.again
}

var programID = regexp.MustCompile(`\b\d+\.1\.0\b`)

// programID answers the only program's id, "" for none. A run that died before it was on record may leave an empty session
// before it.
func (w *world) programID() string {
	return programID.FindString(w.caper(nil, "jobs", "--durability", w.durability).stdout)
}

// carryOn resumes a killed run until it ends. An uncertain call is resolved as the counter outside says. Second faults
// are used up one a resume.
func (w *world) carryOn(id string, faults ...string) (result, tally, error) {
	var n tally
	for range 40 {
		var env []string
		if len(faults) > 0 {
			env, faults = []string{"CAPER_FAULT=" + faults[0]}, faults[1:]
		}
		r := w.caper(env, w.resumeArgs(id)...)
		n.resumes++
		switch {
		case r.killed:
			n.kills++
		case r.code == 5:
			m, err := w.resolveAll(r)
			n.add(m)
			if err != nil {
				return r, n, err
			}
		case r.code == 2 && strings.Contains(r.stderr, "no "):
			// Killed before anything was on record: nothing has happened, so begin.
			if len(w.lines()) > 0 {
				return r, n, fmt.Errorf("nothing on record, but effects took place: %v", w.lines())
			}
			r = w.caper(env, w.runArgs()...)
			if !r.killed {
				return r, n, nil
			}
			n.kills++
			id = w.programID()
		default:
			return r, n, nil
		}
	}
	return result{}, n, fmt.Errorf("forty resumes did not end it")
}

// resolveAll answers every uncertain call from what the counter shows.
func (w *world) resolveAll(r result) (tally, error) {
	var n tally
	table := w.ok("approvals", "--durability", w.durability)
	ids := uncertainID.FindAllString(table, -1)
	if len(ids) == 0 {
		return n, fmt.Errorf("exit 5, but nothing waits: %v\n%s", r, table)
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		show := w.ok("show", id, "--json", "--durability", w.durability)
		if !strings.Contains(show, `"bash"`) {
			return n, fmt.Errorf("%s is uncertain, but it is no external call: %s", id, show)
		}
		if w.spooledExit(id) {
			return n, fmt.Errorf("%s is uncertain, but its exit status is in the spool", id)
		}
		n.uncertain++
		args := []string{"resolve", id, "--retry", "--durability", w.durability}
		if value, yes := w.happened(show); yes {
			args = []string{"resolve", id, "--happened", "--value", value, "--durability", w.durability}
			n.happened++
		} else {
			n.again++
		}
		w.ok(args...)
	}
	return n, nil
}

// spooledExit reports whether the newest attempt of a call left an exit status. An empty file is none: its writer was
// killed in between.
func (w *world) spooledExit(id string) bool {
	session, rest, _ := strings.Cut(id, ".")
	exits, _ := filepath.Glob(filepath.Join(w.home, "spool", session, rest, "exit.*"))
	outs, _ := filepath.Glob(filepath.Join(w.home, "spool", session, rest, "stdout.*"))
	whole := 0
	for _, path := range exits {
		if strings.HasSuffix(w.read(path), " end\n") {
			whole++
		}
	}
	return whole > 0 && whole >= len(outs)
}

// verify checks every link of every session's chain, and that nothing is left open or waiting.
func (w *world) verify() (err error) {
	st, err := badger.Open(filepath.Join(w.home, "store"), badger.Options{Wait: true, Balloon: -1})
	if err != nil {
		return fmt.Errorf("open the store to verify it: %w", err)
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	if lost := st.Lost(); lost != nil {
		return fmt.Errorf("the store lost something: %v", lost)
	}
	sessions, err := st.Sessions()
	if err != nil {
		return err
	}
	for _, s := range sessions {
		if err := st.Verify(s); err != nil {
			return err
		}
		for id, err := range st.Open(s) {
			return errors.Join(err, fmt.Errorf("%v is still open", id))
		}
	}
	for id, err := range st.Waiting() {
		return errors.Join(err, fmt.Errorf("%v still waits", id))
	}
	return nil
}

// check compares an ending with the unbroken one and looks after the rest: no process, a whole store, a tree to draw.
func (w *world) check(want ending, r result) error {
	if r.code != 0 {
		return fmt.Errorf("the resumed run: %v", r)
	}
	if d := cmp.Diff(want, w.ending(r)); d != "" {
		return fmt.Errorf("not as the unbroken run (-want +got):\n%s", d)
	}
	if err := w.noneLeft(); err != nil {
		return err
	}
	if err := w.verify(); err != nil {
		return err
	}
	for _, verb := range []string{"tree", "log", "approvals"} {
		r := w.caper(nil, verb)
		if r.code != 0 || verb != "approvals" && r.stdout == "" {
			return fmt.Errorf("caper %s: %v", verb, r)
		}
		if verb == "tree" && strings.Contains(r.stdout, "…running") {
			return fmt.Errorf("something still runs: %s", r.stdout)
		}
	}
	return nil
}
