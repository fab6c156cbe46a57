package badger

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
)

// fill writes calls enough for tables on disk, in two sessions.
func fill(t testing.TB, s *Store, calls int) {
	t.Helper()
	for range 2 {
		n, err := s.NewSession(&kind.SessionRoot{SessionID: "x"})
		if err != nil {
			t.Fatal(err)
		}
		more(t, s, n, 0, calls)
	}
}

func more(t testing.TB, s store.Store, session uint64, from, calls int) {
	t.Helper()
	pad := strings.Repeat("x", 6000)
	for ord := from; ord < from+calls; ord++ {
		id := graph.ID{Session: session, Bag: 1, Ord: uint64(ord)}
		mint := store.Mint{ID: id, Open: true, Node: &kind.ToolCallJob{Tool: "read-file", Args: kind.Of(pad)}}
		if _, err := s.Apply(session, mint); err != nil {
			t.Fatal(err)
		}
		settle := store.Settle{ID: id, Outcome: kind.Outcome{State: kind.Settled, Value: kind.Of(int64(ord))}}
		if _, err := s.Apply(session, settle); err != nil {
			t.Fatal(err)
		}
	}
}

// content is all that a reader can see of a store, checked against its chains.
func content(s store.Store) (string, error) {
	var b strings.Builder
	sessions, err := s.Sessions()
	if err != nil {
		return "", err
	}
	for _, n := range sessions {
		if err := s.Verify(n); err != nil {
			return "", err
		}
		last, err := s.LastEvent(n)
		if err != nil {
			return "", err
		}
		children, settled := 0, 0
		for e, err := range s.Children(n, graph.RootBag, 0) {
			if err != nil {
				return "", err
			}
			children++
			if e.Outcome != nil {
				settled++
			}
		}
		fmt.Fprintf(&b, "session %d: %d events, %d children, %d settled; ", n, last, children, settled)
	}
	return b.String(), nil
}

// copyTree copies a store as it lies there. Of a store that is open this is what kill -9 would leave: its mappings are
// the kernel's pages, and a copy reads those.
func copyTree(t testing.TB, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o700)
		case d.Name() == "LOCK":
			return nil
		}
		return copySparse(path, filepath.Join(to, rel))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// damages are done to one file each.
var damages = []struct {
	name string
	do   func(path string, used int64) error
}{
	{"removed", func(p string, _ int64) error { return os.Remove(p) }},
	{"emptied", func(p string, _ int64) error { return os.Truncate(p, 0) }},
	{"cut in half", func(p string, used int64) error { return os.Truncate(p, used/2) }},
	{"cut by 3 bytes", func(p string, used int64) error { return os.Truncate(p, max(used-3, 0)) }},
	{"a bit flipped in front", func(p string, used int64) error { return flip(p, min(9, used-1)) }},
	{"a bit flipped in the middle", func(p string, used int64) error { return flip(p, used/2) }},
	{"a bit flipped at the end", func(p string, used int64) error { return flip(p, used-1) }},
	{"zeroed at the end", func(p string, used int64) error {
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		clear(b[max(used-40, 0):used])
		return os.WriteFile(p, b, 0o600)
	}},
}

func flip(path string, at int64) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	var b [1]byte
	if _, err := f.ReadAt(b[:], at); err != nil {
		return err
	}
	b[0] ^= 0x10
	_, err = f.WriteAt(b[:], at)
	return err
}

func TestDamageIsNeverSilent(t *testing.T) {
	for _, clean := range []bool{true, false} {
		origin := t.TempDir()
		s := open(t, filepath.Join(origin, "live"), Options{Durability: Fast, NoIdleDrop: true})
		fill(t, s, 800)
		want, err := content(s)
		if err != nil {
			t.Fatal(err)
		}
		whole := filepath.Join(origin, "live")
		if clean {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		} else {
			whole = filepath.Join(origin, "killed")
			copyTree(t, filepath.Join(origin, "live"), whole)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		var names []string
		for _, dir := range []string{".", folderName} {
			list, err := os.ReadDir(filepath.Join(whole, dir))
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range list {
				if e.Type().IsRegular() && e.Name() != lockName {
					names = append(names, filepath.Join(dir, e.Name()))
				}
			}
		}
		told := 0
		for _, name := range names {
			for i, d := range damages {
				if i%3 != 0 && (name == filepath.Join(folderName, "KEYREGISTRY") || strings.HasSuffix(name, ".vlog")) {
					continue // they hold nothing
				}
				what := fmt.Sprintf("clean close %v, %s %s", clean, name, d.name)
				dir := t.TempDir()
				copyTree(t, whole, dir)
				path := filepath.Join(dir, name)
				b, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				used := int64(len(bytes.TrimRight(b, "\x00")))
				if used == 0 {
					continue
				}
				if err := d.do(path, used); err != nil {
					t.Fatal(what, err)
				}
				if tellsLoss(t, what, dir, want) {
					told++
				}
			}
		}
		t.Logf("clean close %v: %d damages, %d told, the rest lost nothing", clean, len(names)*len(damages), told)
		if told < len(names) {
			t.Errorf("only %d damages were noticed", told)
		}
	}
}

// tellsLoss opens a damaged store and fails the test when something is missing and nobody was told.
func tellsLoss(t *testing.T, what, dir, want string) bool {
	t.Helper()
	s, err := Open(dir, Options{Durability: Fast, Balloon: -1, NoIdleDrop: true})
	if err != nil {
		if !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
		goesOn(t, what, dir)
		return true
	}
	defer s.Close()
	if s.Lost() != nil {
		return true
	}
	got, err := content(s)
	if err != nil || got != want {
		t.Errorf("%s: opened without a word\n got %s (%v)\nwant %s", what, got, err, want)
	}
	return false
}

// goesOn accepts the loss: what is left opens, says what is lost, takes new calls, and is whole from then on.
func goesOn(t *testing.T, what, dir string) {
	t.Helper()
	s, err := Open(dir, Options{Durability: Fast, Balloon: -1, NoIdleDrop: true, AcceptLoss: true})
	if err != nil {
		t.Errorf("%s: it does not open with the loss accepted: %v", what, err)
		return
	}
	if s.Lost() == nil {
		t.Errorf("%s: the loss is not told when it is accepted", what)
	}
	n, err := s.NewSession(&kind.SessionRoot{SessionID: "after"})
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	more(t, s, n, 0, 3)
	if err := s.Close(); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	s, err = Open(dir, Options{Durability: Fast, Balloon: -1, NoIdleDrop: true})
	if err != nil {
		t.Errorf("%s: opened again after the loss was accepted: %v", what, err)
		return
	}
	defer s.Close()
	if s.Lost() != nil {
		t.Errorf("%s: the accepted loss is told again: %+v", what, s.Lost())
	}
	if err := s.Verify(n); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}
