package badger

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// An opening reads every table to the end: what lies in a damaged block would else be missing without a word. A table that
// an earlier opening has read, and that nobody has written to since, is not read again until the store is idle: else the
// opening of a large store would take ever longer. What was read is kept in a file beside the database. It decides nothing
// but what is read when, so it is not synced, and lines that cannot be true match no table.
const verifiedName = "verified"

const (
	settled = time.Second        // how old a change must be for the time of the next one to differ from it
	trusted = 7 * 24 * time.Hour // after it all tables are read again, also of a store that is never idle
)

// stamp is what changes when a file is written to: which file it is, its size, when it was last written; and by the week.
type stamp string

// stampOf answers the empty stamp for a file that was written a moment ago.
func stampOf(path string, now time.Time) stamp {
	var s unix.Stat_t
	if err := unix.Stat(path, &s); err != nil || now.Sub(time.Unix(s.Mtim.Unix())) < settled {
		return ""
	}
	return stamp(fmt.Sprint(s.Ino, s.Size, s.Mtim.Nano(), now.UnixNano()/int64(trusted)))
}

// verified are the tables that were read to the end, by name, as they were then.
type verified map[string]stamp

func loadVerified(dir string) verified {
	v := verified{}
	text, err := os.ReadFile(filepath.Join(dir, verifiedName))
	if err != nil {
		return v
	}
	for line := range strings.Lines(string(text)) {
		if name, s, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " "); ok {
			v[name] = stamp(s)
		}
	}
	return v
}

// save keeps what is known of the tables that are still there and unchanged.
func (v verified) save(dir, folder string, now time.Time) error {
	var b strings.Builder
	for name, s := range v {
		if stampOf(filepath.Join(folder, name), now) == s {
			fmt.Fprintf(&b, "%s %s\n", name, s)
		}
	}
	path := filepath.Join(dir, verifiedName)
	if err := os.WriteFile(path+".new", []byte(b.String()), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// verify looks at the ends of tables, reads those that have to be read, and answers the one that cannot be. Those that need
// not be read are left for scrub.
func (d *disk) verify(names []string) error {
	known := loadVerified(d.dir)
	d.verified, d.unread = verified{}, nil
	for _, name := range names {
		path := filepath.Join(d.folder, name)
		s := stampOf(path, d.now())
		err := checkTable(path)
		if s != "" && known[name] == s {
			d.unread = append(d.unread, name)
		} else if err == nil {
			err = readTable(path)
		}
		if err != nil {
			return fmt.Errorf("its table %s cannot be read: %v", name, err)
		}
		if s != "" {
			d.verified[name] = s
		}
	}
	return nil
}

// scrub reads what the opening left unread: a disk can lose what nobody wrote to. A table that is gone was compacted.
func (d *disk) scrub() {
	for _, name := range d.unread {
		path := filepath.Join(d.folder, name)
		if err := readTable(path); err != nil {
			if _, gone := os.Lstat(path); gone == nil {
				(*alarmLog)(d).Errorf("the table %s cannot be read: %v", name, err)
				return
			}
		}
	}
	d.unread = nil
}
