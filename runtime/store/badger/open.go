package badger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"

	db "github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
	"golang.org/x/sys/unix"
)

// Durability says what survives what.
type Durability int

const (
	// Sync: what was acknowledged survives a power failure.
	Sync Durability = iota
	// Fast: what was acknowledged survives the death of the process, not of the machine.
	Fast
)

// Options of an opening.
type Options struct {
	Durability Durability
	Wait       bool  // for the owner to go; else ErrLocked at once
	Lock       *Lock // taken already; Close releases it
	AcceptLoss bool  // open what is left of a damaged store
	Balloon    int64 // bytes in reserve; 0 means 32 MiB, below zero none
	Now        func() time.Time
	RideFor    time.Duration
	// Hook is called at every boundary at which a crash leaves a different state. Tests only.
	Hook func(point string)
	// Alarm is told when the database can no longer write: every commit fails from then on, and one that is under way
	// may never return. The owner ends the process.
	Alarm func(error)
	// Free answers the free bytes of a folder's disk; nil asks the kernel.
	Free func(dir string) (uint64, error)
	// BootID stands in for the machine's own. Tests only.
	BootID string
	// NoIdleDrop leaves it to the caller to call IdleDrop.
	NoIdleDrop bool
}

// Store is a store on disk.
type Store struct {
	*store.Ledger
	disk *disk
	lost *Loss
	mask int
}

var _ store.Store = (*Store)(nil)

const folderName = "db"

func badgerOptions(folder string, o Options, log db.Logger) db.Options {
	return db.DefaultOptions(folder).
		WithSyncWrites(o.Durability == Sync).
		WithMemTableSize(8 << 20).WithNumMemtables(2).
		WithValueThreshold(512 << 10). // above the largest value: the value log stays empty
		WithValueLogFileSize(4 << 20).
		WithCompression(options.None).WithBlockCacheSize(0).WithIndexCacheSize(0).
		WithNumCompactors(2).WithNumLevelZeroTables(5).WithNumLevelZeroTablesStall(15).
		WithNumVersionsToKeep(1).WithDetectConflicts(false).WithMetricsEnabled(false).
		WithChecksumVerificationMode(options.NoVerification). // verify does it
		WithLogger(log)
}

// Open opens the store in a folder, or makes one. It sets the umask of the process to 077, because Badger makes files at
// any time; Umask tells what it was. Errors: ErrLocked, ErrUnreadable, ErrDiskFull, and a *DamageError (ErrDamaged).
func Open(dir string, o Options) (*Store, error) {
	mask := unix.Umask(0o077)
	lock := o.Lock
	if lock == nil {
		var err error
		if lock, err = Acquire(dir, o.Wait); err != nil {
			return nil, err
		}
	}
	s, err := openLocked(dir, o)
	if err != nil {
		lock.Release()
		return nil, err
	}
	s.disk.lock = lock
	s.mask = mask
	return s, nil
}

// Umask is the process's umask before Open: what a child of it should have.
func (s *Store) Umask() int { return s.mask }

// Lost says what the store had lost when it was opened, nil for nothing.
func (s *Store) Lost() *Loss { return s.lost }

func openLocked(dir string, o Options) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, unreadable(dir, err)
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return nil, unreadable(dir, err)
	}
	folder := filepath.Join(dir, folderName)
	d := &disk{dir: dir, folder: folder, sync: o.Durability == Sync, hook: o.Hook, alarm: o.Alarm, now: o.Now}
	if d.hook == nil {
		d.hook = func(string) {}
	}
	if d.now == nil {
		d.now = time.Now
	}
	d.space = space{dir: dir, size: o.Balloon, free: o.Free}
	if d.space.free == nil {
		d.space.free = freeBytes
	}
	if o.Balloon == 0 {
		d.space.size = defaultBalloon
	}
	a, err := openAnchor(dir)
	if err != nil {
		return nil, err
	}
	d.anchor = a
	a.fast, a.boot = !d.sync, bootID(o.BootID)
	loss, err := d.open(o)
	if err != nil {
		a.close()
		return nil, err
	}
	s := &Store{disk: d}
	s.Ledger, err = store.NewLedger(d, int64(d.records), store.Options{Now: o.Now, Hook: o.Hook, RideFor: o.RideFor})
	if err == nil && loss != nil {
		s.lost = loss
		err = s.noteLoss()
	}
	if err != nil {
		d.failed.Store(true) // no clean close: it was not looked at to the end
		d.close()
		return nil, err
	}
	if !o.NoIdleDrop {
		d.idle.start(d)
	}
	return s, nil
}

// open checks the files, opens the database, and checks what came out of it. A loss that is no damage, or one that the
// caller accepts, is answered.
func (d *disk) open(o Options) (*Loss, error) {
	a := d.anchor
	found, err := look(d.folder)
	if err != nil {
		return nil, unreadable(d.dir, err)
	}
	old := a.whole && a.found.tip.Records > 0
	var broken error // what is wrong before Badger has opened anything
	switch {
	case a.fresh && found.any():
		broken = errors.New("its anchor is gone, so nobody can say whether its last events are there")
	case !a.fresh && !a.whole && found.any(): // without a database its making was cut short: it comes before the database
		broken = errors.New("its anchor cannot be read, so nobody can say whether its last events are there")
	case old && !found.any():
		broken = errors.New("its database is gone")
	}
	powerLoss := a.whole && a.found.boot != a.boot
	opts := badgerOptions(d.folder, o, (*alarmLog)(d))
	var strays []string
	if broken == nil {
		strays, broken = checkManifest(d.folder, found, a, opts, powerLoss && a.clean == nil)
	}
	if broken == nil {
		broken = d.verify(found.named(strays))
	}
	if broken != nil && !o.AcceptLoss {
		return nil, damaged(d.dir, "%v", broken)
	}
	if found.any() {
		if err := salvage(d.dir, d.folder, found); err != nil {
			return nil, unreadable(d.dir, err)
		}
	}
	d.space.prepare()
	clean := a.clean != nil && broken == nil
	if err := a.begin(d.dir); err != nil {
		return nil, unreadable(d.dir, err)
	}
	d.hook("before-open")
	if o.AcceptLoss {
		broken, err = d.openAnyhow(opts, found, broken)
	} else {
		err = d.openBadger(opts)
	}
	if err != nil {
		return nil, err
	}
	d.hook("after-open")
	loss, err := d.checkRecords(clean, strays, powerLoss && a.found.fast)
	if err == nil && loss == nil && d.alarmed.Load() != nil { // Badger goes on without a table that it cannot read
		loss = &Loss{Reason: (*d.alarmed.Load()).Error()}
	}
	if err == nil && loss == nil && broken != nil {
		loss = &Loss{Reason: broken.Error()}
	}
	if err == nil && loss != nil && !loss.PowerLoss && !o.AcceptLoss {
		err = &DamageError{Dir: d.dir, Loss: *loss}
	}
	d.alarmed.Store(nil)
	if err == nil && d.gone > 0 {
		err = d.Write([]store.Pair{store.WriteOff(d.gone)}, store.Tip{})
	}
	if err == nil && d.sync {
		err = syncFolder(d.folder)
	}
	if err != nil {
		d.failed.Store(true)
		d.closeBadger()
		return nil, err
	}
	d.running.Store(true)
	if d.tip = a.found.tip; d.newest.Records > d.tip.Records {
		d.tip = d.newest // committed, but its process was killed before the anchor knew
	}
	if loss != nil {
		d.tip = store.Tip{Records: d.records} // what it named may be gone
	}
	if err := a.write(d.tip); err != nil {
		return nil, unreadable(d.dir, err)
	}
	if loss == nil {
		unsalvage(d.dir)
		return nil, nil
	}
	return loss, d.keepSalvage()
}

// keepSalvage gives what was found a name of its own, so that the next opening may salvage again.
func (d *disk) keepSalvage() error {
	from := filepath.Join(d.dir, salvageName)
	err := os.Rename(from, fmt.Sprintf("%s-%s", from, d.now().UTC().Format("20060102-150405")))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (d *disk) openBadger(o db.Options) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = damaged(d.dir, "its files cannot be read (%v)", p)
		}
	}()
	if err := os.MkdirAll(d.folder, 0o700); err != nil {
		return unreadable(d.dir, err)
	}
	if d.db, err = db.Open(o); err != nil {
		return openError(d.dir, err)
	}
	return nil
}

// openAnyhow opens what can be read of a database, and answers what is wrong with it.
func (d *disk) openAnyhow(o db.Options, found files, broken error) (error, error) {
	good, bad := readable(d.folder, found.tables)
	if broken == nil && len(bad) == 0 {
		if err := d.openBadger(o); err == nil {
			return nil, nil
		} else {
			broken = err
		}
	}
	if broken == nil {
		broken = fmt.Errorf("its tables %v cannot be read", bad)
	}
	if err := repair(d.folder, good); err != nil {
		return broken, unreadable(d.dir, err)
	}
	d.alarmed.Store(nil)
	err := d.openBadger(o)
	if err != nil {
		if err := removeAll(d.folder, "*.mem"); err != nil {
			return broken, unreadable(d.dir, err)
		}
		err = d.openBadger(o)
	}
	return broken, err
}

// checkRecords compares the event records that are there with what the anchor and their own numbers say.
func (d *disk) checkRecords(clean bool, strays []string, powerLoss bool) (*Loss, error) {
	tip := d.anchor.found.tip
	d.records = tip.Records
	there := true
	if tip.Records > 0 {
		var err error
		if there, err = store.HasRecord(d, tip); err != nil {
			return nil, damaged(d.dir, "%v", err)
		}
	}
	if clean && there {
		return nil, nil
	}
	t, err := store.Count(d)
	if err != nil {
		return nil, damaged(d.dir, "%v", err)
	}
	d.newest = t.Tip
	t.Highest = max(t.Highest, tip.Records)
	d.records = t.Highest
	missing := t.Missing()
	reason := ""
	switch {
	case missing > 0:
		reason = "committed events are missing"
	case !there:
		reason = "the last committed event is not the one that was written"
	case len(strays) > 0:
		reason, err = d.checkDeeply()
		if err != nil {
			return nil, err
		}
	}
	if reason == "" {
		return nil, nil
	}
	if powerLoss {
		reason += " after a power failure (durability was fast)"
	}
	d.gone = t.WrittenOff + missing
	return &Loss{Records: missing, PowerLoss: powerLoss, Reason: reason}, nil
}

// checkDeeply walks all chains with all that they wrote. Tables that MANIFEST does not name are what a kill leaves while
// a table is made, but also what is left when MANIFEST has lost entries.
func (d *disk) checkDeeply() (string, error) {
	sessions, err := store.ListSessions(d)
	if err != nil {
		return "", damaged(d.dir, "%v", err)
	}
	for _, s := range sessions {
		if err := store.VerifySession(d, s); err != nil {
			return err.Error(), nil
		}
	}
	return "", nil
}

// noteLoss writes the loss into the sessions that it may concern: the one that wrote last, and all that have open calls.
func (s *Store) noteLoss() error {
	sessions, err := s.Sessions()
	if err != nil {
		return err
	}
	for _, n := range sessions {
		concerned := n == s.disk.anchor.found.tip.Session
		for _, err := range s.Open(n) {
			if err != nil {
				return err
			}
			concerned = true
			break
		}
		if !concerned {
			continue
		}
		_, err := s.Apply(n, store.Note{ID: graph.RootID(n), Fact: kind.Fact{
			What: kind.FactLost, By: "store",
			Value: kind.Of(graph.List{int64(s.lost.Records), s.lost.Reason}),
		}})
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		s.lost.Sessions = append(s.lost.Sessions, n)
	}
	return nil
}
