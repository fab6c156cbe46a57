package badger

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
)

func TestOneOwner(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{Durability: Fast})
	if _, err := Open(dir, Options{}); !errors.Is(err, store.ErrLocked) {
		t.Errorf("a second owner: %v", err)
	}
	got := make(chan error, 1)
	go func() {
		l, err := Acquire(dir, true)
		if err == nil {
			err = l.Release()
		}
		got <- err
	}()
	select {
	case err := <-got:
		t.Errorf("the lock was given beside its owner (%v)", err)
	default:
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-got; err != nil {
		t.Error(err)
	}
	l, err := Acquire(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	s = open(t, dir, Options{Lock: l})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if l, err = Acquire(dir, false); err != nil {
		t.Errorf("the lock that was handed in is still held: %v", err)
	} else {
		l.Release()
	}
}

func TestOnlyTheUserReadsTheFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home", "store")
	s := open(t, dir, Options{Balloon: 1 << 20})
	fill(t, s, 10)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		if fi.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, fi.Mode())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFolderThatCannotBeUsed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below")} {
		if _, err := Open(dir, Options{}); !errors.Is(err, store.ErrUnreadable) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	for _, c := range []struct {
		text string
		want error
	}{
		{"cannot open: permission denied", store.ErrUnreadable},
		{"Cannot write pid file: read-only file system", store.ErrUnreadable},
		{"while creating: no space left on device", store.ErrDiskFull},
		{"Cannot acquire directory lock. Another process is using this Badger database.", store.ErrLocked},
		{"manifest has bad magic", store.ErrDamaged},
	} {
		if err := openError("/s", errors.New(c.text)); !errors.Is(err, c.want) {
			t.Errorf("%s became %v", c.text, err)
		}
	}
}

func TestNearlyFullDisk(t *testing.T) {
	dir := t.TempDir()
	left := uint64(1 << 30)
	free := func(string) (uint64, error) { return left, nil }
	balloon := filepath.Join(dir, balloonName)
	s := open(t, dir, Options{Durability: Fast, Balloon: 1 << 20, Free: free})
	if fi, err := os.Stat(balloon); err != nil || fi.Size() != 1<<20 {
		t.Fatalf("the balloon: %v, %v", fi, err)
	}
	n, err := s.NewSession(&kind.SessionRoot{})
	if err != nil {
		t.Fatal(err)
	}
	more(t, s, n, 0, 2)
	id := graph.ID{Session: n, Bag: 1, Ord: 9}
	mint := store.Mint{ID: id, Node: &kind.ToolCallJob{Tool: "t"}, Open: true}
	if _, err := s.Apply(n, mint); err != nil {
		t.Fatal(err)
	}
	left = roomForCalls - 1
	second := mint
	second.ID.Ord++
	if _, err := s.Apply(n, second); !errors.Is(err, store.ErrDiskFull) || !strings.Contains(err.Error(), "63 MiB") {
		t.Errorf("a new call: %v", err)
	}
	if _, err := s.NewSession(&kind.SessionRoot{}); !errors.Is(err, store.ErrDiskFull) {
		t.Errorf("a new session: %v", err)
	}
	if _, err := s.Apply(n, store.Settle{ID: id, Outcome: kind.Outcome{State: kind.Settled}}); err != nil {
		t.Errorf("a settle: %v", err)
	}
	left = roomToSettle - 1
	for range 20 {
		if _, err := s.Apply(n, store.Note{ID: id, Fact: kind.Fact{What: "x"}}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(balloon); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the balloon is still there: %v", err)
	}
	left = 1 << 30
	if _, err := s.Apply(n, second); err != nil {
		t.Errorf("a call after room was made: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir, Options{Durability: Fast, Balloon: 1 << 20, Free: free})
	if _, err := os.Stat(balloon); err != nil {
		t.Errorf("no new balloon: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	left = roomToOpen - 1
	s = open(t, dir, Options{Durability: Fast, Balloon: 1 << 20, Free: free})
	defer s.Close()
	if _, err := os.Stat(balloon); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("opened on a full disk with the balloon: %v", err)
	}
}

// lastFolder copies a store as kill -9 would leave it, before and after some more calls.
func beforeAndAfter(t *testing.T, how Durability, boot string) (before, after string, session uint64) {
	t.Helper()
	root := t.TempDir()
	live := filepath.Join(root, "live")
	before, after = filepath.Join(root, "before"), filepath.Join(root, "after")
	s := open(t, live, Options{Durability: how, BootID: boot, NoIdleDrop: true})
	session, err := s.NewSession(&kind.SessionRoot{})
	if err != nil {
		t.Fatal(err)
	}
	more(t, s, session, 0, 5)
	open := store.Mint{ID: graph.ID{Session: session, Bag: 1, Ord: 5}, Node: &kind.ToolCallJob{Tool: "t"}, Open: true}
	if _, err := s.Apply(session, open); err != nil {
		t.Fatal(err)
	}
	copyTree(t, live, before)
	more(t, s, session, 6, 3)
	copyTree(t, live, after)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return before, after, session
}

// lose puts the database of before under the anchor of after: six records went.
func lose(t *testing.T, before, after string) {
	t.Helper()
	if err := os.Remove(filepath.Join(before, anchorName)); err != nil {
		t.Fatal(err)
	}
	if err := copySparse(filepath.Join(after, anchorName), filepath.Join(before, anchorName)); err != nil {
		t.Fatal(err)
	}
}

func TestPowerFailureInFastMode(t *testing.T) {
	before, after, session := beforeAndAfter(t, Fast, "one")
	lose(t, before, after)
	s := open(t, before, Options{Durability: Fast, BootID: "two", NoIdleDrop: true})
	lost := s.Lost()
	if lost == nil || !lost.PowerLoss || lost.Records != 6 || len(lost.Sessions) != 1 || lost.Sessions[0] != session {
		t.Fatalf("lost: %+v", lost)
	}
	facts, err := s.Facts(graph.RootID(session))
	if err != nil || len(facts) != 1 || facts[0].What != kind.FactLost {
		t.Errorf("facts of the session: %+v, %v", facts, err)
	}
	more(t, s, session, 6, 2)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, before, Options{Durability: Fast, BootID: "two", NoIdleDrop: true})
	defer s.Close()
	if s.Lost() != nil {
		t.Errorf("told again: %+v", s.Lost())
	}
	if err := s.Verify(session); err != nil {
		t.Error(err)
	}
}

func TestWhatIsNoPowerFailureIsDamage(t *testing.T) {
	for _, c := range []struct {
		what        string
		how         Durability
		boot, later string
	}{
		{"fast, but the machine stayed up", Fast, "one", "one"},
		{"sync loses nothing with the power", Sync, "one", "two"},
	} {
		before, after, _ := beforeAndAfter(t, c.how, c.boot)
		lose(t, before, after)
		for range 2 { // the second opening must not take the first one's traces for a new state
			_, err := Open(before, Options{Durability: c.how, BootID: c.later, Balloon: -1, NoIdleDrop: true})
			var d *DamageError
			if !errors.As(err, &d) || d.Loss.Records == 0 {
				t.Errorf("%s: %v", c.what, err)
			}
		}
	}
}

func TestAnchorBehindIsNoLoss(t *testing.T) {
	before, after, session := beforeAndAfter(t, Sync, "one")
	lose(t, after, before) // the power went before the anchor's page was written
	s := open(t, after, Options{Durability: Sync, BootID: "two", NoIdleDrop: true})
	if s.Lost() != nil {
		t.Errorf("lost: %+v", s.Lost())
	}
	if last, err := s.LastEvent(session); err != nil || last != 18 {
		t.Errorf("last event %d, %v", last, err)
	}
	// An owner that only looked must leave the anchor as far as the records are: the next one numbers on from there.
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, after, Options{Durability: Sync, BootID: "two", NoIdleDrop: true})
	defer s.Close()
	more(t, s, session, 20, 2)
	if err := s.Verify(session); err != nil {
		t.Error(err)
	}
}

// TestFirstOpeningCutShort opens where an earlier process was killed while it made the anchor, before any database.
func TestFirstOpeningCutShort(t *testing.T) {
	for _, size := range []int{0, 1, slotStride, anchorSize} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, anchorName), make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
		s := open(t, dir, Options{Durability: Fast, NoIdleDrop: true})
		if s.Lost() != nil {
			t.Errorf("%d bytes: %v lost", size, s.Lost())
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEmptyFilesOfAKilledBadger(t *testing.T) {
	before, _, session := beforeAndAfter(t, Fast, "one")
	for _, name := range []string{"00007.mem", "000007.vlog"} {
		if err := os.WriteFile(filepath.Join(before, folderName, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, before, Options{Durability: Fast, BootID: "one", NoIdleDrop: true})
	defer s.Close()
	if err := s.Verify(session); err != nil {
		t.Error(err)
	}
}

func TestFailedCommitPoisons(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{Durability: Fast})
	n, err := s.NewSession(&kind.SessionRoot{})
	if err != nil {
		t.Fatal(err)
	}
	more(t, s, n, 0, 3)
	var told error
	s.disk.alarm = func(err error) { told = err }
	(*alarmLog)(s.disk).Errorf("error flushing memtable to disk: %v, retrying", "input/output error")
	if told == nil {
		t.Error("the alarm was not raised")
	}
	settle := store.Note{ID: graph.ID{Session: n, Bag: 1}, Fact: kind.Fact{What: "x"}}
	for range 2 {
		if _, err := s.Apply(n, settle); !errors.Is(err, store.ErrPoisoned) || !strings.Contains(err.Error(), "input/output error") {
			t.Errorf("after the alarm: %v", err)
		}
	}
	if _, err := s.Node(graph.RootID(n)); !errors.Is(err, store.ErrPoisoned) {
		t.Errorf("a reader: %v", err)
	}
	if err := s.Close(); err == nil {
		t.Error("a poisoned store closed without a word")
	}
	s.disk.alarmed.Store(nil) // let this process give the files back, which an owner leaves to its end
	if err := s.disk.close(); err != nil {
		t.Error(err)
	}
	s = open(t, dir, Options{Durability: Fast})
	defer s.Close()
	if err := s.Verify(n); err != nil {
		t.Error(err)
	}
}

func TestManyShortLives(t *testing.T) {
	dir := t.TempDir()
	var n uint64
	for life := range 12 {
		s := open(t, dir, Options{Durability: Fast})
		if life == 0 {
			var err error
			if n, err = s.NewSession(&kind.SessionRoot{}); err != nil {
				t.Fatal(err)
			}
		}
		more(t, s, n, life*2, 2)
		if tables := s.disk.db.Levels()[0].NumTables; tables > flattenAbove+1 {
			t.Errorf("life %d begins with %d tables in the first level", life, tables)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestIdleDrop(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{Durability: Fast, NoIdleDrop: true})
	fill(t, s, 800)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir, Options{Durability: Fast, NoIdleDrop: true})
	defer s.Close()
	before, err := content(s)
	if err != nil {
		t.Fatal(err)
	}
	if n := residentTables(t, dir); n < 1<<10 {
		t.Fatalf("%d KiB of tables are resident before the drop", n)
	}
	s.IdleDrop()
	if n := residentTables(t, dir); n > 0 {
		t.Errorf("%d KiB of tables are resident after the drop", n)
	}
	if after, err := content(s); err != nil || after != before {
		t.Errorf("after the drop %s (%v), before %s", after, err, before)
	}
}

// residentTables is how many KiB of the mapped tables below a folder are resident.
func residentTables(t *testing.T, dir string) (kib int) {
	t.Helper()
	b, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip("what is resident is read from /proc: run it on Linux")
	}
	ours := false
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if strings.Contains(f[0], "-") {
			ours = strings.Contains(line, dir) && strings.HasSuffix(strings.TrimSpace(line), ".sst")
		}
		if ours && f[0] == "Rss:" {
			n, err := strconv.Atoi(f[1])
			if err != nil {
				t.Fatal(err)
			}
			kib += n
		}
	}
	return kib
}
