package program_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caper/runtime/blob"
	"caper/runtime/graph"
	"caper/runtime/license"
	"caper/runtime/program"

	"github.com/fxamacker/cbor/v2"
)

// waits is a program that comes to rest with something of everything behind it.
const waits = `
	(define (go i) (if (< i 10) (begin (display i) (read-file "in.txt") (go (+ i 1)))))
	(go 0)
	(define inner (run-program (program "(display 'inner) (read-file \"in.txt\")")))
	(display "before")
	(write-file "asked.txt" inner)
	'end`

// parkedHouse is a house in which a program rests, with its snapshot's file.
func parkedHouse(t testing.TB, text string, every int) (h *house, id graph.ID, spec program.Spec, file string) {
	t.Helper()
	h = newHouse(t)
	h.runner.SnapshotEvery = every
	if err := os.WriteFile(filepath.Join(h.work, "in.txt"), []byte("in"), 0o600); err != nil {
		t.Fatal(err)
	}
	spec = h.spec(text, license.Manual, nil)
	spec.Context.Answerability, spec.Context.ReadAllow = license.Queue, []string{h.work}
	r := h.run(t.Context(), spec, func(n graph.ID) { id = n })
	if r.err != nil || r.State != program.Parked {
		t.Fatalf("%+v", r)
	}
	return h, id, spec, filepath.Join(h.root, "home", "snapshots", fmt.Sprint(id.Session), fmt.Sprintf("%d.%d", id.Bag, id.Ord))
}

// again resumes the parked program, which parks again, and answers whether its snapshot was used.
func (h *house) again(id graph.ID, spec program.Spec) bool {
	h.t.Helper()
	before, doubts := h.passed("restored"), len(h.replays(id.Session))
	r := h.resume(h.t.Context(), id, spec)
	if r.err != nil || r.State != program.Parked || len(r.Waiting) != 1 || r.out != "0123456789innerbefore" {
		h.t.Fatalf("%+v", r)
	}
	used := h.passed("restored") > before
	if said := len(h.replays(id.Session)) - doubts; used && said != 0 || !used && said != 1 {
		h.t.Fatalf("used %v, but %d doubts are on record", used, said)
	}
	return used
}

// TestDamagedSnapshots: whatever happened to the file, the program is run again from its source, and the journal says so.
func TestDamagedSnapshots(t *testing.T) {
	h, id, spec, file := parkedHouse(t, waits, 1)
	if !h.again(id, spec) {
		t.Fatal("a sound snapshot is not used")
	}
	damage := func(change func([]byte) []byte) {
		t.Helper()
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err) // the run before must have left a new one
		}
		if err := os.WriteFile(file, change(b), 0o600); err != nil {
			t.Fatal(err)
		}
		if h.again(id, spec) {
			t.Fatal("a damaged snapshot was used")
		}
		if !h.again(id, spec) {
			t.Fatal("it was not replaced by a sound one")
		}
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(whole); at += 1 + len(whole)/60 { // in every region: seal, head, machine
		damage(func(b []byte) []byte { b[min(at, len(b)-1)] ^= 1 << (at % 8); return b })
	}
	for _, n := range []int{0, 1, 31, 32, 33, len(whole) / 2, len(whole) - 1} {
		damage(func(b []byte) []byte { return b[:n] })
	}
	damage(func(b []byte) []byte { return append(b, 0) })
	damage(func(b []byte) []byte { return bytes.Repeat([]byte{0xff}, 1000) })
}

// TestDoubtfulSnapshots: one whose seal is whole is not used either where it does not fit.
func TestDoubtfulSnapshots(t *testing.T) {
	h, id, spec, file := parkedHouse(t, waits, 1)
	seal, err := blob.OpenSealer(filepath.Join(h.root, "home", "snapshots"))
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("%d/%d.%d", id.Session, id.Bag, id.Ord)
	rewrite := func(change func(*program.Snapshot)) {
		t.Helper()
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if b, err = seal.Unseal(name, b); err != nil {
			t.Fatal(err)
		}
		var s program.Snapshot
		if err := cbor.Unmarshal(b, &s); err != nil {
			t.Fatal(err)
		}
		change(&s)
		if b, err = cbor.Marshal(&s); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, seal.Seal(name, b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rewrite(func(*program.Snapshot) {})
	if !h.again(id, spec) {
		t.Fatal("an unchanged snapshot is not used")
	}
	for what, change := range map[string]func(*program.Snapshot){
		"another build":             func(s *program.Snapshot) { s.Build += "+" },
		"another program":           func(s *program.Snapshot) { s.Program[0]++ },
		"no program":                func(s *program.Snapshot) { s.Program = nil },
		"a later moment":            func(s *program.Snapshot) { s.Seq++ },
		"beyond the journal":        func(s *program.Snapshot) { s.Seq += 1000 },
		"another history":           func(s *program.Snapshot) { s.Sum[0]++ },
		"half a link":               func(s *program.Snapshot) { s.Sum = s.Sum[:16] },
		"a long link":               func(s *program.Snapshot) { s.Sum = append(s.Sum, 0) },
		"negative fuel":             func(s *program.Snapshot) { s.Used = -1 },
		"no calls":                  func(s *program.Snapshot) { s.Calls = nil },
		"a call twice":              func(s *program.Snapshot) { s.Calls = append(s.Calls, s.Calls...) },
		"a call that nobody makes":  func(s *program.Snapshot) { s.Calls = append(s.Calls, program.Standing{Call: 999, Ord: 9}) },
		"another call":              func(s *program.Snapshot) { s.Calls[0].Call++ },
		"a call of another place":   func(s *program.Snapshot) { s.Calls[0].Ord-- },
		"output that was not":       func(s *program.Snapshot) { s.Shown = append(s.Shown, program.Piece{Own: 1}) },
		"negative output":           func(s *program.Snapshot) { s.Shown = append(s.Shown, program.Piece{Own: -1}) },
		"endless output":            func(s *program.Snapshot) { s.Shown[0].Own = 1 << 62 },
		"output beyond all numbers": func(s *program.Snapshot) { s.Shown = append(s.Shown, program.Piece{Own: math.MaxInt64}) },
		"a kid that is not there":   func(s *program.Snapshot) { s.Kids = append(s.Kids, program.Kid{Ord: 500}) },
		"no machine":                func(s *program.Snapshot) { s.Machine = nil },
		"another library":           func(s *program.Snapshot) { s.Machine[20] ^= 1 },
		"a machine of another kind": func(s *program.Snapshot) { s.Machine = []byte(strings.Repeat("machine!", 100)) },
		"half a machine":            func(s *program.Snapshot) { s.Machine = s.Machine[:len(s.Machine)/16*8] },
	} {
		rewrite(change)
		if h.again(id, spec) {
			t.Errorf("%s: it was used", what)
		}
	}
	// What was sealed for one program is none for another.
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	other := h.spec(waits, license.Manual, nil)
	other.Context.Answerability, other.Context.ReadAllow = license.Queue, []string{h.work}
	var second graph.ID
	if r := h.run(t.Context(), other, func(n graph.ID) { second = n }); r.err != nil {
		t.Fatal(r.err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(filepath.Dir(file)), fmt.Sprint(second.Session), fmt.Sprintf("%d.%d", second.Bag, second.Ord)), b, 0o600); err != nil {
		t.Fatal(err)
	}
	if h.again(second, other) {
		t.Error("one program went on as another")
	}
	// A key that is lost makes old snapshots void.
	if err := os.Remove(filepath.Join(h.root, "home", "snapshots", "seal.key")); err != nil {
		t.Fatal(err)
	}
	h.enter(h.disk)
	if h.again(id, spec) {
		t.Error("a snapshot was used without the key of its seal")
	}
	if err := h.system.Forget(id.Session); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(file)); !os.IsNotExist(err) {
		t.Errorf("forgotten, but there is %v", err)
	}
}

// TestEndedProgramsLeaveNoSnapshot looks after programs that went on to their end.
func TestEndedProgramsLeaveNoSnapshot(t *testing.T) {
	for _, c := range continued {
		h := newHouse(t)
		spec := h.spec(c.text, license.Yolo, nil)
		part := "(define (twice n) (* 2 n)) (define (write-then-read name text) (write-file name text) (read-file name))"
		if err := os.WriteFile(filepath.Join(h.work, "part.scm"), []byte(part), 0o600); err != nil {
			t.Fatal(err)
		}
		if r := h.run(t.Context(), spec, nil); r.err != nil || graph.Write(r.Value) != c.want {
			t.Fatalf("%s: %+v", c.name, r)
		}
		if n := h.passed("after-snapshot"); n < 2 {
			t.Errorf("%s: %d snapshots", c.name, n)
		}
		if left, _ := filepath.Glob(filepath.Join(h.root, "home", "snapshots", "*", "*")); len(left) > 0 {
			t.Errorf("%s: %v is left", c.name, left)
		}
	}
}

// BenchmarkResume continues a program that waits after ten thousand calls.
func BenchmarkResume(b *testing.B) {
	const text = `
		(define (go i) (if (< i 10000) (begin (read-file "in.txt") (go (+ i 1)))))
		(go 0)
		(write-file "asked.txt" "")`
	for _, with := range []bool{true, false} {
		b.Run(fmt.Sprintf("snapshot=%v", with), func(b *testing.B) {
			h, id, spec, file := parkedHouse(b, text, 0)
			if !with {
				if err := os.Remove(file); err != nil {
					b.Fatal(err)
				}
				h.runner.SnapshotEvery = 1 << 30
			}
			for b.Loop() {
				if r := h.resume(b.Context(), id, spec); r.err != nil || r.State != program.Parked {
					b.Fatalf("%+v", r)
				}
			}
		})
	}
}
