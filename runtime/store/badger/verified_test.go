package badger

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"caper/runtime/kind"
	"caper/runtime/store"
)

// later is a clock by which all that was written has been there for long.
func later() time.Time { return hence }

var hence = time.Now().Add(time.Hour)

// opened fills a store and opens it twice, so that its tables have been read. It answers one of them.
func opened(t *testing.T, dir string) (table string) {
	t.Helper()
	s := open(t, dir, Options{Durability: Fast, NoIdleDrop: true})
	fill(t, s, 800)
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = open(t, dir, Options{Durability: Fast, Now: later, NoIdleDrop: true})
	}
	if n := len(s.disk.unread); n == 0 || n != len(s.disk.verified) {
		t.Fatalf("of %d tables %d need not be read again", len(s.disk.verified), n)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, folderName, s.disk.unread[0])
}

// rot flips a bit of a file; its times say that nobody wrote to it.
func rot(t *testing.T, path string) {
	t.Helper()
	fi, err := os.Stat(path)
	if err == nil {
		err = flip(path, fi.Size()/2)
	}
	if err == nil {
		err = os.Chtimes(path, fi.ModTime(), fi.ModTime())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestATableIsReadAgainWhenItWasWrittenTo(t *testing.T) {
	dir := t.TempDir()
	table := opened(t, dir)
	rot(t, table)
	now := time.Now()
	if err := os.Chtimes(table, now, now); err != nil {
		t.Fatal(err)
	}
	_, err := Open(dir, Options{Durability: Fast, Now: later})
	if !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), filepath.Base(table)) {
		t.Errorf("it opened: %v", err)
	}
}

func TestTablesThatAreReadAgain(t *testing.T) {
	for _, c := range []struct {
		name  string
		at    time.Duration
		known bool
	}{{"written just now", -2 * time.Hour, false}, {"read a week ago", trusted, true}} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			opened(t, dir)
			s := open(t, dir, Options{Durability: Fast, NoIdleDrop: true, Now: func() time.Time { return later().Add(c.at) }})
			defer s.Close()
			if len(s.disk.unread) > 0 || len(s.disk.verified) > 0 != c.known {
				t.Errorf("%v were not read, %v are known", s.disk.unread, s.disk.verified)
			}
		})
	}
}

// TestNoRoomForWhatWasRead: on a full disk a close is clean all the same, as the record of it has its place already.
func TestNoRoomForWhatWasRead(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{Durability: Fast, NoIdleDrop: true})
	fill(t, s, 8)
	if err := os.Mkdir(filepath.Join(dir, verifiedName+".new"), 0o700); err != nil { // it cannot be written
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestATableThatRotted: the idle store finds it, and its owner is told.
func TestATableThatRotted(t *testing.T) {
	dir := t.TempDir()
	table := opened(t, dir)
	rot(t, table)
	var told error
	s := open(t, dir, Options{Durability: Fast, Now: later, NoIdleDrop: true, Alarm: func(err error) { told = err }})
	defer func() {
		s.disk.alarmed.Store(nil) // else it is left to the end of the process
		s.Close()
	}()
	s.disk.scrub()
	if told == nil || !strings.Contains(told.Error(), filepath.Base(table)) {
		t.Errorf("the owner was told %v", told)
	}
	if _, err := s.NewSession(&kind.SessionRoot{}); err == nil {
		t.Error("it goes on writing")
	}
}
